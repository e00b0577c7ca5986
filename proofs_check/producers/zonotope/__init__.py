"""What settles the claims on matrix zonotopic attention."""
