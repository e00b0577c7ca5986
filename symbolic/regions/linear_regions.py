"""Exact counting of the affine pieces of a network of hard attention and ReLU layers.

`linear_regions` grows the region tree (`search`), if asked to in several processes, and
returns the leaves with a certificate that ``headproof check`` accepts: see kind region-tree in
CERTIFICATES.md. Nothing in the answer is a float.

A flat box (lower = upper in some coordinate) is refused by `Network`: no cell is full-dimensional
in it, and the answer 0 would hide a question about the remaining coordinates.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from ..display import facts, listing
from ..errors import InputError, LimitReached
from ..rational import write
from .network import Network
from .network_document import parse
from .network_document import write as write_network
from .search import Node, Progress, RawLeaf, Record, Search

FORMAT = "headproof-certificate/1"
"""The format of the certificates."""

_TASKS_PER_JOB = 16


@dataclass(frozen=True)
class Leaf:
    """One full-dimensional cell and the affine piece on it, x -> A x + b.

    Args:
        point: a rational point in the cell's interior, d numbers.
        choices: per layer and head the key that is looked at, the lowest of those whose scores
            coincide on the cell.
        signs: per layer and neuron 1 or -1, or 0 where the pre-activation vanishes on the cell.
        matrix: A, one row an output coordinate.
        offset: b.
    """

    point: tuple[Fraction, ...]
    choices: tuple[tuple[int, ...], ...]
    signs: tuple[tuple[int, ...], ...]
    matrix: tuple[tuple[Fraction, ...], ...]
    offset: tuple[Fraction, ...]


@dataclass(frozen=True)
class RegionTree:
    """The cells and pieces of a network.

    Args:
        network: the network.
        cells: the number of full-dimensional cells.
        pieces: the number of distinct affine maps among them.
    """

    network: Network
    cells: int
    pieces: int
    _root: Record = field(repr=False, compare=False)

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """The cells, ordered by choices and signs, layer by layer."""
        return tuple(
            _leaf(self.network, record.leaf)
            for record in self._root.preorder()
            if record.leaf is not None
        )

    def document(self) -> dict[str, int]:
        """The answer in the output format of ``headproof regions``."""
        return {"cells": self.cells, "pieces": self.pieces}

    def _repr_html_(self) -> str:
        """The cells, as a notebook shows them."""
        told = facts(
            "Linear regions",
            [
                ("dimension", self.network.dimension),
                ("layers", len(self.network.layers)),
                ("cells", self.cells),
                ("affine pieces", self.pieces),
            ],
        )
        rows = ((leaf.choices, leaf.point) for leaf in self.leaves)
        return told + listing(("choices", "a point inside"), rows, count=self.cells)

    def certificate(self, claim: str = "") -> dict[str, Any]:
        """The certificate of kind region-tree (CERTIFICATES.md).

        Args:
            claim: the id of the claim that it serves.
        """
        return {
            "format": FORMAT,
            "kind": "region-tree",
            "claim": claim,
            "data": {
                "network": write_network(self.network),
                "steps": [step for record in self._root.preorder() for step in _steps(record)],
                "cells": self.cells,
                "pieces": self.pieces,
            },
        }


def linear_regions(
    network: Network | Mapping[str, Any],
    *,
    limit: int | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> RegionTree:
    """Count the cells and the affine pieces of a network, exactly and with proof.

    Cells are the full-dimensional sets of inputs with the same choice of key in every head and
    the same sign of every neuron. Keys whose scores coincide as functions of the network's input
    on a cell are one choice, whose value is the mean of theirs: the limit of soft attention is
    the uniform law on the best keys (tropical attention at temperature zero, arXiv 2604.14727).

    Args:
        network: a `Network`, or its document as `parse` reads it.
        limit: the most cells that the tree may have.
        jobs: the number of processes; the answer and the certificate do not depend on it.
        executor: where these are, instead of processes of its own; it is not shut down.
        progress: called now and then with the number of finished cells and of open nodes.

    Raises:
        InputError: the document is not what `parse` asks for; limit or jobs is not positive.
        LimitReached: there are more cells than the limit.

    Example:
        >>> head = {"keys": [[0], [1], [2]], "biases": [0, "-1/2", -2], "values": [[0], [-1], [-2]]}
        >>> tree = linear_regions({"dimension": 1, "layers": [{"heads": [head]}]})
        >>> tree.cells, tree.pieces, [leaf.choices for leaf in tree.leaves]
        (3, 3, [((0,),), ((1,),), ((2,),)])
    """
    if limit is not None and limit < 1:
        raise InputError("an integer >= 1", str(limit), where="limit")
    if jobs < 1:
        raise InputError("an integer >= 1", str(jobs), where="jobs")
    if not isinstance(network, Network):
        network = parse(network)
    search = Search(network, limit=limit, progress=progress)
    root = search.root(network)
    search.open.append(root)
    if jobs == 1 and executor is None:
        search.run()
    else:
        search.run(until=_TASKS_PER_JOB * jobs)
        if executor is not None:
            _grow_elsewhere(network, search, executor, limit, progress)
        else:
            # A fresh interpreter: a forked one would inherit the threads of torch and BLAS.
            pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))
            try:
                _grow_elsewhere(network, search, pool, limit, progress)
            finally:
                pool.shutdown(cancel_futures=True)
    raw = [record.leaf for record in root.record.preorder() if record.leaf is not None]
    return RegionTree(
        network,
        len(raw),
        len({leaf.map for leaf in raw}),
        root.record,
    )


def _grow_elsewhere(
    network: Network,
    search: Search,
    executor: Executor,
    limit: int | None,
    progress: Progress | None,
) -> None:
    """Grow what is below the open nodes elsewhere, and hang it where it belongs."""
    nodes = list(search.open)
    if not nodes:
        return
    leaves = search.leaves
    tasks = [executor.submit(_grow, network, node, limit) for node in nodes]
    try:
        for k, (node, task) in enumerate(zip(nodes, tasks, strict=True)):
            grown = task.result()
            node.record.exclusions[:] = grown.exclusions
            node.record.unit, node.record.children = grown.unit, grown.children
            node.record.leaf = grown.leaf
            leaves += sum(record.leaf is not None for record in grown.preorder())
            if limit is not None and leaves + len(nodes) - k - 1 > limit:
                raise LimitReached(f"the region tree has more than {limit} leaves: raise the limit")
            if progress is not None:
                progress(leaves, len(nodes) - k - 1)
    finally:
        for task in tasks:  # those of a search that stopped at its limit are not needed
            task.cancel()


def _grow(network: Network, node: Node, limit: int | None) -> Record:
    """The record of a node, fully grown."""
    search = Search(network, limit=limit)
    search.open.append(node)
    search.run()
    return node.record


def _steps(record: Record) -> list[dict[str, Any]]:
    """A record as the certificate writes it."""
    steps: list[dict[str, Any]] = [
        {
            "exclude": [exclusion.unit, exclusion.winner],
            "path": [[number, write(weight)] for number, weight in exclusion.path],
            "against": [[rival, write(weight)] for rival, weight in exclusion.against],
        }
        for exclusion in record.exclusions
    ]
    if record.leaf is not None:
        *numerators, q = record.leaf.point
        steps.append({"point": [write(Fraction(p, q)) for p in numerators]})
    else:
        steps.append({"split": record.unit})
    return steps


def _leaf(network: Network, raw: RawLeaf) -> Leaf:
    *numerators, q = raw.point
    choices, signs = [], []
    chosen = iter(raw.chosen)
    for layer in network.layers:
        choices.append(tuple(members[0] for members in next(chosen)))
        signs.append(tuple(members[0] for members in next(chosen)) if layer.ffn else ())
    common = raw.map.denominator
    return Leaf(
        tuple(Fraction(p, q) for p in numerators),
        tuple(choices),
        tuple(signs),
        tuple(tuple(Fraction(a, common) for a in row[:-1]) for row in raw.map.rows),
        tuple(Fraction(row[-1], common) for row in raw.map.rows),
    )


__all__: Sequence[str] = ("Leaf", "Network", "RegionTree", "linear_regions", "parse")
