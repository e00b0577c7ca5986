"""The page in a browser: a silent console, formulas set, nothing cut off, a filter that works.

Needs Chromium on the machine. The probe is put into a copy of the page together with a policy that
allows it; what it finds is written into the document, which Chromium prints.
"""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from headproof.proofs_check.registry import Registry
from headproof.proofs_check.report.page import html

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
  form.elements.text.value = "voronoi";
  form.dispatchEvent(new Event("input", { bubbles: true }));
  const found = { width: innerWidth, faults: window.faults, before, after: rows().length, wide,
    maths: maths.length, set: maths.filter((m) => m.getBoundingClientRect().height > 10).length,
    fraction: document.querySelector("mfrac")
      ? document.querySelector("mfrac").getBoundingClientRect().height : 0,
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


@pytest.mark.parametrize("width", [400, 1280])
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
    assert found["maths"] == found["set"] == 10
    assert found["fraction"] > 30


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
