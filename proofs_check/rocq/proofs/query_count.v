(* E3: the queries of the schedule, counted. *)
From mathcomp Require Import all_ssreflect zify.
From Headproof Require Import StatementsAlgebra.

Theorem query_count_holds : query_count.
Proof.
move=> H [//|d] _; rewrite subn1 /= -!mulnn; nia.
Qed.
