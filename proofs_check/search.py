"""Property search inside a run: Hypothesis as a library.

Hypothesis is used for what it does best, finding a violation and shrinking it to a minimal one.
What it does around that is switched off, because a run must depend on its seed alone and write
nothing outside its folder: no example database, no deadline, no profile taken from the
environment, no constants collected from whatever modules happen to be loaded (that collection
would make the cases depend on the imports, and writes a folder into the working directory).

A search that finds nothing proves nothing; its result therefore carries the number of cases for
which the property was really evaluated, which is less than what was asked for when the strategy
has fewer distinct cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from traceback import format_exception
from typing import Any, Generic, TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as with_seed
from hypothesis.errors import HypothesisException, UnsatisfiedAssumption
from hypothesis.strategies import SearchStrategy

Case = TypeVar("Case")


@dataclass(frozen=True)
class Raised(Generic[Case]):
    """The property raised instead of answering.

    Args:
        case: the shrunk case on which it raised; None if the search itself could not go on.
        error: the exception, in one line.
        traceback: the whole of it.
    """

    case: Case | None
    error: str
    traceback: str


@dataclass(frozen=True)
class SearchResult(Generic[Case]):
    """What a search found.

    Args:
        cases: for how many generated cases the property was evaluated, up to and including the
            first that violates it (evaluations while shrinking are not counted).
        seed: the seed that gives the same cases again.
        counterexample: the shrunk case for which the property is false; None if none was found.
        message: one sentence for tables.
        raised: set if the property raised or the search could not go on: neither a
            counterexample nor support.
    """

    cases: int
    seed: int
    counterexample: Case | None
    message: str
    raised: Raised[Case] | None = None

    @property
    def holds(self) -> bool:
        """Whether every case was evaluated and none violates the property."""
        return self.counterexample is None and self.raised is None


class _Violated(Exception):
    """The property is false for a case."""


class _Stopped(Exception):
    """The property raised for a case."""


def search(
    strategy: SearchStrategy[Case],
    holds: Callable[[Case], bool],
    *,
    examples: int,
    seed: int,
) -> SearchResult[Case]:
    """Search for a case of the strategy for which the property is false, and shrink it.

    Args:
        strategy: what the cases are; None is not a case.
        holds: the property; it may call ``hypothesis.assume`` to discard a case.
        examples: how many cases to try, at least 1.
        seed: the same seed gives the same cases, in the same order.

    Returns:
        the counts, and the shrunk counterexample if there is one. A property that raises, that
        answers differently when asked again, or a strategy that discards nearly everything, is
        reported in ``raised`` and not as a counterexample.

    Raises:
        ValueError: fewer than one example is asked for.

    Example:
        >>> from hypothesis import strategies as st
        >>> result = search(st.integers(0, 100), lambda n: n < 7, examples=100, seed=1)
        >>> result.counterexample
        7
    """
    if examples < 1:
        raise ValueError(f"examples must be at least 1, found {examples}")
    run = _Run(holds)

    # A slow machine is no defect of a claim; the checks that speak about the strategy stay.
    @with_seed(seed)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        backend="hypothesis",
        phases=(Phase.generate, Phase.shrink),
        verbosity=Verbosity.quiet,
        print_blob=False,
        report_multiple_bugs=False,
        stateful_step_count=1,
        suppress_health_check=(HealthCheck.too_slow,),
    )
    @given(strategy)
    def attempt(case: Case) -> None:
        run.evaluate(case)

    with _constants_of_no_module():
        try:
            attempt()
        except _Violated:
            return SearchResult(
                run.cases, seed, run.last, f"violated after {run.cases} cases, then shrunk"
            )
        except _Stopped as stop:
            cause = stop.__cause__ or stop
            return _broken(run.cases, seed, run.last, cause, "the property raised")
        except HypothesisException as error:
            return _broken(run.cases, seed, None, error, "the search could not go on")
    return SearchResult(run.cases, seed, None, f"no violation in {run.cases} cases")


class _Run(Generic[Case]):
    """The evaluations of one search: what was counted and the last case that failed.

    Hypothesis evaluates the minimal case last, so `last` is the shrunk one at the end.
    """

    def __init__(self, holds: Callable[[Case], bool]) -> None:
        self._holds = holds
        self.cases = 0
        self.last: Case | None = None

    def evaluate(self, case: Case) -> None:
        first = self.last is None
        try:
            if case is None:  # as a counterexample it would read as "none was found"
                raise TypeError("the strategy drew None, which is no case")
            holds = self._holds(case)
        except UnsatisfiedAssumption:
            raise
        except Exception as error:
            self.cases += first
            self.last = case
            raise _Stopped from error
        self.cases += first
        if not holds:
            self.last = case
            raise _Violated


def _broken(cases: int, seed: int, case: Any, error: BaseException, what: str) -> SearchResult[Any]:
    first = str(error).partition("\n")[0]
    line = f"{type(error).__name__}: {first}" if first else type(error).__name__
    raised = Raised(case, line, "".join(format_exception(error)))
    return SearchResult(cases, seed, None, f"{what} after {cases} cases: {line}", raised)


@contextmanager
def _constants_of_no_module() -> Iterator[None]:
    """Keep Hypothesis from drawing constants out of the source of loaded modules.

    There is no setting for it, and the names are internal: a version that has none of them is
    taken as it is (a test runs two processes with different imports and compares the cases).
    """
    name = "_get_local_constants"
    try:
        providers = import_module("hypothesis.internal.conjecture.providers")
    except ModuleNotFoundError:
        yield
        return
    kind = getattr(providers, "Constants", None)
    cache = getattr(providers, "CONSTANTS_CACHE", None)
    if kind is None or cache is None or not hasattr(providers, name):
        yield
        return
    collect = getattr(providers, name)
    empty = kind(integers=set(), floats=set(), bytes=set(), strings=set())
    setattr(providers, name, lambda: empty)
    cache.cache.clear()
    try:
        yield
    finally:
        setattr(providers, name, collect)
        cache.cache.clear()
