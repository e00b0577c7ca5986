import io
import math
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor
from torch.distributions import Categorical, Independent, MixtureSameFamily, Normal

from headproof.numeric.experiment import NoJournal, State
from headproof.numeric.zonotope.attention import ValueMap
from headproof.numeric.zonotope.experiment import EXPERIMENT, MADE, ZonotopeConfig, run, train
from headproof.numeric.zonotope.tasks import Maximum, MeanDependent, Mixture, Unique
from headproof.proofs_check.claims.zonotope.criteria import CRITERIA
from headproof.proofs_check.training.criterion import assess
from headproof.proofs_check.training.plot import save
from headproof.proofs_check.training.zonotope_plots import plots


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_the_right_answers_have_no_loss() -> None:
    for task in (Maximum(), Unique(), MeanDependent(1)):
        _, target = task.draw(50, generator())
        assert float(task.loss(target[:, None], target)) == 0.0
        assert float(task.loss(target[:, None] + 1, target)) > 0.5


def test_unique_counts_every_number_of_symbols() -> None:
    x, target = Unique().draw(400, generator())
    counted = [len({int(row.argmax()) for row in each}) for each in x]
    assert counted == target[:, 0].int().tolist()
    assert len(set(counted)) >= 7


def test_sets_of_few_symbols_are_drawn_again_and_again() -> None:
    """What the task says of itself, on 400 updates of 64: few sets to measure on are unseen."""

    def bags(count: int, seed: int) -> list[tuple[int, ...]]:
        x, _ = Unique().draw(count, generator(seed))
        return [tuple(counts) for counts in x.sum(dim=1).int().tolist()]

    seen = set(bags(400 * 64, 0))
    again = sum(bag in seen for bag in bags(2048, 1)) / 2048
    assert 0.40 < again < 0.50  # five deviations of 2048 draws are 0.055


def test_the_likelihood_is_that_of_the_distribution() -> None:
    task = Mixture()
    x, target = task.draw(20, generator())
    answer = torch.randn(20, 3, 4, generator=generator(1))
    law = MixtureSameFamily(
        Categorical(logits=answer[:, None, :, 0]),
        Independent(
            Normal(answer[:, None, :, 1:3], answer[:, None, :, 3:].exp().expand(-1, -1, -1, 2)), 1
        ),
    )
    expected = -float(law.log_prob(x).mean())  # type: ignore[no-untyped-call]
    assert math.isclose(float(task.loss(answer, target)), expected, rel_tol=1e-5)


def test_the_made_task_is_what_its_formula_says() -> None:
    task = MeanDependent(3)
    x, y = task.draw(5, generator())
    for points, answer in zip(x, y, strict=True):
        weights = (points @ task._a).softmax(0)
        beta = torch.tanh(task._u @ points.mean(0))
        W = task._centre + beta[0] * task._generators[0] + beta[1] * task._generators[1]
        assert float((weights @ points @ W - answer).abs().max()) < 1e-5
    assert not torch.equal(MeanDependent(4).draw(5, generator())[1], y)


def test_the_smallest_size_is_judged_and_drawn(tmp_path: Path) -> None:
    found = run(EXPERIMENT.configs["smoke"], 0, NoJournal())
    assert set(found[MADE]) == {"zonotope", "plain", "bias"}
    assert {assess(each, [found]).seeds for each in CRITERIA} == {1}
    for plot in plots([found, found]):
        save(plot, tmp_path)
        assert (tmp_path / f"{plot.name}.png").stat().st_size > 10_000


SHORT = ZonotopeConfig(batch=4, tested=16, every=2)


class Recorded(Maximum):
    """Keeps the sets that were drawn."""

    def draw(self, count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        x, target = super().draw(count, generator)
        DRAWN.append(x)
        return x, target


DRAWN: list[Tensor] = []


def test_all_arms_see_the_same_sets_and_seeds_do_not() -> None:
    def drawn(values: ValueMap, seed: int) -> list[Tensor]:
        DRAWN.clear()
        train(SHORT, Recorded(), values, 3, seed, NoJournal())
        return list(DRAWN)

    first = drawn("zonotope", 0)
    assert [len(x) for x in first] == [16, 4, 4, 4]
    for values in ("plain", "bias"):
        assert all(map(torch.equal, first, drawn(values, 0)))
    assert not any(map(torch.equal, first, drawn("zonotope", 1)))
    # nothing of the test is trained on
    tested = set(first[0].flatten().tolist())
    assert not tested & set(torch.cat(first[1:]).flatten().tolist())


class Stopped(Exception):
    """The run was killed."""


class Killed(NoJournal):
    """Stops after each interval, having kept the state as a file would."""

    kept: bytes | None = None

    def resume(self) -> State | None:
        return None if self.kept is None else torch.load(io.BytesIO(self.kept))

    def advance(self, step: int, of: int, state: Callable[[], State]) -> None:
        file = io.BytesIO()
        torch.save(dict(state()), file)
        self.kept = file.getvalue()
        if step < of:
            raise Stopped


@pytest.mark.parametrize("values", ["zonotope", "bias"])
def test_a_run_that_is_killed_comes_to_the_same(values: ValueMap) -> None:
    task, journal = MeanDependent(0), Killed()
    whole = train(SHORT, task, values, 5, 3, NoJournal())
    for _ in range(2):
        with pytest.raises(Stopped):
            train(SHORT, task, values, 5, 3, journal)
    assert train(SHORT, task, values, 5, 3, journal) == whole
