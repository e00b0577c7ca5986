"""Equivariant attention in torch: layers of each head type, and what they cannot fit."""
