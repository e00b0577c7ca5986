"""Heads from value queries (paper E) in float64, with error bounds."""
