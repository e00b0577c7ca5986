"""``headproof identify``: what the function cannot see of an architecture's parameters."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from .document import emit, read, save_certificate
from .options import json_option

_EXAMPLES = """\b
Examples:
  headproof identify --config model/config.json
  headproof identify layer.json -o rank.json && headproof check rank.json
  headproof identify layer.json --plot changes.svg
  echo '{"d_model": 4096, "heads": 32, "kv_heads": 8, "rope": "distinct"}' | headproof identify -
"""


@click.command(
    "identify",
    short_help="Count the parameters that attention's function cannot see.",
    epilog=_EXAMPLES,
)
@click.argument("file", metavar="FILE|-", required=False)
@click.option(
    "--config", metavar="CONFIG", help="A Hugging Face config.json, or the folder that holds it."
)
@click.option("-o", "--output", metavar="CERT", help="Write the certificate to this file.")
@click.option("--plot", metavar="PICTURE", help="Draw what a change would do (.svg or .png).")
@json_option
def command(
    file: str | None, config: str | None, output: str | None, plot: str | None, as_json: bool
) -> None:
    """Count the parameters of attention that its function cannot see, exactly.

    FILE holds {"d_model": .., "heads": ..} and, as needed, kv_heads, head_dim, rope ("none",
    "distinct", "equal"), rotary_dim, bias (among "q", "k", "v", "o"), qk_norm, qk_norm_gain, alibi,
    sink, tied_qk, input_norm ("none", "rms", "layer"), input_norm_gain, input_norm_bias, layers,
    mla; or a Hugging Face configuration. With -o the count of the layer is put before the
    independent checker.
    """
    from ..identification.identification import identify_document
    from ..identification.lines import identification_lines

    if (file is None) == (config is None):
        raise click.UsageError("give FILE or --config, one of them")
    source = str(config if file is None else file)
    if source != "-" and Path(source).is_dir():
        source = str(Path(source) / "config.json")
    where = "stdin" if source == "-" else source
    found = identify_document(read(source, keys=None), where)
    if output:
        save_certificate(found.certificate(), output)
    if plot:
        from ..identification.plot import save_plot

        save_plot(found, plot)
    if as_json:
        emit("identify", found.document(certificate=output))
        return
    for line in identification_lines(found):
        click.echo(line)
    if plot:
        click.echo(f"\nPlot: {plot}")
    if output:
        click.echo(f"\nCertificate: {output}  (headproof check {quote(output)})")
