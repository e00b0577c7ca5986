(* A1: of N terms exp((s_j - s_m) / tau), each at most 1, one is 1. A4: the output of a head is a
   quotient of two such sums. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import reals sequences exp.
From Headproof Require Import StatementsAnalysis.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Bounds.
Variables (R : realType) (N : nat) (s : 'I_N -> R) (tau : R) (m : 'I_N).
Hypotheses (tau0 : 0 < tau) (best : forall j, s j <= s m).

Let total := \sum_j expR (s j / tau).

Lemma term_le j : expR (s j / tau) <= expR (s m / tau).
Proof. by rewrite ler_expR ler_pmul2r ?invr_gt0. Qed.

Lemma total_ge : expR (s m / tau) <= total.
Proof.
rewrite /total (bigD1 m) //= ler_addl; apply: sumr_ge0 => j _; exact/ltW/expR_gt0.
Qed.

Lemma total_le : total <= N%:R * expR (s m / tau).
Proof.
rewrite mulr_natl -[N in X in _ <= X]card_ord -sumr_const; apply: ler_sum => j _; exact: term_le.
Qed.

Lemma total_gt0 : 0 < total.
Proof. exact: lt_le_trans (expR_gt0 _) total_ge. Qed.

Lemma N_gt0 : 0 < N%:R :> R.
Proof. by rewrite ltr0n; case: (N) m => // -[]. Qed.

Lemma soft_lower : s m <= tau * ln total.
Proof.
rewrite -ler_pdivr_mull // [_ * s m]mulrC -[X in X <= _]expK.
by rewrite ler_ln ?posrE ?expR_gt0 ?total_gt0 // total_ge.
Qed.

Lemma soft_upper : tau * ln total <= s m + tau * ln N%:R.
Proof.
rewrite -[s m](divfK (lt0r_neq0 tau0)) [s m / tau * tau]mulrC -mulrDr ler_pmul2l //.
rewrite -{1}[s m / tau]expK addrC -lnM ?posrE ?expR_gt0 ?N_gt0 //.
by rewrite ler_ln ?posrE ?mulr_gt0 ?expR_gt0 ?N_gt0 ?total_gt0 // total_le.
Qed.

Lemma soft_lower_eq : (tau * ln total = s m) <-> N = 1%N.
Proof.
split=> [eq|N1].
  have total_eq : total = expR (s m / tau).
    by rewrite -eq mulrAC divff ?mul1r ?lnK ?posrE ?total_gt0 // gt_eqF.
  apply/eqP; case: (ltngtP N 1) => // [|lt1]; first by case: (N) m => // -[].
  move: total_eq; rewrite /total (bigD1 m) //= => /eqP; rewrite -subr_eq0 addrC addKr.
  have [j jm] : exists j : 'I_N, j != m.
    case: (eqVneq m (Ordinal lt1)) => [->|]; last by exists (Ordinal lt1); rewrite eq_sym.
    by exists (Ordinal (ltnW lt1)).
  rewrite gt_eqF // (bigD1 j) //= ltr_paddr ?expR_gt0 //.
  by apply: sumr_ge0 => i _; exact/ltW/expR_gt0.
apply/eqP; rewrite eq_le soft_lower andbT.
have := soft_upper; have -> : N%:R = 1 :> R by rewrite N1.
by rewrite ln1 mulr0 addr0.
Qed.

Lemma soft_upper_eq : (tau * ln total = s m + tau * ln N%:R) <-> forall j, s j = s m.
Proof.
split=> [eq j|same].
  have total_eq : total = N%:R * expR (s m / tau).
    rewrite -[LHS]lnK ?posrE ?total_gt0 //; apply: (canRL (mulfVK (lt0r_neq0 (expR_gt0 _)))).
    rewrite -expRN -expRD (_ : ln total - _ = ln N%:R) ?lnK ?posrE ?N_gt0 //.
    apply: (@mulfI _ tau); first by rewrite gt_eqF.
    rewrite mulrBr eq mulrCA divff ?mulr1 ?gt_eqF //; by rewrite addrAC subrr add0r.
  have : \sum_i (expR (s m / tau) - expR (s i / tau)) == 0.
    by rewrite sumrB sumr_const card_ord -mulr_natl -/total total_eq subrr.
  rewrite psumr_eq0 => [/allP/(_ j)|i _]; last by rewrite subr_ge0 term_le.
  rewrite mem_index_enum => /(_ isT); rewrite subr_eq0 => /eqP/expR_inj.
  by move/(mulIf (invr_neq0 (lt0r_neq0 tau0))).
have -> : total = N%:R * expR (s m / tau).
  rewrite /total (eq_bigr (fun=> expR (s m / tau))) => [|j _]; last by rewrite same.
  by rewrite sumr_const card_ord mulr_natl.
rewrite lnM ?posrE ?N_gt0 ?expR_gt0 // expK mulrDr addrC mulrCA divff ?mulr1 //.
by rewrite gt_eqF.
Qed.

End Bounds.

Theorem dequantisation_bounds_holds : dequantisation_bounds.
Proof.
move=> R N s tau m tau0 best; split; first by rewrite subr_ge0 soft_lower.
by rewrite ler_subl_addl soft_upper.
Qed.

Theorem dequantisation_equality_holds : dequantisation_equality.
Proof.
move=> R N s tau m tau0 best; split.
  have [to from] := @soft_upper_eq R N s tau m tau0 best.
  split=> [eq|/from ->]; first by apply: to; rewrite -eq addrC subrK.
  by rewrite addrAC subrr add0r.
have [to from] := @soft_lower_eq R N s tau m tau0 best.
split=> [eq|/from ->]; last by rewrite subrr.
by apply: to; apply/eqP; rewrite -subr_eq0 eq.
Qed.

(* A quantity within tau C of its limit for every tau tends to it. *)
Lemma linear_limit (R : realType) (f : R -> R) (limit C : R) :
  0 <= C -> (forall tau, 0 < tau -> `|f tau - limit| <= tau * C) ->
  forall eps : R, 0 < eps -> exists2 delta : R, 0 < delta &
    forall tau : R, 0 < tau -> tau < delta -> `|f tau - limit| <= eps.
Proof.
move=> C0 near eps eps0; exists (eps / (C + 1)).
  by apply: divr_gt0 => //; rewrite ltr_paddl ?ltr01.
move=> tau tau0 small; apply: le_trans (near tau tau0) _.
have C1 : 0 < C + 1 by rewrite ltr_paddl ?ltr01.
apply: (@le_trans _ _ (tau * (C + 1))); first by rewrite ler_pmul2l // ler_addl ler01.
by move: small; rewrite ltr_pdivl_mulr // => /ltW.
Qed.

Theorem dequantisation_limit_holds : dequantisation_limit.
Proof.
move=> R N s m best; apply: (@linear_limit _ _ _ (ln N%:R)).
  by apply: ln_ge0; rewrite ler1n; exact: leq_ltn_trans (leq0n _) (ltn_ord m).
move=> tau tau0; have [lower upper] := dequantisation_bounds_holds R N s tau m tau0 best.
by rewrite ger0_norm.
Qed.

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
