import os
import random
import subprocess
import sys

import pytest

from headproof.proofs_check.runner.threads import random_state_kept, single_threaded


def test_the_environment_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    with single_threaded():
        assert os.environ["OMP_NUM_THREADS"] == os.environ["MKL_NUM_THREADS"] == "1"
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "MKL_NUM_THREADS" not in os.environ


@pytest.mark.parametrize("before", [True, False])
def test_torch_has_one_thread_inside_and_its_own_number_again_outside(before: bool) -> None:
    program = f"""
from headproof.proofs_check.runner.threads import single_threaded
if {before}:
    import torch
    torch.set_num_threads(3)
with single_threaded():
    import torch
    assert torch.get_num_threads() == 1
print(torch.get_num_threads())
"""
    environment = {**os.environ, "OMP_NUM_THREADS": "3"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment
    )
    assert done.stdout == "3\n", done.stderr


def test_random_generators_are_given_back() -> None:
    import numpy
    import torch

    def draws() -> tuple[float, float, float]:
        return random.random(), float(numpy.random.rand()), float(torch.rand(()))

    states = random.getstate(), numpy.random.get_state(), torch.get_rng_state()
    expected = draws()
    random.setstate(states[0])
    numpy.random.set_state(states[1])
    torch.set_rng_state(states[2])
    with random_state_kept():
        random.seed(1)
        numpy.random.seed(1)
        torch.manual_seed(1)
    assert draws() == expected
