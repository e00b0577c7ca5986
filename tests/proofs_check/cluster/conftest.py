"""Makes the modules of the tests importable, and starts a Dask cluster of processes."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "runner"), str(HERE.parent / "training")]

if TYPE_CHECKING:
    from dask_processes import DaskCluster  # type: ignore[import-not-found]


@pytest.fixture
def dask_cluster(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[DaskCluster]":
    """A cluster that is not started yet."""
    from dask_processes import DaskCluster

    pytest.importorskip("distributed", reason="needs the extra cluster")
    made = DaskCluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield made
    finally:
        made.stop()
