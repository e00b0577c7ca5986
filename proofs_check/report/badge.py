"""How a verdict looks: a sign and a word beside the colour, on paper, page and terminal.

Colour alone never carries a verdict: each has a sign of its own that common fonts contain. The
order is from the worst to the best news, so that the worst of several can stand for them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..verdict import Verdict


@dataclass(frozen=True)
class Badge:
    """The look of one verdict.

    Args:
        verdict: whose look it is.
        sign: one character, unlike that of any other verdict.
        style: for the terminal, as rich writes it.
        meaning: one line for the legend.
    """

    verdict: Verdict
    sign: str
    style: str
    meaning: str

    @property
    def css(self) -> str:
        """The name of its class in the style sheet."""
        return str(self.verdict.value.replace(" ", "-"))


BADGES: dict[Verdict, Badge] = {
    badge.verdict: badge
    for badge in (
        Badge(
            Verdict.FAILED,
            "!",
            "bold white on red",
            "evidence did not come out as required: our error, or news",
        ),
        Badge(
            Verdict.NOT_REPLICATED,
            "≠",
            "bold yellow",
            "a trained criterion, fixed beforehand, was not met",
        ),
        Badge(
            Verdict.REFUTED,
            "✗",
            "magenta",
            "false as given: a counterexample with an accepted certificate",
        ),
        Badge(Verdict.NOT_RUN, "○", "dim", "a component or a budget was missing"),
        Badge(
            Verdict.SUPPORTED,
            "~",
            "yellow",
            "nothing against it in a stated search, or a trained criterion met",
        ),
        Badge(
            Verdict.CERTIFIED,
            "✓",
            "cyan",
            "certified for the stated finite family or box",
        ),
        Badge(
            Verdict.PROVED,
            "∎",
            "bold green",
            "the general statement, by formal or symbolic evidence",
        ),
    )
}
"""Worst news first."""


def worst(verdicts: Iterable[Verdict]) -> Verdict | None:
    """The verdict that is the worst news; None if there is none.

    Example:
        >>> worst([Verdict.PROVED, Verdict.SUPPORTED]).value
        'supported'
    """
    order = list(BADGES)
    return min(verdicts, key=order.index, default=None)
