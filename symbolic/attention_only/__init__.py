"""Decoders with and without feed-forward layers: exact accounting and matching (D1, D2)."""
