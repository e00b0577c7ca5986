"""``headproof match``: attention-only decoders with the costs of a standard one."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, cast

import click

from .document import emit, read, save_certificate
from .options import json_option

if TYPE_CHECKING:
    from ...symbolic.attention_only.accounting import Scores
    from ...symbolic.attention_only.matching import Vary

_EXAMPLES = """\b
Examples:
  headproof match --d-model 768 --layers 12 --heads 12 --ffn 3072 --vocabulary 50257 --tokens 1024
  headproof match model/config.json --tokens 4096
  headproof match model/ --vary width -o match.json && headproof check match.json
  echo '{"d_model": 64, "layers": 4, "heads": 4, "ffn": 256, "vocabulary": 96, "context": 128}' \\
    | headproof match - --json
"""
_NEEDED = ("d_model", "layers", "heads", "ffn", "vocabulary")


@click.command(
    "match",
    short_help="Find the attention-only decoders closest to a standard one.",
    epilog=_EXAMPLES,
)
@click.argument("file", metavar="FILE|-", required=False)
@click.option("--d-model", type=int, metavar="D", help="Width of the residual stream.")
@click.option("--layers", type=int, metavar="L", help="Blocks of the standard decoder.")
@click.option("--heads", type=int, metavar="H", help="Query heads.")
@click.option("--kv-heads", type=int, metavar="G", help="Key/value heads; H by default.")
@click.option("--head-dim", type=int, metavar="DK", help="Dimension of a head; d/H by default.")
@click.option("--ffn", type=int, metavar="F", help="Width of the feed-forward layer.")
@click.option("--gated", is_flag=True, help="Three feed-forward matrices instead of two.")
@click.option("--vocabulary", type=int, metavar="V", help="Size of the vocabulary.")
@click.option("--untied", is_flag=True, help="An output projection beside the embedding.")
@click.option("--qk-norm", is_flag=True, help="Norms of queries and keys.")
@click.option("--bias", multiple=True, metavar="NAME", help="q, k, v, o, ffn or output; repeat.")
@click.option("--tokens", type=int, metavar="N", help="Length of a sequence; the context.")
@click.option(
    "--scores",
    type=click.Choice(("causal", "dense")),
    default="causal",
    show_default=True,
    help="Count the scores that are not masked, or all.",
)
@click.option(
    "--vary",
    type=click.Choice(("depth", "width", "both")),
    default="depth",
    show_default=True,
    help="What is free.",
)
@click.option("-o", "--output", metavar="CERT", help="Write the certificate to this file.")
@json_option
def command(
    file: str | None,
    tokens: int | None,
    scores: str,
    vary: str,
    output: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Find the attention-only decoders closest to a standard one, provably.

    FILE holds {"d_model", "layers", "heads", "ffn", "vocabulary", "context"} and, as needed,
    kv_heads, head_dim, gated, bias, norm ("rms", "layer"), qk_norm, residual_gates, tied,
    final_norm, positions ("rope", "learned", "none"); or a Hugging Face configuration (or the
    folder that holds it). Without FILE the sizes are options, and --tokens is the context.
    Matched are the depth (the layers deleted in place), the parameters, and the operations of a
    training step, counted as matrix products; what remains is told exactly.
    The certificate shows the independent checker that nothing in the family is closer.
    """
    from ..matching.lines import matching_lines
    from ..matching.matching import match

    config, where = _config(file, tokens, options)
    found = match(
        config,
        tokens=tokens,
        scores=cast("Scores", scores),
        vary=cast("Vary", vary),
        where=where,
    )
    save_certificate(found.certificate(), output)
    if as_json:
        emit("match", found.document(certificate=output))
        return
    for line in matching_lines(found):
        click.echo(line)
    if output:
        click.echo(f"Certificate: {output}  (headproof check {quote(output)})")


def _config(
    file: str | None, tokens: int | None, options: dict[str, Any]
) -> tuple[dict[str, Any], str]:
    given = {
        name: value
        for name, value in options.items()
        if value is not None and value is not False and value != ()
    }
    if file is not None:
        if given:
            names = ", ".join("--" + name.replace("_", "-") for name in given)
            raise click.UsageError(f"give FILE or {names}, not both")
        source = str(Path(file) / "config.json") if file != "-" and Path(file).is_dir() else file
        return read(source, keys=None), "stdin" if file == "-" else source
    missing = ["--" + name.replace("_", "-") for name in _NEEDED if name not in given]
    if tokens is None:
        missing.append("--tokens")
    if missing:
        raise click.UsageError(f"give FILE, or {', '.join(missing)}")
    given["tied"] = not given.pop("untied", False)
    given["bias"] = list(given.get("bias", ()))
    return {**given, "context": tokens}, "options"
