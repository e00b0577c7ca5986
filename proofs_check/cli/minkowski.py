"""``headproof minkowski``: vertices and facets of a Minkowski sum of the user's point sets."""

from __future__ import annotations

import click

from .document import emit, read, save_certificate
from .engine import (
    engine_options,
    exploring,
    listed,
    processes,
    required,
    tell_certificate,
    tell_rows,
    written,
)

_EXAMPLES = """\b
Examples:
  headproof minkowski sum.json -o sum.cert && headproof check sum.cert
  headproof minkowski sum.json --jobs 2 --limit 100000 --json
  echo '{"summands": [[[0,0],[1,0]], [[0,0],[0,"1/2"]]]}' | headproof minkowski -
  headproof minkowski sum.json --dask tcp://host:8786
"""


@click.command("minkowski", epilog=_EXAMPLES)
@engine_options("facets")
def command(
    file: str,
    output: str | None,
    limit: int | None,
    jobs: int | None,
    dask: str | None,
    as_json: bool,
) -> None:
    """Find the vertices and facets of a Minkowski sum, exactly.

    FILE holds {"summands": [[[..], ..], ..]}: for each summand its points, with integers or strings
    such as "3/7". Every vertex comes with the point of each summand that it is the sum of. Facets
    are counted in the affine hull of the sum. The answer is put before the independent checker
    before it is told.
    """
    from ...symbolic.minkowski.minkowski_sum import minkowski_sum
    from ...symbolic.rational import matrix

    summands = listed(required(read(file, keys=("summands",)), "summands", file), "summands", file)
    points = [matrix(rows, f"summands[{h}]", least_rows=1) for h, rows in enumerate(summands)]
    with (
        processes(jobs, dask) as (number, executor),
        exploring("cells", "ridges still open", as_json=as_json) as progress,
    ):
        found = minkowski_sum(
            points, limit=limit, jobs=number, executor=executor, progress=progress
        )
        save_certificate(found.certificate(claim="minkowski"), output)
    vertices = written(found.vertices)
    if as_json:
        document = {
            "count": len(vertices),
            "vertices": vertices,
            "choices": [list(choice) for choice in found.choices],
            "facets": found.facets,
            "certificate": output,
        }
        emit("minkowski", document)
        return
    click.echo(f"{len(vertices):,} vertices, {found.facets:,} facets, dimension {found.dimension}")
    tell_rows(
        [
            f"({', '.join(map(str, vertex))}) = points {', '.join(map(str, choice))}"
            for vertex, choice in zip(vertices, found.choices, strict=True)
        ]
    )
    tell_certificate(output)
