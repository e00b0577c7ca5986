"""Rigorous enclosures: what is not rational lies between two rationals that are proved.

Everything is rounded outwards by Arb (python-flint). `ball` encloses numbers, at a precision that
is raised until the enclosure is narrow enough. Over a box of parameters balls are too wide, so
`interval` keeps ends and derivatives, and `subdivision` wins back by mean values and halving what
interval evaluation loses when a variable occurs twice.
"""
