"""Producers of topic recovery."""
