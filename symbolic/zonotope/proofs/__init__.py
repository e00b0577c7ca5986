"""Derivations on matrix zonotopic attention."""
