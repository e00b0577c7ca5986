"""A checkpoint of 7 billion parameters fits: the benchmark's folder, one layer with weights."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parents[3] / "bench" / "checkpoint_memory.py"
pytestmark = pytest.mark.long  # a minute


def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("checkpoint_memory", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_peak_is_start_up_and_three_projections(tmp_path: Path) -> None:
    made = bench()
    assert made.make(tmp_path) > 13e9
    start, peak = made.measure(tmp_path, layers=2)
    assert peak - start <= 3 * made.LARGEST
    assert peak - start >= made.LARGEST  # it did hold a projection: the measure works
