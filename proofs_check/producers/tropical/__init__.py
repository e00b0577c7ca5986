"""Topic tropical: what settles the claims on attention at zero temperature."""
