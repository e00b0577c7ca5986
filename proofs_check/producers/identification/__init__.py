"""What settles the claims of topic identification."""
