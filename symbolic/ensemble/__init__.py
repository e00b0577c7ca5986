"""Heads as an ensemble of estimators, exactly."""
