"""Derivations of topic recovery."""
