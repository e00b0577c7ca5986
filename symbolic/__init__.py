"""Exact and symbolic objects, and derivations. No torch; nothing returned here is a float.

First the engine, a room for each kind of question:

* `modular`: linear algebra modulo a prime, ranks of matrices and Jacobians;
* `cones`: linear inequalities decided exactly, convex hulls;
* `minkowski`: Minkowski sums, overlays of power diagrams;
* `regions`: the affine pieces of a network;
* `enclosures`: balls and intervals that are proved to hold a number;
* `interpolation`: rational functions through given points;
* `derivations`: proofs step by step, the rules that decide them, how they are shown.

Then the topics of the papers, each with the objects that its claims speak of and, in ``proofs``,
its derivations: `tropical`, `ensemble`, `equivariance`, `hierarchy`, `order`, `identification`,
`zonotope`, `attention_only`, `recovery`.

What all of them share stands beside them: `errors`, `rational`, `certificate`, `display`, `mathml`.

Imports go one way, and a test sees to it: what is shared imports nothing but each other; a room
imports that and the rooms listed above it; a topic imports those and no other topic. `catalogue`,
the list of all derivations, imports from everywhere, and nothing here imports it.
"""
