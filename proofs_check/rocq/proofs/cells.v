(* A5, A6: a key wins somewhere or is dominated (Farkas' lemma, by Bartl's induction on the number of
   functionals, which needs no topology); the cells of an overlay are the upper vertices of the sum. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Headproof Require Import StatementsAlgebra.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Farkas.
Variable R : realFieldType.

(* Bartl's proof of Farkas' lemma: induction on the number of functionals. *)
Lemma farkas D n (a : 'I_n -> 'rV[R]_D) (g : 'rV[R]_D) :
  (exists2 lam : 'I_n -> R, (forall i, 0 <= lam i) & g = \sum_i lam i *: a i)
  \/ (exists2 y : 'cV[R]_D, (forall i, (a i *m y) 0 0 <= 0) & 0 < (g *m y) 0 0).
Proof.
elim: n a g => [|n IH] a g.
  have [->|] := eqVneq g 0.
    by left; exists (fun _ => 0) => //; rewrite big_ord0.
  move=> g0; right; exists (g^T); first by case.
  have [k gk] : exists k, g 0 k != 0.
    by apply/existsP; apply: contraNT g0; rewrite negb_exists => /forallP h;
       apply/eqP/matrixP => i k; rewrite ord1 mxE; apply/eqP; rewrite -[_ == _]negbK.
  rewrite mxE (bigD1 k) //= mxE ltr_spaddl //.
    by rewrite -expr2 exprn_even_gt0.
  by apply: sumr_ge0 => i _; rewrite mxE -expr2 sqr_ge0.
pose b i := a (lift ord0 i); pose c := a ord0.
have [[lam l0 ->]|[x bx gx]] := IH b g.
  left; exists (fun i => if unlift ord0 i is Some k then lam k else 0).
    by move=> i; case: (unlift ord0 i).
  rewrite big_ord_recl unlift_none scale0r add0r.
  by apply: eq_bigr => i _; rewrite liftK.
have [cx|cx] := lerP ((c *m x) 0 0) 0.
  right; exists x => // i.
  by have [k ->|->] := unliftP ord0 i; [apply: bx | apply: cx].
pose t := ((c *m x) 0 0)^-1.
have t0 : 0 < t by rewrite invr_gt0.
pose b' i := b i - (t * (b i *m x) 0 0) *: c.
pose g' := g - (t * (g *m x) 0 0) *: c.
have [[lam l0 e]|[y by_ gy]] := IH b' g'.
  left; exists (fun i => if unlift ord0 i is Some k then lam k else
    t * (g *m x) 0 0 - \sum_k lam k * (t * (b k *m x) 0 0)).
    move=> i; case: (unlift ord0 i) => [k|]; first exact: l0.
    rewrite subr_ge0.
    apply: (@le_trans _ _ 0); last by rewrite mulr_ge0 // ltW.
    rewrite -oppr_ge0 -sumrN sumr_ge0 // => k _; rewrite oppr_ge0 mulr_ge0_le0 // mulr_ge0_le0 ?bx //.
    exact: ltW.
  rewrite big_ord_recl unlift_none -/c.
  rewrite [X in _ + X](eq_bigr (fun i => lam i *: b i)); last by move=> i _; rewrite liftK.
  have eg : g = \sum_i lam i *: b' i + (t * (g *m x) 0 0) *: c.
    by apply/eqP; rewrite -subr_eq; apply/eqP.
  rewrite [LHS]eg /b'; under eq_bigr do rewrite scalerBr scalerA.
  by rewrite sumrB -scaler_suml scalerBl [RHS]addrC addrA addrAC.
have ev (u : 'rV[R]_D) : (u *m (y - (t * (c *m y) 0 0) *: x)) 0 0
    = ((u - (t * (u *m x) 0 0) *: c) *m y) 0 0.
  by rewrite mulmxBr -scalemxAr mulmxBl -scalemxAl !mxE mulrAC.
right; exists (y - (t * (c *m y) 0 0) *: x); last by rewrite ev.
move=> i; rewrite ev; have [k ->|->] := unliftP ord0 i; first exact: by_.
by rewrite -/c /t mulVf ?gt_eqF // scale1r subrr mul0mx mxE.
Qed.
End Farkas.

Theorem cell_or_dominated_holds : cell_or_dominated.
Proof.
move=> R d N k b j score cell dominated; split; last first.
  case=> -[x cx] [lam [l0 [lj [l1 [lk lb]]]]].
  have: \sum_i lam i * score i x < score j x.
    rewrite -[X in _ < X]mul1r -l1 mulr_suml.
    have [i0 li0] : exists i, lam i != 0.
      apply/existsP; apply: contra_eqT l1 => /existsPn h.
      rewrite big1 ?(eq_sym 0) ?oner_neq0 // => i _.
      by have := h i; rewrite negbK => /eqP.
    rewrite (bigD1 i0) // [X in _ < X](bigD1 i0) //=.
    apply: ltr_le_add.
      have li : 0 < lam i0 by rewrite lt_def li0 l0.
      rewrite ltr_pmul2l //; apply: cx.
      by apply: contra li0 => /eqP/lj ->.
    apply: ler_sum => i _; have [/lj ->|/cx/ltW] := eqVneq (k i, b i) (k j, b j).
      by rewrite !mul0r.
    exact: ler_wpmul2l.
  apply/negP; rewrite -leNgt /score.
  rewrite [X in _ <= X](eq_bigr (fun i =>
    (\sum_c lam i * (k i 0 c * x 0 c)) + lam i * b i)); last first.
    by move=> i _; rewrite mulrDr mulr_sumr.
  rewrite big_split /= exchange_big /=; apply: ler_add lb.
  rewrite le_eqVlt; apply/orP; left; apply/eqP/eq_bigr => c _.
  rewrite -lk summxE mulr_suml; apply: eq_bigr => i _.
  by rewrite mxE mulrA.
pose oth i := (k i, b i) != (k j, b j).
pose v i : 'rV[R]_(d + 1 + 1) := row_mx (row_mx (k i - k j) (b i - b j)%:M) 1%:M.
pose a (i : 'I_N.+1) : 'rV[R]_(d + 1 + 1) :=
  if unlift ord0 i is Some i then if oth i then v i else 0
  else row_mx (row_mx 0 (-1)%:M) 1%:M.
pose g : 'rV[R]_(d + 1 + 1) := row_mx (row_mx 0 0) 1%:M.
have [[mu m0 e]|[y ay gy]] := farkas a g.
  right; pose l i := if oth i then mu (lift ord0 i) else 0.
  have l0 i : 0 <= l i by rewrite /l; case: (oth i).
  have e' : g = mu ord0 *: row_mx (row_mx 0 (-1)%:M) 1%:M + \sum_i l i *: v i.
    rewrite [LHS]e big_ord_recl /a unlift_none; congr (_ + _).
    apply: eq_bigr => i _; rewrite liftK /l.
    by case: (oth i); rewrite ?scaler0 ?scale0r.
  have e1 : 1 = mu ord0 + \sum_i l i.
    have := congr1 (fun u => rsubmx u 0 0) e'.
    rewrite linearD linearZ linear_sum /= !row_mxKr !mxE eqxx mulr1n mulr1 summxE.
    by under eq_bigr do rewrite linearZ /= row_mxKr !mxE eqxx mulr1n mulr1.
  have e2 : \sum_i l i * (b i - b j) = mu ord0.
    have := congr1 (fun u => rsubmx (lsubmx u) 0 0) e'.
    rewrite !linearD !linearZ !linear_sum /= !row_mxKl !row_mxKr !mxE eqxx mulr1n summxE.
    under eq_bigr do rewrite !linearZ /= row_mxKl row_mxKr !mxE eqxx mulr1n.
    by move/esym/eqP; rewrite mulrN1 addrC subr_eq0 => /eqP.
  have e3 : \sum_i l i *: (k i - k j) = 0.
    have := congr1 (fun u => lsubmx (lsubmx u)) e'.
    rewrite !linearD !linearZ !linear_sum /= !row_mxKl scaler0 add0r.
    by under eq_bigr do rewrite !linearZ /= !row_mxKl.
  pose L := \sum_i l i.
  have L0 : 0 < L.
    rewrite lt_def sumr_ge0 ?andbT //; apply/eqP => L0.
    have z i : l i = 0 by apply: (psumr_eq0P _ L0).
    by move/eqP: e1; rewrite -/L L0 -e2 big1 ?addr0 ?oner_eq0 // => i _; rewrite z mul0r.
  exists (fun i => l i / L); split; first by move=> i; rewrite divr_ge0 // ltW.
  split; first by move=> i ij; rewrite /l /oth ij eqxx mul0r.
  have s1 : \sum_i l i / L = 1 by rewrite -mulr_suml mulfV // gt_eqF.
  split=> //; split.
    apply/eqP; rewrite -subr_eq0 -[X in _ - X]scale1r -s1 scaler_suml -sumrB.
    rewrite (eq_bigr (fun i => L^-1 *: (l i *: (k i - k j)))); last first.
      by move=> i _; rewrite -scalerBr scalerA mulrC.
    by rewrite -scaler_sumr e3 scaler0.
  rewrite -subr_ge0 -[X in _ - X]mul1r -s1 mulr_suml -sumrB.
  rewrite (eq_bigr (fun i => L^-1 * (l i * (b i - b j)))); last first.
    by move=> i _; rewrite -mulrBr mulrA [l i / L]mulrC.
  by rewrite -mulr_sumr e2 mulr_ge0 // invr_ge0 ltW.
left; pose x := usubmx (usubmx y); pose t : R := dsubmx (usubmx y) 0 0; pose s : R := dsubmx y 0 0.
have yE : y = col_mx (col_mx x t%:M) s%:M.
  rewrite -[LHS]vsubmxK -[usubmx y]vsubmxK; congr (col_mx (col_mx _ _) _).
    by rewrite [LHS]mx11_scalar.
  by rewrite [LHS]mx11_scalar.
have s0 : 0 < s.
  by move: gy; rewrite yE /g !mul_row_col !mul0mx !add0r mul1mx mxE eqxx mulr1n.
have t0 : 0 < t.
  have := ay ord0; rewrite /a unlift_none yE !mul_row_col mul0mx add0r mul1mx.
  rewrite mul_scalar_mx !mxE eqxx !mulr1n mulN1r addrC subr_le0 => st.
  exact: lt_le_trans st.
exists (t^-1 *: x^T) => i io.
have := ay (lift ord0 i); rewrite /a liftK /oth io yE /v !mul_row_col mul1mx.
rewrite mul_scalar_mx mulmxBl !mxE eqxx !mulr1n => h.
rewrite /score.
have sc m : \sum_c k m 0 c * (t^-1 *: x^T) 0 c = t^-1 * (k m *m x) 0 0.
  rewrite mxE mulr_sumr; apply: eq_bigr => c _; rewrite !mxE.
  by rewrite mulrCA.
rewrite !sc -(ltr_pmul2l t0) !mulrDr !mulrA !mulfV ?gt_eqF // !mul1r.
rewrite -subr_gt0 !mxE; apply: lt_le_trans s0 _; rewrite -subr_ge0 -oppr_le0.
move: h; rewrite [in X in X -> _]mulrBl [_ * t]mulrC [b j * t]mulrC.
set A := \sum_c _; set B := \sum_c _ => h.
suff -> : - (B + t * b j - (A + t * b i) - s) = A - B + (t * b i - t * b j) + s by [].
by ring.
Qed.

Theorem overlay_vertices_holds : overlay_vertices.
Proof.
move=> R d H N k b inj score wins convex point label height highest.
have heightE lam x : height (point lam) x = \sum_h \sum_j lam h j * score h j x.
  rewrite /height /score; under [RHS]eq_bigr do under eq_bigr do rewrite mulrDr mulr_sumr.
  under [RHS]eq_bigr do rewrite big_split exchange_big /=.
  rewrite big_split exchange_big /=; congr (_ + _); apply: eq_bigr => c _.
  rewrite summxE mulr_suml; apply: eq_bigr => h _.
  by rewrite summxE mulr_suml; apply: eq_bigr => j _; rewrite mxE mulrA.
have labelE (V : zmodType) (f : 'I_H -> 'I_N -> V) l h :
    \sum_j (if j == l h then f h j else 0) = f h (l h).
  by rewrite (bigD1 (l h)) //= eqxx big1 ?addr0 // => j /negPf ->.
have label_convex l : convex (label l).
  split=> [h j|h]; first by rewrite /label; case: ifP; rewrite ?ler01 ?lexx.
  exact: (labelE R (fun _ _ => 1)).
have label_height l x : height (point (label l)) x = \sum_h score h (l h) x.
  rewrite heightE; apply: eq_bigr => h _; rewrite -(labelE R (fun h j => score h j x)).
  by apply: eq_bigr => j _; rewrite /label; case: ifP; rewrite ?mul1r ?mul0r.
have label_point l : point (label l) = (\sum_h k h (l h), \sum_h b h (l h)).
  congr (_, _); apply: eq_bigr => h _.
    rewrite -(labelE _ k); apply: eq_bigr => j _.
    by rewrite /label; case: ifP; rewrite ?scale1r ?scale0r.
  rewrite -(labelE _ b); apply: eq_bigr => j _.
  by rewrite /label; case: ifP; rewrite ?mul1r ?mul0r.
have below l lam x : convex lam -> (forall h i, score h i x <= score h (l h) x) ->
    (height (point lam) x <= height (point (label l)) x)
    /\ (height (point lam) x = height (point (label l)) x ->
        forall h j, lam h j * (score h (l h) x - score h j x) = 0).
  move=> [l0 l1] top.
  have pos h j : 0 <= lam h j * (score h (l h) x - score h j x).
    by rewrite mulr_ge0 // subr_ge0.
  have gap : height (point (label l)) x - height (point lam) x
      = \sum_h \sum_j lam h j * (score h (l h) x - score h j x).
    rewrite label_height heightE -sumrB; apply: eq_bigr => h _.
    rewrite -[X in X - _]mul1r -(l1 h) mulr_suml -sumrB.
    by apply: eq_bigr => j _; rewrite mulrBr.
  have pos1 h : 0 <= \sum_j lam h j * (score h (l h) x - score h j x) by apply: sumr_ge0.
  split; first by rewrite -subr_ge0 gap sumr_ge0.
  move=> e h j; move: gap; rewrite e subrr => /esym gap.
  have sum0 : \sum_j lam h j * (score h (l h) x - score h j x) = 0.
    exact: (psumr_eq0P (fun h _ => pos1 h) gap).
  exact: (psumr_eq0P (fun j _ => pos h j) sum0).
have forced l lam x : wins l x -> convex lam ->
    height (point lam) x = height (point (label l)) x -> forall h j, lam h j = label l h j.
  move=> wl cl e; have top h i : score h i x <= score h (l h) x.
    by have [->|/wl/ltW] := eqVneq i (l h).
  have [_ /(_ e) zero] := below l lam x cl top.
  have off h j : j != l h -> lam h j = 0.
    move=> jl; have /eqP := zero h j; rewrite mulf_eq0 subr_eq0 => /orP[/eqP //|].
    by rewrite gt_eqF // wl.
  move=> h j; rewrite /label; have [->|/off //] := eqVneq j (l h).
  have [_ /(_ h)] := cl; rewrite (bigD1 (l h)) //= big1 ?addr0 // => i /off.
  by [].
have wins_highest l x : wins l x -> highest (point (label l)) x.
  move=> wl mu cm; rewrite lt_neqAle => ne.
  have top h i : score h i x <= score h (l h) x by have [->|/wl/ltW] := eqVneq i (l h).
  rewrite (proj1 (below l mu x cm top)) andbT; apply: contra ne => /eqP e.
  have m := forced l mu x wl cm e.
  by apply/eqP; congr (_, _); apply: eq_bigr => h _; apply: eq_bigr => j _; rewrite m.
have highest_wins l x : highest (point (label l)) x -> wins l x.
  move=> top h i il; pose m g := if g == h then i else l g.
  have mE g : g != h -> m g = l g by rewrite /m => /negPf ->.
  have mh : m h = i by rewrite /m eqxx.
  have : point (label m) != point (label l).
    rewrite !label_point; apply: contra il => /eqP[].
    rewrite (bigD1 h) // [RHS](bigD1 h) //= mh.
    rewrite (eq_bigr (fun g => k g (l g))) => [/addIr ek|g gh]; last by rewrite mE.
    rewrite (bigD1 h) // [RHS](bigD1 h) //= mh.
    rewrite (eq_bigr (fun g => b g (l g))) => [/addIr eb|g gh]; last by rewrite mE.
    by apply/eqP/(inj h); rewrite ek eb.
  move/(top _ (label_convex m)); rewrite !label_height (bigD1 h) // [X in _ < X](bigD1 h) //= mh.
  rewrite (eq_bigr (fun g => score g (l g) x)) => [|g gh]; last by rewrite mE.
  by rewrite ltr_add2r.
split; first by move=> l x; split; [apply: wins_highest | apply: highest_wins].
split=> [l x lam wl cl e|lam x cl top]; first by apply: (forced l lam x) => //; rewrite e.
have /fin_all_exists[l lP] : forall h, exists j, forall i, score h i x <= score h j x.
  move=> h; have [i0 _|none] := pickP (@predT 'I_N).
    case: (arg_maxP (fun i => score h i x) (erefl : predT i0)) => i _ iP.
    by exists i => j; apply: iP.
  have [_ /(_ h)] := cl; rewrite big1 => [/esym/eqP|i _]; first by rewrite oner_eq0.
  by have := none i.
exists l; apply/eqP; apply: contraT; rewrite eq_sym => /(top _ (label_convex l)).
by rewrite ltNge (proj1 (below l lam x cl lP)).
Qed.

Lemma common_radius (R : realFieldType) (I : finType) (r : I -> R) :
  (forall i, 0 < r i) -> exists2 e : R, 0 < e & forall i, e <= r i.
Proof.
move=> r0; pose s := 1 + \sum_i (r i)^-1.
have pos i : 0 <= (r i)^-1 by rewrite invr_ge0 ltW.
have s0 : 0 < s by rewrite (lt_le_trans ltr01) // ler_addl sumr_ge0.
exists s^-1 => [|i]; first by rewrite invr_gt0.
rewrite -[r i]invrK lef_pinv ?posrE ?invr_gt0 //.
rewrite /s (bigD1 i) //= addrCA ler_addl addr_ge0 ?ler01 // sumr_ge0 //.
Qed.

Theorem interior_of_cell_holds : interior_of_cell.
Proof.
move=> R d H N k b l score.
pose del h i c := k h (l h) 0 c - k h i 0 c.
have gapE h i x y : score h (l h) y - score h i y
    = score h (l h) x - score h i x + \sum_c del h i c * (y 0 c - x 0 c).
  rewrite /score /del; under [X in _ = _ + X]eq_bigr do rewrite mulrBr !mulrBl.
  rewrite !sumrB; set A := \sum_c _; set B := \sum_c _; set C := \sum_c _; set D := \sum_c _.
  by ring.
split=> [[x win]|[x [r r0 box]]].
  pose M h i := \sum_c `|del h i c|.
  have M0 h i : 0 <= M h i by apply: sumr_ge0.
  have M1 h i : 0 < M h i + 1 by rewrite ltr_paddl ?ltr01.
  pose rad (p : 'I_H * 'I_N) : R :=
    if (k p.1 p.2, b p.1 p.2) == (k p.1 (l p.1), b p.1 (l p.1)) then 1
    else (score p.1 (l p.1) x - score p.1 p.2 x) / (M p.1 p.2 + 1).
  have [|r r0 small] := @common_radius R _ rad.
    move=> -[h i]; rewrite /rad /=; case: eqP => [_|/eqP/win lt]; first exact: ltr01.
    by rewrite divr_gt0 // subr_gt0.
  exists x; exists r => // y near h i.
  have := small (h, i); rewrite /rad /=; case: eqP => [[ek eb] _|_ le].
    by rewrite /score ek eb.
  rewrite -subr_ge0 (gapE h i x y) -ler_subl_addr sub0r.
  have slope : `|\sum_c del h i c * (y 0 c - x 0 c)| <= r * M h i.
    apply: le_trans (ler_norm_sum _ _ _) _; rewrite mulr_sumr; apply: ler_sum => c _.
    by rewrite normrM mulrC ler_wpmul2r.
  apply: le_trans (ler_norm _) _; rewrite normrN (le_trans slope) //.
  move: le; rewrite ler_pdivl_mulr // => le; apply: le_trans le.
  by rewrite ler_pmul2l // ler_addl ler01.
exists x => h i ne.
have at_x : score h i x <= score h (l h) x.
  by apply: box => c; rewrite subrr normr0 ltW.
have [ek|/eqP nk] := eqVneq (k h i) (k h (l h)).
  rewrite lt_neqAle at_x andbT; apply: contra ne => /eqP.
  by rewrite /score ek => /addrI ->.
have [c dc] : exists c, del h i c != 0.
  apply/existsP; apply: contraT => /existsPn no; case: nk; apply/matrixP => a c.
  by apply/eqP; rewrite ord1 eq_sym -subr_eq0; have := no c; rewrite negbK.
pose y : 'rV[R]_d := x - (r * Num.sg (del h i c)) *: delta_mx 0 c.
have yE a : y 0 a - x 0 a = - (r * Num.sg (del h i c) * (a == c)%:R).
  by rewrite !mxE eqxx /= addrC addKr.
have : score h i y <= score h (l h) y.
  apply: box => a; rewrite yE normrN !normrM (gtr0_norm r0) normr_sg dc mulr1.
  by case: (a == c); rewrite ?normr1 ?normr0 ?mulr1 ?mulr0 // ltW.
rewrite -subr_ge0 (gapE h i x y) (bigD1 c) //= big1 => [|a ac]; last first.
  by rewrite yE (negPf ac) mulr0 oppr0 mulr0.
rewrite yE eqxx mulr1 addr0 mulrN mulrCA [del h i c * _]mulrC -normrEsg subr_ge0 => le.
by rewrite -subr_gt0 (lt_le_trans _ le) // mulr_gt0 // normr_gt0.
Qed.

Theorem cell_is_vertex_holds : cell_is_vertex.
Proof.
move=> R d N k j score.
have [either both] := @cell_or_dominated_holds R d N k (fun=> 0) j.
have same i : ((k i, 0) == (k j, 0) :> 'rV[R]_d * R) = (k i == k j) by rewrite xpair_eqE eqxx andbT.
split=> [[x win] [lam [l0 [lj [l1 lk]]]]|no].
  apply: both; split.
    by exists x => i; rewrite same !addr0; apply: win.
  exists lam; split=> //; split; first by move=> i [/lj].
  by split=> //; split=> //; rewrite big1 // => i _; rewrite mulr0.
case: either => [[x win]|[lam [l0 [lj [l1 [lk _]]]]]].
  by exists x => i; have := win i; rewrite same !addr0.
case: no; exists lam; split=> //; split=> // i e.
by apply: lj; rewrite e.
Qed.
