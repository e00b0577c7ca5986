"""Builders of certificates: one module for each kind, each with a function ``certificate``.

They write down what a search found, in the form that CERTIFICATES.md specifies, and decide nothing:
the checker shares no code with them. Formulas are written with `formula`. Certificates of hulls,
sums, overlays and region trees are written by the exact engine that finds them.
"""
