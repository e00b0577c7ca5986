(* A9: each layer reads off one digit to base N of every coordinate that has a head, and subtracts
   it. The scores j y - u j (j + 1) / 2 change their order at u, 2 u, ..; the remainder of a string of
   digits, moved up by half a unit of the last place, stays strictly between two of these. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import StatementsAlgebra.
From Headproof.proofs Require Import families.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Digits.
Variables (R : realFieldType) (n L : nat).
Definition unit_at l : R := (n.+1%:R ^+ l)^-1.

Lemma unit_gt0 l : 0 < unit_at l.
Proof. by rewrite invr_gt0 exprn_gt0 // ltr0n. Qed.

Lemma unitS l : n.+1%:R * unit_at l.+1 = unit_at l.
Proof. by rewrite /unit_at exprS invfM mulrA mulfV ?mul1r // pnatr_eq0. Qed.

Lemma triangle u j : \sum_(i < j) i.+1%:R * u = u * (j * (j + 1))%:R / 2%:R :> R.
Proof.
have two : 2%:R != 0 :> R by rewrite pnatr_eq0.
elim: j => [|j IH]; first by rewrite big_ord0 mul0n mulr0 mul0r.
rewrite big_ord_recr /= IH -[X in _ + X](mulfK two) -mulrDl; congr (_ / _).
rewrite [_ * u]mulrC -mulrA -mulrDr -natrM -natrD; congr (_ * _%:R).
by rewrite !addn1 [(j * _)%N]mulnC -mulnDr addn2.
Qed.

(* the key that wins strictly for y between k u and (k + 1) u *)
Lemma digit_wins (u y : R) k j : (k <= n)%N -> (j <= n)%N -> j != k ->
  (0 < k)%N ==> (k%:R * u < y) -> y < k.+1%:R * u -> 0 < u ->
  j%:R * y - u * (j * (j + 1))%:R / 2%:R < k%:R * y - u * (k * (k + 1))%:R / 2%:R.
Proof.
move=> kn jn jk low high u0.
pose ts := [seq i.+1%:R * u | i <- iota 0 n].
have st : size ts = n by rewrite size_map size_iota.
have tsE i : (i < n)%N -> nth 0 ts i = i.+1%:R * u.
  by move=> lt; rewrite (nth_map 0%N) ?size_iota // nth_iota.
have sum m : (m <= n)%N -> \sum_(i < m) nth 0 ts i = u * (m * (m + 1))%:R / 2%:R.
  move=> mn; rewrite -triangle; apply: eq_bigr => i _; rewrite tsE //.
  by apply: leq_trans mn.
rewrite -!sum //; apply: peak; rewrite ?st //; split; rewrite ?st // => i lt.
rewrite tsE //; case: ltnP => ik.
  apply: le_lt_trans (implyP low _); last by apply: leq_ltn_trans ik.
  by rewrite ler_pmul2r // ler_nat.
by apply: lt_le_trans high _; rewrite ler_pmul2r // ler_nat.
Qed.

(* what is left of a string of digits before layer l, and half a unit of the last place *)
Definition rest (a : nat -> nat) l : R :=
  \sum_(l <= m < L) (a m)%:R * unit_at m.+1 + unit_at L / 2%:R.

Lemma rest_gt0 a l : 0 < rest a l.
Proof.
apply: ltr_paddl; last by rewrite divr_gt0 ?unit_gt0 // ltr0n.
by apply: sumr_ge0 => m _; rewrite mulr_ge0 ?ler0n // ltW // unit_gt0.
Qed.

Lemma rest_step a l : (l < L)%N -> rest a l = (a l)%:R * unit_at l.+1 + rest a l.+1.
Proof. by move=> lt; rewrite /rest big_ltn // addrA. Qed.

Lemma rest_lt a l : (forall m, (a m <= n)%N) -> (l <= L)%N -> rest a l < unit_at l.
Proof.
move=> an; have half : unit_at L / 2%:R < unit_at L.
  by rewrite ltr_pdivr_mulr ?ltr0n // ltr_pmulr ?unit_gt0 // ltr1n.
suff bound k : (k <= L)%N -> rest a (L - k) <= unit_at (L - k) - unit_at L + unit_at L / 2%:R.
  move=> lL; have := bound (L - l)%N (leq_subr _ _); rewrite subKn // => h.
  by apply: le_lt_trans h _; rewrite -addrA gtr_addl addrC subr_lt0.
elim: k => [|k IH] kL; first by rewrite subn0 /rest big_geq // subrr.
have e : (L - k = (L - k.+1).+1)%N by rewrite subnSK.
rewrite rest_step; last by rewrite ltn_subrL (leq_trans _ kL).
move: (IH (ltnW kL)); rewrite e -(unitS (L - k.+1)) => h.
apply: (le_trans (ler_add (lexx _) h)); rewrite !addrA ler_add2r ler_add2r.
rewrite -[X in _ + X]mul1r -mulrDl ler_pmul2r ?unit_gt0 //.
by rewrite -(natrD _ _ 1) addn1 ler_nat ltnS.
Qed.
End Digits.

Theorem digit_extraction_holds : digit_extraction.
Proof.
move=> R d H [//|n] L _ step reads score after.
have stepE l : step l = unit_at R n l.+1 by [].
pose active := [pred lh : 'I_L * 'I_H | (lh.2 < d)%N].
pose S := [set w | w \in pffun_on (ord0 : 'I_n.+1) active predT].
have S0 w : w \in S -> forall l (h : 'I_H), (d <= h)%N -> w (l, h) = ord0.
  rewrite inE => /pffun_onP[/subsetP sup _] l h dh; apply/eqP.
  apply: contraLR dh => ne; rewrite -ltnNge.
  by apply: (sup (l, h)).
(* the digits of column c, layer after layer *)
pose digit (w : {ffun 'I_L * 'I_H -> 'I_n.+1}) (h : 'I_H) (m : nat) : nat :=
  if insub m is Some l then w (l, h) else 0%N.
have digitE w h (l : 'I_L) : digit w h l = w (l, h) by rewrite /digit valK.
have small w h m : (digit w h m <= n)%N.
  by rewrite /digit; case: insub => // l; rewrite -ltnS.
pose start w (c : 'I_d) : R := \sum_(h < H | h == c :> nat) rest R n L (digit w h) 0.
have follow w (h : 'I_H) (l : nat) : (l <= L)%N -> (h < d)%N ->
    reads h (after l w (start w)) = rest R n L (digit w h) l.
  move=> lL hd.
  have only (F : 'I_H -> R) (c : 'I_d) : c = h :> nat -> \sum_(g < H | g == c :> nat) F g = F h.
    by move=> ch; rewrite (big_pred1 h) // => g; rewrite ch.
  rewrite /reads (big_pred1 (Ordinal hd)) // /after /start only //.
  under eq_bigr do rewrite only //.
  apply/eqP; rewrite subr_eq; apply/eqP; rewrite /rest addrAC; congr (_ + _).
  rewrite (@big_cat_nat _ _ _ l) //= addrC; congr (_ + _).
  rewrite (big_nat_widen _ _ L) //= big_mkord.
  by apply: eq_bigr => m _; rewrite digitE.
have idle (h : 'I_H) x : (d <= h)%N -> reads h x = 0.
  move=> dh; rewrite /reads big_pred0 // => c; apply/eqP => ch.
  by have := ltn_ord c; rewrite ch ltnNge dh.
have wins w : w \in S -> forall l h j, j != w (l, h) ->
    score l h j (after l w (start w)) < score l h (w (l, h)) (after l w (start w)).
  move=> wS l h j jw; rewrite /score stepE; have lL := ltn_ord l.
  have u0 := unit_gt0 R n l.+1.
  have [hd|dh] := ltnP h d.
    rewrite follow ?(ltnW lL) // rest_step // digitE; apply: (@digit_wins R n) => //.
    - by rewrite -ltnS.
    - by rewrite -ltnS.
    - by apply/implyP => _; rewrite ltr_addl rest_gt0.
    - by rewrite -[(nat_of_ord (w (l, h))).+1]addn1 natrD mulrDl mul1r ltr_add2l rest_lt.
  rewrite idle // (S0 w wS l h dh) /=; apply: (@digit_wins R n) => //.
  - by rewrite -ltnS.
  - by move: jw; rewrite (S0 w wS l h dh).
  - by rewrite mul1r.
exists S; split.
  rewrite cardsE card_pffun_on card_ord; congr (_ ^ _)%N.
  rewrite (_ : #|active| = #|predX (@predT 'I_L) [pred h : 'I_H | (h < d)%N]|); last first.
    by apply: eq_card => -[l h]; rewrite !inE.
  rewrite cardX card_ord mulnC; congr (_ * _)%N.
  rewrite -sum1_card; case: (leqP H d) => [Hd|dH].
    rewrite (eq_bigl xpredT) ?sum1_card ?card_ord // => h.
    exact: (leq_trans (ltn_ord h) Hd).
  by rewrite (big_ord_narrow (ltnW dH)) sum1_card card_ord.
split=> [Hd w|].
  rewrite inE; apply/pffun_onP; split; last by move=> j _.
  by apply/subsetP => -[l h] _; rewrite inE /=; exact: leq_trans (ltn_ord h) Hd.
split=> [w|w w' wS w'S same].
  split=> [wS|[x win]]; first by exists (start w); apply: wins.
  rewrite inE; apply/pffun_onP; split; last by move=> j _.
  apply/subsetP => -[l h]; rewrite inE => ne; rewrite inE /= ltnNge; apply/negP => dh.
  have := win l h ord0; rewrite eq_sym => /(_ ne); rewrite /score idle // !mulr0 /= mul0r.
  rewrite subrr sub0r oppr_gt0 ltNge !mulr_ge0 ?invr_ge0 ?ler0n //.
  by rewrite exprn_ge0 // ler0n.
pose total (v : {ffun 'I_L * 'I_H -> 'I_n.+1}) (c : 'I_d) : R :=
  \sum_(m < L | (m < L)%N) \sum_(h < H | h == c :> nat) (v (m, h))%:R * step m.
have startE v c : start v c = total v c + \sum_(h < H | h == c :> nat) unit_at R n L / 2%:R.
  rewrite /start /rest big_split /=; congr (_ + _); rewrite exchange_big /= big_mkord.
  rewrite /total [RHS](eq_bigl xpredT) => [|m]; last exact: ltn_ord.
  by apply: eq_bigr => m _; apply: eq_bigr => h _; rewrite digitE.
have starts c : start w c = start w' c.
  by rewrite !startE; congr (_ + _); have := same c; rewrite /after !sub0r => /oppr_inj.
suff agree l : (l <= L)%N -> forall m : 'I_L, (m < l)%N -> forall h, w (m, h) = w' (m, h).
  by apply/ffunP => -[m h]; apply: (agree L).
elim: l => // l IH lL m; rewrite ltnS leq_eqVlt => /orP[/eqP ml h|]; last exact/IH/ltnW.
have same_after : reads h (after m w (start w)) = reads h (after m w' (start w')).
  apply: eq_bigr => c _; rewrite /after starts; congr (_ - _); apply: eq_bigr => k km.
  by apply: eq_bigr => g _; rewrite IH ?(ltnW lL) // -ml.
apply/eqP; apply: contraT => ne.
have := wins w wS m h (w' (m, h)); rewrite eq_sym => /(_ ne).
have := wins w' w'S m h (w (m, h)) ne.
by rewrite /score same_after => lt1 lt2; have := lt_trans lt1 lt2; rewrite ltxx.
Qed.
