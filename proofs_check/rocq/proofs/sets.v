(* T2a: a permutation of the tokens reindexes every sum of the layer. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import StatementsAlgebra.
Import GRing.Theory.
Local Open Scope ring_scope.

Theorem set_attention_equivariance_holds : set_attention_equivariance.
Proof.
move=> R ex d p n H g W C G beta inv score weight value layer X s bs q.
apply: eq_bigr => h _; rewrite /value; congr ((_ + _) *m _).
  by apply: eq_bigr => i _; rewrite inv.
rewrite [RHS](reindex s) /=; last exact: onW_bij.
apply: eq_bigr => j _; rewrite /weight; congr ((_ / _) *: _).
by rewrite [RHS](reindex s) //=; exact: onW_bij.
Qed.

Theorem pooled_attention_equivariance_holds : pooled_attention_equivariance.
Proof.
move=> R ex act d p n H g W C G phi score weight value layer X s bs q.
refine (set_attention_equivariance_holds R ex d p n H g W C G
  (fun h i X => act (\sum_j phi h i (X j))) _ X s bs q) => h i Y u bu.
by congr (act _); rewrite [RHS](reindex u) //; exact: onW_bij.
Qed.
