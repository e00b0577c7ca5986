(* A4: the output is a quotient of two soft maxima, each within tau log N above its maximum. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import reals sequences exp.
From Headproof Require Import StatementsAnalysis.
From Headproof.proofs Require Import dequantisation.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Quotient.
Variables (R : realType) (N : nat) (s u : 'I_N -> R) (tau : R) (m n : 'I_N).
Hypotheses (tau0 : 0 < tau) (bm : forall j, s j <= s m) (bn : forall j, s j + u j <= s n + u n).

Let above := tau * ln (\sum_j expR ((s j + u j) / tau)) - (s n + u n).
Let below := tau * ln (\sum_j expR (s j / tau)) - s m.
Let out := \sum_j expR (s j / tau) / (\sum_i expR (s i / tau)) * expR (u j / tau).

Lemma error_split : tau * ln out - (s n + u n - s m) = above - below.
Proof.
have -> : out = (\sum_j expR ((s j + u j) / tau)) / (\sum_i expR (s i / tau)).
  by rewrite /out mulr_suml; apply: eq_bigr => j _; rewrite mulrDl expRD mulrAC.
have pos : 0 < \sum_i expR (s i / tau) by exact: (@total_gt0 R N s tau m).
have pos' : 0 < \sum_j expR ((s j + u j) / tau).
  exact: (@total_gt0 R N (fun j => s j + u j) tau n).
rewrite ln_div ?posrE // mulrBr /above /below.
move: (tau * ln (\sum_j _)) (tau * ln (\sum_i _)) (s n) (u n) (s m) => a b c d e; ring.
Qed.

Lemma above_bounds : 0 <= above /\ above <= tau * ln N%:R.
Proof. exact: (dequantisation_bounds_holds R N (fun j => s j + u j) tau n tau0 bn). Qed.

Lemma below_bounds : 0 <= below /\ below <= tau * ln N%:R.
Proof. exact: (dequantisation_bounds_holds R N s tau m tau0 bm). Qed.

Lemma quotient_bounds : `|above - below| <= tau * ln N%:R.
Proof.
have [a0 a1] := above_bounds; have [b0 b1] := below_bounds.
rewrite ler_norml; apply/andP; split.
  by rewrite ler_oppl opprB; apply: le_trans b1; rewrite ler_subl_addr ler_addl.
by apply: le_trans a1; rewrite ler_subl_addr ler_addl.
Qed.

Lemma quotient_strict : (2 <= N)%N -> `|above - below| < tau * ln N%:R.
Proof.
move=> N2; have [a0 a1] := above_bounds; have [b0 b1] := below_bounds.
have [_ [one _]] := dequantisation_equality_holds R N (fun j => s j + u j) tau n tau0 bn.
have [_ [one' _]] := dequantisation_equality_holds R N s tau m tau0 bm.
have ap : 0 < above.
  rewrite lt_neqAle a0 andbT eq_sym; apply/eqP => e; move: N2; by rewrite (one e).
have bp : 0 < below.
  rewrite lt_neqAle b0 andbT eq_sym; apply/eqP => e; move: N2; by rewrite (one' e).
rewrite ltr_norml; apply/andP; split.
  by rewrite ltr_oppl opprB; apply: lt_le_trans b1; rewrite ltr_subl_addr ltr_addl.
by apply: lt_le_trans a1; rewrite ltr_subl_addr ltr_addl.
Qed.

End Quotient.

Theorem rational_map_bounds_holds : rational_map_bounds.
Proof.
move=> R N s u tau m n tau0 bm bn; cbv zeta.
by rewrite (@error_split R N s u tau m n); exact: quotient_bounds.
Qed.

Theorem rational_map_strict_holds : rational_map_strict.
Proof.
move=> R N s u tau m n N2 tau0 bm bn; cbv zeta.
by rewrite (@error_split R N s u tau m n); exact: quotient_strict.
Qed.

Theorem rational_map_limit_holds : rational_map_limit.
Proof.
move=> R N s u m n bm bn.
have nonneg : 0 <= ln (N%:R : R).
  by apply: ln_ge0; rewrite ler1n; exact: leq_ltn_trans (leq0n _) (ltn_ord m).
move=> eps eps0.
have near tau (tau0 : 0 < tau) := rational_map_bounds_holds R N s u tau m n tau0 bm bn.
have [delta delta0 small] := linear_limit R
  (fun tau => tau * ln (\sum_j expR (s j / tau) / (\sum_i expR (s i / tau)) * expR (u j / tau)))
  (s n + u n - s m) (ln N%:R) nonneg near eps eps0.
by exists delta => // tau tau0 lt; cbv zeta; exact: small.
Qed.
