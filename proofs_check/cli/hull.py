"""``headproof hull``: the vertices of the user's points, with a reason for every point."""

from __future__ import annotations

from shlex import quote

import click

from .document import emit, read, save_certificate
from .options import json_option

_EXAMPLES = """\b
Examples:
  headproof hull points.json
  headproof hull points.json -o hull.json && headproof check hull.json
  echo '{"points": [[0,0],[2,0],["1/2",1],[1,0]]}' | headproof hull - --json
"""


@click.command("hull", epilog=_EXAMPLES)
@click.argument("file", metavar="FILE|-")
@click.option("-o", "--output", metavar="CERT", help="Write the certificate to this file.")
@json_option
def command(file: str, output: str | None, as_json: bool) -> None:
    """Find the vertices of the convex hull of points, exactly.

    FILE holds {"points": [[..], ..]} with integers or strings such as "3/7". Of repeated points
    the lowest index counts. The answer is put before the independent checker before it is told.
    """
    from ...symbolic.cones.hull import convex_hull
    from ...symbolic.errors import InputError

    given = read(file, keys=("points",))
    if "points" not in given:
        raise InputError("the key 'points'", "none", where=file)
    hull = convex_hull(given["points"])
    save_certificate(hull.certificate(claim="hull"), output)
    if as_json:
        document = {"vertices": list(hull.vertices), "count": hull.count, "certificate": output}
        emit("hull", document)
        return
    click.echo(f"{hull.count} vertices of {len(hull.points)} points: {_listed(hull.vertices)}")
    if output:
        click.echo(f"Certificate: {output}  (headproof check {quote(output)})")


def _listed(indices: tuple[int, ...]) -> str:
    return ", ".join(map(str, indices))
