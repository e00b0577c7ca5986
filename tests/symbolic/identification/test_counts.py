"""The formulas against exact ranks of Jacobians modulo a prime, at random parameters."""

from fractions import Fraction
from random import Random

import pytest
from flint import nmod_mat

from headproof.symbolic.errors import InputError
from headproof.symbolic.identification.architecture import Architecture
from headproof.symbolic.identification.counts import (
    Answer,
    Count,
    query_key_answer,
    value_output_answer,
)

PRIME = 2**61 - 1


def query_key_count(
    d: int, H: int, G: int, d_k: int, *, rotary_dim: int = 0, biases: str = ""
) -> Count:
    layer = Architecture(
        d_model=d,
        heads=H,
        kv_heads=G,
        head_dim=d_k,
        rope="distinct" if rotary_dim else "none",
        rotary_dim=rotary_dim,
        bias=tuple(biases),
    )
    return counted(query_key_answer(layer))


def value_output_count(d: int, H: int, G: int, d_k: int, *, biases: str = "") -> Count:
    layer = Architecture(d_model=d, heads=H, kv_heads=G, head_dim=d_k, bias=tuple(biases))
    return counted(value_output_answer(layer, d))


def counted(answer: Answer) -> Count:
    assert answer.count is not None, answer.reason
    return answer.count


def rank(rows: list[list[int]]) -> int:
    return int(nmod_mat(rows, PRIME).rank())


def rotations(rotary: int, positions: int, random: Random) -> list[list[tuple[int, int]]]:
    """Scaled rotations (a, b) <-> [[a, -b], [b, a]] of each plane, at each position difference.

    The planes' numbers a + ib are powers of independent ones: distinct frequencies.
    """
    base = [(random.randrange(PRIME), random.randrange(PRIME)) for _ in range(rotary // 2)]
    found = [[(1, 0)] * (rotary // 2)]
    for _ in range(positions - 1):
        last = found[-1]
        found.append(
            [
                ((a * c - b * s) % PRIME, (a * s + b * c) % PRIME)
                for (a, b), (c, s) in zip(last, base, strict=True)
            ]
        )
    return found


def query_key_rank(
    d: int, H: int, G: int, d_k: int, rotary: int, biases: str, positions: int, seed: int
) -> int:
    """Rank of the Jacobian of what the softmax sees: scores less their mean over keys.

    The invariants are, for each difference of positions t, W_Q^T R_t W_K and b_Q^T R_t W_K (what
    depends on the key's content), and with a rotation W_Q^T (R_t - R_0) b_K, b_Q^T (R_t - R_0) b_K
    (what depends on the key's position).
    """
    random = Random(seed)
    draw = random.randrange
    Q = [[[draw(PRIME) for _ in range(d)] for _ in range(d_k)] for _ in range(H)]
    K = [[[draw(PRIME) for _ in range(d)] for _ in range(d_k)] for _ in range(G)]
    bQ = [[draw(PRIME) if "q" in biases else 0 for _ in range(d_k)] for _ in range(H)]
    bK = [[draw(PRIME) if "k" in biases else 0 for _ in range(d_k)] for _ in range(G)]
    names = [("Q", h, a, x) for h in range(H) for a in range(d_k) for x in range(d)]
    names += [("K", g, a, x) for g in range(G) for a in range(d_k) for x in range(d)]
    names += [("bQ", h, a, 0) for h in range(H) for a in range(d_k) if "q" in biases]
    names += [("bK", g, a, 0) for g in range(G) for a in range(d_k) if "k" in biases]
    column = {name: n for n, name in enumerate(names)}
    turns = rotations(rotary, positions, random)

    def matrix(t: int) -> list[list[int]]:
        R = [[int(a == c) for c in range(d_k)] for a in range(d_k)]
        for plane, (a, b) in enumerate(turns[t]):
            i = 2 * plane
            R[i][i] = R[i + 1][i + 1] = a
            R[i][i + 1], R[i + 1][i] = -b % PRIME, b
        return R

    rows = []
    zero = matrix(0)
    for h in range(H):
        g = h * G // H
        for t in range(positions):
            R = matrix(t)
            moved = [
                [(p - q) % PRIME for p, q in zip(*r, strict=True)]
                for r in zip(R, zero, strict=True)
            ]
            lefts = [("Q", x) for x in range(d)] + ([("bQ", 0)] if "q" in biases else [])
            rights = [("K", y, R) for y in range(d)] + ([("bK", 0, moved)] if "k" in biases else [])
            for left, x in lefts:
                u = [Q[h][a][x] if left == "Q" else bQ[h][a] for a in range(d_k)]
                for right, y, M in rights:
                    v = [K[g][a][y] if right == "K" else bK[g][a] for a in range(d_k)]
                    row = [0] * len(names)
                    for a in range(d_k):
                        row[column[left, h, a, x]] = sum(M[a][c] * v[c] for c in range(d_k)) % PRIME
                        row[column[right, g, a, y]] = (
                            sum(u[c] * M[c][a] for c in range(d_k)) % PRIME
                        )
                    rows.append(row)
    return rank(rows)


CASES = [
    (4, 2, 2, 2, 0, ""),
    (4, 2, 2, 2, 0, "qk"),
    (4, 2, 2, 2, 0, "k"),
    (4, 2, 2, 2, 2, ""),
    (4, 2, 2, 2, 2, "qk"),
    (4, 2, 1, 2, 0, ""),
    (4, 2, 1, 2, 2, "qk"),
    (4, 2, 1, 2, 0, "qk"),
    (4, 1, 1, 4, 4, ""),
    (5, 1, 1, 4, 2, ""),
    (5, 1, 1, 4, 2, "qk"),
    (3, 2, 2, 1, 0, "q"),
]


@pytest.mark.parametrize(("d", "H", "G", "d_k", "rotary", "biases"), CASES)
def test_against_the_rank_of_the_jacobian(
    d: int, H: int, G: int, d_k: int, rotary: int, biases: str
) -> None:
    found = query_key_count(d, H, G, d_k, rotary_dim=rotary, biases=biases)
    positions = 4 if rotary else 1
    assert found.total - found.unidentified == query_key_rank(
        d, H, G, d_k, rotary, biases, positions, seed=d + H
    )


def value_output_rank(d: int, H: int, G: int, d_k: int, biases: str, seed: int) -> int:
    """Rank of the Jacobian of (W_O^h W_V^g)_h and sum_h W_O^h b_V^g + b_O."""
    random = Random(seed)
    V = [[[random.randrange(PRIME) for _ in range(d)] for _ in range(d_k)] for _ in range(G)]
    W = [[[random.randrange(PRIME) for _ in range(d_k)] for _ in range(d)] for _ in range(H)]
    bV = [[random.randrange(PRIME) for _ in range(d_k)] for _ in range(G)]
    names = [("V", g, a, x) for g in range(G) for a in range(d_k) for x in range(d)]
    names += [("W", h, y, a) for h in range(H) for y in range(d) for a in range(d_k)]
    names += [("bV", g, a, 0) for g in range(G) for a in range(d_k) if "v" in biases]
    names += [("bO", y, 0, 0) for y in range(d) if "o" in biases]
    column = {name: n for n, name in enumerate(names)}
    rows = []
    for h in range(H):
        g = h * G // H
        for y in range(d):
            for x in range(d):
                row = [0] * len(names)
                for a in range(d_k):
                    row[column["V", g, a, x]] = W[h][y][a]
                    row[column["W", h, y, a]] = V[g][a][x]
                rows.append(row)
    for y in range(d):
        row = [0] * len(names)
        for h in range(H if "v" in biases else 0):
            g = h * G // H
            for a in range(d_k):
                row[column["W", h, y, a]] = bV[g][a]
                place = column["bV", g, a, 0]
                row[place] = (row[place] + W[h][y][a]) % PRIME
        if "o" in biases:
            row[column["bO", y, 0, 0]] = 1
        rows.append(row)
    return rank(rows)


@pytest.mark.parametrize("biases", ["", "v", "o", "vo"])
@pytest.mark.parametrize(
    ("d", "H", "G", "d_k"), [(4, 2, 2, 2), (4, 2, 1, 2), (3, 2, 2, 2), (4, 4, 2, 1)]
)
def test_values_against_the_rank(d: int, H: int, G: int, d_k: int, biases: str) -> None:
    found = value_output_count(d, H, G, d_k, biases=biases)
    assert found.total - found.unidentified == value_output_rank(d, H, G, d_k, biases, 7)


@pytest.mark.parametrize(
    ("d", "H", "G", "rotary", "ratio"),
    [
        (12, 1, 1, 0, Fraction(1, 2)),
        (12, 3, 3, 0, Fraction(1, 6)),
        (12, 3, 3, 4, Fraction(1, 24)),
        (12, 6, 2, 0, Fraction(2, 6 * 8)),
        (12, 6, 1, 0, Fraction(1, 6 * 7)),
        (12, 6, 2, 2, Fraction(2, 12 * 8)),
    ],
)
def test_the_published_ratios(d: int, H: int, G: int, rotary: int, ratio: Fraction) -> None:
    assert query_key_count(d, H, G, d // H, rotary_dim=rotary).ratio == ratio


@pytest.mark.parametrize(
    ("sizes", "rotary"),
    [((4, 3, 2, 1), 0), ((4, 1, 1, -1), 0), ((4, 2, 2, 2), 1), ((4, 2, 2, 2), 4)],
)
def test_what_is_refused(sizes: tuple[int, int, int, int], rotary: int) -> None:
    with pytest.raises(InputError):
        query_key_count(*sizes, rotary_dim=rotary)
