"""What settles the claims on attention-only decoders."""
