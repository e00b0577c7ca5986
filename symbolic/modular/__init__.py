"""Linear algebra modulo a prime: the ranks of integer matrices and of Jacobians.

A rank modulo a prime is a lower bound of the rank, and with primes near 2^23 elimination runs on
BLAS without rounding (`elimination`). Upper bounds are vectors of the kernel, read off one
prime (`small_fractions`) or given, and checked in integers (`rank`). `tangent` carries derivatives
along, so that the Jacobian of a function is exact modulo the prime at a point.
"""
