"""Rational interpolation as an exact object: modulo primes, over Q, and in rigorous balls."""
