"""The paper's own figures, which only a run at its scale could settle, with the commands for it.

The abstract leaves widths, data and tokeniser open. A command names a decoder of the right size
and the matching; FILE is the text, in symbols of one byte, and the run of the standard decoder is
the same command without ``--match``.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...claim import Expectation, Role, Statement
from ...verdict import Verdict

_RUN = (
    "torchrun --nproc-per-node 8 -m headproof.numeric.attention_only.pretrain --text FILE "
    "--context 1024 --batch 512 --rate 1e-3 --warmup 2000 --qk-norm"
)
_LARGE = f"{_RUN} --width 768 --heads 12 --layers 12 --ffn 3072"
"""85 million parameters outside the embedding."""

_SMALL = f"{_RUN} --width 256 --heads 4 --layers 8 --ffn 1024"
"""6 million."""


@dataclass(frozen=True)
class Figure:
    """A published figure.

    Args:
        name: of its statement.
        text: what is said.
        latex: as a formula.
        command: what would run it.
    """

    name: str
    text: str
    latex: str
    command: str

    @property
    def why_not_run(self) -> str:
        """The reason that its verdict carries under every profile."""
        return f"the paper's scale was not run: {self.command}"

    def statement(self) -> Statement:
        """As stated, and not run."""
        return Statement(
            name=self.name,
            role=Role.AS_STATED,
            text=self.text,
            latex=self.latex,
            hypotheses=(
                "at the paper's scale; widths, data and tokeniser are not in the abstract",
            ),
            expected=Expectation(Verdict.NOT_RUN),
        )


GAPS = (
    Figure(
        "published-in-place",
        "At matched depth the standard transformer leads by 0.47 nats.",
        r"\ell_{\text{in place}}-\ell=0.47",
        f"{_LARGE} --match in-place --tokens 5e9 --out in-place",
    ),
    Figure(
        "published-flops",
        "At matched FLOPs it leads by 0.26 nats.",
        r"\ell_{\text{FLOPs}}-\ell=0.26",
        f"{_LARGE} --match flops --tokens 5e9 --out flops",
    ),
    Figure(
        "published-parameters",
        "At matched parameters the difference is 0.006 nats, 0.27% of the loss.",
        r"\ell_{\text{parameters}}-\ell=0.006",
        f"{_LARGE} --match parameters --tokens 105e9 --out parameters",
    ),
    Figure(
        "published-seeds",
        "It is reproducible to one part in ten thousand across seed pairs.",
        r"|\Delta_1-\Delta_2|/\ell\le10^{-4}",
        f"{_LARGE} --match parameters --tokens 5e9 --seed 1 --out seed-1",
    ),
    Figure(
        "published-budgets",
        "It shrinks across budgets of 5, 30 and 105 billion tokens.",
        r"\Delta(5B)>\Delta(30B)>\Delta(105B)",
        f"{_LARGE} --match parameters --tokens 30e9 --out budget-30",
    ),
    Figure(
        "published-sizes",
        "It holds near 0.02 nats across a 29-fold range of sizes.",
        r"\Delta\approx0.02",
        f"{_SMALL} --match parameters --tokens 5e9 --out small",
    ),
)

RECALLED = (
    Figure(
        "published-web-text",
        "The pre-registered test predicts a gap of 0.02 to 0.05 nats on knowledge-dense web text; "
        "a matched pair trained on fineweb-edu measures 0.040.",
        r"\Delta=0.040\in[0.02,0.05]",
        f"{_LARGE} --match parameters --tokens 5e9 --out web-text",
    ),
    Figure(
        "published-low-context",
        "By the largest budget the deficit is entirely one of low-context query prediction.",
        r"\Delta_{\text{high context}}(105B)\le0",
        f"{_LARGE} --match parameters --tokens 105e9 --out parameters",
    ),
)

DEEP = (
    Figure(
        "published-depth",
        "At scale QK-normalisation, not feed-forward layers or residual gating, keeps 48-layer "
        "attention-only stacks trainable.",
        r"L=48",
        f"{_RUN} --width 384 --heads 6 --layers 48 --tokens 5e9 --out deep",
    ),
)

FIGURES = {figure.name: figure for figure in (*GAPS, *RECALLED, *DEEP)}
"""Every figure, by the name of its statement."""
