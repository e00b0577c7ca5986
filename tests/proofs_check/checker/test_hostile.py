"""Hostile files: each gets a clear error in bounded time and memory."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from headproof.proofs_check.checker import KINDS, Unreadable, check_file, check_paths
from headproof.proofs_check.checker.budget import Budget

CHECKER = Path(__file__).parents[3] / "proofs_check" / "checker"

X: Any = ["var", "x"]


def certificate(data: Any, kind: Any = "counterexample", **changes: Any) -> Any:
    whole = {"format": "headproof-certificate/1", "kind": kind, "claim": "a.b", "data": data}
    return json.dumps(whole | changes).encode()


def formula(condition: Any, **instance: Any) -> Any:
    return certificate({"formula": condition, "instance": instance or {"x": 2}, "digits": 20})


def number(text: Any) -> Any:
    return formula(["<", X, 0], x=0).replace(b'{"x": 0}', b'{"x": ' + text + b"}")


def hull(points: Any) -> Any:
    return certificate(
        {"points": points, "vertices": [], "others": [], "repeated": [], "count": 0}, kind="hull"
    )


def nested_sums(bound: Any, depth: Any) -> Any:
    body: Any = 1
    for k in range(depth):
        body = ["sum", f"j{k}", bound, body]
    return body


def power_tower(n: Any) -> Any:
    value: Any = X
    for _ in range(n):
        value = ["^", value, 1000]
    return value


PRIME_LIKE = [f"1/{10**3000 + k}" for k in range(1, 40)]

HOSTILE = {
    "empty": (b"", "empty"),
    "blank": (b" \n\t ", "empty"),
    "nul": (b"\0", "not JSON"),
    "nul inside": (certificate({}).replace(b"a.b", b"a\0b"), "not JSON"),
    "byte order mark": (b"\xef\xbb\xbf" + certificate({}), "byte order mark"),
    "utf-16": (certificate({}).decode().encode("utf-16"), "ASCII"),
    "invalid utf-8": (b'{"format": "\xff\xfe"}', "ASCII"),
    "not ascii": ('{"format": "é"}'.encode(), "ASCII"),
    "cut off": (certificate({})[:-3], "not JSON"),
    "two documents": (certificate({}) * 2, "not JSON"),
    "trailing comma": (b'{"format": 1,}', "not JSON"),
    "python": (b"__import__('os').system('true')", "not JSON"),
    "pickle": (b"\x80\x04K\x01.", "ASCII"),
    "list": (b"[]", "expected an object"),
    "number": (b"1", "expected an object"),
    "null": (b"null", "expected an object"),
    "deep lists": (b"[" * 100_000 + b"]" * 100_000, "nested"),
    "deep objects": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested"),
    "deep behind a string": (b'["\\"[", ' + b"[" * 100_000 + b"]" * 100_001, "nested"),
    "unbalanced depth": (b"[]" * 10 + b"]" * 10 + b"[" * 200, "nested"),
    "unterminated strings": (b'"\\' * 500_000, "not JSON"),
    "quotation marks": (b'"' * 1_000_001, "not JSON"),
    "many values": (b"[" + b"1," * 4_000_001 + b"1]", "too large"),
    "huge file": (b" " * (64 * 2**20 + 1), "too large"),
    "key twice": (b'{"format": "headproof-certificate/1", "format": 2}', "twice"),
    "key twice escaped": (b'{"format": 1, "form\\u0061t": 2}', "twice"),
    "unknown key": (certificate({}, note="x"), "unknown key"),
    "control characters": (certificate({}, **{"\x1b[31m\n": 1}), "unknown key"),
    "lone surrogate": (certificate({}, kind="\ud800"), "kind"),
    "other format": (certificate({}, format="headproof-certificate/2"), "format"),
    "format list": (certificate({}, format=["headproof-certificate/1"]), "format"),
    "kind list": (certificate({}, kind=["hull"]), "kind"),
    "kind unknown": (certificate({}, kind="__init__"), "kind"),
    "claim path": (certificate({}, claim="../../etc"), "claim"),
    "claim newline": (certificate({}, claim="a.b\n"), "claim"),
    "data list": (certificate([]), "expected an object"),
    "nan": (number(b"NaN"), "NaN"),
    "infinity": (number(b"-Infinity"), "Infinity"),
    "float": (number(b"1.0"), "1.0"),
    "exponent": (number(b"1e400"), "1e400"),
    "huge exponent": (number(b"1E999999999999"), "1E"),
    "leading zero": (number(b"007"), "not JSON"),
    "plus": (number(b"+1"), "not JSON"),
    "true": (number(b"true"), "true"),
    "null number": (number(b"null"), "null"),
    "long integer": (number(b"9" * 10_000_000), "10,000,000 digits"),
    "4001 digits": (number(b"9" * 4001), "4,001 digits"),
    "long negative": (number(b"-" + b"9" * 4001), "digits"),
    **{
        f"text {text[:12]!a}": (number(json.dumps(text).encode()), "found")
        for text in (
            "1/0",
            "0/1",
            "2/4",
            "3/1",
            "-0",
            "-0/5",
            "1/-2",
            "--1",
            "+1",
            " 1",
            "1 ",
            "1\n",
            "01",
            "1/02",
            "1/2/3",
            "1.5",
            "1e9999999",
            "1_000",
            "٣",
            "１",
            "1/٢",
            "²",
            "½",
            "",
            "-",
            "/",
            "0x",
            "0xg",
            "0X1f",
            "0b1",
            "nan",
            "inf",
            "1/2\n",
            "9" * 4001,
            "1/" + "9" * 4001,
            "0x" + "f" * 32_769,
        )
    },
    "hexadecimal short": (number(b'"0x1f"'), "hexadecimal"),
    "hexadecimal leading zero": (number(b'"0x0' + b"f" * 4000 + b'"'), "found"),
    "hexadecimal sign inside": (number(b'"0x-' + b"f" * 4000 + b'"'), "found"),
    "power": (formula(["<", ["^", X, 10**9], 0]), "power"),
    "power negative": (formula(["<", ["^", X, -(10**9)], 0]), "power"),
    "power of a power": (formula(["<", power_tower(3), 0]), "power"),
    "power of exp": (formula(["<", ["^", ["exp", X], 10**12], 0]), "exponent"),
    "power huge exponent of 1": (formula(["<", ["^", 1, ["^", X, 130_000]], X]), "true at"),
    "sum": (formula(["<", ["sum", "j", 10**12, 1], X]), "too large"),
    "sum computed": (formula(["<", ["sum", "j", ["^", X, 60], 1], X]), "too large"),
    "sums": (formula(["<", nested_sums(10_000, 5), X]), "too large"),
    "maximum": (formula(["<", ["maxover", "j", 10**15, ["var", "j"]], X]), "too large"),
    "forall": (formula(["forall", "j", 10**15, ["<", ["var", "j"], X]]), "too large"),
    "exp": (formula(["<", ["exp", ["^", X, 100]], 0]), "overflow"),
    "exp of exp": (formula(["<", ["exp", ["exp", ["exp", ["exp", X]]]], 0]), "overflow"),
    "many digits": (
        certificate({"formula": ["<", X, 0], "instance": {"x": 1}, "digits": 10**9}),
        "digits",
    ),
    "grid": (
        certificate(
            {
                "family": {
                    "kind": "grid",
                    "variables": {"x": {"shape": [100, 100], "from": -(10**9), "to": 10**9}},
                },
                "count": 1,
                "formula": ["<", ["at", "x", 0, 0], 1],
            },
            kind="exhaustive",
        ),
        "too large",
    ),
    "grid of constants": (
        certificate(
            {
                "family": {
                    "kind": "grid",
                    "variables": {
                        f"x{k}": {"shape": [100, 100], "from": 0, "to": 0} for k in range(9000)
                    },
                },
                "count": 1,
                "formula": ["and", *(["<", ["at", f"x{k}", 0, 0], 1] for k in range(9000))],
            },
            kind="exhaustive",
        ),
        "too large",
    ),
    "grid shape": (
        certificate(
            {
                "family": {
                    "kind": "grid",
                    "variables": {"x": {"shape": [10**4, 10**4], "from": 0, "to": 0}},
                },
                "count": 1,
                "formula": ["<", ["at", "x", 0, 0], 1],
            },
            kind="exhaustive",
        ),
        "entries",
    ),
    "expansion": (
        certificate(
            {
                "variables": {"x": [40]},
                "left": ["^", ["sum", "i", 40, ["at", "x", ["var", "i"]]], 40],
                "right": 0,
            },
            kind="identity",
        ),
        "too large",
    ),
    "grid of nodes": (
        certificate(
            {
                "variables": {"x": [12]},
                "left": ["sum", "i", 12, ["at", "x", ["var", "i"]]],
                "right": 0,
                "grid": {"x": [list(range(12))] * 12},
            },
            kind="identity",
        ),
        "too large",
    ),
    "common denominator": (hull([[text] for text in PRIME_LIKE]), "common denominator"),
    "one long denominator": (
        hull([["1/" + hex(2**131_000 + 1)], *([k] for k in range(20_000))]),
        "too large over a common denominator",
    ),
    "dimension": (hull([[0] * 100_000]), "neither"),
    "points": (hull([[k] for k in range(100_000)]), "neither"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file_is_refused_quickly(name: Any, tmp_path: Any) -> None:
    content, reason = HOSTILE[name]
    path = tmp_path / "certificate.json"
    path.write_bytes(content)
    start = time.process_time()
    result = check_file(path)
    assert time.process_time() - start < 2
    assert not result.valid
    assert reason in result.reason
    assert len(result.reason) < 500


CHECK_WITH_LITTLE_MEMORY = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.mark.parametrize(
    "content",
    [
        b"[" + b"[]," * 1_900_000 + b"1]",
        b'{"a":"' + b"a" * 60_000_000 + b'"}',
        b"[" + b'""' * 3_900_000 + b"]",
        b"[" + b'"' * 60_000_000 + b"]",
        b'["' + b"\\\\" * 30_000_000 + b'"]',
    ],
    ids=["empty lists", "long string", "empty strings", "quotation marks", "backslashes"],
)
def test_memory_is_bounded(content: Any, tmp_path: Any) -> None:
    path = tmp_path / "certificate.json"
    path.write_bytes(content)
    command = [sys.executable, "-I", "-S", "-c", CHECK_WITH_LITTLE_MEMORY, CHECKER, path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2, done.stderr
    assert "MemoryError" not in done.stdout + done.stderr


@pytest.mark.parametrize("bound", [["^", X, 10], ["len", "k"]])
def test_steps_run_out(bound: Any) -> None:
    instance = {"x": 2, "k": [0] * 1000}
    data = {"formula": ["<", nested_sums(bound, 3), ["at", "k", X]], "instance": instance}
    with pytest.raises(Unreadable, match="too large"):
        KINDS["counterexample"](data, Budget(20_000))


def test_long_hexadecimal_is_a_number(tmp_path: Any) -> None:
    path = tmp_path / "certificate.json"
    path.write_bytes(number(json.dumps("0x" + "f" * 4000).encode()))
    assert check_file(path).reason == ""
    path.write_bytes(number(json.dumps("-0x" + "f" * 4000).encode()))
    assert check_file(path).reason == "the formula is true at the instance"


def test_what_is_no_file(tmp_path: Any) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "loop.json").symlink_to("loop.json")
    (tmp_path / "device.json").symlink_to("/dev/zero")
    closed = tmp_path / "folder.json"
    closed.mkdir()
    for name in ("pipe.json", "loop.json", "device.json", "missing.json", "x" * 5000, "a\0b"):
        assert check_file(tmp_path / name).answer == "unreadable", name
    answers = {result.path: result.answer for result in check_paths([tmp_path])}
    assert set(answers.values()) == {"unreadable"}
    assert len(answers) == 3
    assert check_paths([closed])[0].reason == "the folder has no certificate"
