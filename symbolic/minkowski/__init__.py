"""Minkowski sums of point sets, and overlays of the power diagrams of heads, which are such sums.

The H summands of N points have N^H sums of points and far fewer vertices, so no candidates are
listed. The boundary is covered by fine mixed cells and walked from cell to cell (gift-wrapping):
the work follows the output, in any dimension. Floats choose where to turn, integers decide, and
ties are broken by heights, so that no position is special. In the plane merging edges by angle is
faster; where floats lead nowhere the same walk is done in rationals.

The answers are in `minkowski_sum` and `overlay`; `boundary` chooses the algorithm; the rest serves
it, from `summands`, which checks the input, to `certificate`, which writes the proof.
"""
