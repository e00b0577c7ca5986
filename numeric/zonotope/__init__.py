"""Matrix zonotopic attention (T2): layers, set transformers, set tasks, training."""
