"""Claim F2: the checker refuses every network that differs from the construction in one place."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from headproof.proofs_check.certificates import exhaustive
from headproof.proofs_check.certificates.exhaustive import Entries, Grid
from headproof.proofs_check.certificates.formula import at, count_over, maximum, var
from headproof.proofs_check.checker import check_file
from headproof.proofs_check.producers.hierarchy import generator
from headproof.proofs_check.producers.hierarchy.words import WORD
from headproof.symbolic.hierarchy.dyck import Dyck

LANGUAGE, LONGEST = Dyck(2, 2), 5
RIGHT = generator._Formula


class WithoutRecency(RIGHT):
    def _score(self, i: Any, j: Any) -> Any:
        return super()._score(i, j) - j


class WithoutOpenings(RIGHT):
    def _opening(self, j: Any) -> Any:
        return 0 * j


class WithoutDepths(RIGHT):
    def _score(self, i: Any, j: Any) -> Any:
        return self._N * self._opening(j) + j


class TooDeep(RIGHT):
    def opens_after(self, i: Any) -> Any:
        return self._depth(i) < self._m + Fraction(1, 2)


class EndsOpen(RIGHT):
    def ends_after(self, i: Any) -> Any:
        return self._depth(i) < Fraction(3, 2)


class SmallWeights(RIGHT):
    def _step(self, j: Any, r: Any) -> Any:
        opened = count_over("u", j, at(WORD, var("u")) < self._k)
        z = (2 * opened - j - r) / (j + Fraction(1))
        return maximum(z + 1, 0) - maximum(z, 0)


class AnyType(RIGHT):
    def closes_after(self, i: Any, kind: Any) -> Any:
        return self._step(i, 1) > Fraction(1, 2)


def valid(network: type[Any], symbols: int, folder: Path) -> bool:
    """Whether the network generates the language on all sequences of so many symbols."""
    with patch.object(generator, "_Formula", network):
        formula = generator.generates(LANGUAGE, symbols, LONGEST)
    family = Grid({WORD: Entries((symbols,), range(2 * LANGUAGE.types))})
    file = folder / "certificate.json"
    file.write_text(json.dumps(exhaustive.certificate("", family, formula)))
    return check_file(file).valid


@pytest.mark.parametrize(
    ("network", "symbols"),
    [
        (WithoutRecency, 4),
        (WithoutOpenings, 4),
        (WithoutDepths, 4),
        (TooDeep, 3),
        (EndsOpen, 1),
        (SmallWeights, 2),
        (AnyType, 2),
    ],
)
def test_another_network_is_refused(network: type[Any], symbols: int, tmp_path: Path) -> None:
    assert not valid(network, symbols, tmp_path)
    assert valid(RIGHT, symbols, tmp_path)
