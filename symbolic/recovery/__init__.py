"""Topic recovery: heads from value queries (claims E1 to E7), symbolically."""
