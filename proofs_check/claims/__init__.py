"""The claims, one module per topic; each exports ``CLAIMS``."""
