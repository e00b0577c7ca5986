(* E2: sums of simple poles are determined by as many values as they have coefficients. Cleared of
   its denominators a sum of n poles and a constant is a polynomial of degree at most n; with n + 1
   roots it is 0, and its value at the pole -r_h is a_h times a nonzero product. Two sums are
   compared through one sum over the distinct poles of both. *)
From mathcomp Require Import all_ssreflect all_algebra ring zify.
From Headproof Require Import StatementsAlgebra.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Poles.
Variables (R : realFieldType) (I : finType).
Implicit Types (K : R) (a r : I -> R).

Definition cleared K a r : {poly R} :=
  K *: (\prod_h ('X + (r h)%:P))
  + \sum_h a h *: \prod_(l | l != h) ('X + (r l)%:P).

Lemma size_product (P : pred I) r : size (\prod_(l | P l) ('X + (r l)%:P)) = #|P|.+1.
Proof.
rewrite size_prod => [|l _]; last by rewrite -size_poly_eq0 size_XaddC.
rewrite (eq_bigr (fun=> 2%N)) => [|l _]; last by rewrite size_XaddC.
by rewrite sum_nat_const muln2 -addnn -addSn addnK.
Qed.

Lemma size_residues a r : (size (\sum_h a h *: \prod_(l | l != h) ('X + (r l)%:P))%R <= #|I|)%N.
Proof.
apply: (leq_trans (size_sum _ _ _)); apply/bigmax_leqP => h _.
apply: (leq_trans (size_scale_leq _ _)); rewrite size_product.
by rewrite (cardD1 h I) inE add1n ltnS subset_leq_card //; apply/subsetP => l; rewrite !inE andbT.
Qed.

Lemma size_cleared K a r : (size (cleared K a r) <= #|I|.+1)%N.
Proof.
apply: (leq_trans (size_add _ _)); rewrite geq_max (leq_trans (size_scale_leq _ _)) ?size_product //=.
by rewrite (leq_trans (size_residues _ _)).
Qed.

Lemma cleared_root K a r x :
  (forall h, x + r h != 0) -> K + (\sum_h a h / (x + r h)) = 0 -> root (cleared K a r) x.
Proof.
move=> nz sum0; rewrite /root /cleared hornerD hornerZ horner_prod horner_sum.
rewrite (eq_bigr (fun h => x + r h)) => [|h _]; last by rewrite !hornerE.
rewrite [X in _ + X](eq_bigr (fun h => a h / (x + r h) * \prod_l (x + r l))) => [|h _].
  by rewrite -mulr_suml -mulrDl sum0 mul0r.
rewrite hornerZ horner_prod [X in _ = _ * X](bigD1 h) //= mulrA divfK //.
by congr (_ * _); apply: eq_bigr => l _; rewrite !hornerE.
Qed.

Lemma hornerXaddC (c x : R) : ('X + c%:P).[x] = x + c.
Proof. by rewrite !hornerE. Qed.

Lemma residue_of_cleared K a r h :
  injective r -> (cleared K a r).[- r h] = 0 -> a h = 0.
Proof.
move=> inj; rewrite /cleared hornerD hornerZ horner_prod horner_sum.
rewrite (bigD1 h) //= hornerXaddC addNr mul0r mulr0 add0r (bigD1 h) //=.
rewrite [X in _ + X = 0]big1 => [|l lh].
  rewrite addr0 hornerZ horner_prod => /eqP; rewrite mulf_eq0 => /orP[/eqP //|].
  move=> /prodf_eq0[l lh]; rewrite hornerXaddC addrC subr_eq0 => /eqP/inj e.
  by rewrite e eqxx in lh.
by rewrite hornerZ horner_prod (bigD1 h) 1?eq_sym //= hornerXaddC addNr mul0r mulr0.
Qed.

Lemma vanishing K a r (t : seq R) :
  injective r -> (forall h, 0 < r h) -> uniq t -> all (fun x => 0 <= x) t ->
  (#|I| < size t)%N || (K == 0) && (#|I| <= size t)%N ->
  (forall x, x \in t -> K + (\sum_h a h / (x + r h)) = 0) ->
  K = 0 /\ forall h, a h = 0.
Proof.
move=> inj pos ut /allP t0 len sum0.
have roots : all (root (cleared K a r)) t.
  apply/allP => x xt; apply: cleared_root; last exact: sum0.
  by move=> h; rewrite gt_eqF // ltr_paddl // t0.
have zero : cleared K a r = 0.
  apply/eqP; apply: contraTT isT => nz.
  have := max_poly_roots nz roots ut; case/orP: len => [lt|/andP[/eqP K0 le]] small.
    by have := leq_trans small (size_cleared _ _ _); rewrite ltnS leqNgt lt.
  suff: (size t < #|I|)%N by rewrite ltnNge le.
  by apply: leq_trans small _; rewrite /cleared K0 scale0r add0r; exact: size_residues.
have a0 h : a h = 0 by apply: (residue_of_cleared K _ _ h inj); rewrite zero horner0.
split=> //; move: zero; rewrite /cleared [X in _ + X]big1 => [|h _]; last by rewrite a0 scale0r.
rewrite addr0 => /eqP; rewrite scaler_eq0 => /orP[/eqP //|].
by rewrite -size_poly_eq0 size_product.
Qed.

End Poles.

Lemma injective_values (R : realFieldType) (n : nat) (t : 'I_n -> R) :
  injective t -> uniq [seq t i | i <- enum 'I_n].
Proof. by move=> inj; rewrite map_inj_uniq ?enum_uniq. Qed.

Theorem poles_with_constant_holds : poles_with_constant.
Proof.
move=> R n K a r t injr injt pos t0 sum0.
apply: (@vanishing R _ K a r [seq t i | i <- enum 'I_n.+1]); rewrite //=.
- exact: injective_values.
- by apply/allP => x /mapP[i _ ->].
- by rewrite size_map size_enum_ord card_ord leqnn.
- by move=> x /mapP[i _ ->].
Qed.

Theorem poles_without_constant_holds : poles_without_constant.
Proof.
move=> R n a r t injr injt pos t0 sum0.
suff [_ //] : (0 : R) = 0 /\ forall h, a h = 0.
apply: (@vanishing R _ 0 a r [seq t i | i <- enum 'I_n]); rewrite //=.
- exact: injective_values.
- by apply/allP => x /mapP[i _ ->].
- by rewrite size_map size_enum_ord card_ord eqxx leqnn orbT.
- by move=> x /mapP[i _ ->]; rewrite add0r.
Qed.

(* The poles of two sums together: those of the first, and those of the second that are no poles of
   the first. A function on the heads of both, 0 at the doubles, has the same sums. *)
Section TwoSums.
Variables (R : realFieldType) (H H' : nat).
Variables (c z : 'I_H -> R) (c' z' : 'I_H' -> R).
Hypotheses (injz : injective z) (injz' : injective z').
Hypotheses (posz : forall h, 0 < z h) (posz' : forall h, 0 < z' h).
Hypotheses (nzc : forall h, c h != 0) (nzc' : forall h, c' h != 0).

Definition poles : seq R := undup ([seq z h | h <- enum 'I_H] ++ [seq z' h | h <- enum 'I_H']).

Definition coefficient (I : finType) (b y : I -> R) (x : R) : R := \sum_(h | y h == x) b h.

Lemma mem_poles x : (x \in poles) = [exists h, z h == x] || [exists h, z' h == x].
Proof.
rewrite mem_undup mem_cat; congr (_ || _).
  by apply/mapP/existsP => [[h _ ->]|[h /eqP <-]]; exists h; rewrite ?mem_enum.
by apply/mapP/existsP => [[h _ ->]|[h /eqP <-]]; exists h; rewrite ?mem_enum.
Qed.

Lemma size_poles : (size poles <= H + H')%N.
Proof.
apply: (leq_trans (size_undup _)).
by rewrite size_cat !size_map -!enumT !size_enum_ord.
Qed.

Lemma sum_over_poles (I : finType) (b y : I -> R) (g : R -> R) :
  (forall h, y h \in poles) ->
  \sum_h b h * g (y h) = \sum_(i < size poles) coefficient I b y (nth 0 poles i) * g (nth 0 poles i).
Proof.
move=> inside.
rewrite [RHS](eq_bigr (fun i : 'I_(size poles) => \sum_h (if y h == nth 0 poles i then b h * g (y h) else 0))); last first.
  move=> i _; rewrite /coefficient big_mkcond /= mulr_suml; apply: eq_bigr => h _.
  by case: eqP => [->|_]; rewrite ?mul0r.
rewrite exchange_big /=; apply: eq_bigr => h _.
have lt : (index (y h) poles < size poles)%N by rewrite index_mem.
rewrite (bigD1 (Ordinal lt)) //= nth_index // eqxx big1 ?addr0 // => i /eqP other.
case: eqP => // e; case: other; apply: val_inj => /=.
by rewrite e index_uniq ?undup_uniq.
Qed.

Lemma coefficient_at (I : finType) (b y : I -> R) h : injective y -> coefficient I b y (y h) = b h.
Proof.
move=> inj; rewrite /coefficient (eq_bigl (fun l => l == h)) ?big_pred1_eq // => l.
by apply/eqP/eqP => [/inj|->].
Qed.

Lemma coefficient_off (I : finType) (b y : I -> R) x : (forall h, y h != x) -> coefficient I b y x = 0.
Proof. by move=> off; rewrite /coefficient big_pred0 // => h; apply/negbTE. Qed.

Lemma matched :
  (forall x, coefficient _ c z x = coefficient _ c' z' x) ->
  exists2 s : 'I_H -> 'I_H', bijective s & forall h, z h = z' (s h) /\ c h = c' (s h).
Proof.
move=> same.
have there h : exists l, z' l == z h.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP off.
  by have := same (z h); rewrite coefficient_at // coefficient_off // => /eqP; rewrite (negbTE (nzc h)).
have back l : exists h, z h == z' l.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP off.
  have := same (z' l); rewrite coefficient_off // coefficient_at // => /esym/eqP.
  by rewrite (negbTE (nzc' l)).
pose s h := xchoose (there h); pose t l := xchoose (back l).
have zs h : z' (s h) = z h by apply/eqP; exact: (xchooseP (there h)).
have zt l : z (t l) = z' l by apply/eqP; exact: (xchooseP (back l)).
exists s => [|h].
  by exists t => [h|l]; [apply: injz; rewrite zt zs | apply: injz'; rewrite zs zt].
by rewrite zs; split=> //; have := same (z h); rewrite coefficient_at // -{1}zs coefficient_at.
Qed.

Lemma two_sums (K : R) (m : seq R) :
  uniq m -> all (fun x => 0 <= x) m ->
  (H + H' < size m)%N || (K == 0) && (H + H' <= size m)%N ->
  (forall x, x \in m -> K + (\sum_h c h / (1 + x * z h)) = \sum_h c' h / (1 + x * z' h)) ->
  K = 0 /\ forall x, coefficient _ c z x = coefficient _ c' z' x.
Proof.
move=> um m0 len same.
have inz h : z h \in poles by rewrite mem_poles; apply/orP; left; apply/existsP; exists h.
have inz' h : z' h \in poles by rewrite mem_poles; apply/orP; right; apply/existsP; exists h.
have posp (i : 'I_(size poles)) : 0 < nth 0 poles i.
  have := mem_nth 0 (ltn_ord i); rewrite mem_poles.
  by case/orP => /existsP[h /eqP <-].
pose difference i := coefficient _ c z (nth 0 poles i) - coefficient _ c' z' (nth 0 poles i).
have [] := @vanishing R _ K
             (fun i : 'I_(size poles) => difference i / nth 0 poles i)
             (fun i : 'I_(size poles) => (nth 0 poles i)^-1) m => //.
- move=> i j /invr_inj e; apply: val_inj.
  by apply/eqP; rewrite -(nth_uniq 0 (ltn_ord i) (ltn_ord j) (undup_uniq _)); apply/eqP.
- by move=> i; rewrite invr_gt0.
- rewrite card_ord; case/orP: len => [lt|/andP[-> le]].
    by rewrite (leq_ltn_trans size_poles lt).
  by rewrite (leq_trans size_poles le) orbT.
- move=> x xm; have := same x xm.
  rewrite (sum_over_poles _ c z (fun y => (1 + x * y)^-1)) //.
  rewrite (sum_over_poles _ c' z' (fun y => (1 + x * y)^-1)) // => /eqP.
  rewrite -subr_eq0 -addrA -sumrB => /eqP e; rewrite -[RHS]e.
  congr (_ + _); apply: eq_bigr => i _.
  have pos := posp i; have nz : nth 0 poles i != 0 by rewrite gt_eqF.
  rewrite -mulrBl /difference -mulrA -invfM; congr (_ * _^-1).
  by rewrite mulrDr divff // mulrC addrC mulrC.
move=> K0 zero; split=> // x; apply/eqP; rewrite -subr_eq0.
case: (boolP (x \in poles)) => [xp|].
  have lt : (index x poles < size poles)%N by rewrite index_mem.
  have /eqP := zero (Ordinal lt); rewrite /difference /= nth_index // mulf_eq0 invr_eq0.
  case/orP => // /eqP x0; have := posp (Ordinal lt); by rewrite /= nth_index // x0 ltxx.
rewrite mem_poles negb_or !negb_exists => /andP[/forallP off /forallP off'].
by rewrite !coefficient_off ?subrr.
Qed.

End TwoSums.

Theorem heads_separate_holds : heads_separate.
Proof.
move=> R H H' C C' c z c' z' m injz injz' injm posz posz' m0 nzc nzc' same.
have [] := @two_sums R H H' c z c' z' posz posz' (C' - C) [seq m i | i <- enum 'I_(H + H').+1].
- exact: injective_values.
- by apply/allP => x /mapP[i _ ->].
- by rewrite size_map size_enum_ord leqnn.
- move=> x /mapP[i _ ->]; have := same i.
  set a := \sum_h _; set b := \sum_h _ => e.
  have -> : C' = C - a + b by rewrite e subrK.
  by ring.
move=> /eqP; rewrite subr_eq0 => /eqP <- coefficients; split=> //.
exact: (@matched R H H' c z c' z').
Qed.

Theorem heads_separate_without_constant_holds : heads_separate_without_constant.
Proof.
move=> R H H' c z c' z' m injz injz' injm posz posz' m0 nzc nzc' same.
have [] := @two_sums R H H' c z c' z' posz posz' 0 [seq m i | i <- enum 'I_(H + H')].
- exact: injective_values.
- by apply/allP => x /mapP[i _ ->].
- by rewrite size_map size_enum_ord eqxx leqnn orbT.
- by move=> x /mapP[i _ ->]; rewrite add0r.
move=> _ coefficients; exact: (@matched R H H' c z c' z').
Qed.

(* E3. *)
Theorem query_count_holds : query_count.
Proof.
move=> H [//|d] _; rewrite subn1 /= -!mulnn; nia.
Qed.
