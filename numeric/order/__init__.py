"""Incremental learning on high-order Markov chains (paper G): chain, flows, training, measures."""
