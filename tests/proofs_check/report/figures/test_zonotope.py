"""The pictures of topic zonotope: one zonotope for all inputs, outputs inside, signs at 0."""

from headproof.proofs_check.report.figures import zonotope
from headproof.symbolic.zonotope.layer import coefficients, evaluate
from headproof.symbolic.zonotope.membership import Place, membership


def test_all_inputs_share_the_zonotope_and_no_output_reaches_its_boundary() -> None:
    drawn = zonotope.output()
    assert {zonotope.output(tokens) for tokens in zonotope.inputs()} == {drawn}
    points = zonotope.outputs()
    assert len(points) > 200
    assert {membership(drawn, point).place for point in points} == {Place.INTERIOR}
    # A vertex is no output: the same test tells them apart.
    assert {membership(drawn, v).place for v in drawn.sum().vertices} == {Place.BOUNDARY}


def test_the_outputs_are_those_of_the_coefficients() -> None:
    for tokens in zonotope.inputs()[:20]:
        point = zonotope.output().point(coefficients(zonotope.HEAD, tokens))
        assert evaluate([zonotope.HEAD], tokens)[-1] == point
        assert point in zonotope.outputs()


def test_two_sign_vectors_select_the_centre_and_six_the_vertices() -> None:
    chosen = zonotope.chosen()
    assert chosen.pop((0, 0)) == ((1, 1, -1), (-1, -1, 1))
    assert set(chosen) == set(zonotope.HEXAGON.sum().vertices)
    assert {len(signs) for signs in chosen.values()} == {1}
    assert zonotope.HEXAGON.point(zonotope._CENTRE) == (0, 0)
