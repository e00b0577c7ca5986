"""Which parameters the function of attention cannot see, exactly."""
