(* E1, E2, T1a with the true exponential: it turns sums into products and is positive and injective. *)
From mathcomp Require Import all_ssreflect fingroup all_algebra.
From mathcomp Require Import reals sequences exp.
From Headproof Require Import StatementsAnalysis.
From Headproof.proofs Require Import heads.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem copies_query_exp_holds : copies_query_exp.
Proof.
move=> R d p H W V.
refine (@copies_query_holds R expR d p H W V (@expRD R) (@expR_gt0 R)).
Qed.

Theorem models_merge_exp_holds : models_merge_exp.
Proof.
move=> R d p H H' W V W' V'.
refine (@models_merge_holds R expR d p H H' W V W' V' (@expRD R) (@expR_gt0 R) (@expR_inj R)).
Qed.

Theorem models_determined_exp_holds : models_determined_exp.
Proof.
move=> R d p H H' W V W' V'.
refine (@models_determined_holds R expR d p H H' W V W' V' (@expRD R) (@expR_gt0 R) (@expR_inj R)).
Qed.

Theorem equivariance_of_heads_exp_holds : equivariance_of_heads_exp.
Proof.
move=> R G d p H rho sigma W V.
refine (@equivariance_of_heads_holds R expR G d p H rho sigma W V (@expRD R) (@expR_gt0 R) (@expR_inj R)).
Qed.

Theorem copies_query_proper_exp_holds : copies_query_proper_exp.
Proof.
move=> R d p H W V score attention F m x w.
have FE k : F k x w = (\sum_h V h) *m (x + w)
    - \sum_h (1 + k%:R * expR (score h x w))^-1 *: (V h *m w).
  exact: (@attention_query _ _ (@expRD R) (@expR_gt0 R) d p H W V k x w).
have F0 : F 0%N x w = \sum_h V h *m x.
  rewrite FE [X in _ - X](eq_bigr (fun h => V h *m w)) => [|h _]; last first.
    by rewrite mul0r addr0 invr1 scale1r.
  by rewrite -!mulmx_suml mulmxDr addrK.
split=> //; rewrite F0 FE mulmxDr mulmx_suml addrC addrA addKr mulmx_suml -sumrB scaler_sumr.
apply: eq_bigr => h _; rewrite -[X in X - _]scale1r -scalerBl scalerA; congr (_ *: _).
rewrite expRN; set z := expR _; have z0 : 0 < z := expR_gt0 _.
have q0 : 1 + m%:R * z != 0.
  by rewrite gt_eqF // (lt_le_trans ltr01) // ler_addl mulr_ge0 ?ler0n // ltW.
have -> : m%:R + z^-1 = (1 + m%:R * z) / z.
  by rewrite mulrDl mul1r mulfK ?gt_eqF // addrC.
rewrite invf_div mulrA; apply: (mulIf q0).
by rewrite mulrBl mul1r mulVf // divfK // addrC addKr.
Qed.
