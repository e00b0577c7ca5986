"""Black boxes that answer queries, and the algorithms that recover what is inside."""
