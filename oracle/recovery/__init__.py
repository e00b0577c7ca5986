"""Recovery: every head of multi-head attention from value queries (claims recovery.*)."""
