"""The style sheet: every verdict has its colours, and they contrast enough (WCAG AA)."""

import re
from importlib.resources import files

import pytest

from headproof.proofs_check.report.badge import BADGES
from headproof.proofs_check.verdict import Verdict

STYLE = (files("headproof.proofs_check.report") / "templates" / "style.css").read_text("utf-8")
LIGHT, DARK, PRINT = (
    dict(re.findall(r"(--[\w-]+):\s*(#[0-9a-fA-F]{3,6})\b", part))
    for part in re.split(r"@media \(prefers-color-scheme: dark\)|@media print", STYLE)
)
PALETTES = {"light": LIGHT, "dark": LIGHT | DARK, "print": LIGHT | PRINT}


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    channels = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_measured_as_the_guideline_says() -> None:
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#fff") < 4.5 < contrast("#767676", "#fff")


@pytest.mark.parametrize("name", PALETTES)
def test_text_can_be_read(name: str) -> None:
    palette = PALETTES[name]
    for ground in ("--page", "--surface", "--sunk"):
        for text in ("--ink", "--muted", "--link", "--alarm", "--proved-ink", "--supported-ink"):
            assert contrast(palette[text], palette[ground]) >= 4.5, (name, text, ground)
    assert contrast(palette["--note"], palette["--note-ink"]) >= 4.5


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("verdict", Verdict)
def test_badges_can_be_read(name: str, verdict: Verdict) -> None:
    palette, css = PALETTES[name], BADGES[verdict].css
    assert f".{css} {{ --fill: var(--{css}); --text: var(--{css}-ink); }}" in STYLE
    assert contrast(palette[f"--{css}"], palette[f"--{css}-ink"]) >= 4.5


@pytest.mark.parametrize("name", PALETTES)
def test_lines_of_plots_can_be_seen(name: str) -> None:
    palette = PALETTES[name]
    for number in range(1, 7):
        assert contrast(palette[f"--series-{number}"], palette["--page"]) >= 3


def test_no_two_verdicts_have_the_same_sign() -> None:
    assert set(BADGES) == set(Verdict)
    assert len({badge.sign for badge in BADGES.values()}) == len(Verdict)
