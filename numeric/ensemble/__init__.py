"""Heads as an ensemble: their subspaces, how much these overlap, and the law of random ones."""
