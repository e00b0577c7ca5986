(* A2: the power distance expands to the squared norm of the query less twice the score. A6: a linear
   functional is largest on a sum of points iff it is largest on each of them, for one point can be
   exchanged while the others stay. *)
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

Section Exchange.
Variables (R : realFieldType) (V : lmodType R) (u : {scalar V}) (H : nat).

(* The points p, that of head h exchanged for q. *)
Definition exchange (p : 'I_H -> V) h q l := if l == h then q else p l.

Lemma sum_exchange p h q : \sum_l exchange p h q l = \sum_l p l + (q - p h).
Proof.
rewrite (bigD1 h) //= [in RHS](bigD1 h) //= /exchange eqxx.
rewrite [X in q + X](eq_bigr p) => [|l /negbTE -> //].
by rewrite [in RHS]addrAC addrCA subrr addr0.
Qed.

Lemma largest_exchange p h q :
  u (\sum_l exchange p h q l) <= u (\sum_l p l) -> u q <= u (p h).
Proof. by rewrite sum_exchange linearD linearB /= -subr_ge0 opprD addNKr oppr_ge0 subr_le0. Qed.

End Exchange.

Theorem face_of_sum_holds : face_of_sum.
Proof.
move=> R V u H P y; split=> [[[p -> inP] best]|[p -> inF]].
  exists p => // h; split=> // q Pq; apply: (@largest_exchange _ _ _ _ p).
  by apply: best => l; rewrite /exchange; case: eqP => [->|].
split; first by exists p => // h; have [] := inF h.
by move=> q inQ; rewrite !linear_sum; apply: ler_sum => h _; have [_] := inF h; apply.
Qed.

Theorem face_labels_holds : face_labels.
Proof.
move=> R V u H N k lambda pos one.
have mean (mu : 'I_H -> 'I_N -> R) h :
    u (\sum_n mu h n *: k h n) = \sum_n mu h n * u (k h n).
  by rewrite linear_sum; apply: eq_bigr => n _; rewrite linearZ.
split=> [best h j|zero mu mu0 mu1].
  have [->|nz] := eqVneq (lambda h j) 0; [by left | right].
  pose average := u (\sum_n lambda h n *: k h n).
  have above i : u (k h i) <= average.
    (* All the weight of head h goes to key i. *)
    pose mu l n : R := if l == h then (n == i)%:R else lambda l n.
    have ones l : \sum_n mu l n = 1.
      rewrite /mu; case: eqP => _; last exact: one.
      by rewrite (bigD1 i) //= eqxx big1 ?addr0 // => n /negbTE ->.
    have less := best mu _ ones.
    apply: (@largest_exchange _ _ u _ (fun l => \sum_n lambda l n *: k l n) h).
    apply: le_trans (less _) => [|l n]; last by rewrite /mu; case: eqP => _; rewrite ?ler0n ?pos.
    rewrite le_eqVlt; apply/orP; left; apply/eqP; congr (u _); apply: eq_bigr => l _.
    rewrite /exchange /mu; case: eqP => [->|//].
    by rewrite (bigD1 i) //= eqxx scale1r big1 ?addr0 // => n /negbTE ->; rewrite scale0r.
  have : \sum_n lambda h n * (average - u (k h n)) == 0.
    rewrite (eq_bigr (fun n => lambda h n * average - lambda h n * u (k h n))) => [|n _].
      by rewrite sumrB -mulr_suml one mul1r /average mean subrr.
    by rewrite mulrBr.
  rewrite psumr_eq0 => [/allP/(_ j)|n _]; last by rewrite mulr_ge0 ?subr_ge0.
  rewrite mem_index_enum => /(_ isT) /=; rewrite mulf_eq0 (negbTE nz) /= subr_eq0 => /eqP <-.
  exact: above.
rewrite !linear_sum; apply: ler_sum => h _; rewrite !mean.
have above i : u (k h i) <= \sum_n lambda h n * u (k h n).
  rewrite -[X in X <= _]mul1r -(one h) mulr_suml; apply: ler_sum => n _.
  by have [->|/(_ i) ?] := zero h n; rewrite ?mul0r // ler_wpmul2l.
rewrite -[X in _ <= X]mul1r -(mu1 h) mulr_suml; apply: ler_sum => n _.
exact: ler_wpmul2l.
Qed.
