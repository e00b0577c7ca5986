"""Kind rank, of a matrix: its rank and its kernel, over every ordered field."""

from __future__ import annotations

from ...checker.fields import Json
from .terms import Parts, definition, digits, integer, listed

REDUCTION = 600
"""Products of small numbers that take as long as one reduction modulo the prime."""


def parts(data: Json) -> Parts:
    """What a rank certificate of a matrix that the checker accepted contributes.

    The certificate says how many rows are independent; which ones, elimination modulo its prime
    finds here, and the program in Rocq checks.

    Args:
        data: of the certificate.
    """
    rows = [[(column, value) for column, value in row] for row in data["rows"]]
    columns, prime, kernel = data["columns"], data["prime"], data["kernel"]
    basis = pivot_rows([dict(row) for row in rows], prime)
    free = len(kernel)
    numbers = [value for row in rows for _, value in row] + [x for v in kernel for x in v]
    entries = [listed(f"({column}, {integer(value)})" for column, value in row) for row in rows]
    rank = data["rank"]
    statement = f"has_rank {columns}%nat given_rows {rank}%nat given_basis given_kernel"
    return Parts(
        data=(
            definition("given_rows", "list (list (Z * Z))", entries, "Z"),
            definition("given_basis", "list nat", [*map(str, basis)], "Z", of="Z.to_nat"),
            definition(
                "given_kernel", "list (list Z)", [listed(map(integer, v)) for v in kernel], "Z"
            ),
        ),
        statement=statement,
        witness=(f"Definition modulus : Z := {prime}%Z.",),
        proof=f"rank_sound_holds {statement.removeprefix('has_rank ')} modulus",
        steps=REDUCTION * (rank**2 + free**2) * columns
        + len(rows) * (free * digits(numbers) + columns) * columns,
        says=f"the given matrix (rows: {len(rows)}, columns: {columns}) has rank {rank} over every "
        "ordered field; the listed rows are a basis of its row space, the listed vectors one of "
        "its kernel.",
    )


def pivot_rows(rows: list[dict[int, int]], prime: int) -> list[int]:
    """The first rows that are independent modulo a prime.

    Example:
        >>> pivot_rows([{0: 1, 1: 2}, {0: 2, 1: 4}, {1: 1}], 7)
        [0, 2]
    """
    pivots: dict[int, dict[int, int]] = {}
    found: list[int] = []
    for i, given in enumerate(rows):
        row = {column: value % prime for column, value in given.items() if value % prime}
        while row and (column := min(row)) in pivots:
            factor, pivot = row[column], pivots[column]
            mixed = {
                c: (row.get(c, 0) - factor * pivot.get(c, 0)) % prime for c in row.keys() | pivot
            }
            row = {c: value for c, value in mixed.items() if value}
        if row:
            inverse = pow(row[min(row)], -1, prime)
            pivots[min(row)] = {c: value * inverse % prime for c, value in row.items()}
            found.append(i)
    return found
