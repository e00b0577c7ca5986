"""Demo of the learner: a soft black box gives away its tropical polynomial, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...oracle.envelope import learn_envelope
from ...oracle.tropical import HardHead, Promise, SoftHead, harden
from ...symbolic.errors import NotInClass
from ...symbolic.rational import Rational
from ...symbolic.rational import write as exact
from .demo import Demo, Write
from .lines import folded

SLOPES = (-3, -1, 0, 1, 3, 2)
BIASES = (-2, 2, 3, 1, -4, -3)
VALUES = (4, 7, -1, 5, 2, 9)
PROMISE = Promise(keys=6, slope=3, bias=4, value=9)
LOOK = Fraction(1, 3)


def data() -> dict[str, Any]:
    """The planted head, what was learnt from answers only, the counts, and a refusal."""
    keys = [[slope] for slope in SLOPES]
    head = SoftHead(keys, BIASES, VALUES)
    soft = [(k, head([LOOK], inverse_temperature=k)) for k in (3, 6, 12, 24)]
    hard = harden(head, PROMISE, [LOOK])
    box = SoftHead(keys, BIASES, VALUES)
    learnt = learn_envelope(box, PROMISE)
    return {
        "planted": {"slopes": list(SLOPES), "biases": list(BIASES), "values": list(VALUES)},
        "x": exact(LOOK),
        "soft_answers": [{"inverse_temperature": k, "answer": exact(a)} for k, a in soft],
        "hard_answer": exact(hard),
        "walls": [exact(wall) for wall in learnt.walls],
        "pieces": [
            {"slope": p.slope, "bias": p.bias, "value": exact(p.value)} for p in learnt.pieces
        ],
        "hidden_keys": learnt.hidden,
        "queries": box.queries,
        "coldest": box.coldest,
        "refusal": refusal(),
    }


def refusal() -> str:
    """What the learner says of a head at zero temperature that poses as a soft one."""
    hard = HardHead([[0], [1]], [0, 0], [0, 3])

    def posing(x: Any, *, inverse_temperature: int) -> Fraction:
        return hard(x)

    try:
        learn_envelope(posing, PROMISE)
    except NotInClass as error:
        return str(error)
    return ""


def run(write: Write) -> None:
    """Print the black box's answers, what was learnt and the comparison."""
    shown = data()
    write("A black-box head of one variable, asked for values only, exactly.")
    write("")
    write(f"Answers at x = {shown['x']} as the inverse temperature k grows (base 2):")
    for row in shown["soft_answers"]:
        write(f"  k = {row['inverse_temperature']:2}  {_decimals(row['answer'])}")
    write(f"A single answer, cold enough, fixes the limit exactly: {shown['hard_answer']}")
    write("")
    write("Learnt: max_j (slope x + bias), up to the affine function that no softmax shows")
    write("")
    write("  from the wall     slope  bias  value")
    for wall, piece in zip(["-infinity", *shown["walls"]], shown["pieces"], strict=True):
        write(f"  {wall!s:16}  {piece['slope']:5}  {piece['bias']:4}  {piece['value']:>5}")
    write("")
    write(
        f"{shown['queries']} queries, coldest at k = {shown['coldest']}; replayed at fresh points."
    )
    if shown["hidden_keys"]:
        write("A warm answer differs from the envelope's: some keys never win.")
    write("")
    write("Planted, for comparison:")
    for name in ("slopes", "biases", "values"):
        write(f"  {name:7} {', '.join(f'{value:3}' for value in shown['planted'][name])}")
    write("")
    write("A head at zero temperature that poses as a soft one is refused:")
    for line in folded(shown["refusal"]):
        write(f"  {line}")


def _decimals(value: Rational | str, places: int = 12) -> str:
    """The value cut off after some decimals, by integer division."""
    q = Fraction(value)
    scaled = abs(q.numerator) * 10**places // q.denominator
    sign = "-" if q < 0 else ""
    return f"{sign}{scaled // 10**places}.{scaled % 10**places:0{places}d}..."


DEMO = Demo("oracle", "a black-box head gives away its walls and slopes, query by query", run, data)
