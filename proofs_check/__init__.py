"""Claims, evidence and verdicts; certificates and their checker; the command line."""
