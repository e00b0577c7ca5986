"""Zonotopes of value projections, exactly (claims T2a to T2e)."""
