"""A recorded run, and the claims that it speaks of, written out for the tests of the report."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from headproof.proofs_check.claim import (
    Claim,
    Context,
    Expectation,
    Paper,
    Producer,
    Role,
    Statement,
)
from headproof.proofs_check.evidence import Finding, Kind, Outcome
from headproof.proofs_check.registry import Registry, build
from headproof.proofs_check.verdict import Verdict

PAPER = Paper("A", "Attention at zero temperature", "arXiv 2604.14727")


def nothing(context: Context) -> Outcome:
    """A producer that is never run: the report only reads what a run left."""
    return Outcome(Finding.HOLDS, context.statement)


def claim(
    claim_id: str,
    number: str,
    title: str,
    statements: tuple[Statement, ...],
    *,
    rests_on: tuple[str, ...] = (),
    paper: Paper = PAPER,
) -> Claim:
    producers = tuple(Producer(s.name, s.name, Kind.EXACT, nothing) for s in statements)
    return Claim(claim_id, number, title, paper, "Section 3", statements, producers, rests_on)


def statement(
    name: str, role: Role, text: str, latex: str, verdict: Verdict, **more: Any
) -> Statement:
    return Statement(name, role, text, latex, Expectation(verdict), **more)


def _tropical() -> tuple[Claim, ...]:
    stated, verified, control = Role.AS_STATED, Role.AS_VERIFIED, Role.CONTROL
    return (
        claim(
            "tropical.dequantisation",
            "A1",
            "Dequantisation of log-sum-exp",
            (
                statement(
                    "bounds",
                    verified,
                    "The smoothed maximum exceeds the maximum by at most tau log N.",
                    r"0 \le \tau\log\sum_{j=1}^N e^{s_j/\tau} - \max_j s_j \le \tau\log N",
                    Verdict.PROVED,
                    hypotheses=("tau > 0", "N >= 1", "s in R^N"),
                ),
                statement(
                    "lower-bound-attained",
                    control,
                    "The lower bound is attained for every N.",
                    r"\exists s\in\mathbb{R}^N:\ \tau\log\sum_j e^{s_j/\tau} = \max_j s_j",
                    Verdict.REFUTED,
                ),
            ),
        ),
        claim(
            "tropical.power-diagram",
            "A2",
            "Routing is a power diagram",
            (
                statement(
                    "as-stated",
                    stated,
                    "The routing cells are the Voronoi cells of the keys.",
                    r"\operatorname*{arg\,max}_j s_j(x) = \operatorname*{arg\,min}_j "
                    r"\lVert x-\kappa_j\rVert^2",
                    Verdict.REFUTED,
                    ours=True,
                    amended_by="power-weights",
                ),
                statement(
                    "power-weights",
                    verified,
                    "The routing cells are those of the power diagram of the keys with weights "
                    "|kappa_j|^2 + 2 b_j.",
                    r"\operatorname*{arg\,max}_j s_j(x) = \operatorname*{arg\,min}_j "
                    r"\left(\lVert x-\kappa_j\rVert^2 - w_j\right),"
                    r"\quad w_j = \lVert\kappa_j\rVert^2 + 2 b_j",
                    Verdict.PROVED,
                    hypotheses=("s_j(x) = <kappa_j, x> + b_j",),
                ),
                statement(
                    "without-square",
                    control,
                    "The weights are 2 b_j alone.",
                    r"w_j = 2 b_j",
                    Verdict.REFUTED,
                ),
            ),
        ),
        claim(
            "tropical.routing-limit",
            "A3",
            "Weights in the routing limit",
            (
                statement(
                    "uniform-limit",
                    verified,
                    "The weights tend to the uniform law on the argmax set.",
                    r"\lim_{\tau\to 0^+} \frac{e^{s_j/\tau}}{\sum_i e^{s_i/\tau}} = "
                    r"\begin{cases} 1/|M| & j\in M\\ 0 & \text{otherwise} \end{cases}",
                    Verdict.PROVED,
                ),
                statement(
                    "one-winner",
                    control,
                    "The weights tend to one of the maxima.",
                    r"p_j \to \delta_{j^*}",
                    Verdict.REFUTED,
                ),
            ),
            rests_on=("tropical.dequantisation",),
        ),
        claim(
            "tropical.cells",
            "A5",
            "Which keys have a cell of their own",
            (
                statement(
                    "upper-vertices",
                    verified,
                    "A cell is full-dimensional iff its lifted key is an upper vertex.",
                    r"(\kappa_j,b_j)\notin\operatorname{conv}\{(\kappa_i,b_i)\}"
                    r"-\mathbb{R}_+e_{d+1}",
                    Verdict.CERTIFIED,
                    hypotheses=("lifted points are distinct, or share a cell",),
                ),
                statement(
                    "real-heads",
                    verified,
                    "Every key of a real head wins somewhere or never.",
                    r"\forall j",
                    Verdict.CERTIFIED,
                ),
                statement(
                    "every-key-wins",
                    stated,
                    "Every key wins alone at some query.",
                    r"\forall j\ \exists x:\ s_j(x) > \max_{i\ne j} s_i(x)",
                    Verdict.REFUTED,
                    amended_by="upper-vertices",
                ),
            ),
            rests_on=("tropical.power-diagram", "tropical.routing-limit"),
        ),
    )


@pytest.fixture
def registry() -> Registry:
    """The claims of the sample run."""
    return build(_tropical())


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A copy of the sample run that a test may spoil."""
    return Path(shutil.copytree(Path(__file__).parent / "sample-run", tmp_path / "quick-0"))


Amend = Callable[[Path, Callable[[dict[str, Any]], None]], None]


@pytest.fixture
def amend() -> Amend:
    """Change the lines of a run's results."""

    def change(run: Path, how: Callable[[dict[str, Any]], None]) -> None:
        path = run / "results.jsonl"
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for line in lines:
            how(line)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")

    return change


def _large(count: int) -> tuple[Claim, ...]:
    topics = (
        "tropical",
        "ensemble",
        "identification",
        "recovery",
        "hierarchy",
        "order",
        "zonotope",
    )
    claims: list[Claim] = []
    for number in range(count):
        topic = topics[number * len(topics) // count]
        own = [c.id for c in claims if c.topic == topic]
        under = {own[i] for i in (-1, -3, -4) if number % 3 and len(own) >= -i}
        if number % 11 == 5:
            under.add(claims[number // 2].id)
        paper = Paper("ABCDEFG"[topics.index(topic)], f"The paper on {topic}", "arXiv 2601.00001")
        text = statement(
            "main", Role.AS_VERIFIED, f"Statement number {number}.", r"a_n \le b^2", Verdict.PROVED
        )
        title = "A title that is somewhat long" if number % 2 else "Short title"
        claims.append(
            claim(
                f"{topic}.claim-{number}",
                f"{paper.key}{len(own) + 1}",
                title,
                (text,),
                rests_on=tuple(sorted(under)),
                paper=paper,
            )
        )
    return tuple(claims)


@pytest.fixture
def large(tmp_path: Path) -> tuple[Path, Registry]:
    """A run of sixty claims with six pieces of evidence each."""
    registry = build(_large(60))
    run = tmp_path / "full-7"
    run.mkdir()
    outcomes: list[tuple[Verdict, dict[str, Any]]] = [
        (Verdict.PROVED, {"kind": "symbolic", "general": True}),
        (Verdict.CERTIFIED, {"kind": "exact", "certificates": ["certificates/missing.json"]}),
        (Verdict.SUPPORTED, {}),
        (Verdict.REFUTED, {"finding": "violated", "certificates": ["certificates/missing.json"]}),
        (Verdict.NOT_REPLICATED, {"kind": "trained", "finding": "unmet"}),
        (Verdict.NOT_RUN, {"status": "not run", "finding": None, "reason": "out of budget"}),
        (Verdict.FAILED, {"status": "raised", "finding": None, "reason": "ValueError: no"}),
    ]
    lines = []
    for number, one in enumerate(registry.claims.values()):
        verdict, change = outcomes[number % len(outcomes)]
        pieces = [
            {
                "producer": f"producer-{index}",
                "statement": "main",
                "kind": "search",
                "status": "ran",
                "finding": "holds",
                "scope": "a stated family",
                "certificates": [],
                "numbers": {"cases": 500, "seed": number * 10**12 + index},
                "detail": "1  a <= b\n2  b <= c\n" * 10,
                "seconds": 0.25,
            }
            | change
            for index in range(6)
        ]
        main = {
            "name": "main",
            "role": "as verified",
            "verdict": verdict.value,
            "expected": "proved" if number % 9 == 4 else verdict.value,
            "reason": "nothing against it: producer-0",
            "difference": number % 9 == 4 and verdict not in (Verdict.PROVED, Verdict.NOT_RUN),
        }
        line = {
            "format": "headproof-result/1",
            "claim": one.id,
            "key": "",
            "seconds": 1.5,
            "statements": [main],
            "evidence": pieces,
        }
        lines.append(json.dumps(line) + "\n")
    (run / "results.jsonl").write_text("".join(lines), encoding="utf-8")
    manifest = {
        "format": "headproof-run/1",
        "profile": "full",
        "seed": 7,
        "selection": sorted(registry.claims),
        "require": [],
        "source": "0" * 64,
        "versions": {},
        "components": {},
        "environment": {},
        "started": "2026-01-05T09:30:00+00:00",
        "finished": "2026-01-05T10:10:00+00:00",
        "complete": True,
    }
    (run / "run.json").write_text(json.dumps(manifest), encoding="utf-8")
    return run, registry
