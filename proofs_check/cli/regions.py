"""``headproof regions``: the cells and affine pieces of the user's network."""

from __future__ import annotations

import click

from .document import emit, read, save_certificate
from .engine import engine_options, exploring, processes, tell_certificate

_EXAMPLES = """\b
Examples:
  headproof regions network.json -o network.cert && headproof check network.cert
  headproof regions network.json --jobs 2 --limit 100000 --json
  echo '{"dimension": 1, "layers": [{"heads": [{"keys": [[0],[1]], "values": [[0],[-1]]}]}]}' \\
    | headproof regions -
  headproof regions network.json --dask tcp://host:8786
"""


@click.command(
    "regions",
    short_help="Count the linear regions of a network of hard attention.",
    epilog=_EXAMPLES,
)
@engine_options("cells")
def command(
    file: str,
    output: str | None,
    limit: int | None,
    jobs: int | None,
    dask: str | None,
    as_json: bool,
) -> None:
    """Count the linear regions of a network of hard attention and ReLU layers, exactly.

    FILE holds {"dimension": d, "layers": [{"heads": [{"keys", "biases", "values"}], "residual",
    "linear", "ffn": {"w1", "b1", "w2", "b2"}}], "domain": {"lower", "upper"}} with integers or
    strings such as "3/7". Cells are full-dimensional sets of inputs with the same choices; pieces
    are distinct affine maps among them. The answer is put before the independent checker before
    it is told.
    """
    from ...symbolic.regions.linear_regions import linear_regions

    given = read(file, keys=("dimension", "layers", "domain"))
    with (
        processes(jobs, dask) as (number, executor),
        exploring("cells", "nodes still open", as_json=as_json) as progress,
    ):
        tree = linear_regions(given, limit=limit, jobs=number, executor=executor, progress=progress)
        save_certificate(tree.certificate(claim="regions"), output)
    if as_json:
        emit("regions", {**tree.document(), "certificate": output})
        return
    click.echo(f"{tree.cells:,} cells, {tree.pieces:,} distinct affine pieces")
    tell_certificate(output)
