(* E1, E2, T1a with the true exponential: it turns sums into products and is positive and injective. *)
From mathcomp Require Import all_ssreflect fingroup all_algebra.
From mathcomp Require Import reals sequences exp.
From Headproof Require Import StatementsAnalysis.
From Headproof.proofs Require Import heads.
Import GRing.Theory Num.Theory.
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
