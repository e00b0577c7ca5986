"""Kind rank: an exact rank, or what attention cannot see (CERTIFICATES.md, rank)."""

from __future__ import annotations

from dataclasses import dataclass

from .attention import Matrix, Point, Unit, by_first, equations, product, transposed, units
from .attention_layer import PARTS, inert, layer, parameters
from .budget import Budget
from .elimination import LARGEST, checked_prime, modular_rank
from .errors import Rejected, Unreadable, show
from .fields import Json, integer, items, members

LONGEST = 10**6
"""No entry of a point or of a move is larger."""

COLUMNS = 10**6


def check(data: Json, budget: Budget) -> None:
    """Check the data of a rank certificate.

    Raises:
        Rejected: it does not prove the rank, or the number of unidentified parameters.
        Unreadable: it is malformed or too large.
    """
    if type(data) is dict and "architecture" in data:
        _check_architecture(data, budget)
    else:
        _check_matrix(data, budget)


def _check_matrix(data: Json, budget: Budget) -> None:
    parts = members(data, "data", ("columns", "rows", "prime", "kernel", "rank"))
    columns = integer(parts["columns"], "columns", 1, COLUMNS)
    prime = checked_prime(integer(parts["prime"], "prime", 0, LARGEST))
    rows = [
        _row(row, f"rows[{i}]", columns, budget)
        for i, row in enumerate(items(parts["rows"], "rows"))
    ]
    stated = integer(parts["rank"], "rank", 0, columns)
    kernel: list[dict[int, int]] = []
    for i, vector in enumerate(items(parts["kernel"], "kernel")):
        entries = items(vector, f"kernel[{i}]")
        if len(entries) != columns:
            raise Unreadable(f"kernel[{i}]: expected {columns} integers, found {len(entries)}")
        numbers = [_bounded(x, f"kernel[{i}][{j}]", budget) for j, x in enumerate(entries)]
        for r, row in enumerate(rows):
            budget.spend(1 + len(row))
            if sum(value * numbers[column] for column, value in row.items()):
                raise Rejected(f"kernel[{i}] is not orthogonal to rows[{r}]")
        kernel.append(dict(enumerate(numbers)))
    if len(kernel) != columns - stated:
        raise Rejected(f"kernel: expected {columns - stated} vectors, found {len(kernel)}")
    if modular_rank(kernel, prime, budget) != len(kernel):
        raise Rejected("kernel: the vectors are not independent modulo the prime")
    found = modular_rank(rows, prime, budget)
    if found != stated:
        raise Rejected(f"rank: {stated} stated, {found} found modulo the prime")


def _bounded(value: Json, where: str, budget: Budget) -> int:
    if type(value) is not int:
        raise Unreadable(f"{where}: expected an integer, found {show(value)}")
    budget.sized(value)
    return value


def _row(value: Json, where: str, columns: int, budget: Budget) -> dict[int, int]:
    found: dict[int, int] = {}
    last = -1
    for i, pair in enumerate(items(value, where)):
        column, entry = _fixed(pair, f"{where}[{i}]", 2)
        column = integer(column, f"{where}[{i}][0]", 0, columns - 1)
        entry = _bounded(entry, f"{where}[{i}][1]", budget)
        if column <= last or entry == 0:
            raise Unreadable(f"{where}[{i}]: expected increasing columns and no zeros")
        found[column] = entry
        last = column
    return found


def _fixed(value: Json, where: str, length: int) -> list[Json]:
    found = items(value, where)
    if len(found) != length:
        raise Unreadable(f"{where}: expected {length} integers, found {len(found)}")
    return found


@dataclass(frozen=True)
class _Given:
    """What the certificate says about one unit: a point, and the moves if there are any."""

    point: Point
    moves: list[Matrix] | None


def _check_architecture(data: Json, budget: Budget) -> None:
    names = ("architecture", "part", "prime", "units", "unidentified", "total")
    parts = members(data, "data", names)
    found = layer(parts["architecture"])
    part = parts["part"]
    if type(part) is not str or part not in PARTS:
        raise Unreadable(f"part: expected one of {', '.join(PARTS)}, found {show(part)}")
    prime = checked_prime(integer(parts["prime"], "prime", 0, LARGEST))
    expected = units(found, part)
    given = items(parts["units"], "units")
    if len(given) != len(expected):
        raise Rejected(f"units: expected {len(expected)}, found {len(given)}")
    unidentified, total = inert(found, part), parameters(found, part)
    for number, (unit, description) in enumerate(zip(expected, given, strict=True)):
        where = f"units[{number}]"
        unidentified += unit.copies * _fibre(unit, description, where, prime, budget)
    for name, value in (("unidentified", unidentified), ("total", total)):
        stated = integer(parts[name], name, 0)
        if stated != value:
            raise Rejected(f"{name}: {show(stated)} stated, {value} counted")


def _fibre(unit: Unit, description: Json, where: str, prime: int, budget: Budget) -> int:
    """The dimension of a unit's fibre, proved from both sides."""
    square = unit.reduced()
    given = _given(square, description, where, budget)
    _check_point(square, given.point, where, prime, budget)
    unknowns = square.parameters + square.scales
    rows = equations(square, given.point, budget)
    rank = modular_rank(rows, prime, budget)
    if given.moves is None:
        if square.norm or rank != square.entries:
            raise Rejected(f"{where}: rank {rank} of {square.entries} equations, and no moves")
        return unknowns - rank
    _check_moves(square, given, where, prime, budget)
    proved = len(given.moves) + square.scales
    if unknowns - rank != proved:
        raise Rejected(
            f"{where}: rank {rank} of {unknowns} unknowns leaves {unknowns - rank}, "
            f"the moves prove {proved}"
        )
    return proved


def _given(unit: Unit, description: Json, where: str, budget: Budget) -> _Given:
    wanted: tuple[str, ...] = ("key",) if unit.tied else ("queries", "key")
    if unit.gains != "none":
        wanted += ("gains",)
    parts = members(description, where, wanted, ("moves",))
    key = _matrix(parts["key"], f"{where}.key", unit.key_rows, unit.width, budget)
    if unit.tied:
        queries = [key]
    else:
        matrices = items(parts["queries"], f"{where}.queries")
        if len(matrices) != unit.queries:
            raise Rejected(f"{where}.queries: expected {unit.queries}, found {len(matrices)}")
        queries = [
            _matrix(one, f"{where}.queries[{i}]", unit.query_rows, unit.width, budget)
            for i, one in enumerate(matrices)
        ]
    gains = [[1] * unit.width, [1] * unit.width]
    if unit.gains != "none":
        pair = _fixed(parts["gains"], f"{where}.gains", 2)
        gains = [
            [
                integer(x, f"{where}.gains[{i}][{k}]", 1, LONGEST)
                for k, x in enumerate(_fixed(one, f"{where}.gains[{i}]", unit.width))
            ]
            for i, one in enumerate(pair)
        ]
    moves = None
    if "moves" in parts:
        moves = [
            _matrix(one, f"{where}.moves[{i}]", unit.width, unit.width, budget)
            for i, one in enumerate(items(parts["moves"], f"{where}.moves"))
        ]
    return _Given(Point(queries, key, *gains), moves)


def _matrix(value: Json, where: str, rows: int, columns: int, budget: Budget) -> Matrix:
    found: dict[tuple[int, int], int] = {}
    last = (-1, -1)
    entries = items(value, where)
    budget.spend(len(entries))
    for i, entry in enumerate(entries):
        place = f"{where}[{i}]"
        first, second, number = _fixed(entry, place, 3)
        at = (
            integer(first, f"{place}[0]", 0, rows - 1),
            integer(second, f"{place}[1]", 0, columns - 1),
        )
        number = integer(number, f"{place}[2]", -LONGEST, LONGEST)
        if at <= last or number == 0:
            raise Unreadable(f"{place}: expected increasing places and no zeros")
        found[at] = number
        last = at
    return found


def _check_point(unit: Unit, point: Point, where: str, prime: int, budget: Budget) -> None:
    """What the step to n rows needs: full column ranks; and gains that are not 0."""
    if any(gain % prime == 0 for gain in (*point.query_gains, *point.key_gains)):
        raise Rejected(f"{where}.gains: 0 modulo the prime")
    if unit.key_rows != unit.width or unit.query_rows != unit.width:
        return
    if modular_rank(by_first(point.key).values(), prime, budget) != unit.width:
        raise Rejected(f"{where}.key: its rank modulo the prime is below {unit.width}")
    stacked = (row for factor in point.queries for row in by_first(factor).values())
    if modular_rank(stacked, prime, budget) != unit.width:
        raise Rejected(f"{where}.queries: their rank modulo the prime is below {unit.width}")


def _check_moves(unit: Unit, given: _Given, where: str, prime: int, budget: Budget) -> None:
    moves = given.moves or []
    if unit.gains == "fixed" and moves:
        raise Rejected(f"{where}.moves: nothing can be moved while the gains are fixed")
    algebra = [middle for middle, _ in unit.algebra()]
    by_row = [by_first(middle) for middle in algebra]
    vectors: list[dict[int, int]] = []
    for i, move in enumerate(moves):
        if unit.gains == "moving":
            if any(a != b for a, b in move):
                raise Rejected(f"{where}.moves[{i}] is not diagonal")
        elif (unit.norm or unit.tied) and any(
            move.get((b, a), 0) != -v for (a, b), v in move.items()
        ):
            raise Rejected(f"{where}.moves[{i}] is not skew-symmetric")
        touched = {a for a, _ in move} | {b for _, b in move}
        for middle, rows in zip(algebra, by_row, strict=True):
            budget.spend(1 + len(move))
            if not touched & rows.keys():
                continue
            if product(move, middle) != product(middle, move):
                raise Rejected(f"{where}.moves[{i}] does not commute with what stands between")
        moved = move if unit.gains == "moving" else product(given.point.key, transposed(move))
        vectors.append({a * unit.width + b: value for (a, b), value in moved.items()})
    if modular_rank(vectors, prime, budget) != len(moves):
        raise Rejected(f"{where}.moves: not independent modulo the prime at the point")
