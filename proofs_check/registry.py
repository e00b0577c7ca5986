"""The registry: every claim once, in an acyclic graph of what rests on what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from types import MappingProxyType

import networkx as nx

from ..symbolic.display import listing
from ..symbolic.errors import InputError
from .claim import Claim

TOPICS = (
    "tropical",
    "ensemble",
    "identification",
    "recovery",
    "hierarchy",
    "order",
    "equivariance",
    "attention_only",
    "zonotope",
)
"""The modules of proofs_check/claims; each exports ``CLAIMS``."""


@dataclass(frozen=True)
class Registry:
    """Claims by id, with their graph (an edge goes from a claim to one that it rests on)."""

    claims: Mapping[str, Claim]
    graph: nx.DiGraph

    def __iter__(self) -> Iterator[Claim]:
        """The claims, each after those that it rests on."""
        order = nx.lexicographical_topological_sort(self.graph.reverse(copy=False))
        return (self.claims[claim_id] for claim_id in order)

    def _repr_html_(self) -> str:
        """The claims, as a notebook shows them."""
        rows = ((claim.number, claim.id, claim.title) for claim in self)
        return listing(("number", "claim", "title"), rows, count=len(self), most=len(self))

    def __len__(self) -> int:
        """How many claims there are."""
        return len(self.claims)

    def select(self, names: Sequence[str]) -> tuple[Claim, ...]:
        """The claims named by id or topic; all of them if no name is given.

        Raises:
            InputError: a name is neither an id nor a topic.
        """
        if not names:
            return tuple(self)
        topics = {claim.topic for claim in self.claims.values()}
        known = set(self.claims) | topics
        wanted: set[str] = set()
        for name in names:
            if name in self.claims:
                wanted.add(name)
            elif name in topics:
                wanted |= {c.id for c in self.claims.values() if c.topic == name}
            else:
                raise InputError(
                    "a claim id or a topic", repr(name), remedy=self._hint(name, known)
                )
        return tuple(claim for claim in self if claim.id in wanted)

    def claim(self, claim_id: str) -> Claim:
        """The claim of that id.

        Raises:
            InputError: there is none.
        """
        if claim_id not in self.claims:
            hint = self._hint(claim_id, set(self.claims))
            raise InputError("a claim id", repr(claim_id), remedy=hint)
        return self.claims[claim_id]

    def _hint(self, name: str, known: Iterable[str]) -> str:
        near = [c.id for c in self.claims.values() if c.number.lower() == name.lower()]
        near = near or get_close_matches(name, sorted(known), n=3)
        return f"did you mean {' or '.join(near)}?" if near else "see `headproof list`"


def build(claims: Iterable[Claim]) -> Registry:
    """Build a registry.

    Args:
        claims: in any order; all that they rest on must be among them.

    Raises:
        ValueError: an id stands twice, a claim rests on an unknown one, or claims rest on
            each other in a circle.

    Example:
        >>> claims = load().select(["tropical.dequantisation", "tropical.routing-limit"])
        >>> [claim.number for claim in build(claims)]
        ['A1', 'A3']
    """
    by_id: dict[str, Claim] = {}
    for claim in claims:
        if claim.id in by_id:
            raise ValueError(f"claim declared twice: {claim.id}")
        by_id[claim.id] = claim
    graph: nx.DiGraph = nx.DiGraph()
    graph.add_nodes_from(by_id)
    for claim in by_id.values():
        for other in claim.rests_on:
            if other not in by_id:
                raise ValueError(f"{claim.id} rests on an unknown claim: {other}")
            graph.add_edge(claim.id, other)
    if not nx.is_directed_acyclic_graph(graph):
        circle = " -> ".join(edge[0] for edge in nx.find_cycle(graph))
        raise ValueError(f"claims rest on each other in a circle: {circle}")
    return Registry(MappingProxyType(by_id), nx.freeze(graph))


def load() -> Registry:
    """The registry of all the claims that the suite states.

    Example:
        >>> load().claim("tropical.overlay").title
        'Overlay and Minkowski sum'
    """
    package = __name__.rpartition(".")[0]
    modules = (import_module(f"{package}.claims.{topic}") for topic in TOPICS)
    return build(claim for module in modules for claim in module.CLAIMS)
