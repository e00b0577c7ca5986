"""The head budget: minimiser, integers, divisors, ties and refusals."""

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headproof.proofs_check.certificates.allocation import certificate
from headproof.proofs_check.checker import check_certificate
from headproof.proofs_check.checker.errors import Rejected
from headproof.symbolic.ensemble.allocation import head_budget
from headproof.symbolic.ensemble.budget import Law, Rate
from headproof.symbolic.errors import InputError

LAW = {"A": 1, "alpha": 1, "C": "e", "variance": 1, "n": 1000, "D": 64}
RATIOS = st.builds(lambda p, q: 1 + Fraction(p, q), st.integers(1, 20), st.integers(1, 9))
CASES = st.tuples(RATIOS, RATIOS, st.integers(1, 9), st.integers(0, 9), st.integers(1, 60))


def law_of(case: tuple[Fraction, Fraction, int, int, int]) -> Law:
    r, C, A, power, D = case
    text = f"log {r.numerator}/{r.denominator}" if r.denominator > 1 else f"log {r.numerator}"
    return Law.of(A=A, alpha=text, C=C, variance=Fraction(1, 2), n=10**power, D=D)


@given(CASES)
def test_integers_and_divisors_by_brute_force(
    case: tuple[Fraction, Fraction, int, int, int],
) -> None:
    law, (r, C, A, _, D) = law_of(case), case
    errors = {x: A / r**x + law.scale * x * C**x for x in range(1, D + 1)}
    assert law.best() == tuple(x for x in errors if errors[x] == min(errors.values()))
    divisors = {x: e for x, e in errors.items() if D % x == 0}
    assert law.best_divisor() == tuple(x for x in divisors if divisors[x] == min(divisors.values()))
    narrow = {x: e for x, e in errors.items() if x <= 3}
    assert law.best(most=3) == tuple(x for x in narrow if narrow[x] == min(narrow.values()))


@given(CASES)
def test_the_minimiser_is_stationary(case: tuple[Fraction, Fraction, int, int, int]) -> None:
    found = law_of(case).minimiser(digits=30)
    mp = mpmath.MPContext()
    mp.dps = 40
    r, C, A, power, D = case
    rate, g = (
        mp.log(mp.mpf(r.numerator) / r.denominator),
        mp.log(mp.mpf(C.numerator) / C.denominator),
    )
    x = mp.mpf(found.lower.numerator) / found.lower.denominator
    size = rate * A * 2 * 10**power * D
    assert abs((1 + g * x) * mp.exp((rate + g) * x) / size - 1) < mp.mpf(10) ** -20


def test_the_unit() -> None:
    """A = alpha = 1, C = e, n D/sigma^2 as near to 2 e^2 as 40 digits go: d_k* is 1 to 38."""
    mp = mpmath.MPContext()
    mp.dps = 50
    size = Fraction(int(2 * mp.e**2 * mp.mpf(10) ** 40), 10**40)
    law = Law.of(A=1, alpha=1, C="e", variance=1 / size, n=1, D=1)
    found = law.minimiser(digits=50)
    assert abs(found.lower - 1) < Fraction(1, 10**38)


def test_the_slow_growth() -> None:
    ratios = []
    for n in (10**5, 10**20, 10**100):
        found = head_budget(n=n, D=1, alpha=1, C="e")
        ratios.append(float(found.minimiser.lower / found.bounds[1].upper))
        assert found.bounds[0].lower <= found.minimiser.upper
    assert [round(x, 3) for x in ratios] == [0.846, 0.932, 0.979]


def test_a_tie() -> None:
    law = Law.of(A=1, alpha="log 2", C=2, variance=Fraction(1, 4), n=1, D=6)
    assert law.best() == law.best_divisor() == (1, 2)
    assert law.compare(1, 2) == 0
    nearly = Law.of(A=1, alpha="log 2", C=2, variance=Fraction(10**30 + 1, 4 * 10**30), n=1, D=6)
    assert nearly.best() == (1,)


def test_the_edges() -> None:
    assert head_budget(n=1, D=1, alpha=1, C=2).best == (1,)
    below = head_budget(n=1, D=8, alpha="1/1000", C=50, variance=100)
    assert below.best == (1,)
    assert below.minimiser.upper < 0
    assert any("below 1" in caveat for caveat in below.caveats)
    above = head_budget(n=10**30, D=4, alpha=1, C="11/10")
    assert above.best == (4,)
    assert any("above D" in caveat for caveat in above.caveats)
    capped = head_budget(n=10**9, D=768, alpha="1/4", C="3/2", d_model=8)
    assert capped.best == (8,)
    assert {row.d_k for row in capped.rows} <= set(range(1, 9))
    huge = head_budget(n=10**25, D=10**12, alpha="1/1000000", C="1000001/1000000")
    assert huge.best[0] > 10**7
    assert huge.law.D % huge.best_divisors[0] == 0


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"A": 0}, "A: expected a positive number"),
        ({"A": 0.5}, "A: expected an integer or a reduced string"),
        ({"alpha": "-1"}, "alpha: expected a positive number"),
        ({"alpha": "log 1"}, "alpha: expected log of a number above 1"),
        ({"alpha": "log x"}, "alpha: expected an integer"),
        ({"C": 1}, "C: expected a number above 1, or e"),
        ({"C": "pi"}, "C: expected an integer"),
        ({"C": Fraction(10**101 + 1, 10**101)}, "C: expected a number from 1 . 10.-100"),
        ({"C": 10**101}, "C: expected a number from 1 . 10.-100 to 10.100"),
        ({"alpha": Fraction(1, 10**101)}, "alpha: expected a number from 10.-100"),
        ({"variance": 10**101}, "sigma2: expected a number from 10.-100"),
        ({"variance": 0}, "sigma2: expected a positive number"),
        ({"n": 0}, "n: expected a positive integer"),
        ({"n": 1.5}, "n: expected a positive integer"),
        ({"D": True}, "D: expected a positive integer"),
        ({"D": 10**13}, "D: expected a positive integer up to"),
        ({"d_model": 0}, "d_model: expected a positive integer"),
    ],
)
def test_what_is_refused(changed: dict[str, object], said: str) -> None:
    arguments: dict[str, object] = {**LAW, **changed}
    with pytest.raises(InputError, match=said):
        head_budget(**arguments)  # type: ignore[arg-type]


FINE = Fraction(10**90 + 1, 10**90)
EXTREME: list[dict[str, object]] = [
    {"D": 999_999_999_989, "n": 1, "C": 2},  # a prime: H = D has an error of 10^11 digits
    {"D": 999_999_999_989, "alpha": "log 3/2", "C": "3/2"},
    {"D": 10**12, "n": 10**30, "alpha": Fraction(1, 10**90), "C": FINE},
    {"D": 999_999_999_989, "alpha": Fraction(1, 10**11), "C": Fraction(10**12 + 1, 10**12)},
    {"D": 4, "alpha": "log 1001/1000", "C": 10**100},
    {"D": 10**6, "alpha": 10**100, "C": 10**100},
]


@pytest.mark.parametrize("changed", EXTREME)
def test_extreme_parameters_are_certified(changed: dict[str, object]) -> None:
    arguments: dict[str, object] = {**LAW, **changed}
    found = head_budget(**arguments)  # type: ignore[arg-type]
    check_certificate(certificate(found))
    assert all(math.isfinite(float(row.error.lower)) for row in found.rows)


def test_a_divisor_that_is_no_better_is_replaced_by_a_nearer_integer() -> None:
    law = Law.of(A=1, alpha=1, C=2, variance=1, n=100, D=10**9 + 7)
    near = law.outdone(1, law.D)
    assert near < 100
    assert law.compare(1, near) <= 0
    with pytest.raises(ValueError, match="does not outdo"):
        law.outdone(1, law.around[0])


def test_rates() -> None:
    assert str(Rate.read("log 5/4")) == "log 5/4"
    assert str(Rate.read(Fraction(1, 3))) == "1/3"


@pytest.mark.parametrize(
    "changed",
    [{}, {"C": "3/2"}, {"alpha": "log 2", "C": 2}, {"n": 1, "alpha": "1/9"}, {"d_model": 3}],
)
def test_the_certificate(changed: dict[str, object]) -> None:
    arguments: dict[str, object] = {**LAW, **changed}
    found = certificate(head_budget(**arguments))  # type: ignore[arg-type]
    check_certificate(found)
    (instance,) = found["data"]["family"]["instances"]
    wrong: list[dict[str, object]] = [{"lower": 900, "upper": 901}]
    if "best_others" in instance:  # the optimum and a candidate exchanged
        others = instance["best_others"]
        wrong.append({"best": others[-1], "best_others": [instance["best"], *others[:-1]]})
    for spoilt in wrong:
        family = {**found["data"]["family"], "instances": [{**instance, **spoilt}]}
        with pytest.raises(Rejected):
            check_certificate({**found, "data": {**found["data"], "family": family}})
