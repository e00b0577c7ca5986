"""Derivations of topic ensemble."""
