"""Derivations: what they are made of, the rules that decide their steps, and how they are shown.

The design is that of an LCF kernel: `proof` admits a step only if a rule of `rules` decides it, and
`instance`, which shares no code with the rules, finds no small sizes at which it fails. Expressions
are sympy's, but no heuristic of sympy decides anything: sums with symbolically many terms have a
normal form here (`normal_form`), signs follow from what is known of the parts (`sign`), and letters
are what the `setting` says they are. A finished `derivation` is a record that `replay` proves
again; `text`, `latex` and `html` write it.

The derivations themselves stand with their topics, in folders ``proofs``; `symbolic.catalogue` has
the list.
"""
