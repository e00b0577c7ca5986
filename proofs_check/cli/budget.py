"""``headproof budget``: how many heads a budget of coordinates asks for, and of which size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..evidence import Json
from .document import emit, save_certificate
from .options import json_option

if TYPE_CHECKING:
    from ...symbolic.enclosures.ball import Enclosure
    from ...symbolic.ensemble.allocation import Allocation

_EXAMPLES = """\b
Examples:
  headproof budget --n 1000000 --D 768 --alpha 1/4 --C 3/2
  headproof budget --n 1000000 --D 768 --alpha 1/4 --C 3/2 --d-model 768 --plot budget.svg
  headproof budget --n 100 --D 12 --alpha "log 2" --C 2 -o budget.cert --json
"""
_PLACES = 12


@click.command(
    "budget", short_help="Find the best head dimension and number of heads.", epilog=_EXAMPLES
)
@click.option("--n", "n", required=True, metavar="N", help="Training points.")
@click.option("--D", "D", required=True, metavar="D", help="The budget H d_k.")
@click.option(
    "--alpha", required=True, metavar="RATE", help='Decay of the squared bias: "p/q" or "log p/q".'
)
@click.option(
    "--C", "C", required=True, metavar="C", help='Variance factor of a coordinate, > 1: "p/q" or e.'
)
@click.option("--A", "A", default="1", show_default=True, help="Squared bias at d_k = 0.")
@click.option("--sigma2", default="1", show_default=True, help="Variance of the noise.")
@click.option("--d-model", metavar="WIDTH", help="Width of the model: the most that d_k can be.")
@click.option("--plot", metavar="FILE", help="Write the picture: .svg, .png or .pdf.")
@click.option("-o", "--output", metavar="CERT", help="Write the certificate.")
@json_option
def command(
    n: str,
    D: str,
    alpha: str,
    C: str,
    A: str,
    sigma2: str,
    d_model: str | None,
    plot: str | None,
    output: str | None,
    as_json: bool,
) -> None:
    """Find the best head dimension d_k and number of heads H, H d_k = D, under a simple model.

    The model is MSE(d_k) = A exp(-alpha d_k) + sigma^2 C^d_k d_k/(n D): a bias that decays in the
    head dimension, and the variance of D/d_k uncorrelated kernel regressions of one bandwidth. The
    real minimiser is enclosed by Lambert's function, the best integer is decided exactly, and so is
    the best divisor of D. What the model leaves out is printed with the answer.
    """
    from ...symbolic.ensemble.allocation import head_budget
    from ..certificates.allocation import certificate

    found = head_budget(
        n=_count(n, "--n"),
        D=_count(D, "--D"),
        alpha=alpha.strip(),
        C=C.strip(),
        A=A.strip(),
        variance=sigma2.strip(),
        d_model=None if d_model is None else _count(d_model, "--d-model"),
    )
    save_certificate(certificate(found), output)
    if plot:
        from ..report.budget_plot import save

        save(found, plot)
    if as_json:
        emit("budget", {**_document(found), "plot": plot, "certificate": output})
        return
    _tell(found)
    for what, path in (("picture", plot), ("certificate", output)):
        if path:
            click.echo(f"{what}: {path}")


def _count(text: str, where: str) -> int:
    from ...symbolic.errors import InputError

    digits = text.strip().replace(",", "").replace("_", "")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 30) or int(digits) < 1:
        raise InputError("a positive integer of at most 30 digits", repr(text), where=where)
    return int(digits)


def _decimal(value: Enclosure) -> list[Json]:
    """Both ends of an enclosure, rounded outwards, as exact decimals."""
    from ...symbolic.rational import write

    shown = value.rounded(_PLACES)
    return [write(shown.lower), write(shown.upper)]


def _document(found: Allocation) -> dict[str, Json]:
    from ...symbolic.rational import write

    law = found.law
    rows = [
        {"d_k": row.d_k, "heads": write(row.heads), "mse": float(row.error.lower)}
        for row in found.rows
    ]
    low, high = found.bounds
    return {
        "parameters": {
            "A": write(law.A),
            "alpha": str(law.alpha),
            "C": law.C if isinstance(law.C, str) else write(law.C),
            "sigma2": write(law.variance),
            "n": law.n,
            "D": law.D,
            "d_model": found.d_model,
        },
        "minimiser": {
            "enclosure": _decimal(found.minimiser),
            "value": float(found.minimiser.lower),
            "bounds": [float(low.lower), float(high.upper)],
        },
        "best": [{"d_k": x, "heads": write(found.row(x).heads)} for x in found.best],
        "divisors": [{"d_k": x, "heads": law.D // x} for x in found.best_divisors],
        "table": rows,
        "caveats": list(found.caveats),
    }


def _tell(found: Allocation) -> None:
    law, minimiser = found.law, float(found.minimiser.lower)
    click.echo(
        f"MSE(d_k) = A exp(-alpha d_k) + sigma^2 C^d_k d_k/(n D)\n"
        f"A = {law.A}, alpha = {law.alpha}, C = {law.C}, sigma^2 = {law.variance}, n = {law.n:,}, "
        f"D = {law.D:,}"
    )
    click.echo(f"real minimiser  d_k* = {minimiser:.12g}")
    click.echo(f"best integer    {_choices(found, found.best)}")
    click.echo(f"best divisor    {_choices(found, found.best_divisors)}")
    click.echo("")
    click.echo(f"{'d_k':>6}  {'H':>12}  {'MSE':>14}")
    for row in found.rows:
        mark = " best" * (row.d_k in found.best) + " best divisor" * (
            row.d_k in found.best_divisors
        )
        whole = row.heads.denominator == 1
        heads = str(row.heads) if whole else f"{float(row.heads):.3f}"
        click.echo(f"{row.d_k:>6}  {heads:>12}  {float(row.error.lower):>14.8g}{mark}")
    click.echo("")
    for caveat in found.caveats:
        click.echo(f"caveat: {caveat}")


def _choices(found: Allocation, dimensions: tuple[int, ...]) -> str:
    told = []
    for x in dimensions:
        heads = found.row(x).heads
        count = str(heads) if heads.denominator == 1 else f"{float(heads):.3f}"
        told.append(f"d_k = {x}, H = {count}")
    return " and ".join(told) + (" (a tie)" if len(told) > 1 else "")
