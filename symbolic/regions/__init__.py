"""The affine pieces of a network of hard attention and ReLU layers, counted with a certificate.

A piece is where all choices, of keys by heads and of signs by neurons, are fixed. A tree of
polyhedra fixes one choice after the other and excludes what wins nowhere, with multipliers that
prove it: the work follows the pieces that exist and not the products of all choices. Cells of deep
networks are small and far from the origin, so the floats that propose work on rows moved exactly
to a point nearby (`recentred`, `gordan`), and `open_cells` decides in integers.

The answer is in `linear_regions`, the input in `network` and `network_document`.
"""
