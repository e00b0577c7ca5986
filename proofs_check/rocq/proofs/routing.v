(* A3, A10, A11: the weights in terms of what they leave to the others. Divided by the winner's term
   the sum of the terms is the number of winners and at most exp(-Delta / tau) for every other. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import reals sequences exp.
From Headproof Require Import StatementsAnalysis.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Weights.
Variables (R : realType) (N : nat) (s : 'I_N -> R) (tau : R).
Hypothesis tau0 : 0 < tau.

Let total := \sum_i expR (s i / tau).

Lemma sum_gt0 (j : 'I_N) : 0 < total.
Proof.
rewrite /total (bigD1 j) //= ltr_paddr ?expR_gt0 //.
by apply: sumr_ge0 => i _; apply: ltW; exact: expR_gt0.
Qed.

Lemma weight_gt0 j : 0 < expR (s j / tau) / total.
Proof. by apply: divr_gt0; [exact: expR_gt0 | exact: sum_gt0]. Qed.

Lemma weights_sum1 (m : 'I_N) : \sum_j expR (s j / tau) / total = 1.
Proof. by rewrite -mulr_suml divff // gt_eqF // (sum_gt0 m). Qed.

(* The weight of j relative to a reference m. *)
Lemma weightE (m j : 'I_N) :
  expR (s j / tau) / total
  = expR ((s j - s m) / tau) / (\sum_i expR ((s i - s m) / tau)).
Proof.
have relative i : expR ((s i - s m) / tau) = expR (s i / tau) / expR (s m / tau).
  by rewrite mulrBl expRB.
have nz : expR (s m / tau) != 0 by rewrite gt_eqF // expR_gt0.
have -> : \sum_i expR ((s i - s m) / tau) = total / expR (s m / tau).
  by rewrite /total mulr_suml; apply: eq_bigr => i _; exact: relative.
rewrite relative.
by rewrite -mulf_div divff ?mulr1 // invr_neq0.
Qed.

Lemma term_small (Delta : R) i m :
  s i <= s m - Delta -> expR ((s i - s m) / tau) <= expR (- (Delta / tau)).
Proof.
move=> le; rewrite ler_expR -mulNr ler_pmul2r ?invr_gt0 //.
by rewrite ler_subl_addr addrC.
Qed.

Section Winner.
Variables (m : 'I_N) (Delta : R).
Hypothesis gap : forall i, i != m -> s i <= s m - Delta.

Let rho := (N%:R - 1) * expR (- (Delta / tau)).
Let rest := \sum_(i | i != m) expR ((s i - s m) / tau).

Lemma winner : expR (s m / tau) / total = (1 + rest)^-1.
Proof. by rewrite (weightE m) subrr mul0r expR0 div1r (bigD1 m) //= subrr mul0r expR0. Qed.

Lemma rest_ge0 : 0 <= rest.
Proof. by apply: sumr_ge0 => i _; apply: ltW; exact: expR_gt0. Qed.

Lemma rest_le : rest <= rho.
Proof.
apply: (@le_trans _ _ (\sum_(i in predC1 m) expR (- (Delta / tau)))).
  by apply: ler_sum => i im; apply: term_small; exact: gap.
rewrite sumr_const cardC1 card_ord -mulr_natl -subn1 natrB ?lexx //.
by case: (N) m => // -[].
Qed.

Lemma loser : 1 - expR (s m / tau) / total = rest / (1 + rest).
Proof.
have nz : 1 + rest != 0 by rewrite gt_eqF // ltr_paddr ?rest_ge0 ?ltr01.
by rewrite winner; move: rest nz => r nz; field.
Qed.

Lemma loser_le : 1 - expR (s m / tau) / total <= rho / (1 + rho).
Proof.
have p0 : 0 < 1 + rest by rewrite ltr_paddr ?rest_ge0 ?ltr01.
have p1 : 0 < 1 + rho by apply: lt_le_trans p0 _; rewrite ler_add2l rest_le.
rewrite loser ler_pdivr_mulr // mulrAC ler_pdivl_mulr // !mulrDr !mulr1.
by rewrite [rho * rest]mulrC ler_add2r rest_le.
Qed.

Lemma rho_ge0 : 0 <= rho.
Proof. exact: le_trans rest_ge0 rest_le. Qed.

End Winner.
End Weights.

Theorem loser_weight_holds : loser_weight.
Proof.
move=> R N s m tau Delta tau0 gap; apply: le_trans (loser_le _ _ s tau tau0 m Delta gap) _.
have pos := rho_ge0 _ _ s tau tau0 m Delta gap.
rewrite ler_pdivr_mulr ?ltr_paddr ?ltr01 // mulrDr mulr1 ler_addl.
by apply: mulr_ge0.
Qed.

Section Seminorm.
Variables (R : realType) (V : lmodType R) (norm : V -> R).
Hypothesis triangle : forall a b, norm (a + b) <= norm a + norm b.
Hypothesis homogeneous : forall c a, norm (c *: a) = `|c| * norm a.

Lemma norm0 : norm 0 = 0.
Proof. by rewrite -(scale0r (0 : V)) homogeneous normr0 mul0r. Qed.

Lemma norm_sum (I : finType) (P : pred I) (f : I -> V) :
  norm (\sum_(i | P i) f i) <= \sum_(i | P i) norm (f i).
Proof.
elim/big_ind2: _ => [|a b c d le le'|i _]; rewrite ?norm0 ?lexx //.
by apply: le_trans (triangle _ _) _; exact: ler_add.
Qed.

End Seminorm.

Lemma centred (R : realType) (V : lmodType R) (N : nat) (p : 'I_N -> R) (v : 'I_N -> V) m :
  \sum_j p j = 1 -> \sum_j p j *: v j - v m = \sum_(j | j != m) p j *: (v j - v m).
Proof.
move=> one; rewrite -{1}[v m]scale1r -one scaler_suml -sumrB (bigD1 m) //= subrr add0r.
by apply: eq_bigr => j _; rewrite scalerBr.
Qed.

Lemma others (R : realType) (N : nat) (p : 'I_N -> R) m :
  \sum_j p j = 1 -> \sum_(j | j != m) p j = 1 - p m.
Proof. by move=> <-; rewrite [in RHS](bigD1 m) //= addrAC subrr add0r. Qed.

Theorem value_stability_holds : value_stability.
Proof.
move=> R V norm N s v m tau Delta D triangle homogeneous tau0 gap near D0; cbv zeta.
set p := fun j => expR (s j / tau) / _; set rho := _ * expR _.
have one : \sum_j p j = 1 by exact: (@weights_sum1 R N s tau m).
have pos j : 0 < p j by exact: weight_gt0.
rewrite (centred _ _ _ _ _ _ one); apply: le_trans (norm_sum _ _ _ triangle homogeneous _ _ _) _.
apply: (@le_trans _ _ (\sum_(j | j != m) p j * D)).
  apply: ler_sum => j jm; rewrite homogeneous gtr0_norm //; apply: ler_wpmul2l; last exact: near.
  exact: ltW.
rewrite -mulr_suml (others _ _ _ _ one) mulrC; apply: ler_wpmul2l => //.
exact: loser_le.
Qed.

Theorem value_stability_attained_holds : value_stability_attained.
Proof.
move=> R V norm N s v w m tau Delta D homogeneous tau0 N2 tie same far p rho.
have one : \sum_j p j = 1 by exact: (@weights_sum1 R N s tau m).
have gap i : i != m -> s i <= s m - Delta by move=> im; rewrite tie.
rewrite (centred _ _ _ _ _ _ one) (eq_bigr (fun j => p j *: (w - v m))) => [|j jm]; last by rewrite same.
rewrite -scaler_suml (others _ _ _ _ one) homogeneous far [in LHS]mulrC; congr (_ * _).
have rest_eq : \sum_(i | i != m) expR ((s i - s m) / tau) = rho.
  transitivity (\sum_(i in predC1 m) expR (- (Delta / tau))).
    by apply: eq_bigr => i im; rewrite tie // addrAC subrr add0r mulNr.
  rewrite sumr_const cardC1 card_ord -mulr_natl -subn1 natrB //.
  exact: leq_trans N2.
have rho0 : 0 <= rho by rewrite -rest_eq; exact: rest_ge0.
rewrite /p (loser _ _ s tau m) rest_eq ger0_norm //.
by apply: divr_ge0 => //; apply: addr_ge0; rewrite ?ler01.
Qed.
