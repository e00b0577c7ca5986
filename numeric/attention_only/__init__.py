"""Decoders with and without feed-forward layers (paper D): model, text, training, measures."""
