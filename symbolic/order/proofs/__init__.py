"""Derivations on the surrogate of incremental learning (claim G2)."""
