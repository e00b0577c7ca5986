"""``headproof symmetry``: what a group does to heads, and what it costs to cover them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..evidence import Json
from .document import emit, read, save_certificate
from .engine import listed, required, tell_certificate, tell_rows
from .options import json_option

if TYPE_CHECKING:
    from ...symbolic.equivariance.parts import Part
    from ...symbolic.equivariance.price import Price
    from ...symbolic.equivariance.symmetry import Symmetry

KEYS = ("permutations", "matrices", "out", "heads", "d_k", "seed")

_EXAMPLES = """\b
Examples:
  headproof symmetry model.json -o group.cert && headproof check group.cert
  headproof symmetry model.json --json
  echo '{"permutations": [[1,0]], "heads": [{"W": [[1,0],[0,0]], "V": [[1,0],[0,0]]},
    {"W": [[0,0],[0,1]], "V": [[0,0],[0,1]]}], "d_k": 1}' | headproof symmetry -
"""


@click.command(
    "symmetry", short_help="Say whether a finite group permutes heads, and how.", epilog=_EXAMPLES
)
@click.argument("file", metavar="FILE|-")
@click.option("-o", "--output", metavar="CERT", help="Write the certificate to this file.")
@json_option
@click.pass_context
def command(context: click.Context, file: str, output: str | None, as_json: bool) -> None:
    """Say whether a finite group permutes heads, and everything that follows.

    FILE holds {"permutations": [[..], ..], "heads": [{"W": [[..]], "V": [[..]]}, ..]} with integers
    or strings such as "3/7": the permutations generate the group and permute the coordinates of
    the tokens. Instead, "matrices": one for each generator; with both, the matrices say how the
    abstract group acts. "out": how it acts on outputs, as on tokens if left out. "d_k": a hidden
    dimension to classify. The answer names the orbits of the heads, the stratum, the hidden
    representation of every head and the price of covering all strata of as many heads; exit code 1,
    with a query that shows it, if the function is not equivariant. The certificate is put before
    the independent checker before the answer is told.
    """
    from ...symbolic.equivariance.heads import matrix_head
    from ...symbolic.equivariance.symmetry import symmetry
    from ...symbolic.errors import InputError
    from ..certificates import group

    given = read(file, keys=KEYS)
    heads = [
        _head(head, f"heads[{h}]", matrix_head)
        for h, head in enumerate(listed(required(given, "heads", file), "heads", "heads"))
    ]
    hidden, seed = given.get("d_k"), given.get("seed", 0)
    for name, value, least in (("d_k", hidden, 1), ("seed", seed, 0)):
        if value is not None and (type(value) is not int or value < least):
            raise InputError(f"an integer of at least {least}", repr(value), where=name)
    for name in ("permutations", "matrices", "out"):
        if name in given:
            listed(given[name], "one entry for each generator", name)
    found = symmetry(
        heads,
        permutations=given.get("permutations"),
        matrices=given.get("matrices"),
        out=given.get("out"),
        hidden=hidden,
        seed=seed,
    )
    if not found.heads:
        if output:
            raise InputError("a model that is not zero", "no canonical head", where="heads")
    elif found.violation is None:
        save_certificate(group.permuted("", found.rho, found.out, found.heads), output)
    else:
        save_certificate(
            group.not_equivariant("", found.rho, found.out, found.heads, found.violation), output
        )
    if as_json:
        emit("symmetry", {**_document(found), "certificate": output})
    else:
        _tell(found)
        tell_certificate(output)
    if not found.equivariant:
        context.exit(1)


def _head(head: Json, where: str, build: Any) -> Any:
    from ...symbolic.errors import InputError

    if not isinstance(head, dict) or set(head) != {"W", "V"}:
        raise InputError('an object with "W" and "V"', _kind(head), where=where)
    return build(head["W"], head["V"], where)


def _kind(value: Json) -> str:
    if isinstance(value, dict):
        return f"the keys {', '.join(map(repr, value))}" if value else "no keys"
    return "null" if value is None else type(value).__name__


def _document(found: Symmetry) -> dict[str, Json]:
    from ..certificates.arrays import write_array

    shown = found.violation
    return {
        "order": len(found.rho.group),
        "heads": [{"W": write_array(h.W), "V": write_array(h.V)} for h in found.heads],
        "equivariant": found.equivariant,
        "violation": None
        if shown is None
        else {
            "generator": shown.generator,
            "base": 2,
            "query": write_array(shown.query),
            "moved": write_array(shown.moved),
            "expected": write_array(shown.expected),
        },
        "classes": [
            {"order": len(K), "index": index, "realised": c in found.realised}
            for c, (K, index) in enumerate(
                zip(found.classes.representatives, found.classes.indices, strict=True)
            )
        ],
        "orbits": [
            {
                "heads": list(orbit.heads),
                "stabiliser": orbit.stabiliser,
                "class": orbit.orbit_class,
                "rank": orbit.rank,
                "hidden": _parts(orbit.hidden),
            }
            for orbit in found.orbits
        ],
        "stratum": None if found.stratum is None else list(found.stratum),
        "strata": _strata(found),
        "irreducibles": _parts(found.irreducibles),
        "hidden": None
        if found.hidden is None
        else {
            "d_k": found.hidden.hidden,
            "needed": list(found.hidden.needed),
            "least": found.hidden.least,
            "covers": found.hidden.covers,
        },
        "price": None
        if found.abstract is None or found.price is None
        else {"abstract": _price(found.abstract), "realised": _price(found.price)},
    }


def _strata(found: Symmetry) -> dict[str, int]:
    from ...symbolic.equivariance.gset import count

    heads = len(found.heads)
    return {
        "abstract": count(found.classes, heads),
        "realised": count(found.classes, heads, allowed=found.realised),
    }


def _parts(parts: tuple[Part, ...]) -> list[dict[str, Json]]:
    return [
        {
            "dimension": part.dimension,
            "endomorphisms": part.endomorphisms,
            "multiplicity": part.multiplicity,
        }
        for part in parts
    ]


def _price(price: Price) -> dict[str, Json]:
    return {"heads": price.price, "type": list(price.type)}


def _tell(found: Symmetry) -> None:
    count = len(found.heads)
    click.echo(
        f"A group of {len(found.rho.group):,} elements, {len(found.classes)} classes of subgroups; "
        f"{count} canonical head{'' if count == 1 else 's'}"
    )
    shown = found.violation
    if not found.heads:
        click.echo("The function is zero: equivariant, without a head")
    elif shown is None:
        click.echo("The function is equivariant: the group permutes the heads")
        rows = []
        for orbit in found.orbits:
            heads = ", ".join(map(str, orbit.heads))
            index = found.classes.indices[orbit.orbit_class]
            rows.append(
                f"heads {heads}: G/K with |K| = {orbit.stabiliser}, {index} point"
                f"{'' if index == 1 else 's'}; im W = {_sum(orbit.hidden)}"
            )
        tell_rows(rows)
    else:
        query = "; ".join(_row(token) for token in shown.query)
        click.echo(
            f"The function is not equivariant: generator {shown.generator} shows it at the query "
            f"{query} (base 2), {_row(shown.moved)} instead of {_row(shown.expected)}"
        )
    click.echo(f"Tokens: {_sum(found.irreducibles)}")
    if found.hidden is not None:
        verb = "covers" if found.hidden.covers else "does not cover"
        click.echo(
            f"A hidden representation of dimension {found.hidden.hidden} {verb} every invariant W "
            f"of at most that rank; {found.hidden.least} dimensions are needed"
        )
    if found.abstract is not None and found.price is not None:
        strata = _strata(found)
        click.echo(
            f"Strata of {count} heads: {strata['realised']:,} realised of {strata['abstract']:,}; "
            f"{found.price.price} heads cover the realised ones, {found.abstract.price} all"
        )


def _sum(parts: tuple[Part, ...]) -> str:
    names = [
        f"{part.multiplicity} x dimension {part.dimension} ({part.endomorphisms})" for part in parts
    ]
    return " + ".join(names) or "0"


def _row(entries: tuple[Any, ...]) -> str:
    return f"({', '.join(map(str, entries))})"
