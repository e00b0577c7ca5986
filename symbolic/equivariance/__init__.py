"""Finite groups that act on attention: head permutations, strata, hidden representations, price."""
