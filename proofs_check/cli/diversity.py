"""``headproof diversity``: how much the heads of a model look at the same things."""

from __future__ import annotations

import click

from .checkpoint import checkpoint_options, draw, layers_done, parsed_layers
from .document import emit

_EXAMPLES = """\b
Examples:
  headproof diversity model/
  headproof diversity model/ -o diversity.html
  headproof diversity model/model.safetensors --layers 0,5 --json
"""


@click.command(
    "diversity",
    short_help="Measure the diversity of a checkpoint's heads, by layer.",
    epilog=_EXAMPLES,
)
@click.argument("source", metavar="DIR|FILE")
@checkpoint_options
def command(
    source: str,
    output: str | None,
    plots: str | None,
    layers: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Measure the diversity of a model's heads, layer by layer, against random subspaces.

    DIR is a Hugging Face folder (config.json and safetensors, sharded or not); FILE a safetensors
    file with config.json beside it. HDI is one less the mean overlap tr(P_h P_h')/d_k of the heads'
    subspaces, for queries, keys, values and output; H_eff the effective number of heads. Heads of
    lower rank are named and left out. QK and OV spectra come from the factors. Nothing is run.
    """
    from ..inspection import head_diversity
    from ..inspection.lines import diversity_lines, model_line, spectrum_lines

    with layers_done(as_json=as_json) as progress:
        found = head_diversity(source, layers=parsed_layers(layers), seed=seed, progress=progress)
    told = draw(found, None, output, plots)
    if as_json:
        emit("diversity", found.document())
        return
    lines = (model_line(found), "", *diversity_lines(found), "", *spectrum_lines(found))
    for line in (*lines, *told):
        click.echo(line)
