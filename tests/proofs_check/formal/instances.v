(* Every set of hypotheses in the statement files can be met, so that no statement holds for want of
   anything that it speaks of. Statements whose hypotheses are plainly met (0 < tau, a best key) are
   left out. Not part of the package: compiled by a test. *)
From mathcomp Require Import all_ssreflect fingroup all_algebra ring.
From mathcomp Require Import reals sequences exp.
From Headproof Require Import StatementsAlgebra StatementsAnalysis.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* softmax_shift, block_gauge, copies_query, models_merge, models_determined, equivariance_of_heads:
   a function that turns sums into products, positive and injective. *)
Lemma exponential (R : realType) :
  exists ex : R -> R,
    (forall a b, ex (a + b) = ex a * ex b) /\ (forall a, 0 < ex a) /\ injective ex.
Proof. by exists (@expR R); split; [exact: expRD | split; [exact: expR_gt0 | exact: expR_inj]]. Qed.

(* bias_variance_covariance: two outcomes of probability 1/2, the constant 1, noise (1, -1) and heads
   that do not vary with it; the noise is not 0. *)
Lemma noise (R : realFieldType) :
  exists (V : lmodType R) (E : V -> V -> R) (one e : V) (f : 'I_2 -> V),
    (forall g h, E g h = E h g)
    /\ (forall a g g' h, E (a *: g + g') h = a * E g h + E g' h)
    /\ E one one = 1 /\ E e one = 0 /\ (forall h, E e (f h) = 0) /\ E e e != 0.
Proof.
exists [lmodType R of 'rV[R]_2], (fun g h : 'rV[R]_2 => (g 0 0 * h 0 0 + g 0 1 * h 0 1) / 2%:R).
have two : (2%:R : R) != 0 by rewrite pnatr_eq0.
exists (const_mx 1), (\row_j (if j == 0 then 1 else -1)), (fun=> const_mx 1).
split; last split; last split; last split; last split; rewrite ?mxE /=.
- by move=> g h; rewrite ![g _ _ * _]mulrC.
- by move=> a g g' h; rewrite !mxE; move: (g 0 0) (g 0 1) (g' 0 0) (g' 0 1) => *; ring.
- by rewrite !mul1r -mulr2n divff.
- by rewrite !mulr1 subrr mul0r.
- by move=> h; rewrite ?mxE /= !mulr1 subrr mul0r.
by rewrite !mul1r mulrNN mulr1 -mulr2n divff // oner_neq0.
Qed.

(* diversity_*: H = 2 projectors of rank 1 in the plane, orthogonal to each other. *)
Lemma projectors (R : realFieldType) :
  exists Pi : 'I_2 -> 'M[R]_2,
    forall h, Pi h *m Pi h = Pi h /\ (Pi h)^T = Pi h /\ \tr (Pi h) = 1%:R.
Proof.
exists (fun h => delta_mx h h) => h; rewrite mul_delta_mx trmx_delta; do ![split=> //].
rewrite /mxtrace (bigD1 h) //= mxE !eqxx big1 ?addr0 // => i /negbTE ne.
by rewrite mxE ne.
Qed.

(* gauge_complete: factors of full rank; block_gauge: invertible matrices. *)
Lemma full_rank (F : fieldType) n :
  \rank (1%:M : 'M[F]_n) = n /\ (1%:M : 'M[F]_n) \in unitmx.
Proof. by rewrite mxrank1 unitmx1. Qed.

(* poles_*, heads_separate*: two distinct positive rates, nonzero weights, five nodes. *)
Lemma rates (R : realFieldType) :
  exists (z c : 'I_2 -> R) (m : 'I_(2 + 2).+1 -> R),
    injective z /\ injective m /\ (forall h, 0 < z h) /\ (forall i, 0 <= m i)
    /\ (forall h, c h != 0).
Proof.
exists (fun h => h.+1%:R), (fun=> 1), (fun i => i%:R).
split; last split; last split; last split.
- by move=> g h /eqP; rewrite eqr_nat eqSS => /eqP/val_inj.
- by move=> g h /eqP; rewrite eqr_nat => /eqP/val_inj.
- by move=> h; rewrite ltr0n.
- by move=> i; rewrite ler0n.
by move=> h; rewrite oner_neq0.
Qed.

(* models_determined, equivariance_of_heads: a canonical model of two heads, and a group of two
   elements that acts on the line by a sign and permutes its heads. *)
Lemma canonical (R : realFieldType) :
  exists (W : 'I_2 -> 'M[R]_1) (V : 'I_2 -> 'M[R]_(1, 1)),
    injective W /\ (forall h, V h != 0).
Proof.
exists (fun h => (h%:R)%:M), (fun=> 1%:M); split=> [g h|h]; last first.
  by rewrite -scalemx1 scale1r oner_neq0.
by move/matrixP/(_ 0 0); rewrite !mxE eqxx /= => /eqP; rewrite eqr_nat => /eqP/val_inj.
Qed.

(* value_stability*: the absolute value is a norm. *)
Lemma norm (R : realType) :
  exists norm : R^o -> R, (forall a b, norm (a + b) <= norm a + norm b)
    /\ (forall c a, norm (c *: a) = `|c| * norm a) /\ norm 1 = 1.
Proof.
by exists (fun x => `|x|); split; [exact: ler_norm_add | split; [exact: normrM | exact: normr1]].
Qed.

(* overlay_vertices: heads with distinct lifted points. *)
Lemma distinct (R : realFieldType) :
  exists (k : 'I_2 -> 'I_3 -> 'rV[R]_1) (b : 'I_2 -> 'I_3 -> R),
    forall h i j, (k h i, b h i) = (k h j, b h j) -> i = j.
Proof.
exists (fun _ i => const_mx i%:R), (fun _ _ => 0) => h i j [] /matrixP/(_ 0 0).
by rewrite !mxE => /eqP; rewrite eqr_nat => /eqP/val_inj.
Qed.
