"""Exact and symbolic objects, and derivations. No torch; nothing returned here is a float."""
