"""The page in a browser: a silent console, formulas set, nothing cut off, a filter that works.

Needs Chromium on the machine. The probe is put into a copy of the page together with a policy that
allows it; what it finds is written into the document, which Chromium prints.
"""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from headproof.proofs_check.registry import Registry, build
from headproof.proofs_check.report.page import html
from headproof.symbolic.catalogue import derivations, render

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
]

PROBE = """
window.addEventListener("error", (event) => { window.faults.push(event.message); });
window.addEventListener("load", () => {
  const form = document.getElementById("filter");
  const rows = () => [...document.querySelectorAll("tr[data-role]")].filter((r) => r.offsetHeight);
  const before = rows().length;
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  const maths = [...document.querySelectorAll("math")];
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const tall = (e) => e.getBoundingClientRect().height;
  const formulas = { maths: maths.length, set: maths.filter((m) => tall(m) > 4).length,
    fraction: tall(document.querySelector("mfrac")) };
  const set = (name, value) => {
    form.elements[name].value = value;
    form.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const shown = () => [...document.querySelectorAll("details.claim")].filter((c) => !c.hidden);
  set("topic", "tropical");
  const all = shown().length;
  const toggle = document.querySelector("button.toggle[data-verdict=refuted]");
  toggle.click();
  const refuted = [rows().length, toggle.getAttribute("aria-pressed"), toggle.disabled];
  toggle.click();
  const again = [rows().length, toggle.getAttribute("aria-pressed")];
  const unnamed = [...document.querySelectorAll("button, input, select, summary, a, [tabindex]")]
    .filter((e) => e.getBoundingClientRect().height && !(e.textContent.trim()
      || e.getAttribute("aria-label") || (e.labels && e.labels.length))).map((e) => e.outerHTML);
  const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5")].map((h) => +h.tagName[1]);
  set("text", "voronoi");
  const found = { all, refuted, again, unnamed, levels, claims: shown().length,
    landmarks: ["header", "main", "nav", "footer"].map((n) => document.querySelectorAll(n).length
      > 0),
    cut: [...document.querySelectorAll("a.node")].filter((node) => {
      const box = node.querySelector("rect").getBoundingClientRect();
      return [...node.querySelectorAll("text")].some((t) =>
        t.getBoundingClientRect().right > box.right || t.getBoundingClientRect().left < box.left);
    }).length,
    width: innerWidth, faults: window.faults, before, after: rows().length, wide,
    ...formulas,
    dimmed: document.querySelectorAll("a.node.dim").length };
  document.body.setAttribute("data-found", JSON.stringify(found));
});
"""


def chromium(page: Path, tmp_path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    assert CHROMIUM is not None
    quiet = (
        "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
        "--enable-logging=stderr --disable-background-networking "
        "--disable-component-update --disable-sync"
    )
    return subprocess.run(
        [
            CHROMIUM,
            *quiet.split(),
            f"--user-data-dir={tmp_path / 'profile'}",
            *options,
            page.resolve().as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )


def probed(text: str, tmp_path: Path, width: int) -> dict[str, Any]:
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    text = text.replace("<head>", f"<head><script>window.faults = [];{PROBE}</script>", 1)
    return framed(text, tmp_path, width)


def framed(text: str, tmp_path: Path, width: int) -> dict[str, Any]:
    """What a page that probes itself found in a frame of that width."""
    # Chromium makes no window narrower than 500 pixels; a frame can be.
    (tmp_path / "inner.html").write_text(text, encoding="utf-8")
    frame = tmp_path / "frame.html"
    frame.write_text(
        "<!doctype html><meta charset='utf-8'><body>"
        f"<iframe src='inner.html' style='width: {width}px; height: 900px; border: 0'></iframe>"
        "<script>onload = () => setTimeout(() => { document.body.dataset.found = frames[0]"
        ".document.body.dataset.found; }, 300);</script>",
        encoding="utf-8",
    )
    options = ("--allow-file-access-from-files", "--virtual-time-budget=4000", "--dump-dom")
    printed = chromium(frame, tmp_path, "--window-size=1400,1000", *options).stdout
    match = re.search(r'data-found="([^"]*)"', printed)
    assert match, printed[:2000]
    found = json.loads(unescape(match.group(1)))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_the_page_works_and_fits(
    sample: Path, registry: Registry, tmp_path: Path, width: int
) -> None:
    found = probed(html(sample, registry=registry), tmp_path, width)
    assert found["width"] == width
    assert found["faults"] == []
    assert found["before"] == 10
    assert found["after"] == 1
    assert found["dimmed"] == 3
    assert found["wide"] == 0
    assert found["maths"] > 30
    assert found["maths"] == found["set"]
    assert found["all"] == 4
    assert found["claims"] == 1
    assert found["refuted"] == [5, "true", False]
    assert found["again"] == [10, "false"]
    assert found["unnamed"] == []
    assert all(found["landmarks"])
    assert found["cut"] == 0
    levels = found["levels"]
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels)), "a heading level is left out"
    assert found["fraction"] > 30


def test_a_long_formula_does_not_widen_the_page(
    sample: Path, registry: Registry, tmp_path: Path
) -> None:
    long = f"max({'x_1 + ' * 30}x_2) <= 1"

    def lengthened() -> Any:
        for claim in registry:
            statements = (replace(s, text=long, hypotheses=(long,)) for s in claim.statements)
            yield replace(claim, statements=tuple(statements))

    found = probed(html(sample, registry=build(lengthened())), tmp_path, 360)
    assert found["wide"] == 0


def test_the_console_stays_silent(sample: Path, registry: Registry, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text(html(sample, registry=registry), encoding="utf-8")
    done = chromium(page, tmp_path, "--virtual-time-budget=2000", "--dump-dom")
    assert "CONSOLE" not in done.stderr
    assert "10 of 10 statements shown" in done.stdout


def test_a_message_in_the_console_would_be_seen(
    sample: Path, registry: Registry, tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    text = html(sample, registry=registry).replace("<main>", "<main><script>alert(1)</script>")
    page.write_text(text, encoding="utf-8")
    done = chromium(page, tmp_path, "--virtual-time-budget=2000", "--dump-dom")
    assert "CONSOLE" in done.stderr
    assert "Content Security Policy" in done.stderr


def test_a_wide_element_and_a_nameless_button_would_be_seen(
    sample: Path, registry: Registry, tmp_path: Path
) -> None:
    spoilt = "<main><div style='width: 3000px'>x</div><button type='button'></button>"
    text = html(sample, registry=registry).replace("<main>", spoilt, 1)
    found = probed(text, tmp_path, 1280)
    assert found["wide"] > 1000
    assert len(found["unnamed"]) == 1


def test_screenshots_in_light_and_dark(sample: Path, registry: Registry, tmp_path: Path) -> None:
    from matplotlib.image import imread

    page = tmp_path / "report.html"
    page.write_text(html(sample, registry=registry), encoding="utf-8")
    light = {}
    for name, scheme in (("light", 1), ("dark", 0)):
        target = tmp_path / f"{name}.png"
        options = f"--screenshot={target} --window-size=1280,900 --hide-scrollbars"
        chosen = f"--blink-settings=preferredColorScheme={scheme}"
        chromium(page, tmp_path, *options.split(), chosen, "--virtual-time-budget=2000")
        picture = imread(target)[:, :, :3]
        assert picture.shape[:2] == (900, 1280)
        assert picture.std() > 0.05, "nothing on it"
        light[name] = float(picture.mean())
    assert light["dark"] < 0.3 < 0.7 < light["light"]


def test_the_page_prints_with_every_fold_open(
    sample: Path, registry: Registry, tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    page.write_text(html(sample, registry=registry), encoding="utf-8")
    target = tmp_path / "report.pdf"
    chromium(page, tmp_path, f"--print-to-pdf={target}", "--no-pdf-header-footer")
    pages = target.read_bytes().count(b"/Type /Page\n")
    assert 4 <= pages <= 40
    if shutil.which("pdftotext"):
        done = subprocess.run(
            ["pdftotext", str(target), "-"], capture_output=True, text=True, check=True, timeout=60
        )
        assert "ZeroDivisionError" in done.stdout  # inside three folds
        assert "What holds" in done.stdout
        assert "Show all" not in done.stdout


@pytest.mark.parametrize("width", [360, 1000])
def test_a_page_of_derivations_fits_and_is_silent(tmp_path: Path, width: int) -> None:
    probe = """<script>onload = () => {
      const page = document.documentElement, steps = document.querySelectorAll(".steps li");
      document.body.dataset.found = JSON.stringify({ wide: page.scrollWidth - page.clientWidth,
        steps: steps.length, set: [...document.querySelectorAll(".steps .formula [role=math]")]
          .filter((m) => m.getBoundingClientRect().height > 4).length });
    };</script>"""
    made = derivations("equivariance")
    text = render(made, "html")
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    done = chromium(tmp_path / "page.html", tmp_path, "--virtual-time-budget=1000", "--dump-dom")
    assert "CONSOLE" not in done.stderr
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    found = framed(text.replace("</head>", f"{probe}</head>", 1), tmp_path, width)
    steps = sum(len(derivation.steps) for derivation in made)
    assert found == {"wide": 0, "steps": steps, "set": steps}
