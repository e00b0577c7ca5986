"""Markov chains of high order, exactly (paper G): stationary law and misspecified losses."""
