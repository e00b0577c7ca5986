"""``headproof inspect``: the theory applied to a checkpoint."""

from __future__ import annotations

from pathlib import Path

import click

from .checkpoint import checkpoint_options, draw, layers_done, parsed_layers
from .document import emit

_EXAMPLES = """\b
Examples:
  headproof inspect model/
  headproof inspect model/ -o model.html
  headproof inspect model/ --text story.txt --json
  headproof inspect model/ --no-run
"""


@click.command("inspect", epilog=_EXAMPLES)
@click.argument("folder", metavar="DIR")
@click.option("--text", metavar="FILE", help="What the model reads.  [default: a paragraph]")
@click.option("--no-run", is_flag=True, help="Look at the weights only.")
@checkpoint_options
def command(
    folder: str,
    text: str | None,
    no_run: bool,
    output: str | None,
    plots: str | None,
    layers: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Look at a Hugging Face checkpoint with the theory.

    DIR holds config.json and safetensors, sharded or not, of BERT's, GPT-2's or Llama's kind. From
    the weights: shapes, biases, head diversity against random subspaces, spectra, and how many
    parameters the function cannot see. With the extra `checkpoint` the model is run on a text as
    well: which biases change the outputs, which keys can never win, and where the lead of the best
    key proves that a head looks at it.
    """
    from ...symbolic.errors import InputError
    from ..inspection import inspect_checkpoint
    from ..inspection.lines import diversity_lines, inspection_lines, model_line, spectrum_lines

    words = None
    if text is not None:
        if no_run:
            raise click.UsageError("--text needs the model to be run: leave out --no-run")
        try:
            words = Path(text).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise InputError("a text in UTF-8", "other bytes", where=text) from None
    with layers_done(as_json=as_json) as progress:
        found = inspect_checkpoint(
            folder,
            layers=parsed_layers(layers),
            text=words,
            run=not no_run,
            seed=seed,
            progress=progress,
        )
    told = draw(found.diversity, found, output, plots)
    if as_json:
        emit("inspect", found.document())
        return
    diversity = found.diversity
    for line in (
        model_line(diversity),
        "",
        *diversity_lines(diversity),
        "",
        *spectrum_lines(diversity),
        "",
        *inspection_lines(found),
        *told,
    ):
        click.echo(line)
