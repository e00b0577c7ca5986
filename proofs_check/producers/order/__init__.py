"""Topic order."""
