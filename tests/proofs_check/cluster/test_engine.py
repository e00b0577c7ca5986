"""The exact engine, recovery and trainings on a real cluster: the same answers, bit for bit."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from dask_processes import DaskCluster, wait_until  # type: ignore[import-not-found]

from headproof.oracle.recovery import document
from headproof.oracle.recovery.recovery import Recovery
from headproof.proofs_check.certificates.recovery import certificate
from headproof.proofs_check.cluster.connection import cluster
from headproof.proofs_check.cluster.executor import ClusterExecutor
from headproof.symbolic.errors import LimitReached
from headproof.symbolic.minkowski import rounds
from headproof.symbolic.minkowski.minkowski_sum import minkowski_sum
from headproof.symbolic.minkowski.overlay import overlay
from headproof.symbolic.regions.linear_regions import linear_regions

pytestmark = pytest.mark.long


def points(count: int, dimension: int, seed: int, most: int = 99) -> list[list[int]]:
    draw = random.Random(seed)
    return [[draw.randint(-most, most) for _ in range(dimension)] for _ in range(count)]


def network(seed: int, keys: int = 5) -> dict[str, Any]:
    heads = [
        {"keys": points(keys, 2, seed + h), "values": points(keys, 2, seed + 10 + h)}
        for h in range(2)
    ]
    return {"dimension": 2, "layers": [{"heads": heads}, {"heads": heads}]}


SUMMANDS = [points(7, 4, seed) for seed in range(4)]
HEADS = [{"keys": points(9, 4, seed)} for seed in range(4)]
PLANTED = {
    "base": 2,
    "seed": 1,
    "heads": [{"W": points(4, 4, seed, 3), "v": points(1, 4, seed)[0]} for seed in range(3)],
}


def recovered(**options: Any) -> Recovery:
    return cast(Recovery, document.run(document.parse(PLANTED), **options))


QUESTIONS: dict[str, Callable[..., Any]] = {
    "minkowski": lambda **options: minkowski_sum(SUMMANDS, **options).certificate(),
    "overlay": lambda **options: overlay(HEADS, **options).certificate(),
    "regions": lambda **options: linear_regions(network(0), **options).certificate(),
    "recover": lambda **options: certificate("", recovered(**options).transcript()),
}


def kill_a_worker(executor: ClusterExecutor, pids: list[int], before: int) -> None:
    """End a worker as soon as it has something to do."""
    wait_until(lambda: executor.submitted > before)
    os.kill(pids[0], signal.SIGKILL)


def test_answers_do_not_depend_on_the_cluster_nor_on_its_deaths(
    dask_cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "_WORTH_SENDING", 1)
    here = {name: json.dumps(question()) for name, question in QUESTIONS.items()}
    dask_cluster.start(workers=2)
    wait_until(lambda: dask_cluster.told().count("Starting established connection") >= 2)
    with cluster(dask_cluster.address) as executor:
        assert executor.workers == 2
        for name, question in QUESTIONS.items():
            before = executor.submitted
            pids = list(executor.client.run(os.getpid).values())
            killer = threading.Thread(target=kill_a_worker, args=[executor, pids, before])
            killer.start()
            there = question(executor=executor, jobs=executor.workers)
            killer.join()
            assert json.dumps(there) == here[name], name
            assert pids[0] not in executor.client.run(os.getpid).values(), name


def test_a_limit_stops_what_was_sent(dask_cluster: DaskCluster) -> None:
    dask_cluster.start(workers=1)
    with (
        cluster(dask_cluster.address) as executor,
        pytest.raises(LimitReached, match="more than 40 leaves"),
    ):
        linear_regions(network(0), limit=40, executor=executor, jobs=1)


def program(*arguments: str, stdin: str = "") -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "headproof", *arguments, "--json"],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_command_answers_alike(dask_cluster: DaskCluster, tmp_path: Path) -> None:
    dask_cluster.start(workers=2)
    for command, given in (
        ("minkowski", {"summands": SUMMANDS}),
        ("overlay", {"heads": HEADS}),
        ("regions", network(0)),
        ("recover", PLANTED),
    ):
        told = [
            program(
                command,
                "-",
                "-o",
                str(tmp_path / f"{command}.{where}"),
                *options,
                stdin=json.dumps(given),
            )
            for where, options in (("here", ()), ("there", ("--dask", dask_cluster.address)))
        ]
        assert told[0].pop("certificate") != told[1].pop("certificate")
        assert told[0] == told[1]
        here, there = ((tmp_path / f"{command}.{w}").read_bytes() for w in ("here", "there"))
        assert here == there


def test_verify_and_train_take_the_address(dask_cluster: DaskCluster, tmp_path: Path) -> None:
    dask_cluster.start(workers=1)
    options = ("--dask", dask_cluster.address, "--out", str(tmp_path))
    assert program("verify", "ensemble.principal-angles", *options)["as_expected"]
    assert program("train", "identification", "--profile", "smoke", *options)["complete"]
