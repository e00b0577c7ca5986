"""Planted models as JSON documents, recovered through value queries: `headproof recover FILE`.

``{"base": 2 | "e", "heads": [{"W": [[..]], "v": [..]}], "bound"?: H0, "ffn"?: {..}, "seed"?: s}``
is a model that the program sees through its oracle only; what comes back is a document too. With
base 2 everything is exact; with base "e" each entry is the simplest rational in its certified
enclosure, and "width" bounds the enclosures. With an "ffn" ``{"a": [K], "b": [K][p],
"V": [H][p][d]}`` the heads carry W only, and the answer lists neurons and perhaps a linear term.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...symbolic.errors import InputError
from ...symbolic.rational import write
from ..ball import BallOracle
from ..exact import ExactOracle
from ..ffn import FfnOracle, Neuron, neurons
from ..model import Head, canonical, head
from .ffn import FfnRecovery, recover_ffn
from .recover import recover
from .recovery import Recovery
from .simplest import simplest_within
from .transcript import document as head_document


@dataclass(frozen=True)
class Planted:
    """A model to be recovered.

    Args:
        base: b >= 2, or "e".
        heads: as given, not necessarily in canonical form.
        bound: H0; None if the number of heads is told.
        seed: of the drawings.
        ffn: the neurons of a ReLU layer; None if there is none, and v is 0 if there is one.
    """

    base: int | str
    heads: tuple[Head, ...]
    bound: int | None
    seed: int
    ffn: tuple[Neuron, ...] | None = None


def parse(document: Any) -> Planted:
    """Read a document.

    Raises:
        InputError: an unknown key, a number that is not exact, shapes that do not fit.

    Example:
        >>> parse({"base": 2, "heads": [{"W": [[1]], "v": ["1/2"]}]}).heads
        (Head(W=((1,),), v=(Fraction(1, 2),)),)
        >>> parse({"base": 2, "heads": [], "bond": 3})
        Traceback (most recent call last):
            ...
        headproof.symbolic.errors.InputError: expected only the keys base, heads, bound, seed, \
ffn, found 'bond'
    """
    fields = _fields(document, "", ("base", "heads"), ("bound", "seed", "ffn"))
    base = fields["base"]
    if base != "e" and (type(base) is not int or base < 2):
        raise InputError('2 or another integer base, or "e"', repr(base), where="base")
    entries = fields["heads"]
    if not isinstance(entries, (list, tuple)):
        raise InputError("a list of heads", repr(entries)[:60], where="heads")
    if not entries and "ffn" in fields:
        raise InputError("at least one head before an ffn", "none", where="heads")
    heads = []
    for h, entry in enumerate(entries):
        if "ffn" in fields:
            W = _fields(entry, f"heads[{h}]", ("W",), ())["W"]
            heads.append(
                head(W, [0] * (len(W) if isinstance(W, (list, tuple)) else 0), f"heads[{h}]")
            )
        else:
            parts = _fields(entry, f"heads[{h}]", ("W", "v"), ())
            heads.append(head(parts["W"], parts["v"], f"heads[{h}]"))
        if len(heads[h].v) != len(heads[0].v):
            raise InputError(
                f"dimension {len(heads[0].v)}, as the first head",
                str(len(heads[h].v)),
                where=f"heads[{h}]",
            )
        if base != "e" and any(e.denominator != 1 for row in heads[h].W for e in row):
            raise InputError(
                f"integer W for base {base}",
                "a fraction",
                where=f"heads[{h}].W",
                remedy='take integers, or base "e"',
            )
    bound = fields.get("bound")
    if bound is not None and (type(bound) is not int or bound < 1):
        raise InputError("an integer >= 1", repr(bound), where="bound")
    seed = fields.get("seed", 0)
    if type(seed) is not int:
        raise InputError("an integer", repr(seed), where="seed")
    ffn = None
    if "ffn" in fields:
        if base == "e":
            raise InputError("an integer base, with an ffn", '"e"', where="base")
        parts = _fields(fields["ffn"], "ffn", ("a", "b", "V"), ())
        ffn = neurons(parts["a"], parts["b"], parts["V"])
        _ffn_oracle(tuple(heads), ffn, base)
    return Planted(base, tuple(heads), bound, seed, ffn)


def _ffn_oracle(heads: Sequence[Head], ffn: Sequence[Neuron], base: int) -> FfnOracle:
    return FfnOracle([each.W for each in heads], ffn, base=base)


def run(
    planted: Planted,
    *,
    detect: bool = False,
    limit: int | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
) -> Recovery | FfnRecovery:
    """Recover the model through its oracle.

    Args:
        planted: the model.
        detect: with a bound, read the number of heads off the first pair.
        limit: the largest number of value queries in all.
        jobs: processes.
        executor: where they are, instead of processes of its own.

    Raises:
        NotInClass: the bound is below the number of heads.
        Degenerate: every drawing was degenerate.
        PrecisionExhausted: base "e", and no precision tried decides.
        LimitReached: the limit was reached first.

    Example:
        >>> run(parse({"base": 2, "heads": [{"W": [[1]], "v": [2]}]})).heads
        (Head(W=((1,),), v=(2,)),)
    """
    bound, seed = planted.bound, planted.seed
    if planted.ffn is not None:
        known = None if bound is not None else len({each.W for each in planted.heads})
        box = _ffn_oracle(planted.heads, planted.ffn, int(planted.base))
        return recover_ffn(box, heads=known, bound=bound, seed=seed, limit=limit)
    known = None if bound is not None else len(canonical(planted.heads))
    # Without heads the function is 0 in any dimension: it is asked in the least.
    dimension = None if planted.heads else 1
    oracle: Any = (
        BallOracle(planted.heads, dimension=dimension)
        if planted.base == "e"
        else ExactOracle(planted.heads, base=int(planted.base), dimension=dimension)
    )
    return recover(
        oracle,
        heads=known,
        bound=bound,
        detect=detect,
        seed=seed,
        limit=limit,
        jobs=jobs,
        executor=executor,
    )


def answer(recovery: Recovery | FfnRecovery) -> dict[str, Any]:
    """The document of a recovery.

    Example:
        >>> found = run(parse({"base": 2, "heads": [{"W": [[1]], "v": [2]}]}))
        >>> answer(found)["heads"], answer(found)["queries"], answer(found)["attempts"]
        ([{'W': [[1]], 'v': [2]}], 3, 1)
    """
    if isinstance(recovery, FfnRecovery):
        return _ffn_answer(recovery)
    heads = recovery.heads
    document: dict[str, Any] = {}
    if recovery.arithmetic != "exact":
        heads = tuple(sorted(_simplest(each, recovery.radius) for each in heads))
        document = {"width": write(2 * recovery.radius), "bits": recovery.bits}
    return {
        "heads": [head_document(each) for each in heads],
        "queries": recovery.queries,
        "longest": recovery.longest,
        "formula": recovery.formula,
        "attempts": len(recovery.attempts),
        "queries_all_attempts": recovery.queries_all_attempts,
        "fresh_queries": recovery.fresh_queries,
        "fresh_longest": recovery.fresh_longest,
        "verified": recovery.verified,
        **document,
    }


def _ffn_answer(recovery: FfnRecovery) -> dict[str, Any]:
    def rows(matrix: Sequence[Sequence[Fraction | int]]) -> list[list[int | str]]:
        return [[write(entry) for entry in row] for row in matrix]

    linear = {} if recovery.linear is None else {"linear": rows(recovery.linear)}
    return {
        "heads": [{"W": rows(form)} for form in recovery.forms],
        "neurons": [{"sign": each.sign, "g": rows(each.g)} for each in recovery.neurons],
        **linear,
        "queries": recovery.queries,
        "longest": recovery.longest,
        "formula": recovery.formula,
        "attempts": recovery.attempts,
        "queries_all_attempts": recovery.queries_all_attempts,
        "fresh_queries": recovery.fresh_queries,
        "fresh_longest": recovery.fresh_longest,
        "verified": recovery.verified,
    }


def _simplest(each: Head, radius: Fraction) -> Head:
    """The head with the fraction of least denominator within the radius of each entry."""

    def simple(value: Fraction | int) -> Fraction | int:
        found = simplest_within(Fraction(value) - radius, Fraction(value) + radius)
        return int(found) if found.denominator == 1 else found

    return Head(
        tuple(tuple(simple(entry) for entry in row) for row in each.W),
        tuple(simple(entry) for entry in each.v),
    )


def _fields(
    document: Any, where: str, required: Sequence[str], optional: Sequence[str]
) -> Mapping[str, Any]:
    if not isinstance(document, Mapping):
        raise InputError("an object", repr(document)[:60], where=where)
    for key in document:
        if key not in required and key not in optional:
            known = ", ".join((*required, *optional))
            raise InputError(f"only the keys {known}", repr(key)[:60], where=where)
    for key in required:
        if key not in document:
            raise InputError(f"the key {key!r}", "none", where=where)
    return document
