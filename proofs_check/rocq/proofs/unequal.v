(* A7 for heads of unequal sizes: the recurrence of the count is that of the coefficients of the
   product of the 1 + (N_h - 1) X, and these are the elementary symmetric polynomials. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import StatementsAlgebra.
From Headproof.proofs Require Import families.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma words0 ns : words ns 0 = 1%N.
Proof. by case: ns. Qed.

Lemma words_coefficients ns d :
  (words ns d)%:R = \sum_(j < d.+1) (\prod_(n <- ns) (1 + n%:R *: 'X : {poly int}))`_j :> int.
Proof.
elim: ns d => [|n ns IH] d.
  by rewrite big_nil big_ord_recl coef1 big1 ?addr0 // => j _; rewrite coef1.
have coefE j : (\prod_(m <- n :: ns) (1 + m%:R *: 'X : {poly int}))`_j
    = (\prod_(m <- ns) (1 + m%:R *: 'X : {poly int}))`_j
      + n%:R * (if j is i.+1 then (\prod_(m <- ns) (1 + m%:R *: 'X : {poly int}))`_i else 0).
  by rewrite big_cons mulrDl mul1r coefD -scalerAl coefZ coefXM; case: j.
rewrite (eq_bigr _ (fun (j : 'I_d.+1) _ => coefE j)).
rewrite big_split /= -IH -mulr_sumr big_ord_recl /= add0r.
case: d => [|d]; first by rewrite big_ord0 mulr0 addr0 words0.
by rewrite -IH /= natrD natrM.
Qed.

Lemma words_sets H (n : 'I_H -> nat) d :
  words [seq n h | h <- enum 'I_H] d
  = (\sum_(S : {set 'I_H} | (#|S| <= d)%N) \prod_(h in S) n h)%N.
Proof.
apply/eqP; rewrite -(eqr_nat [numDomainType of int]) words_coefficients; apply/eqP.
have -> : \prod_(m <- [seq n h | h <- enum 'I_H]) (1 + m%:R *: 'X : {poly int})
    = \sum_(S : {set 'I_H}) (\prod_(h in S) n h)%:R *: 'X^#|S|.
  rewrite big_map big_enum /=.
  under eq_bigr => h _.
    rewrite (_ : 1 + _ = \sum_(c : bool) (if c then (n h)%:R *: 'X else 1)); last first.
      by rewrite big_bool addrC.
    over.
  rewrite bigA_distr_bigA (reindex (fun S : {set 'I_H} => [ffun h => h \in S])) /=; last first.
    exists (fun f : {ffun 'I_H -> bool} => [set h | f h]) => [S _|f _].
      by apply/setP => h; rewrite inE ffunE.
    by apply/ffunP => h; rewrite ffunE inE.
  apply: eq_bigr => S _; under eq_bigr do rewrite ffunE.
  by rewrite -big_mkcond scaler_prod prodr_const natr_prod.
under eq_bigr do rewrite coef_sum.
rewrite exchange_big natr_sum [RHS]big_mkcond /=; apply: eq_bigr => S _.
under eq_bigr do rewrite coefZ coefXn.
case: ifP => Sd.
  rewrite (bigD1 (Ordinal (Sd : (#|S| < d.+1)%N))) //= eqxx mulr1 [X in _ + X]big1 ?addr0 // => j jS.
  have -> : (j == #|S| :> nat) = false by apply: negbTE; apply: contra jS => /eqP e; apply/eqP/val_inj.
  by rewrite mulr0.
apply: big1 => j _; case: eqP => [e|_]; last by rewrite mulr0.
by move: (ltn_ord j); rewrite e ltnS Sd.
Qed.

Theorem parallel_families_unequal_holds : parallel_families_unequal.
Proof.
move=> R d H N N0; pose n h := (N h - 1)%N.
have nE h : (n h).+1 = N h by rewrite /n subn1 prednK.
have [fs [sizes ofs gen]] := general_exists R [seq n h | h <- enum 'I_H] d.
have [L [uL rL sL]] := many_words _ fs d ofs gen.
have sH : size fs = H by rewrite -(size_map (fun f => size f.2)) sizes size_map size_enum_ord.
pose node (h : nat) := (nth (0, [::]) fs h).1; pose ts (h : nat) := (nth (0, [::]) fs h).2.
have sts (h : 'I_H) : size (ts h) = n h.
  have := nth_map (0, [::]) 0%N (fun f => size f.2) (n := h) (s := fs).
  by rewrite sizes sH (nth_map h) ?size_enum_ord // nth_ord_enum => <-.
exists (fun h c => node h ^+ c), (fun h j => - \sum_(l < j) nth 0 (ts h) l).
pose label (w : seq nat) : {ffun 'I_H -> nat} := [ffun h : 'I_H => nth 0%N w h].
exists [seq label w | w <- L]; split.
  rewrite map_inj_in_uniq // => v w vL wL e.
  have sz u : u \in L -> size u = H by move=> /rL[p [_ /fits_size]]; rewrite sH.
  apply: (@eq_from_nth _ 0%N) => [|h]; rewrite !sz // => hH.
  by have /ffunP/(_ (Ordinal hH)) := e; rewrite !ffunE.
split; first by rewrite size_map -words_sets -sizes.
move=> l /mapP[w wL ->]; have [p [sp fp]] := rL w wL.
have fit (h : 'I_H) : slab R (ts h) (nth 0%N w h) p.[node h] by apply: fits_nth; rewrite ?sH.
split=> [h|].
  by rewrite ffunE -nE ltnS -sts; case: (fit h).
exists (fun c => p`_c) => h i iN il.
have val_p : \sum_(c < d) node h ^+ c * p`_c = p.[node h].
  by rewrite (horner_coef_wide _ sp); apply: eq_bigr => c _; rewrite mulrC.
rewrite val_p !ffunE; apply: peak; first exact: fit.
  by rewrite sts -ltnS nE.
by move: il; rewrite ffunE.
Qed.
