"""Floating point: the objects of symbolic/ again, in torch and mpmath, written independently."""
