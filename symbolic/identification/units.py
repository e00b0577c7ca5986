"""The pieces of an attention layer whose unidentified parameters are counted one by one.

A unit is one key factor B with the query factors A_1..A_m that meet it, and what stands between
them. Scores of different groups, and without a norm of different isotypes, have no parameter in
common, so the fibre of a layer is the product of those of its units. Rows count the width of the
residual stream and one more for a bias (x is continued by a 1). W_V and W_O are such a unit too.

Behind a LayerNorm x lies in d - 1 dimensions, moved by its bias: the units have d - 1 rows, and one
more for a constant, be it the projection's bias or what it makes of the norm's.

The dimension of a unit's fibre is the dimension of a commutant as long as the factors have full
column rank; a factor that is wider than high can make every value of the product, and then the
dimension is what is left when the entries of the product are counted. Cases in which neither is
proved raise `NotCovered`: no number is better than a plausible one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Literal

from .architecture import Architecture
from .isotype import Isotype, isotypes
from .stabiliser import Symmetry, dimension

Role = Literal["qk", "vo"]
Gains = Literal["none", "moving", "fixed"]


class NotCovered(Exception):
    """A case for which no count is proved; the message is the reason."""


@dataclass(frozen=True, kw_only=True)
class Unit:
    """One key factor and the query factors that meet it.

    Args:
        role: whose parameters: W_Q and W_K, or W_V (the key factor) and W_O^T (the query factors).
        parts: the isotypes of what stands between, coordinates from 0.
        queries: m.
        query_rows: rows of A_h: the dimensions of x, and one for a bias.
        key_rows: rows of B that the function can see.
        norm: whether the rows of x^T A_h and y^T B are divided by their lengths.
        gains: whether gains follow, and whether their own change is counted in this unit.
        tied: whether A_1 = B (m = 1).
        shifted: whether scores count only up to a term that depends on the query alone, and a
            bias is in the last row of a tied factor: its own square is not seen.
        copies: how many such units the layer has.
    """

    role: Role
    parts: tuple[Isotype, ...]
    queries: int
    query_rows: int
    key_rows: int
    norm: bool = False
    gains: Gains = "none"
    tied: bool = False
    shifted: bool = False
    copies: int = 1

    @property
    def width(self) -> int:
        """Columns of the factors."""
        return sum(part.size for part in self.parts)

    @property
    def parameters(self) -> int:
        """Entries of the factors, and of the gains where they are counted here."""
        rows = self.key_rows + (0 if self.tied else self.queries * self.query_rows)
        return rows * self.width + (2 * self.width if self.gains == "moving" else 0)

    @property
    def wide(self) -> bool:
        """Whether the product of the factors takes every value."""
        if self.norm:
            return False
        if self.tied:
            return self.parts[0].multiplicity > self.key_rows - self.shifted
        rows = min(self.queries * self.query_rows, self.key_rows)
        return self.parts[0].multiplicity > rows

    @property
    def symmetry(self) -> Symmetry:
        """Which X of the commutant may be moved between the factors."""
        if self.gains != "none":
            return "diagonal"
        return "orthogonal" if self.norm or self.tied else "linear"

    @property
    def scales(self) -> int:
        """Lengths that a norm hides."""
        return (1 if self.tied else self.queries + 1) if self.norm else 0

    @property
    def entries(self) -> int:
        """Real entries of the product, those that repeat others left out."""
        part, rows = self.parts[0], self.key_rows
        if not self.tied:
            return part.degree * self.queries * self.query_rows * rows
        if part.field == "complex":
            return rows * rows
        return rows * (rows + 1) // 2 - self.shifted

    @property
    def moved(self) -> int:
        """The dimension of what can be moved between the factors."""
        if self.gains == "fixed":
            return 0
        alike = Counter((part.field, part.multiplicity) for part in self.parts)
        return sum(count * int(dimension([part], self.symmetry)) for part, count in alike.items())

    @property
    def unidentified(self) -> int:
        """The dimension of the generic fibre of this unit."""
        if self.wide:
            return self.parameters - self.entries
        return self.moved + self.scales


def query_key_units(architecture: Architecture) -> tuple[Unit, ...]:
    """The units of W_Q and W_K with their biases and gains, MLA aside.

    Raises:
        NotCovered: no count is proved for this case.

    Example:
        >>> gqa = Architecture(d_model=12, heads=6, kv_heads=3, rope="distinct")
        >>> [(unit.queries, unit.copies, unit.unidentified) for unit in query_key_units(gqa)]
        [(2, 3, 2)]
    """
    a = architecture
    parts, reads, biases = isotypes(a), dimensions_read(a), a.read_biases
    if not a.qk_norm:
        shift = not a.sink
        found: dict[Unit, int] = {}
        alike = Counter((part.field, part.multiplicity, part.trivial) for part in parts)
        for (field, multiplicity, trivial), count in alike.items():
            part = Isotype(field, multiplicity, trivial=trivial)
            inert = shift and part.trivial and "k" in biases and not a.tied_qk
            unit = Unit(
                role="qk",
                parts=(part,),
                queries=a.group,
                query_rows=reads + ("q" in biases),
                key_rows=reads + ("k" in biases and not inert),
                tied=a.tied_qk,
                shifted=a.tied_qk and shift and part.trivial and "k" in biases,
            )
            found[unit] = found.get(unit, 0) + count * a.kv_heads
        return tuple(replace(unit, copies=copies) for unit, copies in found.items())
    rows = (reads + ("q" in biases), reads + ("k" in biases))
    if a.head_dim == 1:
        raise NotCovered("normalised queries and keys of one coordinate are signs")
    if a.head_dim > min(rows):
        raise NotCovered(f"normalised queries and keys with head_dim > {min(rows)}, what they read")
    # With biases the identities between lengths are not homogeneous: a sphere is not all of R^n.
    if a.input_norm != "none" and biases & {"q", "k"} and not max(4, a.head_dim) <= reads:
        least = max(4, a.head_dim)
        raise NotCovered(
            f"normalised inputs, queries and keys with biases below {least} dimensions"
        )
    unit = Unit(
        role="qk",
        parts=parts,
        queries=a.group,
        query_rows=rows[0],
        key_rows=rows[1],
        norm=True,
        tied=a.tied_qk,
    )
    if not a.qk_norm_gain:
        return (replace(unit, copies=a.kv_heads),)
    rest = replace(unit, gains="fixed", copies=a.kv_heads - 1)
    return (replace(unit, gains="moving"), *((rest,) if rest.copies else ()))


def dimensions_read(a: Architecture) -> int:
    """Dimensions of what the projections read.

    Raises:
        NotCovered: a norm leaves a sign, or nothing.
    """
    if a.input_norm != "none" and a.reads < 2:
        left = f"leaves {a.reads} of {a.d_model} dimensions"
        raise NotCovered(f"the norm before the projections {left}: a sign, or nothing")
    return a.reads


def value_output_unit(architecture: Architecture, *, writes: int | None = None) -> Unit:
    """The unit of W_V and W_O, MLA aside; with b_V only if a sink makes it visible head by head.

    Args:
        architecture: the layer.
        writes: dimensions of the output that are seen; d by default.

    Raises:
        NotCovered: no count is proved for this case.

    Example:
        >>> value_output_unit(Architecture(d_model=12, heads=3)).unidentified
        16
    """
    a = architecture
    return Unit(
        role="vo",
        parts=(Isotype("real", a.head_dim, trivial=True),),
        queries=a.group,
        query_rows=a.d_model if writes is None else writes,
        key_rows=dimensions_read(a) + ("v" in a.read_biases and a.sink),
        copies=a.kv_heads,
    )
