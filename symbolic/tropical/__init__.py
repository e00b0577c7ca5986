"""Attention at zero temperature, exactly (topic tropical)."""
