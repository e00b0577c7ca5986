"""Derivations of topic equivariance."""
