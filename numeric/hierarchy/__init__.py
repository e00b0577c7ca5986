"""Transformers on nested structure (paper F): data, model, training, probes, interventions."""
