"""Groups with random canonical heads, which the searches of topic equivariance draw."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from ....symbolic.equivariance.gset import Type, types
from ....symbolic.equivariance.heads import MatrixHead, canonical
from ....symbolic.equivariance.library import NAMES, Named, named
from ....symbolic.equivariance.strata import member, realised


@dataclass(frozen=True)
class Case:
    """A group by name and heads for its natural action on tokens and outputs."""

    group: str
    heads: tuple[MatrixHead, ...]

    @property
    def named(self) -> Named:
        """The group."""
        return named(self.group)


def possible(group: Named) -> tuple[int, ...]:
    """The realised classes of a group by its natural action."""
    return realised(group.classes, group.natural, group.natural)


def strata(group: Named, size: int) -> list[Type]:
    """The realised strata of one size."""
    return list(types(group.classes, size, allowed=possible(group)))


def drawn(group: Named, stratum: Type, seed: int) -> tuple[MatrixHead, ...]:
    """Heads of a stratum with small entries."""
    return member(group.classes, group.natural, group.natural, stratum, seed=seed, reach=1)


def equivariant_cases(names: tuple[str, ...] = NAMES, most: int = 4) -> st.SearchStrategy[Case]:
    """Members of random strata."""

    @st.composite
    def case(draw: st.DrawFn) -> Case:
        name = draw(st.sampled_from(names))
        size = draw(st.integers(1, most))
        stratum = draw(st.sampled_from(strata(named(name), size)))
        return Case(name, drawn(named(name), stratum, draw(st.integers(0, 999))))

    return case()


def cases(names: tuple[str, ...] = NAMES) -> st.SearchStrategy[Case]:
    """Heads that the group permutes, such heads with one entry changed, and arbitrary heads."""

    @st.composite
    def case(draw: st.DrawFn) -> Case:
        kind = draw(st.sampled_from(("permuted", "changed", "arbitrary")))
        if kind != "arbitrary":
            found = draw(equivariant_cases(names, 3))
            if kind == "permuted":
                return found
            return Case(found.group, _changed(found.heads, Random(draw(st.integers(0, 999)))))
        name = draw(st.sampled_from(names))
        d = named(name).natural.dimension
        entry = st.integers(-1, 1)
        square = st.tuples(*[st.tuples(*[entry] * d)] * d)
        heads = draw(st.lists(st.builds(MatrixHead, square, square), min_size=1, max_size=2))
        return Case(name, canonical(heads))

    return case().filter(lambda each: bool(each.heads))


def _changed(heads: tuple[MatrixHead, ...], random: Random) -> tuple[MatrixHead, ...]:
    """One entry of one W or V is another."""
    h, d = random.randrange(len(heads)), len(heads[0].W)
    i, j = random.randrange(d), random.randrange(d)
    head = heads[h]
    which = random.randrange(2)
    parts = [head.W, head.V]
    parts[which] = tuple(
        tuple(entry + ((r, c) == (i, j)) for c, entry in enumerate(row))
        for r, row in enumerate(parts[which])
    )
    return canonical([*heads[:h], MatrixHead(*parts), *heads[h + 1 :]])
