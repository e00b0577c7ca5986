"""Builder of kind group: permuted heads, strata, prices, hidden representations."""

from __future__ import annotations

from collections.abc import Sequence

from ...symbolic.certificate import envelope
from ...symbolic.equivariance.gset import types, violator
from ...symbolic.equivariance.heads import MatrixHead, permutation
from ...symbolic.equivariance.hidden import Classification
from ...symbolic.equivariance.price import Branch, Price, Proof
from ...symbolic.equivariance.representation import Representation
from ...symbolic.equivariance.strata import realised, stratum_of
from ...symbolic.equivariance.subgroups import SubgroupClasses
from ...symbolic.equivariance.violation import Violation
from ...symbolic.errors import InputError
from ..evidence import Json
from .arrays import write_array


def permuted(
    claim: str, rho: Representation, out: Representation, heads: Sequence[MatrixHead]
) -> dict[str, Json]:
    """Write that the function of canonical heads is equivariant.

    Raises:
        InputError: the group does not permute the heads.

    Example:
        >>> from headproof.symbolic.equivariance.library import named
        >>> from headproof.symbolic.equivariance.strata import member
        >>> C_2 = named("C_2")
        >>> heads = member(C_2.classes, C_2.natural, C_2.natural, (0,))
        >>> permuted("", C_2.natural, C_2.natural, heads)["data"]["images"]
        [[1, 0]]
    """
    images = []
    for g in rho.group.generator_numbers:
        found = permutation(heads, rho, out, g)
        if found is None:
            raise InputError("canonical heads that the group permutes", "others", where="heads")
        images.append(list(found))
    data = {
        "statement": "permuted",
        **_action(rho, out),
        "heads": _heads(heads),
        "images": images,
    }
    return envelope("group", claim, data)


def not_equivariant(
    claim: str,
    rho: Representation,
    out: Representation,
    heads: Sequence[MatrixHead],
    found: Violation,
) -> dict[str, Json]:
    """Write that a query shows that the function of canonical heads is not equivariant."""
    data = {
        "statement": "not-equivariant",
        **_action(rho, out),
        "heads": _heads(heads),
        "word": [found.generator],
        "query": write_array(found.query),
    }
    return envelope("group", claim, data)


def strata(
    claim: str,
    classes: SubgroupClasses,
    rho: Representation,
    out: Representation,
    size: int,
    members: Sequence[Sequence[MatrixHead]],
) -> dict[str, Json]:
    """Write witnesses of all realised strata of one size, and why no other type has them.

    Args:
        claim: the claim's id.
        classes: the subgroups.
        rho: how the group acts on tokens.
        out: how it acts on outputs.
        size: H.
        members: canonical heads, one function per stratum.
    """
    witnesses = []
    every = list(types(classes, size))
    for heads in members:
        stratum = stratum_of(classes, rho, out, heads)
        violators = []
        for architecture in every:
            if (chosen := violator(classes, architecture, stratum)) is not None:
                violators.append({"type": list(architecture), "orbits": list(chosen)})
        witnesses.append({"heads": _heads(heads), "stratum": list(stratum), "violators": violators})
    data = {
        "statement": "strata",
        **_action(rho, out),
        "classes": _classes(classes),
        "size": size,
        "realised": list(realised(classes, rho, out)),
        "witnesses": witnesses,
        "count": len(witnesses),
    }
    return envelope("group", claim, data)


def price(
    claim: str,
    classes: SubgroupClasses,
    prices: Sequence[Price],
    action: tuple[Representation, Representation] | None = None,
) -> dict[str, Json]:
    """Write cheapest covering types with what proves them.

    Args:
        claim: the claim's id.
        classes: the subgroups.
        prices: one per size, all abstract or all realised.
        action: rho and rho_out, if the strata are the realised ones.
    """
    data: dict[str, Json] = {
        "statement": "price",
        "group": [list(g) for g in classes.group.generators],
        "classes": _classes(classes),
    }
    if action is not None:
        data |= _action(*action)
    data["cases"] = [
        {
            "size": each.heads,
            "type": list(each.type),
            "price": each.price,
            "strata": [{"orbits": list(S), "matched": list(T)} for S, T in each.strata],
            "cuts": [
                {"stratum": list(cut.stratum), "orbits": list(cut.orbits)} for cut in each.cuts
            ],
            "proof": _proof(each.proof),
        }
        for each in prices
    ]
    return envelope("group", claim, data)


def hidden(
    claim: str,
    rho: Representation,
    irreducibles: Sequence[Representation],
    found: Classification,
) -> dict[str, Json]:
    """Write whether one hidden representation of dimension d_k covers every invariant W.

    Args:
        claim: the claim's id.
        rho: the representation.
        irreducibles: its real irreducibles, in the order of the classification.
        found: the classification; irreducibles that rho does not have are left out.
    """
    kept = [k for k, m in enumerate(found.multiplicities) if m]
    data = {
        "statement": "hidden",
        "group": [list(g) for g in rho.group.generators],
        "rho": write_array(rho.images),
        "irreducibles": [write_array(irreducibles[k].images) for k in kept],
        "hidden": found.hidden,
        "multiplicities": [found.multiplicities[k] for k in kept],
        "needed": [found.needed[k] for k in kept],
        "least": found.least,
        "covers": found.covers,
    }
    return envelope("group", claim, data)


def _action(rho: Representation, out: Representation) -> dict[str, Json]:
    return {
        "group": [list(g) for g in rho.group.generators],
        "rho": write_array(rho.images),
        "out": write_array(out.images),
    }


def _classes(classes: SubgroupClasses) -> Json:
    return [sorted(K) for K in classes.representatives]


def _heads(heads: Sequence[MatrixHead]) -> Json:
    return [{"W": write_array(head.W), "V": write_array(head.V)} for head in heads]


def _proof(proof: Proof) -> Json:
    if isinstance(proof, Branch):
        return {
            "class": proof.orbit_class,
            "at_most": proof.at_most,
            "low": _proof(proof.low),
            "high": _proof(proof.high),
        }
    return write_array(proof.multipliers)
