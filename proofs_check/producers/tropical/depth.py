"""Claim A9, tropical.depth: how the number of affine pieces grows with depth."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import torch
from hypothesis import strategies as st
from torch import Tensor

from ....numeric.tropical import depth as floats
from ....symbolic.errors import HeadproofError
from ....symbolic.regions.linear_regions import linear_regions
from ....symbolic.regions.network import Ffn, Head, Layer, Network
from ....symbolic.tropical.depth import digit_extraction, lower_bound, upper_bound
from ....symbolic.tropical.proofs import digits as proof
from ....symbolic.tropical.proofs import label_bound
from ...certificates import counterexample
from ...certificates.formula import every as all_of
from ...certificates.formula import implies, number, var
from ...claim import Context, Profile
from ...claims.tropical.depth import ID
from ...configurations import networks, sizes_of
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search

Digits = tuple[int, int, int, int]

SHOWN: tuple[Digits, ...] = ((1, 2, 3, 2), (2, 2, 3, 2), (2, 3, 2, 2), (2, 2, 2, 3), (3, 2, 3, 2))
"""(d, H, N, L) in every profile, whatever the grid."""

LARGE: tuple[Digits, ...] = ((1, 1, 10, 4), (2, 2, 3, 4), (2, 3, 8, 2), (3, 3, 4, 2), (3, 4, 2, 4))
"""Beyond the grid, up to 10^4 pieces; for the full profile."""


def label_derivation(_: Context) -> Outcome:
    """At most N^(H L) cells, times 2^(m L): the heads of all layers cut one after the other."""
    return derived(label_bound.derivation(), "labels")


def digit_derivation(_: Context) -> Outcome:
    """Every sequence of digits is read off with strict margins, for every N and L."""
    return derived(proof.derivation(), "remainder", "digit")


def digits(context: Context) -> Outcome:
    """Digit extraction: as many cells as digit sequences, all with different maps."""
    full = context.profile is not Profile.QUICK
    most = 700 if full else 260
    grid = product(range(1, 4), range(1, 5), range(1, 11), range(1, 6))
    chosen = {*SHOWN, *(sizes for sizes in grid if 1 < lower_bound(*sizes) <= most)}
    if full:
        chosen.update(LARGE)
    certificates: dict[str, Certificate] = {}
    pieces = 0
    for sizes in sorted(chosen):
        tree = linear_regions(digit_extraction(*sizes))
        if not tree.cells == tree.pieces == lower_bound(*sizes) <= upper_bound(*sizes):
            return Outcome(
                Finding.VIOLATED,
                scope=f"(d, H, N, L) = {sizes}: {tree.cells} cells, {tree.pieces} pieces",
                certificates={"network": tree.certificate(ID)},
            )
        certificates["d{}H{}N{}L{}".format(*sizes)] = tree.certificate(ID)
        pieces += tree.pieces
    return Outcome(
        Finding.HOLDS,
        scope=f"d <= 3, H <= 4, N <= 10, L <= 5, as far as N^(min(H,d) L) <= {most:,}"
        + (f", and {len(LARGE)} larger networks" if full else ""),
        certificates=certificates,
        numbers={"networks": len(certificates), "pieces": pieces},
    )


def search_bound(context: Context) -> Outcome:
    """Look for a network with more pieces than the bound."""

    def holds(network: Network) -> bool:
        tree = linear_regions(network)
        return tree.pieces <= tree.cells <= _bound(network)

    examples = 150 if context.profile is Profile.QUICK else 1000
    result = search(networks(), holds, examples=examples, seed=context.seed)
    return searched(
        result,
        "networks (d, H, L, m <= 2, N <= 3, coinciding scores)",
        lambda network: {"network": linear_regions(network).certificate(ID)},
    )


def random_networks(context: Context) -> Outcome:
    """Exact counts of larger random networks with ReLU layers, each with its certificate."""
    random = Random(context.seed)
    sizes = [(1, 2, 4, 2, 2), (2, 1, 3, 2, 1), (2, 2, 3, 2, 0), (2, 2, 2, 2, 2)]
    if context.profile is not Profile.QUICK:
        sizes += [
            (1, 3, 5, 3, 3),
            (2, 3, 3, 2, 2),
            (2, 2, 3, 3, 1),
            (3, 2, 2, 2, 2),
            (3, 3, 3, 1, 3),
        ]
    certificates: dict[str, Certificate] = {}
    share = Fraction(0)
    for d, H, N, L, m in sizes:
        tree = linear_regions(random_network(random, d, H, N, L, m))
        bound = upper_bound(d, H, N, L, m)
        certificates[f"d{d}H{H}N{N}L{L}m{m}"] = tree.certificate(ID)
        share = max(share, Fraction(tree.cells, bound))
        if tree.cells > bound:
            return Outcome(Finding.VIOLATED, f"{tree.cells} cells", certificates=certificates)
    return Outcome(
        Finding.HOLDS,
        scope="random rational networks with ReLU layers",
        certificates=certificates,
        numbers={"networks": len(sizes), "largest cells / bound": f"{float(share):.3g}"},
    )


def too_few_heads(context: Context) -> Outcome:
    """Refute Theta(N^(d L)) where H < d: what the label bound leaves is smaller by a power of N.

    A network has at most 2^(m L) N^(H L) cells, one for each label. Theta(N^(d L)) would need at
    least c N^(d L) of them for some c > 0 and all N. Whatever c is proposed, some N is too large
    for it: the certificate shows it for c = 10^-6, m = 3, d = 2, H = L = 1. Beside it stand
    networks of one head in the plane, which have N pieces exactly, as many as labels.
    """
    N, c, d, H, L, m = (var(name) for name in ("N", "c", "d", "H", "L", "m"))
    formula = implies(
        all_of(c > 0, N >= 1, d > H),
        number(2) ** (m * L) * N ** (H * L) >= c * N ** (d * L),
    )
    instance = {"N": 10**7, "c": Fraction(1, 10**6), "d": 2, "H": 1, "L": 1, "m": 3}
    certificates: dict[str, Certificate] = {
        "order": counterexample.certificate(ID, formula, instance)
    }
    for n in (2, 4, 8, 16):
        tree = linear_regions(digit_extraction(2, 1, n, 1))
        if tree.pieces != n:
            raise HeadproofError(f"expected {n} pieces of one head in the plane: {tree.pieces}")
        certificates[f"d2H1N{n}L1"] = tree.certificate(ID)
    return Outcome(
        Finding.VIOLATED,
        scope="d = 2, H = L = 1: at most 8 N cells with 3 neurons, below N^2 / 10^6 at N = 10^7",
        certificates=certificates,
        detail=(too_few_heads.__doc__ or "").strip(),
    )


def search_additive(context: Context) -> Outcome:
    """Refute that layers add pieces rather than multiply them."""

    def holds(sizes: Digits) -> bool:
        d, H, N, L = sizes
        most = L * (upper_bound(d, H, N, 1) - 1) + 1
        return linear_regions(digit_extraction(d, H, N, L)).pieces <= most

    strategy = st.tuples(*(st.integers(1, most) for most in (2, 2, 3, 3)))
    result = search(strategy, holds, examples=30, seed=context.seed)
    return searched(
        result,
        "digit extraction (d, H <= 2, N, L <= 3)",
        lambda sizes: {"network": linear_regions(digit_extraction(*sizes)).certificate(ID)},
    )


def float_agreement(context: Context) -> Outcome:
    """Torch runs the networks forward, with error bounds, and bisects between their inputs."""
    random = Random(context.seed)
    cases: list[Network] = [digit_extraction(*sizes) for sizes in SHOWN[:4]]
    cases += [random_network(random, d, 2, 2, 2, 1) for d in (1, 2)]
    wrong = seen = truths = parts = 0
    for network in cases:
        tree = linear_regions(network)
        truth = {_label(leaf.choices, leaf.signs) for leaf in tree.leaves}
        layers = tensors(network)
        reach = 2.0 if network.layers[0].ffn is None else 40.0
        found = floats.visited(
            layers, network.dimension, lower=-reach, upper=reach, seed=context.seed % 2**31
        )
        count = floats.pieces(layers, network.dimension, sorted(found))
        wrong += len(found - truth) + (count > tree.pieces)
        seen += len(found)
        parts += count
        truths += len(truth)
    if not seen:
        raise HeadproofError("torch decided no input at all")
    return compared(
        2 * wrong,
        truths,
        "cells that hard attention in torch visits against the exact ones",
        "none may differ; visits are a lower bound",
        visited=seen,
        pieces=parts,
    )


def random_network(random: Random, d: int, H: int, N: int, L: int, m: int) -> Network:
    """Rational weights; biases a little larger, so that many cells meet."""

    def rows(count: int, width: int, size: int = 9) -> tuple[tuple[Fraction, ...], ...]:
        return tuple(
            tuple(Fraction(random.randint(-size, size), random.randint(1, 3)) for _ in range(width))
            for _ in range(count)
        )

    layers = []
    for _ in range(L):
        heads = tuple(Head(rows(N, d), rows(N, d), rows(1, N, 20)[0]) for _ in range(H))
        ffn = Ffn(rows(m, d), rows(1, m, 20)[0], rows(d, m), rows(1, d)[0]) if m else None
        layers.append(Layer(heads, ffn=ffn))
    return Network(d, tuple(layers))


def tensors(network: Network) -> list[floats.Layer]:
    """The network in float64; every parameter rounded once."""
    layers = []
    for layer in network.layers:
        heads = [
            (_tensor(head.keys), _tensor(head.biases), _tensor(head.values)) for head in layer.heads
        ]
        ffn = None
        if layer.ffn is not None:
            w1, b1, w2, b2 = layer.ffn.w1, layer.ffn.b1, layer.ffn.w2, layer.ffn.b2
            ffn = (_tensor(w1), _tensor(b1), _tensor(w2), _tensor(b2))
        layers.append(floats.Layer(heads, ffn))
    return layers


def _tensor(entries: object) -> Tensor:
    def plain(value: object) -> object:
        return [plain(v) for v in value] if isinstance(value, tuple) else float(value)  # type: ignore[arg-type]

    return torch.tensor(plain(entries), dtype=torch.float64)


def _label(
    choices: tuple[tuple[int, ...], ...], signs: tuple[tuple[int, ...], ...]
) -> tuple[int, ...]:
    """As torch writes it: keys and on/off, layer by layer."""
    return tuple(
        entry
        for keys, neurons in zip(choices, signs, strict=True)
        for entry in (*keys, *(int(sign > 0) for sign in neurons))
    )


def _bound(network: Network) -> int:
    sizes = sizes_of(network)
    return upper_bound(sizes.d, sizes.H, sizes.N, sizes.L, sizes.m)
