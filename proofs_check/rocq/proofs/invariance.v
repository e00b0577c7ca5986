(* C1, C3, C4: what a change of basis within a head leaves as it is, and that for factors of full
   rank nothing else leaves their product as it is. T2a: a permutation of the tokens reindexes every
   sum of the layer. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import StatementsAlgebra.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem gauge_of_product_holds : gauge_of_product.
Proof. by move=> F m n dk Q K A unit; rewrite trmx_mul trmxK mulmxA mulmxK. Qed.

Theorem gauge_complete_holds : gauge_complete.
Proof.
move=> F m n dk Q Q' K K' rQ rK same.
have fullQ : row_full Q by rewrite /row_full rQ.
have [L LQ] := row_fullP fullQ.
have [M MK] : exists M, M *m K = 1%:M by apply/row_fullP; rewrite /row_full rK.
(* Q' K'^T has rank d_k, so that its factors, which have d_k columns, have it too. *)
have rank_product : \rank (Q *m K^T) = dk.
  by rewrite mxrankMfree // /row_free mxrank_tr rK.
have rQ' : \rank Q' = dk.
  apply/eqP; rewrite eqn_leq rank_leq_col /=.
  by have := mxrankM_maxl Q' K'^T; rewrite -same rank_product.
have rK' : \rank K' = dk.
  apply/eqP; rewrite eqn_leq rank_leq_col /= -(mxrank_tr K').
  by have := mxrankM_maxr Q' K'^T; rewrite -same rank_product.
have [M' MK'] : exists M, M *m K' = 1%:M by apply/row_fullP; rewrite /row_full rK'.
have KM' : K'^T *m M'^T = 1%:M by rewrite -trmx_mul MK' trmx1.
pose A := K^T *m M'^T.
have Q'A : Q' = Q *m A by rewrite /A mulmxA same -mulmxA KM' mulmx1.
have unitA : A \in unitmx.
  rewrite -row_full_unit /row_full eqn_leq rank_leq_col /=.
  by have := mxrankM_maxr Q A; rewrite -Q'A rQ'.
have KA : K^T = A *m K'^T by rewrite -[LHS]mul1mx -LQ -mulmxA same Q'A !mulmxA LQ mul1mx.
exists A; split.
  by split=> //; split=> //; rewrite -[K]trmxK KA trmx_mul trmxK -mulmxA -trmx_mul mulVmx ?trmx1 ?mulmx1.
by move=> B [_ [Q'B _]]; rewrite -[A]mul1mx -LQ -mulmxA -Q'A Q'B mulmxA LQ mul1mx.
Qed.

Theorem softmax_shift_holds : softmax_shift.
Proof.
move=> R ex N s c j mult pos; rewrite mult (eq_bigr (fun i => ex (s i) * ex c)) //.
by rewrite -mulr_suml -mulf_div divff ?mulr1 // gt_eqF.
Qed.

Theorem value_bias_holds : value_bias.
Proof.
move=> R H N dv d p v b O sum1; rewrite -big_split /=; apply: eq_bigr => h _.
rewrite -mulmxDl; congr (_ *m _).
rewrite (eq_bigr (fun j => p h j *: v h j + p h j *: b h)) => [|j _]; last by rewrite scalerDr.
by rewrite big_split /= -scaler_suml sum1 scale1r.
Qed.

Theorem block_gauge_holds : block_gauge.
Proof.
move=> R ex H N d dk dv x X Q K V O q k k' v w o A B N0 mult pos unitA unitB block.
rewrite /block {block} /=.
pose score h j := ((x *m Q h + q h) *m (X j *m K h + k h)^T) 0 0.
have trD (m n : nat) (L M : 'M[R]_(m, n)) : (L + M)^T = L^T + M^T.
  by apply/matrixP => a b; rewrite !mxE.
have shift h j :
  ((x *m (Q h *m A h) + q h *m A h) *m (X j *m (K h *m (invmx (A h))^T) + k' h)^T) 0 0
  = score h j + ((x *m Q h + q h) *m (A h *m (k' h)^T - (k h)^T)) 0 0.
  pose matrix := (x *m Q h + q h) *m (X j *m K h + k h)^T.
  have -> : (x *m (Q h *m A h) + q h *m A h) *m (X j *m (K h *m (invmx (A h))^T) + k' h)^T
            = matrix + (x *m Q h + q h) *m (A h *m (k' h)^T - (k h)^T).
    rewrite /matrix -mulmxDr [x *m _]mulmxA -mulmxDl -mulmxA; congr (_ *m _).
    rewrite !trD mulmxDr !trmx_mul trmxK !mulmxA mulmxV // mul1mx.
    by rewrite addrACA subrr addr0.
  by rewrite mxE.
pose weight h j := ex (score h j) / (\sum_i ex (score h i)).
have weights h : \sum_j weight h j = 1.
  rewrite -mulr_suml divff // gt_eqF // (bigD1 (Ordinal N0)) //= ltr_paddr ?pos //.
  by apply: sumr_ge0 => i _; apply: ltW.
set moved := \sum_h _; suff -> : moved = (\sum_h (\sum_j weight h j *: (X j *m V h + v h)) *m O h)
                                         + \sum_h w h *m O h.
  by rewrite -addrA [X in _ + X]addrC addrNK.
rewrite /moved -big_split /=; apply: eq_bigr => h _; rewrite -mulmxDl [_ *m (invmx _ *m _)]mulmxA; congr (_ *m _).
rewrite -[X in _ = _ + X]scale1r -(weights h) scaler_suml -big_split /= mulmx_suml.
apply: eq_bigr => j _; rewrite shift (eq_bigr _ (fun i _ => congr1 ex (shift h i))).
rewrite (softmax_shift_holds _ _ _ _ _ _ mult pos) -scalemxAl -scalerDr -/(weight h j).
by rewrite mulmxA -mulmxDl -mulmxA mulmxV // mulmx1 addrA.
Qed.

Theorem set_attention_equivariance_holds : set_attention_equivariance.
Proof.
move=> R ex d p n H g W C G beta inv score weight value layer X s bs q.
apply: eq_bigr => h _; rewrite /value; congr ((_ + _) *m _).
  by apply: eq_bigr => i _; rewrite inv.
rewrite [RHS](reindex s) /=; last exact: onW_bij.
apply: eq_bigr => j _; rewrite /weight; congr ((_ / _) *: _).
by rewrite [RHS](reindex s) //=; exact: onW_bij.
Qed.

Theorem pooled_attention_equivariance_holds : pooled_attention_equivariance.
Proof.
move=> R ex act d p n H g W C G phi score weight value layer X s bs q.
refine (set_attention_equivariance_holds R ex d p n H g W C G
  (fun h i X => act (\sum_j phi h i (X j))) _ X s bs q) => h i Y u bu.
by congr (act _); rewrite [RHS](reindex u) //; exact: onW_bij.
Qed.
