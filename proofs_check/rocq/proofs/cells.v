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
move=> R d H N k b inj score wins point height.
have heightE l x : height (point l) x = \sum_h score h (l h) x.
  rewrite /height /score big_split /= exchange_big /=; congr (_ + _).
  by apply: eq_bigr => c _; rewrite summxE mulr_suml.
have strict l x : wins l x -> forall m, ~ m =1 l -> height (point m) x < height (point l) x.
  move=> wl m ml; rewrite !heightE.
  have [h mh] : exists h, m h != l h.
    apply/existsP; apply: contraT => /existsPn no; case: ml => h; apply/eqP.
    by have := no h; rewrite negbK.
  rewrite (bigD1 h) // [X in _ < X](bigD1 h) //=; apply: ltr_le_add; first exact: wl.
  apply: ler_sum => g _; have [->|/wl/ltW] := eqVneq (m g) (l g); first exact: lexx.
  by [].
split=> [l x|l m x wl e].
  split=> [wl m ml|top h i il].
    by apply: strict => // e; case/eqP: ml; congr (_, _); apply: eq_bigr => h _; rewrite e.
  pose m g := if g == h then i else l g.
  have mE g : g != h -> m g = l g by rewrite /m => /negPf ->.
  have mh : m h = i by rewrite /m eqxx.
  have : point m != point l.
    apply: contra il => /eqP[]; rewrite (bigD1 h) // [RHS](bigD1 h) //= mh.
    rewrite (eq_bigr (fun g => k g (l g))) => [/addIr ek|g gh]; last by rewrite mE.
    rewrite (bigD1 h) // [RHS](bigD1 h) //= mh.
    rewrite (eq_bigr (fun g => b g (l g))) => [/addIr eb|g gh]; last by rewrite mE.
    by apply/eqP/(inj h); rewrite ek eb.
  move/top; rewrite !heightE (bigD1 h) // [X in _ < X](bigD1 h) //= mh.
  rewrite (eq_bigr (fun g => score g (l g) x)) => [|g gh]; last by rewrite mE.
  by rewrite ltr_add2r.
move=> h; apply/eqP; apply: contraT => mh.
suff : height (point m) x < height (point l) x by rewrite e ltxx.
by apply: strict => // ml; rewrite ml eqxx in mh.
Qed.
