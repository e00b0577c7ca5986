"""Tasks on sets (T2f): sets with targets, and the loss of an answer.

Three are those of the set-transformer paper, at a small size: the maximum of numbers, how many
different symbols there are, and the parameters of a mixture of Gaussians, learnt from the
likelihood alone. The fourth is made so that a value map which depends on the set's mean is the
truth: y = sum_j p_j (C + sum_i tanh(<u_i, mean>) G_i) x_j with p = softmax_j <a, x_j>; its
teacher is drawn once for each seed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional


class SetTask(Protocol):
    """Sets and what is asked of them."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Numbers in an element, numbers in an answer, seeds."""

    def draw(self, count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """Sets ``(B, n, inputs)`` and targets.

        Args:
            count: B.
            generator: of the draw.

        Returns:
            The sets, and targets of any shape that `loss` takes.
        """

    def loss(self, answer: Tensor, target: Tensor) -> Tensor:
        """The mean loss of answers ``(B, seeds, outputs)``.

        Args:
            answer: of a model.
            target: what `draw` returned.

        Returns:
            ().
        """


@dataclass(frozen=True)
class Maximum:
    """The largest of ``size`` numbers in [0, 1]; absolute error.

    Args:
        size: elements in a set.
    """

    size: int = 10

    @property
    def shape(self) -> tuple[int, int, int]:
        """One number in, one out."""
        return 1, 1, 1

    def draw(self, count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """Uniform numbers."""
        x = torch.rand(count, self.size, 1, generator=generator)
        return x, x.amax(dim=1)

    def loss(self, answer: Tensor, target: Tensor) -> Tensor:
        """The mean absolute error."""
        return functional.l1_loss(answer[:, 0], target)


@dataclass(frozen=True)
class Unique:
    """How many of ``symbols`` occur among ``size`` elements; squared error.

    There are few sets of few symbols, and so many a set is drawn more than once: of the sets to
    measure on, a good two fifths occur, up to their order, among 400 updates of 64.

    Args:
        size: elements in a set.
        symbols: in the alphabet.
    """

    size: int = 10
    symbols: int = 10

    @property
    def shape(self) -> tuple[int, int, int]:
        """A symbol as one-hot, one number out."""
        return self.symbols, 1, 1

    def draw(self, count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """Symbols from a random part of the alphabet, so that counts differ."""
        used = torch.randint(1, self.symbols + 1, (count, 1), generator=generator)
        place = (torch.rand(count, self.size, generator=generator) * used).long()
        order = torch.rand(count, self.symbols, generator=generator).argsort(dim=1)
        x = functional.one_hot(order.gather(1, place), self.symbols).float()
        return x, x.amax(dim=1).sum(dim=1, keepdim=True)

    def loss(self, answer: Tensor, target: Tensor) -> Tensor:
        """The mean squared error."""
        return functional.mse_loss(answer[:, 0], target)


@dataclass(frozen=True)
class Mixture:
    """``components`` isotropic Gaussians in the plane from ``size`` points; negative likelihood.

    The likelihood is that of the points that were given, as in the paper, so that a good answer may
    fit them better than the mixture they were drawn from.

    Args:
        size: points in a set.
        components: Gaussians, equally likely.
        deviation: of each, in both coordinates.
    """

    size: int = 30
    components: int = 3
    deviation: float = 0.3

    @property
    def shape(self) -> tuple[int, int, int]:
        """A point in; for each component a logit, a mean and a log deviation."""
        return 2, 4, self.components

    def draw(self, count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """Means uniform in [-2, 2]^2, equal shares; the points are their own target."""
        means = torch.rand(count, self.components, 2, generator=generator) * 4 - 2
        which = torch.randint(self.components, (count, self.size, 1), generator=generator)
        noise = torch.randn(count, self.size, 2, generator=generator)
        x = means.gather(1, which.expand(-1, -1, 2)) + self.deviation * noise
        return x, x

    def loss(self, answer: Tensor, target: Tensor) -> Tensor:
        """Minus the mean log likelihood of a point."""
        share = answer[:, :, 0].log_softmax(dim=1)  # (B, k)
        mean, scale = answer[:, :, 1:3], answer[:, :, 3].clamp(-5, 5)
        square = (target[:, :, None] - mean[:, None]).square().sum(3)  # (B, n, k)
        logs = share - 2 * scale - math.log(2 * math.pi)
        return -(logs[:, None] - square * (-2 * scale).exp()[:, None] / 2).logsumexp(2).mean()


class MeanDependent:
    """The made task: values are mapped by a matrix that depends on the set's mean; squared error.

    Args:
        seed: of the teacher.
        size: elements in a set.
        width: numbers in an element.
        generators: of the teacher.
    """

    def __init__(self, seed: int, *, size: int = 10, width: int = 4, generators: int = 2) -> None:
        generator = torch.Generator().manual_seed(seed)

        def normal(*shape: int) -> Tensor:
            return torch.randn(shape, generator=generator)

        self._size, self._width = size, width
        self._a, self._u = normal(width), 2 * normal(generators, width)
        self._centre = normal(width, width) / math.sqrt(width)
        self._generators = normal(generators, width, width) / math.sqrt(width)

    @property
    def shape(self) -> tuple[int, int, int]:
        """A vector in, one out."""
        return self._width, self._width, 1

    def draw(self, count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """Normal vectors about a mean that is normal itself."""
        shift = torch.randn(count, 1, self._width, generator=generator) / 2
        x = shift + torch.randn(count, self._size, self._width, generator=generator)
        beta = torch.tanh(x.mean(dim=1) @ self._u.T)  # (B, g)
        matrix = self._centre + torch.einsum("bg,gij->bij", beta, self._generators)
        weights = (x @ self._a).softmax(dim=1)  # (B, n)
        return x, torch.einsum("bn,bni,bij->bj", weights, x, matrix)

    def loss(self, answer: Tensor, target: Tensor) -> Tensor:
        """The mean squared error."""
        return functional.mse_loss(answer[:, 0], target)


TASKS: Mapping[str, SetTask] = MappingProxyType(
    {"maximum": Maximum(), "unique": Unique(), "mixture": Mixture()}
)
"""The tasks that are the same for every seed."""
