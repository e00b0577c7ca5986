(* A2: the power distance expands to the squared norm of the query less twice the score. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Headproof Require Import StatementsAlgebra.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem power_distance_holds : power_distance.
Proof.
move=> R d x k b.
have -> : \sum_c (x c - k c) ^+ 2
          = (\sum_c x c ^+ 2) - 2%:R * (\sum_c k c * x c) + \sum_c k c ^+ 2.
  rewrite mulr_sumr -sumrB -big_split /=; apply: eq_bigr => c _.
  by move: (x c) (k c) => y z; ring.
by move: (\sum_c x c ^+ 2) (\sum_c k c * x c) (\sum_c k c ^+ 2) => s t u; ring.
Qed.

Theorem power_diagram_holds : power_diagram.
Proof.
move=> R d N x k b j.
have same i :
    ((\sum_c (x c - k j c) ^+ 2) - ((\sum_c k j c ^+ 2) + 2%:R * b j)
     <= (\sum_c (x c - k i c) ^+ 2) - ((\sum_c k i c ^+ 2) + 2%:R * b i))
    = ((\sum_c k i c * x c) + b i <= (\sum_c k j c * x c) + b j).
  by rewrite !power_distance_holds ler_add2l ler_opp2 ler_pmul2l ?ltr0n.
by split=> best i; move: (best i); rewrite same.
Qed.
