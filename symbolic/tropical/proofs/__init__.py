"""Derivations of the claims about attention at zero temperature."""
