"""Kind group, statements about heads: permuted, not-equivariant, strata (CERTIFICATES.md)."""

from __future__ import annotations

from fractions import Fraction

from .budget import Budget, Rational
from .errors import Rejected, Unreadable
from .fields import Json, count, index, integer, items, members, vector
from .finite_group import Classes, FiniteGroup, read_group
from .group_action import Action, Head, Matrix, fits, multiply, read_heads, realised

SCORE = 4096
"""The largest score in absolute value: weights are powers of two."""


def check_permuted(data: dict[str, Json], budget: Budget) -> None:
    """Check that the function of these heads is equivariant.

    Raises:
        Rejected: a head does not go where the certificate says.
        Unreadable: it is malformed or too large.
    """
    parts = members(data, "data", ("statement", "group", "rho", "out", "heads", "images"))
    group, rho, out, heads = _read(parts, budget)
    given = items(parts["images"], "images")
    if len(given) != len(group.generators):
        raise Unreadable(f"images: expected {len(group.generators)} lists, found {len(given)}")
    for s, images in enumerate(given):
        where = f"images[{s}]"
        places = [
            index(h, f"{where}[{k}]", len(heads), "head")
            for k, h in enumerate(items(images, where))
        ]
        if sorted(places) != list(range(len(heads))):
            raise Rejected(f"{where}: no permutation of the heads")
        for h, place in enumerate(places):
            if not fits(heads[h], heads[place], rho.generators[s], out.generators[s], budget):
                raise Rejected(f"{where}: head {h} does not go to head {place}")


def check_not_equivariant(data: dict[str, Json], budget: Budget) -> None:
    """Check that a query shows that the function of these heads is not equivariant.

    Raises:
        Rejected: both sides agree, or a score is no integer.
        Unreadable: it is malformed or too large.
    """
    parts = members(data, "data", ("statement", "group", "rho", "out", "heads", "word", "query"))
    group, rho, out, heads = _read(parts, budget)
    g = 0
    for k, s in enumerate(items(parts["word"], "word")):
        g = group.table[g][
            group.generators[index(s, f"word[{k}]", len(group.generators), "generator")]
        ]
    query = tuple(
        tuple(vector(token, f"query[{j}]", rho.dimension))
        for j, token in enumerate(items(parts["query"], "query", least=1))
    )
    turned = multiply(query, _transposed(rho.images[g]), budget)
    before = _value(heads, query, budget)
    after = _value(heads, turned, budget)
    if multiply((before,), _transposed(out.images[g]), budget)[0] == after:
        raise Rejected("query: both sides are equal")


def check_strata(data: dict[str, Json], budget: Budget) -> None:
    """Check witnesses of all realised strata of one size.

    Raises:
        Rejected: a stratum is missing, or a witness or a violator is none.
        Unreadable: it is malformed or too large.
    """
    parts = members(
        data,
        "data",
        ("statement", "group", "classes", "rho", "out", "size", "realised", "witnesses", "count"),
    )
    group = read_group(parts["group"], budget)
    classes = Classes(group, parts["classes"])
    rho, out = Action(group, parts["rho"], "rho"), Action(group, parts["out"], "out")
    size = integer(parts["size"], "size", 1, 1000)
    found = realised(classes.subgroups, classes.everything, rho, out)
    if list(classes.read_type(parts["realised"], "realised")) != found:
        raise Rejected(f"realised: the classes {found} are, others are stated")
    wanted = classes.types(size, found)
    every = classes.types(size, list(range(len(classes.subgroups))))
    seen: set[tuple[int, ...]] = set()
    for k, witness in enumerate(items(parts["witnesses"], "witnesses")):
        where = f"witnesses[{k}]"
        fields = members(witness, where, ("heads", "stratum", "violators"))
        stratum = classes.read_type(fields["stratum"], f"{where}.stratum")
        heads = read_heads(fields["heads"], rho.dimension, out.dimension, f"{where}.heads")
        own = _stratum(heads, classes, rho, out, f"{where}.heads")
        if own != stratum:
            raise Rejected(f"{where}: the heads are of the stratum {list(own)}")
        if stratum in seen:
            raise Rejected(f"{where}: its stratum has another witness")
        seen.add(stratum)
        refuted = _refuted(fields["violators"], stratum, classes, f"{where}.violators")
        if missing := every - refuted - {stratum}:
            raise Rejected(f"{where}.violators: the type {list(min(missing))} is not refuted")
    if seen != wanted:
        other = min(seen ^ wanted)
        raise Rejected(f"witnesses: the stratum {list(other)} is missing or of another size")
    count(parts, len(seen), "strata")


def _read(parts: dict[str, Json], budget: Budget) -> tuple[FiniteGroup, Action, Action, list[Head]]:
    group = read_group(parts["group"], budget)
    rho, out = Action(group, parts["rho"], "rho"), Action(group, parts["out"], "out")
    return group, rho, out, read_heads(parts["heads"], rho.dimension, out.dimension, "heads")


def _stratum(
    heads: list[Head], classes: Classes, rho: Action, out: Action, where: str
) -> tuple[int, ...]:
    """The classes of the stabilisers, from where the generators take the heads."""
    group, budget = classes.group, rho.group.budget
    place = {head.W: h for h, head in enumerate(heads)}
    steps: list[list[int]] = []
    for s in range(len(group.generators)):
        images = []
        R = rho.generators[s]
        for h, head in enumerate(heads):
            form = multiply(_transposed(R), multiply(head.W, R, budget), budget)
            image = place.get(form)
            if image is None or not fits(head, heads[image], R, out.generators[s], budget):
                raise Rejected(f"{where}[{h}]: generator {s} takes it to no head")
            images.append(image)
        steps.append(images)
    # A head under the product a s: first under a, then under s.
    moves: dict[int, list[int]] = {0: list(range(len(heads)))}
    queue = [0]
    for a in queue:
        for s, g in enumerate(group.generators):
            target = group.table[a][g]
            if target not in moves:
                budget.spend(1 + len(heads))
                moves[target] = [steps[s][h] for h in moves[a]]
                queue.append(target)
    found = []
    seen: set[int] = set()
    for h in range(len(heads)):
        if h not in seen:
            budget.spend(len(group))
            seen.update(move[h] for move in moves.values())
            found.append(classes.class_of[frozenset(a for a, m in moves.items() if m[h] == h)])
    return tuple(sorted(found))


def _refuted(
    value: Json, stratum: tuple[int, ...], classes: Classes, where: str
) -> set[tuple[int, ...]]:
    """The types that do not cover the stratum, by Hall's condition."""
    found: set[tuple[int, ...]] = set()
    for k, given in enumerate(items(value, where)):
        here = f"{where}[{k}]"
        fields = members(given, here, ("type", "orbits"))
        architecture = classes.read_type(fields["type"], f"{here}.type")
        chosen = positions(fields["orbits"], len(stratum), f"{here}.orbits")
        classes.group.budget.spend(1 + len(architecture) * len(chosen))
        above = sum(any(classes.maps_onto(t, stratum[a]) for a in chosen) for t in architecture)
        if above >= len(chosen):
            raise Rejected(f"{here}: {above} orbits map onto one of {len(chosen)}")
        found.add(architecture)
    return found


def positions(value: Json, length: int, where: str) -> list[int]:
    """Different positions in a list.

    Raises:
        Rejected: there is no such position, or one stands twice.
        Unreadable: it is malformed.
    """
    found = [index(a, f"{where}[{k}]", length, "orbit") for k, a in enumerate(items(value, where))]
    if len(set(found)) < len(found):
        raise Rejected(f"{where}: a position stands twice")
    return found


def _value(heads: list[Head], query: Matrix, budget: Budget) -> tuple[Rational, ...]:
    total: list[Rational] = [0] * len(heads[0].V)
    for head in heads:
        row = multiply((query[-1],), head.W, budget)
        scores = multiply(row, _transposed(query), budget)[0]
        if any(type(s) is not int or abs(s) > SCORE for s in scores):
            raise Rejected(f"query: a score is no integer of at most {SCORE}")
        budget.spend(len(scores) * (1 + SCORE // 64) * (2 + len(query[0])))
        weights = [1 << int(s) + SCORE for s in scores]
        mass = sum(weights)
        mean = tuple(
            Fraction(sum(w * Fraction(x) for w, x in zip(weights, column, strict=True))) / mass
            for column in zip(*query, strict=True)
        )
        for r, functional in enumerate(head.V):
            total[r] += sum(v * m for v, m in zip(functional, mean, strict=True))
    return tuple(total)


def _transposed(m: Matrix) -> Matrix:
    return tuple(zip(*m, strict=True))
