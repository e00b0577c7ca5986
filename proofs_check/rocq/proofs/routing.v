(* A3, A10, A11: the weights in terms of what they leave to the others. Divided by the best term the
   sum of the terms is the number of winners and, for every other key, at most
   exp(-Delta / tau) <= tau / Delta. C3: a key bias adds <q, b> to every score. *)
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

Section Rate.
Variables (R : realType) (N : nat) (s : 'I_N -> R) (tau Delta : R).
Hypothesis tau0 : 0 < tau.

Let T := [set k | [forall i, s i <= s k]].
Let q := expR (- (Delta / tau)).
Hypothesis gap : forall i k, i \notin T -> k \in T -> s i <= s k - Delta.

Lemma winners_tie k l : k \in T -> l \in T -> s k = s l.
Proof.
rewrite !inE => /forallP kb /forallP lb; apply/eqP.
by rewrite eq_le kb lb.
Qed.

Lemma winner_exists (j : 'I_N) : exists m, m \in T.
Proof.
have [m _ best] := @arg_maxP _ R _ j xpredT s isT.
by exists m; rewrite inE; apply/forallP => i; exact: best.
Qed.

Variables (m : 'I_N).
Hypothesis winner : m \in T.

Let relative i := expR ((s i - s m) / tau).
Let rest := \sum_(i | i \notin T) relative i.

Lemma total_split : \sum_i relative i = #|T|%:R + rest.
Proof.
rewrite (bigID (fun i => i \in T)) /= -/rest; congr (_ + _).
rewrite (eq_bigr (fun=> 1)) ?sumr_const // => i iT.
by rewrite /relative (winners_tie _ _ iT winner) subrr mul0r expR0.
Qed.

Lemma rest_pos : 0 <= rest.
Proof. by apply: sumr_ge0 => i _; apply: ltW; exact: expR_gt0. Qed.

Lemma rest_small : rest <= (N%:R - #|T|%:R) * q.
Proof.
apply: (@le_trans _ _ (\sum_(i in ~: T) q)).
  rewrite /rest (eq_bigl (fun i => i \in ~: T)) => [|i]; last by rewrite in_setC.
  by apply: ler_sum => i; rewrite in_setC => iT; apply: term_small => //; exact: gap.
have count : #|~: T| = (N - #|T|)%N by rewrite cardsCs setCK card_ord.
have fits : (#|T| <= N)%N by rewrite -[N in (_ <= N)%N]card_ord max_card.
rewrite sumr_const -[q *+ _]mulr_natl -natrB // le_eqVlt; apply/orP; left; apply/eqP.
by congr (_%:R * _); exact: count.
Qed.

Lemma winners_gt0 : 0 < #|T|%:R :> R.
Proof. by rewrite ltr0n; apply/card_gt0P; exists m. Qed.

Lemma winner_weight j : j \in T ->
  expR (s j / tau) / (\sum_i expR (s i / tau)) = (#|T|%:R + rest)^-1.
Proof.
move=> jT; rewrite (weightE _ _ s tau m j) -total_split (winners_tie _ _ jT winner).
by rewrite subrr mul0r expR0 div1r.
Qed.

Lemma loser_weight_eq j :
  expR (s j / tau) / (\sum_i expR (s i / tau)) = relative j / (#|T|%:R + rest).
Proof. by rewrite (weightE _ _ s tau m j) -total_split. Qed.

Lemma winner_rate j : j \in T ->
  0 <= #|T|%:R^-1 - expR (s j / tau) / (\sum_i expR (s i / tau))
  /\ #|T|%:R^-1 - expR (s j / tau) / (\sum_i expR (s i / tau))
     <= (N%:R - #|T|%:R) / #|T|%:R ^+ 2 * q.
Proof.
move=> jT; rewrite winner_weight //.
have c0 := winners_gt0; have r0 := rest_pos; have rs := rest_small.
move: (#|T|%:R : R) rest c0 r0 rs => c r c0 r0 rs.
have cr : 0 < c + r by rewrite ltr_paddr.
have -> : c^-1 - (c + r)^-1 = r / (c * (c + r)) by field; rewrite !gt_eqF.
split; first by apply: divr_ge0 => //; apply: ltW; apply: mulr_gt0.
have -> : (N%:R - c) / c ^+ 2 * q = (N%:R - c) * q / c ^+ 2 by exact: mulrAC.
apply: (@le_trans _ _ (r / c ^+ 2)); last first.
  by rewrite ler_pmul2r ?invr_gt0 ?exprn_gt0.
apply: ler_wpmul2l => //; rewrite lef_pinv ?posrE ?exprn_gt0 ?mulr_gt0 //.
by rewrite expr2 ler_pmul2l // ler_addl.
Qed.

Lemma loser_rate j : j \notin T ->
  0 < expR (s j / tau) / (\sum_i expR (s i / tau))
  /\ expR (s j / tau) / (\sum_i expR (s i / tau)) <= #|T|%:R^-1 * q.
Proof.
move=> jT; split; first exact: weight_gt0.
have c0 := winners_gt0; have r0 := rest_pos.
have small : relative j <= q by apply: term_small => //; exact: gap.
rewrite loser_weight_eq mulrC; apply: ler_pmul => //.
- by rewrite invr_ge0; apply: addr_ge0 => //; exact: ltW.
- by apply: ltW; exact: expR_gt0.
by rewrite lef_pinv ?posrE ?ler_addl // ltr_paddr.
Qed.

End Rate.

Theorem routing_rate_holds : routing_rate.
Proof.
move=> R N s tau Delta j T m p tau0 gap.
have [w winner] := @winner_exists R N s j.
split=> jT; first exact: (@winner_rate R N s tau Delta tau0 gap w winner j jT).
exact: (@loser_rate R N s tau Delta tau0 gap w winner j jT).
Qed.

(* exp(-x) < 1/x. *)
Lemma expR_small (R : realType) (x : R) : 0 < x -> expR (- x) <= x^-1.
Proof.
move=> x0; rewrite expRN lef_pinv ?posrE ?expR_gt0 //.
by apply: le_trans (expR_ge1Dx (ltW x0)); rewrite ler_addr ler01.
Qed.

(* Finitely many scores below the best one lie below it by some positive Delta. *)
Lemma gap_exists (R : realType) (N : nat) (s : 'I_N -> R) (m : 'I_N) :
  (forall i, s i <= s m) ->
  exists2 Delta : R, 0 < Delta & forall i, s i != s m -> s i <= s m - Delta.
Proof.
move=> best; have [/existsP[i0 low0]|/existsPn none] := boolP [exists i, s i != s m]; last first.
  by exists 1 => [|i low]; [exact: ltr01 | move: (none i); rewrite low].
have [i low nearest] := @arg_maxP _ R _ i0 (fun i => s i != s m) s low0.
exists (s m - s i); first by rewrite subr_gt0 lt_neqAle low best.
by move=> l; rewrite opprB addrCA subrr addr0; exact: nearest.
Qed.

Theorem routing_limit_holds : routing_limit.
Proof.
move=> R N s j T eps eps0.
have [m winner] := @winner_exists R N s j.
have best i : s i <= s m by move: winner; rewrite inE => /forallP.
have [Delta Delta0 below] := gap_exists R N s m best.
have gap i k : i \notin T -> k \in T -> s i <= s k - Delta.
  move=> iT kT; rewrite (@winners_tie R N s k m kT winner); apply: below.
  apply: contra iT => /eqP eq; rewrite inE; apply/forallP => l; rewrite eq; exact: best.
have N0 : 0 < N%:R + 1 :> R by rewrite ltr_paddl ?ler0n ?ltr01.
exists (eps * Delta / (N%:R + 1)); first by rewrite divr_gt0 // mulr_gt0.
move=> tau tau0 small.
have [win lose] := routing_rate_holds R N s tau Delta j tau0 gap.
have q0 : 0 < expR (- (Delta / tau)) by exact: expR_gt0.
have qs : (N%:R + 1) * expR (- (Delta / tau)) <= eps.
  rewrite mulrC -ler_pdivl_mulr //; apply: le_trans (@expR_small R _ (divr_gt0 Delta0 tau0)) _.
  rewrite invf_div ler_pdivr_mulr // mulrAC; exact: ltW.
have c1 : 1 <= #|T|%:R :> R by rewrite ler1n; apply/card_gt0P; exists m.
have c0 : 0 < #|T|%:R :> R by apply: lt_le_trans c1; exact: ltr01.
case: ifP => [jT|/negbT jT].
  have [lower upper] := win jT.
  rewrite distrC ger0_norm //; apply: le_trans upper (le_trans _ qs).
  apply: ler_wpmul2r; first exact: ltW.
  rewrite ler_pdivr_mulr ?exprn_gt0 //.
  apply: (@le_trans _ _ (N%:R + 1)); first by rewrite ler_add // (le_trans _ ler01) // oppr_le0 ltW.
  by rewrite -[X in X <= _]mulr1; apply: ler_wpmul2l; [exact: ltW | exact: exprn_ege1].
have [lower upper] := lose jT.
rewrite subr0 gtr0_norm //; apply: le_trans upper (le_trans _ qs).
apply: ler_wpmul2r; first exact: ltW.
apply: (@le_trans _ _ 1); first by rewrite invf_le1.
by rewrite ler_addr ler0n.
Qed.

Theorem key_bias_holds : key_bias.
Proof.
move=> R d N q b k j.
have moved i : \sum_c q c * (k i c + b c) = (\sum_c q c * k i c) + \sum_c q c * b c.
  by rewrite -big_split /=; apply: eq_bigr => c _; rewrite mulrDr.
split=> //; rewrite moved (eq_bigr (fun i =>
  expR (\sum_c q c * k i c) * expR (\sum_c q c * b c))) => [|i _]; last by rewrite moved expRD.
by rewrite expRD -mulr_suml -mulf_div divff ?mulr1 // gt_eqF // expR_gt0.
Qed.
