"""Derivations on attention-only decoders."""
