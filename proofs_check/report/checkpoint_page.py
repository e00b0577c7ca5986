"""A checkpoint on one page that opens from disk and asks the network for nothing, or as SVGs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ...numeric.checkpoint import ROLES
from ..inspection import Diversity, Inspection
from ..inspection.lines import diversity_lines, model_line, text_lines
from .checkpoint_plots import diversity_plots, inspection_plots
from .plot import Plot

_OWN_STYLE = """
figure { margin: 1.6rem 0 2.2rem; }
figure h3 { margin: 0 0 .5rem; font-size: 1.05rem; }
figure svg { max-width: 100%; height: auto; display: block; }
figcaption { color: var(--muted); font-size: .9rem; max-width: 46rem; margin-top: .5rem; }
.layers { font-size: .93rem; font-variant-numeric: tabular-nums; }
.layers th, .layers td { padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); }
.layers thead th { color: var(--muted); font-weight: 500; font-size: .82rem; }
main p, header p { max-width: 52rem; }
footer { margin-top: 3rem !important; padding-bottom: 2rem !important; font-size: .88rem; }
"""


def render(found: Diversity, inspection: Inspection | None, output: Path) -> None:
    """Write the page.

    Raises:
        OSError: the file cannot be written.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(html(found, inspection), encoding="utf-8", newline="\n")


def html(found: Diversity, inspection: Inspection | None = None) -> str:
    """The page as text.

    Args:
        found: the diversity of the heads.
        inspection: what else was found; None for ``headproof diversity``.
    """
    from headproof import __version__  # noqa: TID251

    environment = Environment(
        loader=PackageLoader(__name__.rpartition(".")[0]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    loader = environment.loader
    assert loader is not None
    style, _, _ = loader.get_source(environment, "style.css")
    text = inspection.text if inspection else None
    lines = diversity_lines(found)
    return environment.get_template("checkpoint.html.j2").render(
        title=_title(found),
        version=__version__,
        style=Markup(style),
        own_style=Markup(_OWN_STYLE),
        model_line=model_line(found),
        facts=_facts(found, inspection),
        sentences=_sentences(found, inspection),
        notes=[line for line in lines[len(found.layers) + 1 :] if not line.startswith("null")],
        table=_table(found, inspection),
        under_table=[line for line in lines if line.startswith("null")],
        sections=_sections(found, inspection),
        text_lines=[] if text is None else [line.strip() for line in _prose(text_lines(text))],
        command="inspect" if inspection else "diversity",
    )


def write_plots(found: Diversity, inspection: Inspection | None, folder: Path) -> int:
    """Write every picture as an SVG file of its own, in the page's light colours.

    Raises:
        OSError: a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    plots = [plot for _, group in _sections(found, inspection) for plot in group]
    for plot in plots:
        (folder / f"{plot.name}.svg").write_text(_alone(plot), encoding="utf-8", newline="\n")
    return len(plots)


def _alone(plot: Plot) -> str:
    """The drawing as a file: declared, coloured, titled."""
    colours = _light_colours()
    text = re.sub(r"var\((--[\w-]+)\)", lambda match: colours[match[1]], str(plot.svg))
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    text = text.replace("<svg ", f"<svg {spaces} ", 1).replace(' aria-hidden="true"', "", 1)
    title = Markup("<title>{}</title>").format(plot.title)
    paper = f'<rect width="100%" height="100%" fill="{colours["--surface"]}"/>'
    return re.sub(r"(<svg [^>]*>)", lambda m: m[1] + str(title) + paper, text, count=1) + "\n"


def _light_colours() -> dict[str, str]:
    loader = PackageLoader(__name__.rpartition(".")[0])
    style, _, _ = loader.get_source(Environment(autoescape=True), "style.css")
    first = style[: style.index("}")]
    return dict(re.findall(r"(--[\w-]+):\s*([^;]+);", first))


def _title(found: Diversity) -> str:
    """The folder's name; its parent's where that says nothing."""
    path = Path(found.label)
    if path.exists():
        path = path.resolve()
        path = path.parent if path.is_file() else path
        return path.parent.name if path.name in ("model", "models", "checkpoint") else path.name
    return found.label


def _facts(found: Diversity, inspection: Inspection | None) -> list[tuple[str, str]]:
    model = found.checkpoint.model
    law = found.law("key")
    facts = [
        ("layers", f"{model.layers}"),
        ("heads", f"{model.heads}"),
        ("key/value heads", f"{model.kv_heads}"),
        ("width d", f"{model.d}"),
        ("head dimension", f"{model.head_dim}"),
    ]
    indices = [i for layer in found.layers if (i := layer.role("key").index) is not None]
    if indices:
        facts.append(("key HDI", f"{min(indices):.3f} to {max(indices):.3f}"))
    if law is not None:
        facts.append(("of random subspaces", f"{law.index_mean:.3f}"))
    if inspection and inspection.query_key.count:
        count = inspection.query_key.count
        facts.append(("unidentified in Q, K", f"{count.unidentified:,} of {count.total:,}"))
    if inspection and inspection.value_output.count:
        count = inspection.value_output.count
        facts.append(("unidentified in V, O", f"{count.unidentified:,} of {count.total:,}"))
    return facts


def _sentences(found: Diversity, inspection: Inspection | None) -> list[str]:
    """What a colleague should take away."""
    told = []
    law = found.law("key")
    effective = [e for layer in found.layers if (e := layer.role("key").effective) is not None]
    if law is not None and effective:
        random = law.heads / (1 + (law.heads - 1) * (1 - law.index_mean))
        middle = sorted(effective)[len(effective) // 2]
        told.append(
            f"By the overlaps of their keys the {law.heads} heads of a layer count as {middle:.1f} "
            f"(H_eff, median layer); random subspaces of this size would count as {random:.1f}."
        )
    text = inspection.text if inspection else None
    key = next((t for t in text.biases if t.role == "key"), None) if text else None
    query = next((t for t in text.biases if t.role == "query"), None) if text else None
    if key and query and key.inert:
        told.append(
            "Setting every key bias to zero leaves the outputs unchanged to rounding "
            f"({key.change:.0e} of the largest); setting every query bias to zero changes them by "
            f"{query.change:.2f} of the largest."
        )
    if inspection and text is None:
        told.append(f"The model was not run: {inspection.not_run}.")
    return told


def _table(found: Diversity, inspection: Inspection | None) -> tuple[list[str], list[list[str]]]:
    biased = [r for r in ROLES if found.checkpoint.biased(r)] if inspection else []
    header = ["layer", *(f"HDI, {role}" for role in ROLES), *(f"H_eff, {role}" for role in ROLES)]
    header += [f"|b_{role[0].upper()}|" for role in biased]
    rows = []
    for n, layer in enumerate(found.layers):
        row = [str(layer.layer)]
        for role in ROLES:
            entry = layer.role(role)
            shown = "none" if entry.index is None else f"{entry.index:.5f}"
            row.append(shown + ("*" if entry.deficient else ""))
        for role in ROLES:
            effective = layer.role(role).effective
            row.append("none" if effective is None else f"{effective:.2f}")
        if inspection:
            row += [f"{inspection.biases[n][role].whole:.3f}" for role in biased]
        rows.append(row)
    return header, rows


def _sections(
    found: Diversity, inspection: Inspection | None
) -> list[tuple[str, tuple[Plot, ...]]]:
    index, *overlaps, spectra = diversity_plots(found)
    more = {plot.name: plot for plot in (inspection_plots(inspection) if inspection else ())}
    sections = [("Head diversity", (index, *overlaps)), ("Spectra", (spectra,))]
    if "biases" in more:
        sections.append(("Biases", (more["biases"],)))
    skeleton = tuple(more[name] for name in ("dead-keys", "certified") if name in more)
    if skeleton:
        sections.append(("The zero-temperature skeleton", skeleton))
    return sections


def _prose(lines: list[str]) -> list[str]:
    """The sentences of the text's lines, without the table, which is drawn."""
    found: list[Any] = []
    for line in lines:
        if not line:
            break
        found.append(line)
    return found
