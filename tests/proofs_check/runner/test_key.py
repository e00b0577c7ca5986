"""The key of a claim changes with everything that its result depends on."""

from dataclasses import replace
from functools import partial
from typing import Any

from headproof.proofs_check.claim import Claim, Profile
from headproof.proofs_check.registry import load
from headproof.proofs_check.runner.key import key

GIVEN: dict[str, Any] = {
    "profile": Profile.QUICK,
    "seed": 0,
    "source": "a",
    "versions": {"numpy": "2"},
    "components": {"coq": None},
}


def claim() -> Claim:
    return load().claim("tropical.power-diagram")


def test_the_same_is_the_same() -> None:
    assert key(claim(), **GIVEN) == key(claim(), **GIVEN)


def test_whatever_a_result_depends_on_changes_the_key() -> None:
    one = claim()
    first, *rest = one.producers
    other = partial(first.produce)
    found = [key(one, **GIVEN)]
    found += [
        key(one, **GIVEN | changed)
        for changed in (
            {"profile": Profile.FULL},
            {"seed": 1},
            {"source": "b"},
            {"versions": {"numpy": "3"}},
            {"components": {"coq": "8.16"}},
        )
    ]
    found += [
        key(replace(one, producers=tuple(producers)), **GIVEN)
        for producers in (rest, [replace(first, produce=other), *rest])
    ]
    assert len(set(found)) == len(found)
