"""The programs in Rocq against the checker: every number of good certificates, mutated.

Only the definitions are compiled, and each mutated certificate is a line of a file: a program that
accepts what the checker rejects, or the other way round, is a line that does not compile.
"""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from headproof.proofs_check.checker import Rejected, Unreadable, check_certificate
from headproof.proofs_check.formal.compilation import compile_all
from headproof.proofs_check.formal.export import library
from headproof.proofs_check.formal.export.exported import KINDS
from headproof.proofs_check.formal.export.terms import Parts

SAMPLES = Path(__file__).parents[2] / "checker" / "samples"

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is missing")

GOOD = {
    "farkas": ("good-equation", "good-gordan", "good-strict"),
    "hull": ("good-plain", "good-upper", "good-one-point", "good-upper-without-queries"),
    "rank": ("good-matrix", "good-matrix-full"),
}

RESCALED = {"weight", "count", "prime"}
"""Not mutated: of the weights of a point only the proportion is written, the count not at all, and
Rocq's program takes any modulus, which the checker does not."""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the numbers of a document are."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in RESCALED:
                yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from places(inner, (*path, i))
    elif type(value) is int or (type(value) is str and value[-1:].isdigit()):
        yield path


def mutants(data: Any) -> Iterator[Any]:
    """The document with one number more or less by one, or its sign changed."""
    for path in places(data):
        for scale, shift in ((1, 1), (1, -1), (-1, 0)):
            mutant = copy.deepcopy(data)
            holder = mutant
            for step in path[:-1]:
                holder = holder[step]
            old = Fraction(holder[path[-1]])
            new = scale * old + shift
            if new == old:
                continue
            holder[path[-1]] = int(new) if new.denominator == 1 else f"{new}"
            yield mutant


def verdict(kind: str, data: Any) -> bool | None:
    """Whether the checker accepts it; None if it is no certificate at all."""
    document = {"format": "headproof-certificate/1", "kind": kind, "claim": "", "data": data}
    try:
        check_certificate(document)
    except Rejected:
        return False
    except Unreadable:
        return None
    return True


def line(kind: str, number: int, parts: Parts, accepted: bool) -> str:
    """The sentences that hold exactly if the program answers so."""
    program = parts.proof.replace(f"{kind}_sound_holds", f"check_{kind}")
    definitions = "\n".join([*parts.data, *parts.witness])
    return (
        f"Module M{number}.\n{definitions}\n"
        f"Definition answer : {program} = {str(accepted).lower()}.\n"
        f"Proof. vm_compute. reflexivity. Qed.\nEnd M{number}.\n"
    )


@needs_coq
@pytest.mark.parametrize("kind", GOOD)
def test_program_and_checker_agree_on_every_mutated_number(kind: str, tmp_path: Path) -> None:
    lines = [library.definitions(kind)]
    answers = []
    for name in GOOD[kind]:
        data = json.loads((SAMPLES / kind / f"{name}.json").read_text())["data"]
        good = KINDS[kind](data)
        for mutant in [data, *mutants(data)]:
            accepted = verdict(kind, mutant)
            if accepted is None:
                continue
            try:
                parts = KINDS[kind](mutant)
            except (LookupError, ValueError):
                assert not accepted
                continue
            if mutant is not data and (parts.data, parts.witness) == (good.data, good.witness):
                continue
            answers.append(accepted)
            lines.append(line(kind, len(answers), parts, accepted))
    assert min(answers.count(True), answers.count(False)) >= 2
    scratch = tmp_path / "rocq"
    scratch.mkdir()
    (scratch / "answers.v").write_text("\n\n".join(lines))
    assert compile_all(scratch, ["answers.v"], jobs=1).errors == {"answers.v": ""}
    turned = "= false." if answers[-1] is False else "= true."
    other = "= true." if answers[-1] is False else "= false."
    (scratch / "answers.v").write_text(other.join("\n\n".join(lines).rsplit(turned, 1)))
    assert compile_all(scratch, ["answers.v"], jobs=1).errors["answers.v"]
