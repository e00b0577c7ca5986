(* E1, E2, T1a: from queries to heads. The answer to copies is a sum of simple poles in their number
   (E1). Two models with the same answers have, at each w, poles of equal merged residues; on the
   curve x = (1, t, .., t^(d-1)), w = (1, t^d, .., t^(d(d-1))) every nonzero bilinear form is a
   nonzero polynomial in t, so that for almost all t different W_h have different poles, and linear
   forms that agree for almost all t are equal: for every M the value matrices of the heads with
   W_h = M have equal sums (E2). f(rho X) and sigma f(X) are models again, which gives T1a. *)
From mathcomp Require Import all_ssreflect fingroup all_algebra.
From Headproof Require Import StatementsAlgebra.
From Headproof.proofs Require Import separation.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Merge.
Variables (F : realFieldType) (I : finType).

Lemma poles_merge (z c : I -> F) (V : F) (ms : seq F) :
  uniq ms -> all (fun m => 0 <= m) ms -> (forall i, 0 < z i) ->
  (#|I| + (V != 0)%R <= size ms)%N ->
  (forall m, m \in ms -> V + \sum_i c i / (1 + m * z i) = 0) ->
  (forall r, \sum_(i | z i == r) c i = 0) /\ V = 0.
Proof.
move=> um m0 z0 sz hm; pose s := undup (codom z).
pose a r := \sum_(i | z i == r) c i.
have mem_s r : r \in s -> exists i, r = z i.
  by rewrite mem_undup => /codomP.
have sum_s m : \sum_i c i / (1 + m * z i) = \sum_(r <- s) a r / (1 + m * r).
  under [RHS]eq_bigr do rewrite mulr_suml.
  rewrite [RHS](exchange_big_dep xpredT) //=; apply: eq_bigr => i _.
  rewrite -big_filter (_ : [seq r <- s | z i == r] = [:: z i]) ?big_seq1 //.
  rewrite -(@filter_pred1_uniq _ s (z i)) ?undup_uniq ?mem_undup ?codom_f //.
  by apply: eq_filter => r /=; rewrite eq_sym.
have s_z i : (i < size s)%N -> 0 < nth 0 s i by move/(mem_nth 0)/mem_s => [k ->].
have unit_z (x y : F) : 0 < y -> (1 + x * y)^-1 = y^-1 / (x + y^-1).
  by move=> y0; rewrite -invfM mulrDr mulfV ?gt_eqF // [y * x]mulrC addrC.
have [] := @vanishing F [finType of 'I_(size s)] V
  (fun i => a (nth 0 s i) / nth 0 s i) (fun i => (nth 0 s i)^-1) ms.
- move=> i j /invr_inj /eqP; rewrite nth_uniq ?undup_uniq // => /eqP.
  exact: val_inj.
- by move=> i; rewrite invr_gt0 s_z.
- exact: um.
- exact: m0.
- rewrite card_ord; have le : (size s <= #|I|)%N.
    by apply: leq_trans (size_undup _) _; rewrite size_codom.
  case: eqP sz => [_ sz|_ sz]; last by rewrite (leq_trans _ sz) // addn1 ltnS.
  by rewrite (leq_trans le) ?orbT // -[#|I|]addn0.
- move=> m mm; rewrite -[RHS](hm m mm) sum_s (big_nth 0) big_mkord.
  by congr (_ + _); apply: eq_bigr => i _; rewrite -mulrA unit_z ?s_z.
move=> V0 a'0.
have a0 r : r \in s -> a r = 0.
  move=> rs; have lt : (index r s < size s)%N by rewrite index_mem.
  have := a'0 (Ordinal lt); rewrite /= nth_index // => /eqP.
  by rewrite mulf_eq0 invr_eq0 [r == 0]gt_eqF ?orbF => [/eqP //|]; have [i ->] := mem_s r rs.
split=> // r; have [/a0//|/negP rs] := boolP (r \in s).
by rewrite big_pred0 // => i; apply/eqP => ri; case: rs; rewrite -ri mem_undup codom_f.
Qed.

Lemma poles_merge_mx p q (z : I -> F) (c : I -> 'M[F]_(p, q)) (V : 'M[F]_(p, q))
    (ms : seq F) :
  uniq ms -> all (fun m => 0 <= m) ms -> (forall i, 0 < z i) ->
  (#|I| + (V != 0)%R <= size ms)%N ->
  (forall m, m \in ms -> V + \sum_i (1 + m * z i)^-1 *: c i = 0) ->
  (forall r, \sum_(i | z i == r) c i = 0) /\ V = 0.
Proof.
move=> um m0 z0 sz hm.
have key k l : (forall r, \sum_(i | z i == r) c i k l = 0) /\ V k l = 0.
  apply: (@poles_merge z (fun i => c i k l) (V k l) ms) => //.
    apply: leq_trans sz; rewrite leq_add2l.
    by have [->|] := eqVneq V 0; rewrite ?mxE ?eqxx //; case: (V k l != 0).
  move=> m mm; have /matrixP/(_ k l) := hm m mm; rewrite !mxE summxE => e; rewrite -[RHS]e.
  by congr (_ + _); apply: eq_bigr => i _; rewrite mxE mulrC.
split=> [r|]; apply/matrixP => k l; rewrite [RHS]mxE; last by case: (key k l).
by rewrite summxE; case: (key k l).
Qed.
End Merge.

(* Two lists with distinct labels and nonzero values whose merged values agree
   label by label are equal up to a bijection. *)
Lemma merged_bijection (T : eqType) (M : zmodType) H H'
    (W : 'I_H -> T) (V : 'I_H -> M) (W' : 'I_H' -> T) (V' : 'I_H' -> M) :
  injective W -> injective W' -> (forall h, V h != 0) -> (forall h, V' h != 0) ->
  (forall t, \sum_(h | W h == t) V h = \sum_(h | W' h == t) V' h) ->
  exists s : 'I_H -> 'I_H', bijective s /\
    forall h, W h = W' (s h) /\ V h = V' (s h).
Proof.
move=> iW iW' nV nV' E.
have sW h : \sum_(i | W i == W h) V i = V h.
  by rewrite (big_pred1 h) // => i /=; rewrite (inj_eq iW).
have sW' h : \sum_(i | W' i == W' h) V' i = V' h.
  by rewrite (big_pred1 h) // => i /=; rewrite (inj_eq iW').
have ex1 h : exists h', W' h' = W h.
  have [h' /eqP|no] := pickP (fun h' => W' h' == W h); first by exists h'.
  by have := nV h; rewrite -sW E big_pred0 ?eqxx.
have ex2 h : exists h', W h' = W' h.
  have [h' /eqP|no] := pickP (fun h' => W h' == W' h); first by exists h'.
  by have := nV' h; rewrite -sW' -E big_pred0 ?eqxx.
have [s sP] := fin_all_exists ex1; have [u uP] := fin_all_exists ex2.
exists s; split.
  by exists u => h; [apply: iW; rewrite uP sP | apply: iW'; rewrite sP uP].
by move=> h; split; rewrite ?sP // -sW E -sP sW'.
Qed.

(* Attention of one query (the last token) over a sequence, with matrix values,
   and any positive ex that turns sums into products. *)
Section Attention.
Variables (F : realFieldType) (ex : F -> F).
Hypothesis exD : forall a b, ex (a + b) = ex a * ex b.
Hypothesis ex_gt0 : forall a, 0 < ex a.
Variables (d p : nat).

Definition form (M : 'M[F]_d) (x y : 'cV[F]_d) : F := (x^T *m M *m y) 0 0.

Definition term (M : 'M[F]_d) (V : 'M[F]_(p, d)) (n : nat)
    (X : 'I_n.+1 -> 'cV[F]_d) : 'cV[F]_p :=
  \sum_j (ex (form M (X ord_max) (X j)) / (\sum_i ex (form M (X ord_max) (X i))))
    *: (V *m X j).

Definition attention H (W : 'I_H -> 'M[F]_d) (V : 'I_H -> 'M[F]_(p, d)) n
    (X : 'I_n.+1 -> 'cV[F]_d) : 'cV[F]_p := \sum_h term (W h) (V h) X.

Definition query (m : nat) (x w : 'cV[F]_d) : 'I_m.+1 -> 'cV[F]_d :=
  fun j => if (j < m)%N then x + w else x.

Lemma formDr M x y z : form M x (y + z) = form M x y + form M x z.
Proof. by rewrite /form mulmxDr mxE. Qed.

Lemma formBl M N x y : form (M - N) x y = form M x y - form N x y.
Proof. by rewrite /form mulmxBr mulmxBl !mxE. Qed.

Lemma query_last m x w : query x w (ord_max : 'I_m.+1) = x.
Proof. by rewrite /query /= ltnn. Qed.

Lemma query_copy m x w (j : 'I_m) :
  query x w (widen_ord (leqnSn m) j) = x + w.
Proof. by rewrite /query /= ltn_ord. Qed.

Lemma term_query M V m (x w : 'cV[F]_d) :
  term M V (query x w : 'I_m.+1 -> _) =
  V *m (x + w) - (1 + m%:R * ex (form M x w))^-1 *: (V *m w).
Proof.
rewrite /term query_last big_ord_recr /= query_last.
under eq_bigr => j _ do rewrite query_copy formDr exD.
set e := ex (form M x x); set z := ex (form M x w).
have e0 : e != 0 by rewrite gt_eqF // ex_gt0.
have D : \sum_(i < m.+1) ex (form M x (query x w i)) = e * (1 + m%:R * z).
  rewrite big_ord_recr /= query_last -/e.
  under eq_bigr => j _ do rewrite query_copy formDr exD -/e -/z.
  by rewrite sumr_const card_ord addrC mulrDr mulr1 mulr_natl mulrnAr.
rewrite D sumr_const card_ord -/e -/z -scaler_nat scalerA.
have q0 : 1 + m%:R * z != 0.
  by rewrite gt_eqF // (lt_le_trans ltr01) // ler_addl mulr_ge0 ?ler0n ?ltW ?ex_gt0.
set q := 1 + m%:R * z in D q0 *.
have -> : m%:R * (e * z / (e * q)) = 1 - q^-1.
  rewrite -mulf_div mulfV // mul1r mulrA (_ : m%:R * z = q - 1).
    by rewrite mulrBl mulfV // mul1r.
  by rewrite /q addrC addKr.
have -> : e / (e * q) = q^-1 by rewrite invfM mulrA mulfV // mul1r.
rewrite scalerBl scale1r mulmxDr scalerDr opprD.
by rewrite addrA [in LHS]addrAC addrNK.
Qed.

Lemma attention_query H (W : 'I_H -> 'M[F]_d) (V : 'I_H -> 'M[F]_(p, d)) m x w :
  attention W V (query x w : 'I_m.+1 -> _) =
  (\sum_h V h) *m (x + w)
  - \sum_h (1 + m%:R * ex (form (W h) x w))^-1 *: (V h *m w).
Proof.
rewrite /attention; under eq_bigr do rewrite term_query.
by rewrite sumrB mulmx_suml.
Qed.

(* A polynomial over an infinite field that vanishes everywhere is zero. *)
Lemma poly_vanish (P : {poly F}) : (forall t, P.[t] = 0) -> P = 0.
Proof.
move=> P0; apply: (@roots_geq_poly_eq0 _ _ [seq k%:R | k <- iota 0 (size P)]).
- by apply/allP => t _; apply/rootP/P0.
- rewrite map_inj_uniq ?iota_uniq // => a b /eqP; rewrite eqr_nat.
  by move/eqP.
- by rewrite size_map size_iota.
Qed.

(* The curve x = (1, t, .., t^(d-1)), w = (1, t^d, .., t^(d(d-1))): nonzero
   bilinear and linear forms become nonzero polynomials in t. *)
Definition curve_x (t : F) : 'cV[F]_d := \col_i t ^+ i.
Definition curve_w (t : F) : 'cV[F]_d := \col_i t ^+ (d * i).

Definition form_poly (M : 'M[F]_d) : {poly F} :=
  \sum_i \sum_j M i j *: 'X^(i + d * j).

Lemma form_polyE M t : (form_poly M).[t] = form M (curve_x t) (curve_w t).
Proof.
rewrite /form mxE /form_poly horner_sum.
under [RHS]eq_bigr do rewrite mxE mulr_suml.
rewrite exchange_big /=; apply: eq_bigr => i _; rewrite horner_sum.
apply: eq_bigr => j _; rewrite hornerZ hornerXn !mxE exprD mulrA.
by rewrite [t ^+ i * _]mulrC.
Qed.

Lemma form_poly_neq0 M : M != 0 -> form_poly M != 0.
Proof.
apply: contraNneq => P0; apply/eqP/matrixP => i j; rewrite [RHS]mxE.
have := congr1 (coefp (i + d * j)) P0; rewrite /coefp coef0 /form_poly coef_sum.
rewrite (bigD1 i) //= coef_sum (bigD1 j) //= coefZ coefXn eqxx mulr1.
have d0 : (0 < d)%N by apply: leq_ltn_trans (ltn_ord i).
rewrite big1 ?addr0 => [|j' jj']; last first.
  rewrite coefZ coefXn eqn_add2l eqn_mul2l gtn_eqF //= (inj_eq val_inj).
  by rewrite eq_sym (negPf jj') mulr0.
rewrite big1 ?addr0 => [|i' ii'] //.
rewrite coef_sum big1 // => j' _; rewrite coefZ coefXn.
case: eqP => [e|_]; last by rewrite mulr0.
have := congr1 (modn^~ d) e; rewrite /= ![(_ + d * _)%N]addnC ![(d * _)%N]mulnC.
rewrite !modnMDl !modn_small // => /val_inj e'.
by rewrite e' eqxx in ii'.
Qed.

Lemma row_poly_eq0 (A : 'M[F]_(p, d)) (Q : {poly F}) :
  Q != 0 -> (forall t, Q.[t] != 0 -> A *m curve_w t = 0) -> A = 0.
Proof.
move=> Q0 h; apply/matrixP => i j; rewrite [RHS]mxE.
pose R := \sum_j A i j *: 'X^(d * j) : {poly F}.
have d0 : (0 < d)%N by apply: leq_ltn_trans (ltn_ord j).
have : Q * R = 0.
  apply: poly_vanish => t; rewrite hornerM.
  have [->|/h/matrixP/(_ i 0)] := eqVneq Q.[t] 0; first by rewrite mul0r.
  rewrite !mxE /R horner_sum => e; rewrite (eq_bigr (fun k => A i k * curve_w t k 0)).
    by rewrite e mulr0.
  by move=> k _; rewrite hornerZ hornerXn mxE.
move/eqP; rewrite mulf_eq0 (negPf Q0) /= => /eqP R0.
have := congr1 (coefp (d * j)) R0; rewrite /coefp coef0 /R coef_sum.
rewrite (bigD1 j) //= coefZ coefXn eqxx mulr1 big1 ?addr0 // => k kj.
by rewrite coefZ coefXn eqn_mul2l gtn_eqF //= (inj_eq val_inj) eq_sym (negPf kj) mulr0.
Qed.

Lemma agree_merged H H' (W : 'I_H -> 'M[F]_d) (V : 'I_H -> 'M[F]_(p, d))
    (W' : 'I_H' -> 'M[F]_d) (V' : 'I_H' -> 'M[F]_(p, d)) :
  injective ex ->
  (forall m (x w : 'cV[F]_d), (m <= H + H')%N ->
     attention W V (query x w : 'I_m.+1 -> _)
     = attention W' V' (query x w : 'I_m.+1 -> _)) ->
  forall M, \sum_(h | W h == M) V h = \sum_(h | W' h == M) V' h.
Proof.
move=> inj agree M; apply/eqP; rewrite -subr_eq0; apply/eqP.
pose Q : {poly F} := (\prod_(h | W h != M) form_poly (W h - M)) *
         (\prod_(h | W' h != M) form_poly (W' h - M)).
apply: (@row_poly_eq0 _ Q) => [|t].
  by rewrite mulf_neq0 //; apply/prodf_neq0 => h hM; rewrite form_poly_neq0 // subr_eq0.
rewrite hornerM !horner_prod mulf_eq0 negb_or => /andP[Qt Qt'].
set x := curve_x t; set w := curve_w t.
have nM N : N != M -> (form_poly (N - M)).[t] != 0 ->
    (ex (form N x w) == ex (form M x w)) = false.
  move=> _; rewrite form_polyE formBl subr_eq0 => ne.
  by apply/negbTE; apply: contraNneq ne => /inj ->.
pose I := [finType of 'I_H + 'I_H'].
pose z (i : I) := match i with inl h => ex (form (W h) x w)
                             | inr h => ex (form (W' h) x w) end.
pose c (i : I) := match i with inl h => - (V h *m w)
                             | inr h => V' h *m w end.
have z0 i : 0 < z i by case: i => h; apply: ex_gt0.
have [] := @poles_merge_mx F I p 1 z c
  ((\sum_h V h - \sum_h V' h) *m (x + w)) [seq k%:R | k <- iota 0 (H + H').+1].
- rewrite map_inj_uniq ?iota_uniq // => a b /eqP; rewrite eqr_nat.
  by move/eqP.
- by apply/allP => m /mapP[k _ ->]; apply: ler0n.
- exact: z0.
- rewrite size_map size_iota card_sum !card_ord -[X in (_ <= X)%N]addn1 leq_add2l.
  exact: leq_b1.
- move=> m /mapP[k]; rewrite mem_iota add0n ltnS => /andP[_ kH] ->.
  have := agree k x w kH; rewrite !attention_query => e.
  rewrite big_sumType mulmxBl [X in _ + (X + _)](_ : _ =
    - \sum_h (1 + k%:R * ex (form (W h) x w))^-1 *: (V h *m w)); last first.
    by rewrite -sumrN; apply: eq_bigr => h _; rewrite scalerN.
  by rewrite addrACA e -[X in _ + X]opprK opprD opprK subrr.
move=> E _; have := E (ex (form M x w)); rewrite big_sumType /= sumrN.
rewrite mulmxBl !mulmx_suml addrC => /eqP; rewrite subr_eq0 => /eqP e.
have eM (H0 : nat) (U : 'I_H0 -> 'M[F]_d) (c0 : 'I_H0 -> 'cV[F]_p) :
    \prod_(h | U h != M) (form_poly (U h - M)).[t] != 0 ->
    \sum_(h | ex (form (U h) x w) == ex (form M x w)) c0 h
    = \sum_(h | U h == M) c0 h.
  move=> nz; apply: eq_bigl => h; have [->|ne] := eqVneq (U h) M; first exact: eqxx.
  by apply: nM => //; move/prodf_neq0: nz => /(_ h ne).
by rewrite !eM // in e; rewrite e subrr.
Qed.

Lemma agree_canonical H H' (W : 'I_H -> 'M[F]_d) (V : 'I_H -> 'M[F]_(p, d))
    (W' : 'I_H' -> 'M[F]_d) (V' : 'I_H' -> 'M[F]_(p, d)) :
  injective ex -> injective W -> injective W' ->
  (forall h, V h != 0) -> (forall h, V' h != 0) ->
  (forall m (x w : 'cV[F]_d), (m <= H + H')%N ->
     attention W V (query x w : 'I_m.+1 -> _)
     = attention W' V' (query x w : 'I_m.+1 -> _)) ->
  exists s : 'I_H -> 'I_H', bijective s /\
    forall h, W h = W' (s h) /\ V h = V' (s h).
Proof.
move=> inj iW iW' nV nV' /(agree_merged inj) E.
exact: merged_bijection.
Qed.

Lemma termDr M (V V' : 'M[F]_(p, d)) n (X : 'I_n.+1 -> 'cV[F]_d) :
  term M (V + V') X = term M V X + term M V' X.
Proof.
by rewrite -big_split /=; apply: eq_bigr => j _; rewrite mulmxDl scalerDr.
Qed.

Lemma term0 M n (X : 'I_n.+1 -> 'cV[F]_d) : term M 0 X = 0.
Proof. by rewrite /term big1 // => j _; rewrite mul0mx scaler0. Qed.

Lemma term_sum M (J : finType) (P : pred J) (V : J -> 'M[F]_(p, d)) n
    (X : 'I_n.+1 -> 'cV[F]_d) :
  term M (\sum_(h | P h) V h) X = \sum_(h | P h) term M (V h) X.
Proof.
by apply: (big_morph (fun V => term M V X)) => [V1 V2|]; rewrite ?termDr ?term0.
Qed.

Lemma merged_agree H H' (W : 'I_H -> 'M[F]_d) (V : 'I_H -> 'M[F]_(p, d))
    (W' : 'I_H' -> 'M[F]_d) (V' : 'I_H' -> 'M[F]_(p, d)) :
  (forall M, \sum_(h | W h == M) V h = \sum_(h | W' h == M) V' h) ->
  forall n (X : 'I_n.+1 -> 'cV[F]_d), attention W V X = attention W' V' X.
Proof.
move=> E n X; pose s := undup (codom W ++ codom W').
have sum_s (K : nat) (U : 'I_K -> 'M[F]_d) (A : 'I_K -> 'M[F]_(p, d)) :
    (forall h, U h \in s) ->
    attention U A X = \sum_(M <- s) term M (\sum_(h | U h == M) A h) X.
  move=> Us; under [RHS]eq_bigr do rewrite term_sum.
  rewrite [RHS](exchange_big_dep xpredT) //=; apply: eq_bigr => h _.
  rewrite -big_filter (_ : [seq M <- s | U h == M] = [:: U h]) ?big_seq1 //.
  rewrite -(@filter_pred1_uniq _ s (U h)) ?undup_uniq //.
  by apply: eq_filter => M /=; rewrite eq_sym.
rewrite !sum_s; first by apply: eq_bigr => M _; rewrite E.
- by move=> h; rewrite mem_undup mem_cat codom_f orbT.
- by move=> h; rewrite mem_undup mem_cat codom_f.
Qed.

Lemma bijection_agree H H' (W : 'I_H -> 'M[F]_d) (V : 'I_H -> 'M[F]_(p, d))
    (W' : 'I_H' -> 'M[F]_d) (V' : 'I_H' -> 'M[F]_(p, d)) (s : 'I_H -> 'I_H') :
  bijective s -> (forall h, W h = W' (s h) /\ V h = V' (s h)) ->
  forall n (X : 'I_n.+1 -> 'cV[F]_d), attention W V X = attention W' V' X.
Proof.
move=> bs E n X; rewrite /attention (reindex s) /=; last exact: onW_bij.
by apply: eq_bigr => h _; case: (E h) => -> ->.
Qed.

Lemma attention_pull H (W : 'I_H -> 'M[F]_d) (V : 'I_H -> 'M[F]_(p, d))
    (A : 'M[F]_d) n (X : 'I_n.+1 -> 'cV[F]_d) :
  attention W V (fun j => A *m X j)
  = attention (fun h => A^T *m W h *m A) (fun h => V h *m A) X.
Proof.
apply: eq_bigr => h _; rewrite /term.
have fA x y : form (W h) (A *m x) (A *m y) = form (A^T *m W h *m A) x y.
  by rewrite /form trmx_mul !mulmxA.
apply: eq_bigr => j _; rewrite fA mulmxA.
by congr ((_ / _) *: _); apply: eq_bigr => i _; rewrite fA.
Qed.

Lemma attention_push H (W : 'I_H -> 'M[F]_d) (V : 'I_H -> 'M[F]_(p, d))
    (B : 'M[F]_p) n (X : 'I_n.+1 -> 'cV[F]_d) :
  B *m attention W V X = attention W (fun h => B *m V h) X.
Proof.
rewrite mulmx_sumr; apply: eq_bigr => h _; rewrite mulmx_sumr.
by apply: eq_bigr => j _; rewrite -scalemxAr mulmxA.
Qed.

(* One invertible pair (A, B): f (A X) = B f X iff it permutes the heads. *)
Lemma equivariant_one H (W : 'I_H -> 'M[F]_d) (V : 'I_H -> 'M[F]_(p, d))
    (A : 'M[F]_d) (B : 'M[F]_p) :
  injective ex -> injective W -> (forall h, V h != 0) ->
  A \in unitmx -> B \in unitmx ->
  (forall n (X : 'I_n.+1 -> 'cV[F]_d),
     attention W V (fun j => A *m X j) = B *m attention W V X)
  <->
  (exists s : 'I_H -> 'I_H, bijective s /\ forall h,
     A^T *m W h *m A = W (s h) /\ invmx B *m V h *m A = V (s h)).
Proof.
move=> inj iW nV uA uB; split=> [eqv|[s [bs sP]] n X]; last first.
  rewrite attention_pull attention_push; apply: (bijection_agree bs) => h.
  by have [-> <-] := sP h; rewrite !mulmxA mulmxV // mul1mx.
have [||||m x w _|s [bs sP]] := @agree_canonical H H
    (fun h => A^T *m W h *m A) (fun h => V h *m A) W (fun h => B *m V h) inj.
- move=> h k /= /(congr1 (fun M => invmx (A^T) *m M *m invmx A)).
  by rewrite !mulmxA !mulVmx ?unitmx_tr // !mul1mx -!mulmxA mulmxV // !mulmx1 => /iW.
- exact: iW.
- move=> h; apply: contra (nV h) => /eqP e; apply/eqP.
  by rewrite -[V h]mulmx1 -(mulmxV uA) mulmxA e mul0mx.
- move=> h; apply: contra (nV h) => /eqP e; apply/eqP.
  by rewrite -[V h]mul1mx -(mulVmx uB) -mulmxA e mulmx0.
- by rewrite -attention_pull -attention_push; apply: eqv.
exists s; split=> // h; have [-> e] := sP h; split=> //.
by rewrite -mulmxA e mulmxA mulVmx // mul1mx.
Qed.

(* A finite group G acting by rho on tokens and by tau on outputs. *)
Lemma equivariant_group (G : finGroupType) (rho : G -> 'M[F]_d) (tau : G -> 'M[F]_p)
    H (W : 'I_H -> 'M[F]_d) (V : 'I_H -> 'M[F]_(p, d)) :
  injective ex -> injective W -> (forall h, V h != 0) ->
  rho 1%g = 1%:M -> (forall g k, rho (g * k)%g = rho g *m rho k) ->
  tau 1%g = 1%:M -> (forall g k, tau (g * k)%g = tau g *m tau k) ->
  ((forall g n (X : 'I_n.+1 -> 'cV[F]_d),
     attention W V (fun j => rho g *m X j) = tau g *m attention W V X)
   <->
   (exists pi : G -> 'I_H -> 'I_H, forall g,
     bijective (pi g) /\ forall h,
     (rho g)^T *m W h *m rho g = W (pi g h)
     /\ invmx (tau g) *m V h *m rho g = V (pi g h)))
  /\
  (forall pi : G -> 'I_H -> 'I_H,
     (forall g h, (rho g)^T *m W h *m rho g = W (pi g h)) ->
     forall h, pi 1%g h = h /\ forall g k, pi (g * k)%g h = pi k (pi g h)).
Proof.
move=> inj iW nV r1 rM t1 tM.
have ur g : rho g \in unitmx.
  by have /mulmx1_unit[] : rho g *m rho g^-1%g = 1%:M by rewrite -rM mulgV.
have ut g : tau g \in unitmx.
  by have /mulmx1_unit[] : tau g *m tau g^-1%g = 1%:M by rewrite -tM mulgV.
split; last first.
  move=> pi piP h; split=> [|g k]; apply: iW; rewrite -!piP ?r1.
    by rewrite trmx1 mul1mx mulmx1.
  by rewrite rM trmx_mul !mulmxA.
split=> [eqv|[pi piP] g]; last first.
  by apply/(equivariant_one inj iW nV (ur g) (ut g)); exists (pi g); apply: piP.
have /fin_all_exists[pi piP] : forall g, exists s : 'I_H -> 'I_H,
    bijective s /\ forall h, (rho g)^T *m W h *m rho g = W (s h)
      /\ invmx (tau g) *m V h *m rho g = V (s h).
  by move=> g; apply/(equivariant_one inj iW nV (ur g) (ut g)); apply: eqv.
by exists pi.
Qed.
End Attention.

Theorem copies_query_holds : copies_query.
Proof.
move=> R ex d p H W V exD ex_gt0 score attention m x w.
exact: (attention_query exD ex_gt0 W V m x w).
Qed.

Theorem models_merge_holds : models_merge.
Proof.
move=> R ex d p H H' W V W' V' exD ex_gt0 inj attention on_all on_copies merged.
have copies_merged : on_copies -> merged := agree_merged exD ex_gt0 inj.
have merged_all : merged -> on_all by move=> E n X; exact: (merged_agree _ E).
split; split=> //; first by move=> all m x w _; apply: all.
- by move/copies_merged/merged_all.
- by move/merged_all=> all m x w _; apply: all.
Qed.

Theorem models_determined_holds : models_determined.
Proof.
move=> R ex d p H H' W V W' V' exD ex_gt0 inj iW nV iW' nV' attention same.
have [s [bs sP]] := agree_canonical exD ex_gt0 inj iW iW' nV nV' same.
by exists s.
Qed.

Theorem equivariance_of_heads_holds : equivariance_of_heads.
Proof.
move=> R ex G d p H rho sigma W V exD ex_gt0 inj iW nV r1 rM s1 sM score attention permutes.
have [equivariant anti] := equivariant_group exD ex_gt0 inj iW nV r1 rM s1 sM.
by split=> // pi piP; apply: anti => g h; have [_ /(_ h)[]] := piP g.
Qed.

Theorem canonical_form_holds : canonical_form.
Proof.
move=> R ex d p H W V attention.
pose A M := \sum_(h | W h == M) V h.
pose s := [seq M <- undup (codom W) | A M != 0].
have us : uniq s by rewrite filter_uniq ?undup_uniq.
exists (size s), (fun i => nth 0 s i), (fun i => A (nth 0 s i)); split.
  rewrite size_filter; apply: leq_trans (count_size _ _) _.
  by apply: leq_trans (size_undup _) _; rewrite size_codom card_ord.
split; first by move=> i j /eqP; rewrite nth_uniq // => /eqP/val_inj.
split; first by move=> i; have := mem_nth 0 (ltn_ord i); rewrite mem_filter => /andP[].
move=> n X; apply: (@merged_agree _ ex _ _ _ _ W V) => M.
have [Ms|Ms] := boolP (M \in s).
  have lt : (index M s < size s)%N by rewrite index_mem.
  rewrite [RHS](big_pred1 (Ordinal lt)) ?nth_index // => i /=.
  by rewrite -{1}(nth_index 0 Ms) nth_uniq.
rewrite [RHS]big_pred0 => [|i]; last first.
  by apply/eqP => e; move: Ms; rewrite -e mem_nth.
have [cM|cM] := boolP (M \in codom W).
  by apply/eqP; move: Ms; rewrite mem_filter mem_undup cM andbT negbK.
by rewrite big_pred0 // => h; apply/eqP => e; move: cM; rewrite -e codom_f.
Qed.
