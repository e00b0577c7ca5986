(* A11: sums over pairs. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Headproof Require Import StatementsAlgebra.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A symmetric function that is 0 on the diagonal, summed over all pairs, is twice its sum over
   i < j. *)
Lemma sum_symmetric (R : realFieldType) (N : nat) (f : 'I_N -> 'I_N -> R) :
  (forall i j, f i j = f j i) -> (forall i, f i i = 0) ->
  \sum_i \sum_j f i j = 2%:R * \sum_(i < N) \sum_(j < N | (i < j)%N) f i j.
Proof.
move=> sym diag; rewrite mulr_natl mulr2n.
have -> : \sum_i \sum_j f i j
          = \sum_(i < N) (\sum_(j < N | (i < j)%N) f i j + \sum_(j < N | (j < i)%N) f i j).
  apply: eq_bigr => i _; rewrite (bigID (fun j : 'I_N => (i < j)%N)) /=; congr (_ + _).
  rewrite [LHS]big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => j _.
  by case: (ltngtP i j) => [//|//|/val_inj ->]; rewrite diag.
rewrite big_split /=; congr (_ + _).
rewrite (exchange_big_dep xpredT) //=; apply: eq_bigr => i _; apply: eq_bigr => j _; exact: sym.
Qed.

Theorem covariance_of_pairs_holds : covariance_of_pairs.
Proof.
move=> R N p v k one.
pose f i j := p i * p j * ((v i - v j) * (k i - k j)).
apply: (@mulfI _ 2%:R); first by rewrite pnatr_eq0.
rewrite -(@sum_symmetric R N f) => [|i j|i]; rewrite /f; last 2 first.
- by move: (p i) (p j) (v i) (v j) (k i) (k j) => *; ring.
- by rewrite !subrr !mulr0.
rewrite [RHS](eq_bigr (fun i => p i * (v i * k i) - (p i * v i) * (\sum_j p j * k j)
                           - (p i * k i) * (\sum_j p j * v j)
                           + p i * \sum_j p j * (v j * k j))) => [|i _].
  rewrite big_split /= !sumrB -!mulr_suml one mul1r.
  by move: (\sum_j p j * (v j * k j)) (\sum_j p j * v j) (\sum_j p j * k j) => *; ring.
rewrite !mulr_sumr -[p i * (v i * k i)]mul1r -one mulr_suml -!sumrB -big_split /=.
apply: eq_bigr => j _.
by move: (p i) (p j) (v i) (v j) (k i) (k j) => *; ring.
Qed.

Theorem products_of_pairs_holds : products_of_pairs.
Proof.
move=> R N p m pos one.
have le1 : p m <= 1.
  by rewrite -one (bigD1 m) //= ler_addl; apply: sumr_ge0 => i _.
split; last first.
  rewrite ler_pdivr_mulr ?ltr0n // -subr_ge0.
  rewrite [X in 0 <= X](_ : _ = (1 - p m) ^+ 2) ?sqr_ge0 //.
  by move: (p m) => x; ring.
pose f i j := p i * p j * (i != j)%:R.
have square : \sum_i p i ^+ 2 + 2%:R * (\sum_(i < N) \sum_(j < N | (i < j)%N) p i * p j) = 1.
  have -> : \sum_(i < N) \sum_(j < N | (i < j)%N) p i * p j
            = \sum_(i < N) \sum_(j < N | (i < j)%N) f i j.
    apply: eq_bigr => i _; apply: eq_bigr => j; rewrite /f => /ltn_eqF ne.
    by rewrite -val_eqE ne mulr1.
  rewrite -(@sum_symmetric R N f) => [|i j|i]; rewrite /f; last 2 first.
  - by rewrite eq_sym [p j * _]mulrC.
  - by rewrite eqxx mulr0.
  rewrite -big_split /= -{2}[1]mulr1 -{3}one -{2}one mulr_suml; apply: eq_bigr => i _.
  rewrite mulr_sumr (bigD1 i) //= [RHS](bigD1 i) //= eqxx mulr0 add0r; congr (_ + _).
  by apply: eq_bigr => j ne; rewrite eq_sym ne mulr1.
rewrite ler_pdivl_mulr ?ltr0n // mulrC ler_subr_addr -[X in _ <= X]square addrC ler_add2r.
by rewrite (bigD1 m) //= ler_addl; apply: sumr_ge0 => i _; apply: sqr_ge0.
Qed.
