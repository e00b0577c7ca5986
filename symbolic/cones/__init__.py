"""Systems of linear inequalities decided exactly, and what is decided by them: convex hulls.

One theorem is behind all of it (Motzkin): a homogeneous system has a solution, or multipliers that
refute it, and either is a proof. The least-squares problem of Lawson and Hanson yields both
answers, ends on every input and needs no facets, which are hopeless to list in the dimensions of
real heads. It is solved in floats for whole batches (`proposal`), each answer is checked in
integers, and what floats cannot tell apart is solved in rationals (`cone`).

`feasibility` answers questions of single systems, `hull` those of point sets, by Clarkson's method.
"""
