"""Search as a library: it finds, shrinks, counts honestly, repeats itself and leaves no trace."""

import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from headproof.proofs_check.search import search


def test_finds_and_shrinks_a_planted_violation_to_the_minimal_one() -> None:
    lists = st.lists(st.integers(-1000, 1000), max_size=8)
    result = search(lists, lambda s: sum(s) < 500, examples=500, seed=3)
    assert not result.holds
    assert result.counterexample == [500]
    assert result.raised is None
    assert result.seed == 3
    assert 1 <= result.cases <= 500
    assert str(result.cases) in result.message


def test_shrinks_fractions_to_the_simplest() -> None:
    result = search(
        st.fractions(0, 10), lambda q: q.denominator == 1 or q < 2, examples=300, seed=0
    )
    assert result.counterexample == Fraction(5, 2)


def test_finds_none_for_a_true_property() -> None:
    result = search(st.integers(), lambda n: n * n >= 0, examples=120, seed=5)
    assert result.holds
    assert result.counterexample is None
    assert result.cases == 120


def test_counts_the_cases_for_which_the_property_was_really_evaluated() -> None:
    seen: list[int] = []

    def holds(n: int) -> bool:
        assume(n % 2 == 0)
        seen.append(n)
        return True

    result = search(st.integers(0, 10**6), holds, examples=50, seed=1)
    assert result.cases == len(seen)


def test_a_small_space_is_not_counted_twice() -> None:
    result = search(st.sampled_from("abc"), lambda _: True, examples=1000, seed=1)
    assert result.cases == 3
    assert "3 cases" in result.message


def test_evaluations_while_shrinking_are_not_counted() -> None:
    calls = 0

    def holds(n: int) -> bool:
        nonlocal calls
        calls += 1
        return n < 1234

    result = search(st.integers(0, 10**6), holds, examples=100, seed=2)
    assert result.counterexample == 1234
    assert result.cases < calls


@pytest.mark.parametrize("seed", [0, 7, 2**64 + 1])
def test_same_seed_same_cases(seed: int) -> None:
    def cases(of: int) -> list[Fraction]:
        drawn: list[Fraction] = []

        def holds(q: Fraction) -> bool:
            drawn.append(q)
            return True

        search(st.fractions(), holds, examples=60, seed=of)
        return drawn

    first = cases(seed)
    assert len(first) >= 50
    assert first == cases(seed)
    assert first != cases(seed + 1)


PROCESS = """
import sys
sys.path[:0] = {path!r}
{extra}
from hypothesis import strategies as st
from headproof.proofs_check.search import search
drawn = []
search(st.integers(), lambda n: drawn.append(n) is None, examples=400, seed=11)
print(drawn)
"""


def test_cases_do_not_depend_on_the_modules_loaded_and_nothing_is_written(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    library = tmp_path / "library"
    library.mkdir()
    (library / "many_constants.py").write_text(
        "\n".join(f"C{n} = {123_456_789 + n}" for n in range(200))
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", PROCESS.format(path=[str(library)], extra=extra)],
            cwd=work,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for extra in ("", "import many_constants")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count(",") >= 350
    assert not list(work.iterdir())


def test_a_property_that_raises_is_neither_support_nor_counterexample() -> None:
    def holds(n: int) -> bool:
        return 1 / (n - n) > 0 if n >= 10 else True

    result = search(st.integers(0, 100), holds, examples=100, seed=4)
    assert not result.holds
    assert result.counterexample is None
    assert result.raised is not None
    assert result.raised.case == 10
    assert result.raised.error.startswith("ZeroDivisionError")
    assert "holds" in result.raised.traceback


def test_a_property_that_answers_differently_when_asked_again_is_reported() -> None:
    asked: set[int] = set()

    def holds(n: int) -> bool:
        first = n not in asked
        asked.add(n)
        return not first or n < 50

    result = search(st.integers(0, 100), holds, examples=100, seed=4)
    assert not result.holds
    assert result.counterexample is None
    assert result.raised is not None
    assert "Flaky" in result.raised.error


def test_a_strategy_that_discards_nearly_everything_is_reported() -> None:
    narrow = st.integers(0, 10**9).filter(lambda n: str(n).startswith("7777777"))
    result = search(narrow, lambda _: True, examples=100, seed=4)
    assert not result.holds
    assert result.raised is not None


def test_global_state_is_restored() -> None:
    random.seed(12)
    before = random.getstate()
    search(st.integers(), lambda n: n < 10**4, examples=100, seed=9)
    assert random.getstate() == before


def test_a_seed_that_the_property_draws_from_is_no_way_to_change_the_cases() -> None:
    def cases() -> list[int]:
        drawn: list[int] = []

        def holds(n: int) -> bool:
            drawn.append(n)
            return random.random() >= 0

        search(st.integers(), holds, examples=30, seed=9)
        return drawn

    assert cases() == cases()


def test_no_examples_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        search(st.integers(), lambda _: True, examples=0, seed=0)


def test_none_is_no_case_and_no_support() -> None:
    result = search(
        st.one_of(st.none(), st.integers()), lambda n: n is not None, examples=50, seed=1
    )
    assert not result.holds
    assert result.raised is not None
    assert "drew None" in result.raised.error
