(* A3, A4: weights as the temperature falls. Divided by the best term the sum of the terms is the
   number of winners and, for every other key, at most exp(-Delta / tau) <= tau / Delta. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import reals sequences exp.
From Headproof Require Import StatementsAnalysis.
From Headproof.proofs Require Import routing dequantisation.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
