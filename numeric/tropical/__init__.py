"""Attention at zero temperature (paper A) in float64, with derived rounding bounds."""
