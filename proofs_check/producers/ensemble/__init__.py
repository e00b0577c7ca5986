"""What settles the claims of topic ensemble."""
