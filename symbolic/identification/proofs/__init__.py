"""Derivations of topic identification."""
