"""The producers of evidence: for each claim a module of the same name as in `claims`.

They import torch, sympy and flint, and are therefore imported when a producer runs and not before:
the claims name them by `Deferred`.
"""
