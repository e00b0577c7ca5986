"""Dyck languages of bounded depth, and attention that generates them (claims F1, F2, F7)."""
