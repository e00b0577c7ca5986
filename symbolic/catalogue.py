"""All derivations, by claim id and topic, and how they are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Literal

from .attention_only.proofs import accounting, matching
from .derivations.derivation import Derivation
from .ensemble.proofs import (
    budget,
    budget_curve,
    budget_growth,
    covariance,
    diversity_index,
    error_decomposition,
    head_average,
    isotropic,
    nadaraya_watson,
    principal_angles,
)
from .equivariance.proofs import central, fibres, floor
from .errors import DerivationFailed, InputError
from .identification.proofs import (
    biases,
    factors,
    fibre,
    gradient,
    group,
    ratios,
    rebalancing,
    weight_decay,
)
from .order.proofs import mixing, stages, surrogate
from .recovery.proofs import elimination, identity, odd_part, poles, schedule, uniqueness
from .tropical.proofs import (
    cells,
    dequantisation,
    derivative_stability,
    digits,
    fixed_values,
    label_bound,
    maximum,
    nearly_attained,
    opposite_labels,
    overlay,
    partition,
    power_diagram,
    rational_map,
    routing_limit,
    stability_scope,
    unbiased_maximum,
    value_stability,
    winning_ball,
)
from .zonotope.proofs import containment, separation, symmetries

MAKERS: Mapping[str, tuple[Callable[[], Derivation], ...]] = MappingProxyType(
    {
        dequantisation.CLAIM: (dequantisation.derivation,),
        power_diagram.CLAIM: (power_diagram.derivation,),
        partition.CLAIM: (routing_limit.derivation,),
        rational_map.CLAIM: (
            rational_map.derivation,
            nearly_attained.derivation,
            rational_map.part,
            fixed_values.derivation,
        ),
        cells.CLAIM: (cells.derivation, winning_ball.derivation),
        overlay.CLAIM: (overlay.derivation,),
        maximum.CLAIM: (
            label_bound.derivation,
            maximum.derivation,
            opposite_labels.derivation,
        ),
        unbiased_maximum.CLAIM: (
            unbiased_maximum.derivation,
            unbiased_maximum.weibel_in_space,
        ),
        digits.CLAIM: (digits.derivation,),
        value_stability.CLAIM: (value_stability.derivation,),
        derivative_stability.CLAIM: (
            derivative_stability.derivation,
            derivative_stability.pairs,
            derivative_stability.bound,
        ),
        stability_scope.CLAIM: (
            stability_scope.derivation,
            stability_scope.threshold,
            stability_scope.route,
            stability_scope.layers,
        ),
        nadaraya_watson.CLAIM: (nadaraya_watson.derivation,),
        head_average.CLAIM: (head_average.derivation,),
        error_decomposition.CLAIM: (
            error_decomposition.derivation,
            error_decomposition.outcomes,
            error_decomposition.fixed_design,
        ),
        principal_angles.CLAIM: (principal_angles.derivation,),
        diversity_index.CLAIM: (diversity_index.derivation,),
        isotropic.CLAIM: (
            isotropic.derivation,
            covariance.determinant,
            covariance.derivation,
            covariance.room,
        ),
        budget_curve.CLAIM: (budget.derivation, budget_growth.growth, budget_growth.contrast),
        group.CLAIM: (
            fibre.invisible,
            fibre.exact,
            fibre.commutant,
            ratios.heads,
            ratios.one_head,
            ratios.rotated,
            ratios.groups,
            ratios.rotated_groups,
            ratios.single_group,
        ),
        ratios.NEVER: (ratios.never, ratios.finest),
        biases.CLAIM: (biases.key_bias, biases.value_bias),
        ratios.BLOCK: (ratios.block, ratios.rotated_block),
        factors.CLAIM: (
            gradient.orthogonal,
            gradient.rotated,
            gradient.flow,
            gradient.step,
            weight_decay.decay,
        ),
        rebalancing.CLAIM: (rebalancing.projection, rebalancing.moved),
        identity.CLAIM: (identity.bilinear, identity.derivation),
        poles.CLAIM: (elimination.elimination, uniqueness.derivation),
        schedule.CLAIM: (schedule.derivation, schedule.detected),
        odd_part.CLAIM: (odd_part.derivation,),
        surrogate.CLAIM: (
            surrogate.gradient,
            surrogate.conservation,
            mixing.invariance,
            mixing.equivariance,
            stages.plateaus,
            stages.aligned,
        ),
        accounting.CLAIM: (
            accounting.share,
            accounting.depth,
            accounting.compute,
            accounting.training,
        ),
        matching.CLAIM: (
            matching.by_parameters,
            matching.by_operations,
            matching.by_causal_operations,
        ),
        containment.CLAIM: (containment.derivation,),
        separation.CLAIM: (separation.static, separation.zonotopic),
        symmetries.CLAIM: (symmetries.factors, symmetries.sign),
        central.CLAIM: (central.derivation, floor.derivation),
        fibres.CLAIM: (fibres.derivation,),
    }
)
"""Claim id -> the functions that derive what is derived of it."""

VIEWS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "stability": (
            value_stability.CLAIM,
            derivative_stability.CLAIM,
            stability_scope.CLAIM,
        ),
    }
)
"""Name of a subject within a topic -> its claims."""

Format = Literal["text", "latex", "html"]
FORMATS: tuple[Format, ...] = ("text", "latex", "html")


def derivations(name: str) -> tuple[Derivation, ...]:
    """Derive everything that there is on a claim, a topic or a subject, deciding every step.

    Args:
        name: a claim id, a topic, or a subject that goes across topics, such as ``"stability"``.

    Raises:
        InputError: the name is neither a claim with a derivation nor a topic that has one.
        DerivationFailed: a step is not decided.

    Example:
        >>> from headproof import derive
        >>> [d.title for d in derive("tropical.power-diagram")]
        ['Hard attention is a power diagram']
    """
    viewed = VIEWS.get(name, ())
    chosen = [c for c in MAKERS if name in (c, c.partition(".")[0]) or c in viewed]
    if not chosen:
        known = sorted({*MAKERS, *VIEWS, *(c.partition(".")[0] for c in MAKERS)})
        near = get_close_matches(name, known, n=3)
        raise InputError(
            "a claim or a topic that has a derivation",
            repr(name),
            remedy=f"did you mean {' or '.join(near)}?"
            if near
            else f"there are derivations of {', '.join(known)}",
        )
    return tuple(_derived(claim, make) for claim in chosen for make in MAKERS[claim])


def _derived(claim: str, make: Callable[[], Derivation]) -> Derivation:
    try:
        return make()
    except DerivationFailed as gap:
        raise DerivationFailed(
            gap.step, gap.left, gap.right, rule=gap.rule, derivation=f"{claim}, {make.__name__}"
        ) from gap


def render(
    shown: Derivation | Sequence[Derivation], format: Format = "text", *, standalone: bool = True
) -> str:
    """Write one or several derivations.

    Args:
        shown: what is to be written.
        format: plain text of 100 columns, LaTeX (article class, amsmath) or HTML with MathML.
        standalone: a whole document or page; else sections to be put into one (LaTeX, HTML).

    Raises:
        InputError: there is no such format.

    Example:
        >>> from headproof import derive, render_derivation
        >>> print(render_derivation(derive("tropical.power-diagram")).splitlines()[0])
        tropical.power-diagram: Hard attention is a power diagram
    """
    several = (shown,) if isinstance(shown, Derivation) else tuple(shown)
    if format == "text":
        from .derivations.text import text

        return "\n".join(text(derivation) for derivation in several)
    if format == "latex":
        from .derivations.latex import document, latex

        return document(several) if standalone else "\n".join(map(latex, several))
    if format == "html":
        from .derivations.html import html, page

        return page(several) if standalone else "\n".join(map(html, several))
    raise InputError("text, latex or html", repr(format), where="format")
