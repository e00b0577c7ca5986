"""What settles the claims of topic equivariance."""
