"""Claim C6, identification.gradient: which training steps lie inside the fibre."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "identification.gradient"

_produced = partial(Deferred, "headproof.proofs_check.producers.identification.gradient")
_PROVED = Expectation(Verdict.PROVED)
_REFUTED = Expectation(Verdict.REFUTED)
_TRAINED = Expectation(Verdict.SUPPORTED, {"quick": Verdict.NOT_RUN})
FACTORS = (
    "L: the query weights of a key/value group, one head below the other; R: its key weights; "
    "d_k columns"
)
_LAYERS = (
    "copy task, d = 32, one layer in float64: H = 1, 2, 4, 8, and H = 8 with 4 key/value heads, "
    "rotations and biases; W_Q, W_K and their biases"
)


def _trained(name: str, kind: str) -> Producer:
    return Producer(f"training-{name}", name, Kind.TRAINED, _produced(kind))


CLAIM = Claim(
    id=ID,
    number="C6",
    title="Training steps inside the fibre",
    paper=PAPER,
    place="abstract: “training can indeed involve updates that overlap model-invariant subspaces "
    "that arise from a lack of identification”",
    statements=(
        Statement(
            name="overlap",
            role=Role.AS_STATED,
            text="Training involves updates that overlap the fibre: every step of Adam (with and "
            "without momentum), AdamW and sign descent has a share of its squared norm above 1e-3 "
            "inside the fibre's tangent.",
            latex=r"\lVert P_{T}\,\Delta\theta\rVert^2>10^{-3}\,\lVert\Delta\theta\rVert^2",
            hypotheses=(_LAYERS,),
            expected=_TRAINED,
            ours=True,
        ),
        Statement(
            name="orthogonal",
            role=Role.AS_VERIFIED,
            text="The Euclidean gradient of every loss is orthogonal to the fibre's tangent: what "
            "overlaps is the optimiser's doing.",
            latex=r"\langle(AR,A^{\mathsf T}L),(LX,-RX^{\mathsf T})\rangle=0",
            hypotheses=(FACTORS, "A: the gradient with respect to L R^T", "every X"),
            expected=_PROVED,
        ),
        Statement(
            name="rotated",
            role=Role.AS_VERIFIED,
            text="With rotations between the factors no score changes along (L X, -R X^T), to "
            "first order, as long as X commutes with them.",
            latex=r"XT=TX\;\Rightarrow\;(lX)Tr^{\mathsf T}-lT(rX^{\mathsf T})^{\mathsf T}=0",
            hypotheses=("T: any matrix between a query row l and a key row r",),
            expected=_PROVED,
        ),
        Statement(
            name="flow",
            role=Role.AS_VERIFIED,
            text="Gradient flow conserves L^T L - R^T R: with groups, the sum over the group's "
            "query heads less the key term.",
            latex=r"\tfrac{d}{dt}\bigl(L^{\mathsf T}L-R^{\mathsf T}R\bigr)=0",
            hypotheses=(FACTORS, "no rotation"),
            expected=_PROVED,
        ),
        Statement(
            name="step",
            role=Role.AS_VERIFIED,
            text="A gradient step of size s changes it by s^2 times the same expression of the "
            "gradients: there is no term of first order.",
            latex=r"L_+^{\mathsf T}L_+-R_+^{\mathsf T}R_+=L^{\mathsf T}L-R^{\mathsf T}R"
            r"+s^2\bigl(\dot L^{\mathsf T}\dot L-\dot R^{\mathsf T}\dot R\bigr)",
            hypotheses=(FACTORS, "no rotation"),
            expected=_PROVED,
        ),
        Statement(
            name="decay",
            role=Role.AS_VERIFIED,
            text="Weight decay moves along the fibre unless the factors are balanced: its inner "
            "product with the tangent vector of X is that of X with L^T L - R^T R, and for X equal "
            "to that it vanishes only if the factors are balanced.",
            latex=r"\langle(L,R),(LX,-RX^{\mathsf T})\rangle=\langle X,D\rangle,\quad "
            r"D=L^{\mathsf T}L-R^{\mathsf T}R,\quad\langle D,D\rangle=0\iff D=0",
            hypotheses=(FACTORS, "no rotation"),
            expected=_PROVED,
        ),
        Statement(
            name="training",
            role=Role.AS_VERIFIED,
            text="While training, the shares of the gradient and of every SGD step are at most "
            "1e-20.",
            latex=r"\lVert P_{T}\,\nabla\rVert^2\le10^{-20}\lVert\nabla\rVert^2",
            hypotheses=(_LAYERS,),
            expected=_TRAINED,
        ),
        Statement(
            name="heads",
            role=Role.AS_VERIFIED,
            text="2H times the share of Adam's first step is between .3 and .55 for H = 1, 2, 4, "
            "8: it falls like the share of unidentified parameters.",
            latex=r".3\le2H\,\lVert P_{T}\,\Delta\theta_1\rVert^2/\lVert\Delta\theta_1\rVert^2"
            r"\le.55",
            hypotheses=(_LAYERS,),
            expected=_TRAINED,
        ),
        Statement(
            name="momentum",
            role=Role.AS_VERIFIED,
            text="SGD with momentum overlaps, but little: its largest share is above 1e-12, its "
            "mean share below a tenth of Adam's.",
            latex=r"10^{-12}<\max_t p_t,\qquad\bar p<\tfrac1{10}\bar p_{\mathrm{Adam}}",
            hypotheses=(_LAYERS,),
            expected=_TRAINED,
        ),
        Statement(
            name="drift",
            role=Role.AS_VERIFIED,
            text="Over a fixed time of gradient descent the conserved quantity (with rotations: "
            "its projection on the commutant) drifts in proportion to the step size.",
            latex=r"\mathrm{drift}(s)/\mathrm{drift}(s/2)\in[1.8,2.2]",
            hypotheses=(_LAYERS,),
            expected=_TRAINED,
        ),
        Statement(
            name="moves",
            role=Role.AS_VERIFIED,
            text="A finite move along the fibre changes the loss by less than 1e-10, a random move "
            "of the same size by more than 1e-6.",
            latex=r"\lvert\ell(Lg,Rg^{-\mathsf T})-\ell(L,R)\rvert<10^{-10}",
            hypotheses=(_LAYERS,),
            expected=_TRAINED,
        ),
        Statement(
            name="decay-steps",
            role=Role.AS_VERIFIED,
            text="A step of weight decay has a share above 1e-3, and at most 1e-20 when the "
            "factors are balanced.",
            latex=r"p_{\mathrm{decay}}>10^{-3},\qquad p_{\mathrm{decay}}=0\text{ if balanced}",
            hypotheses=(_LAYERS,),
            expected=_TRAINED,
        ),
        Statement(
            name="sign",
            role=Role.CONTROL,
            text="The sign of the gradient (Adam's first step) is orthogonal to the fibre too.",
            latex=r"\langle(\operatorname{sign}(AR),\operatorname{sign}(A^{\mathsf T}L)),"
            r"(LX,-RX^{\mathsf T})\rangle=0",
            expected=_REFUTED,
            amended_by="orthogonal",
        ),
        Statement(
            name="any-decay",
            role=Role.CONTROL,
            text="Weight decay is orthogonal to the fibre.",
            latex=r"\langle(L,R),(LX,-RX^{\mathsf T})\rangle=0",
            expected=_REFUTED,
            amended_by="decay",
        ),
        Statement(
            name="any-direction",
            role=Role.CONTROL,
            text="With rotations no score changes along (L X, -R X^T), whatever X.",
            latex=r"(lX)Tr^{\mathsf T}-lT(rX^{\mathsf T})^{\mathsf T}=0",
            expected=_REFUTED,
            amended_by="rotated",
        ),
    ),
    producers=(
        _trained("overlap", "trained_overlap"),
        Producer("derivation", "orthogonal", Kind.SYMBOLIC, _produced("orthogonal")),
        Producer("integers", "orthogonal", Kind.EXACT, _produced("orthogonal_integers")),
        Producer("search", "orthogonal", Kind.SEARCH, _produced("orthogonal_search")),
        Producer("complex-step", "orthogonal", Kind.SEARCH, _produced("complex_step")),
        Producer("rotation-derivation", "rotated", Kind.SYMBOLIC, _produced("rotated")),
        Producer("flow-derivation", "flow", Kind.SYMBOLIC, _produced("flow")),
        Producer("step-derivation", "step", Kind.SYMBOLIC, _produced("step")),
        Producer("decay-derivation", "decay", Kind.SYMBOLIC, _produced("decay")),
        _trained("training", "trained_gradient"),
        _trained("heads", "trained_heads"),
        _trained("momentum", "trained_momentum"),
        _trained("drift", "trained_drift"),
        _trained("moves", "trained_moves"),
        _trained("decay-steps", "trained_decay"),
        Producer("two-columns", "sign", Kind.EXACT, _produced("sign")),
        Producer("one-column", "any-decay", Kind.EXACT, _produced("any_decay")),
        Producer("quarter-turn", "any-direction", Kind.EXACT, _produced("any_direction")),
    ),
    omitted="balls: the identities are polynomial and decided exactly",
)
