"""Decoders with and without feed-forward layers in torch."""
