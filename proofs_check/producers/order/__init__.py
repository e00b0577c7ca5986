"""What settles the claims on incremental learning."""
