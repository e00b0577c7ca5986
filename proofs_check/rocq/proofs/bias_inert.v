(* C3: a key bias adds <q, b> to every score. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import reals sequences exp.
From Headproof Require Import StatementsAlgebra StatementsAnalysis.
From Headproof.proofs Require Import gauge.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem key_bias_holds : key_bias.
Proof.
move=> R d N q b k j.
have moved i : \sum_c q c * (k i c + b c) = (\sum_c q c * k i c) + \sum_c q c * b c.
  by rewrite -big_split /=; apply: eq_bigr => c _; rewrite mulrDr.
split=> //; rewrite moved (eq_bigr (fun i => expR ((\sum_c q c * k i c) + \sum_c q c * b c))) => [|i _].
  exact: (softmax_shift_holds R (@expR R) N (fun i => \sum_c q c * k i c) _ j (@expRD R) (@expR_gt0 R)).
by rewrite moved.
Qed.
