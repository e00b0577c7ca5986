"""``headproof stability``: does the soft network take the route of the hard one?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .document import emit, read, save_certificate
from .engine import tell_certificate
from .options import json_option

if TYPE_CHECKING:
    from ...symbolic.tropical.stability import Stability

_EXAMPLES = """\b
Examples:
  headproof stability network.json --at 1,1/2 --temperature 1/8 -o route.cert
  headproof stability network.json --at 1,1/2 --largest --json
  headproof stability network.json --temperature 1/8      on the whole of its domain
  headproof stability weights.json --floats --largest     the same, weights of a checkpoint
"""


@click.command(
    "stability",
    short_help="Decide whether soft attention takes hard attention's route.",
    epilog=_EXAMPLES,
)
@click.argument("file", metavar="FILE|-")
@click.option("--at", metavar="X1,X2,..", help="The input; without it the domain of the network.")
@click.option("--temperature", metavar="T", help='A positive number, such as 2 or "1/8".')
@click.option("--largest", is_flag=True, help="Bisect for the largest temperature.")
@click.option("--floats", is_flag=True, help="Take floats for the dyadic rationals that they are.")
@click.option(
    "--width",
    default="1/1000",
    show_default=True,
    metavar="W",
    help="How close --largest brackets it, as a part of it.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    metavar="N",
    help="Into how many parts the domain may be divided (exit code 3 beyond).",
)
@click.option("-o", "--output", metavar="CERT", help="Write the certificate to this file.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    at: str | None,
    temperature: str | None,
    largest: bool,
    floats: bool,
    width: str,
    limit: int,
    output: str | None,
    as_json: bool,
) -> None:
    """Decide whether soft attention at a temperature takes the route of hard attention.

    FILE holds a network as headproof regions reads it. The answer comes with a certified bound on
    the error of the output and is put before the independent checker. Exit code 0: it takes the
    route; 1: it does not, or there is none because keys tie; 3: parts of the domain are open.
    """
    from ...symbolic.errors import InputError
    from ...symbolic.rational import parse
    from ...symbolic.regions.network_document import exact_floats
    from ...symbolic.tropical.stability import stability
    from ...symbolic.tropical.temperatures import largest_temperature

    if largest == (temperature is not None):
        raise InputError("one of --temperature and --largest", "both" if largest else "neither")
    given = read(file, keys=("dimension", "layers", "domain"))
    if floats:
        given = exact_floats(given)
    point = None if at is None else [_number(part) for part in at.split(",")]
    if not largest:
        assert temperature is not None
        found = stability(given, temperature=_number(temperature), at=point, limit=limit)
        _certify(found, output)
        _tell(found, output, as_json)
        ctx.exit(3 if found.follows is None else 0 if found.follows else 1)
    bracket = largest_temperature(
        given, at=point, width=parse(_number(width), "--width"), limit=limit
    )
    _certify(bracket.below, output)
    if bracket.above is not None:
        _certify(bracket.above, f"{output}.above" if output else None)
    if as_json:
        above = None if bracket.above is None else _document(bracket.above)
        emit(
            "stability",
            {
                "largest": True,
                "below": _document(bracket.below),
                "above": above,
                "certificate": output,
            },
        )
        return
    if bracket.above is None:
        click.echo(
            "The soft network takes the hard route at every temperature tried, up to "
            f"{bracket.below.temperature}."
        )
    else:
        end = bracket.above
        ends = f"leaves it at {end.temperature}" if end.departs else f"is open at {end.temperature}"
        where = _place(end.departs) if end.departs else f"not shown in {end.parts:,} parts"
        click.echo(
            f"The soft network takes the hard route at temperature {bracket.below.temperature} "
            f"and {ends} ({where})."
        )
    tell_certificate(output)


def _certify(found: Stability, output: str | None) -> None:
    if found.tie is None and (found.follows is not None):
        save_certificate(found.certificate(), output)


def _tell(found: Stability, output: str | None, as_json: bool) -> None:
    certified = output if found.tie is None and found.follows is not None else None
    if as_json:
        emit("stability", {"largest": False, **_document(found), "certificate": certified})
        return
    if found.tie is not None:
        click.echo(f"There is no unique route: keys tie exactly ({_place(found.tie)}).")
    elif found.follows:
        assert found.error is not None
        click.echo(f"The soft network takes the hard route; error at most {_float(found.error)}.")
        if found.recursion is not None:
            click.echo(f"By the recursion over the layers alone: {_float(found.recursion)}.")
        else:
            click.echo("The recursion over the layers alone does not show it.")
    elif found.departs is not None:
        click.echo(f"The soft network leaves the hard route ({_place(found.departs)}).")
    else:
        click.echo(
            f"Undecided: {float(found.share):.2%} of the domain takes the route; the rest, next to "
            f"walls, was not decided in {found.parts:,} parts (--limit)."
        )
    tell_certificate(certified)


def _document(found: Stability) -> dict[str, Any]:
    from ...symbolic.rational import write

    def number(value: Any) -> Any:
        return None if value is None else write(value)

    def place(where: Any) -> Any:
        if where is None:
            return None
        return {"layer": where.layer, "head": where.head, "key": where.key}

    return {
        "follows": found.follows,
        "temperature": write(found.temperature),
        "box": [[write(low), write(high)] for low, high in found.sides],
        "route": [list(layer) for layer in found.route],
        "output_error": number(found.error),
        "recursion": number(found.recursion),
        "tie": place(found.tie),
        "departs": place(found.departs),
        "share": write(found.share),
        "parts": found.parts,
    }


def _place(where: Any) -> str:
    return f"layer {where.layer}, head {where.head}, key {where.key}; counted from 0"


def _float(value: Any) -> str:
    """A number to be read, rounded up."""
    number = float(value)
    if number:
        return f"{number * (1 + 1e-5):.6g}"
    return "less than 1e-300" if value else "0"


def _number(text: str) -> int | str:
    """An integer, or a string that the library reads as p/q."""
    text = text.strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 4000 else text
