"""What settles the claims on hierarchy."""
