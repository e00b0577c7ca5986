(* Sums over pairs. A11: a covariance under weights of sum 1. B3: the error of an average splits by
   bilinearity, the constant 1 having norm 1. B5: the trace of the squared mean projector, expanded
   over pairs of heads. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Headproof Require Import StatementsAlgebra.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A symmetric function that is 0 on the diagonal, summed over all pairs, is twice its sum over
   i < j. *)
Lemma sum_symmetric (R : realFieldType) (N : nat) (f : 'I_N -> 'I_N -> R) :
  (forall i j, f i j = f j i) -> (forall i, f i i = 0) ->
  \sum_i \sum_j f i j = 2%:R * \sum_(i < N) \sum_(j < N | (i < j)%N) f i j.
Proof.
move=> sym diag; rewrite mulr_natl mulr2n.
have -> : \sum_i \sum_j f i j
          = \sum_(i < N) (\sum_(j < N | (i < j)%N) f i j + \sum_(j < N | (j < i)%N) f i j).
  apply: eq_bigr => i _; rewrite (bigID (fun j : 'I_N => (i < j)%N)) /=; congr (_ + _).
  rewrite [LHS]big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => j _.
  by case: (ltngtP i j) => [//|//|/val_inj ->]; rewrite diag.
rewrite big_split /=; congr (_ + _).
rewrite (exchange_big_dep xpredT) //=; apply: eq_bigr => i _; apply: eq_bigr => j _; exact: sym.
Qed.

Theorem covariance_of_pairs_holds : covariance_of_pairs.
Proof.
move=> R N p v k one.
pose f i j := p i * p j * ((v i - v j) * (k i - k j)).
apply: (@mulfI _ 2%:R); first by rewrite pnatr_eq0.
rewrite -(@sum_symmetric R N f) => [|i j|i]; rewrite /f; last 2 first.
- by move: (p i) (p j) (v i) (v j) (k i) (k j) => *; ring.
- by rewrite !subrr !mulr0.
rewrite [RHS](eq_bigr (fun i => p i * (v i * k i) - (p i * v i) * (\sum_j p j * k j)
                           - (p i * k i) * (\sum_j p j * v j)
                           + p i * \sum_j p j * (v j * k j))) => [|i _].
  rewrite big_split /= !sumrB -!mulr_suml one mul1r.
  by move: (\sum_j p j * (v j * k j)) (\sum_j p j * v j) (\sum_j p j * k j) => *; ring.
rewrite !mulr_sumr -[p i * (v i * k i)]mul1r -one mulr_suml -!sumrB -big_split /=.
apply: eq_bigr => j _.
by move: (p i) (p j) (v i) (v j) (k i) (k j) => *; ring.
Qed.

Theorem products_of_pairs_holds : products_of_pairs.
Proof.
move=> R N p m pos one.
have le1 : p m <= 1.
  by rewrite -one (bigD1 m) //= ler_addl; apply: sumr_ge0 => i _.
split; last first.
  rewrite ler_pdivr_mulr ?ltr0n // -subr_ge0.
  rewrite [X in 0 <= X](_ : _ = (1 - p m) ^+ 2) ?sqr_ge0 //.
  by move: (p m) => x; ring.
pose f i j := p i * p j * (i != j)%:R.
have square : \sum_i p i ^+ 2 + 2%:R * (\sum_(i < N) \sum_(j < N | (i < j)%N) p i * p j) = 1.
  have -> : \sum_(i < N) \sum_(j < N | (i < j)%N) p i * p j
            = \sum_(i < N) \sum_(j < N | (i < j)%N) f i j.
    apply: eq_bigr => i _; apply: eq_bigr => j; rewrite /f => /ltn_eqF ne.
    by rewrite -val_eqE ne mulr1.
  rewrite -(@sum_symmetric R N f) => [|i j|i]; rewrite /f; last 2 first.
  - by rewrite eq_sym [p j * _]mulrC.
  - by rewrite eqxx mulr0.
  rewrite -big_split /= -{2}[1]mulr1 -{3}one -{2}one mulr_suml; apply: eq_bigr => i _.
  rewrite mulr_sumr (bigD1 i) //= [RHS](bigD1 i) //= eqxx mulr0 add0r; congr (_ + _).
  by apply: eq_bigr => j ne; rewrite eq_sym ne mulr1.
rewrite ler_pdivl_mulr ?ltr0n // mulrC ler_subr_addr -[X in _ <= X]square addrC ler_add2r.
by rewrite (bigD1 m) //= ler_addl; apply: sumr_ge0 => i _; apply: sqr_ge0.
Qed.

Theorem bias_variance_covariance_holds : bias_variance_covariance.
Proof.
move=> R V E one e H f y sym lin one1 noise0 uncorrelated H2 mean cov error.
have add g g' h : E (g + g') h = E g h + E g' h by rewrite -{1}[g]scale1r lin mul1r.
have zero h : E 0 h = 0 by apply: (@addrI _ (E 0 h)); rewrite -add !addr0.
have scale a g h : E (a *: g) h = a * E g h by rewrite -[a *: g]addr0 lin zero addr0.
have addr g h h' : E g (h + h') = E g h + E g h' by rewrite sym add !(sym _ g).
have scaler a g h : E g (a *: h) = a * E g h by rewrite sym scale sym.
have sum (I : finType) (g : I -> V) h : E (\sum_i g i) h = \sum_i E (g i) h.
  by elim/big_ind2: _ => [|a a' b b' <- <-|//]; rewrite ?zero ?add.
have sumr (I : finType) (g : I -> V) h : E h (\sum_i g i) = \sum_i E h (g i).
  by rewrite sym sum; apply: eq_bigr => i _; rewrite sym.
have nz : (H%:R : R) != 0 by rewrite pnatr_eq0 -lt0n (leq_trans _ H2).
have nz1 : (H%:R - 1 : R) != 0 by rewrite subr_eq0 pnatr_eq1 gtn_eqF.
pose centred h := f h - mean h *: one.
pose bias := H%:R^-1 * \sum_h (mean h - y).
have errorE : error = H%:R^-1 *: (\sum_h centred h) + (bias *: one - e).
  rewrite /error /bias /centred !sumrB -scaler_suml sumr_const card_ord scalerBr.
  rewrite mulrBr -[y *+ H]mulr_natl mulKf // scalerBl scalerA opprD !addrA; congr (_ - _ - _).
  by rewrite addrNK.
have centred_one h : E (centred h) one = 0.
  by rewrite /centred -scaleN1r add !scale one1 mulr1 mulN1r subrr.
have centred_e h : E (centred h) e = 0.
  by rewrite /centred -scaleN1r add !scale (sym one) noise0 (sym _ e) uncorrelated !mulr0 addr0.
have opp g h : E (- g) h = - E g h by rewrite -scaleN1r scale mulN1r.
have oppr g h : E g (- h) = - E g h by rewrite sym opp sym.
pose total := \sum_h centred h.
have total_one : E total one = 0 by rewrite sum big1.
have total_e : E total e = 0 by rewrite sum big1.
have -> : E error error = H%:R^-1 ^+ 2 * E total total + bias ^+ 2 + E e e.
  rewrite errorE -/total !(add, addr, opp, oppr, scale, scaler) (sym one total) (sym e total).
  rewrite (sym one e) noise0 one1 total_one total_e; move: (E total total) (E e e) => *; ring.
rewrite /total -/bias sum (eq_bigr (fun h => cov h h + \sum_(h' | h' != h) cov h h')) => [|h _]; last first.
  by rewrite sumr (bigD1 h).
rewrite big_split /=.
move: (\sum_h cov h h) (\sum_h \sum_(h' | h' != h) cov h h') (bias) (E e e) => v c b n.
by field; rewrite nz nz1.
Qed.

Section Projectors.
Variables (R : realFieldType) (d dk H : nat) (Pi : 'I_H -> 'M[R]_d).
Hypotheses (dk0 : (0 < dk)%N) (H2 : (2 <= H)%N).
Hypothesis projector : forall h, Pi h *m Pi h = Pi h /\ (Pi h)^T = Pi h /\ \tr (Pi h) = dk%:R.

Let pairs := \sum_h \sum_(h' | h' != h) \tr (Pi h *m Pi h').
Let mean := H%:R^-1 *: \sum_h Pi h.

Lemma nz : (dk%:R : R) != 0 /\ (H%:R : R) != 0 /\ (H%:R - 1 : R) != 0.
Proof.
by rewrite !pnatr_eq0 -!lt0n dk0 (leq_trans _ H2) // subr_eq0 pnatr_eq1 gtn_eqF.
Qed.

Lemma trace_square (M : 'M[R]_d) : M^T = M -> 0 <= \tr (M *m M).
Proof.
move=> sym; apply: sumr_ge0 => i _; rewrite mxE; apply: sumr_ge0 => j _.
by rewrite -{2}sym mxE sqr_ge0.
Qed.

Lemma traceB (L M : 'M[R]_d) : \tr (L - M) = \tr L - \tr M.
Proof. exact: raddfB. Qed.

Lemma trace_pair h h' : 0 <= \tr (Pi h *m Pi h') <= dk%:R.
Proof.
have [idem [sym tr]] := projector h; have [idem' [sym' tr']] := projector h'.
apply/andP; split.
  have -> : \tr (Pi h *m Pi h') = \sum_i \sum_j (Pi h *m Pi h') i j ^+ 2.
    rewrite -{1}idem -{1}idem' mulmxA mxtrace_mulC !mulmxA -mulmxA.
    rewrite -{1}sym' -{1}sym -trmx_mul [RHS]exchange_big /=.
    apply: eq_bigr => j _; rewrite mxE; apply: eq_bigr => i _.
    by rewrite [X in X * _]mxE.
  by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; exact: sqr_ge0.
have : 0 <= \tr ((Pi h - Pi h') *m (Pi h - Pi h')).
  by apply: trace_square; rewrite linearB /= sym sym'.
rewrite mulmxBl !mulmxBr !traceB idem idem' tr tr' (mxtrace_mulC (Pi h')).
set t := \tr _; rewrite (_ : _ - _ = 2%:R * (dk%:R - t)); last by ring.
by rewrite pmulr_rge0 ?ltr0n // subr_ge0.
Qed.

Lemma trace_mean : \tr (mean *m mean) = H%:R^-1 ^+ 2 * (H%:R * dk%:R + pairs).
Proof.
rewrite /mean -scalemxAl -scalemxAr !linearZ /= mulrA -expr2; congr (_ * _).
rewrite mulmx_suml raddf_sum /= (eq_bigr (fun h => dk%:R + \sum_(h' | h' != h) \tr (Pi h *m Pi h'))).
  by rewrite big_split /= sumr_const card_ord mulr_natl.
move=> h _; rewrite mulmx_sumr raddf_sum /= (bigD1 h) //=.
by have [-> [_ ->]] := projector h.
Qed.

Lemma pairs_ge0 : 0 <= pairs.
Proof. by apply: sumr_ge0 => h _; apply: sumr_ge0 => h' _; case/andP: (trace_pair h h'). Qed.

Lemma pairs_le : pairs <= H%:R * (H%:R - 1) * dk%:R.
Proof.
apply: (@le_trans _ _ (\sum_(h < H) \sum_(h' < H | h' != h) dk%:R)).
  by apply: ler_sum => h _; apply: ler_sum => h' _; case/andP: (trace_pair h h').
have others (h : 'I_H) : \sum_(h' < H | h' != h) dk%:R = (H%:R - 1) * dk%:R :> R.
  transitivity (\sum_(h' in predC1 h) dk%:R : R); first by apply: eq_bigl.
  by rewrite sumr_const cardC1 card_ord -mulr_natl -subn1 natrB // (leq_trans _ H2).
rewrite (eq_bigr (fun=> (H%:R - 1) * dk%:R)) // sumr_const card_ord -mulr_natl mulrA.
exact: lexx.
Qed.

(* Cauchy and Schwarz for the diagonal: tr(M)^2 <= d tr(M M). *)
Lemma trace_cauchy (M : 'M[R]_d) : M^T = M -> \tr M ^+ 2 <= d%:R * \tr (M *m M).
Proof.
move=> sym; have [d0|d0] := posnP d.
  by rewrite /mxtrace !big1 ?expr0n ?mulr0 // => i; move: (ltn_ord i); rewrite {2}d0.
have nzd : (d%:R : R) != 0 by rewrite pnatr_eq0 -lt0n.
have : 0 <= \tr ((M - (\tr M / d%:R)%:M) *m (M - (\tr M / d%:R)%:M)).
  by apply: trace_square; rewrite linearB /= tr_scalar_mx sym.
rewrite mulmxBl !mulmxBr !mul_mx_scalar mul_scalar_mx !traceB !mxtraceZ mxtrace_scalar.
set t := \tr M; set q := \tr (M *m M) => pos.
have : 0 <= d%:R * (q - t / d%:R * t - (t / d%:R * t - t / d%:R * (t / d%:R *+ d))).
  by apply: mulr_ge0; [exact: ler0n | exact: pos].
rewrite -[t / d%:R *+ d]mulr_natr [X in 0 <= X -> _](_ : _ = d%:R * q - t ^+ 2) ?subr_ge0 //.
by field.
Qed.

Lemma spectral :
  1 - (H%:R * (H%:R - 1))^-1 * pairs / dk%:R = H%:R / (H%:R - 1) * (1 - \tr (mean *m mean) / dk%:R).
Proof. by have [a [b c]] := nz; rewrite trace_mean; move: pairs => p; field; rewrite a b c. Qed.

End Projectors.

Theorem diversity_spectral_holds : diversity_spectral.
Proof. by move=> R d dk H Pi dk0 H2 projector HDI Pbar; apply: spectral. Qed.

Theorem diversity_effective_holds : diversity_effective.
Proof.
move=> R d dk H Pi dk0 H2 projector HDI Pbar; rewrite /HDI /Pbar.
have [a [b c]] := @nz R dk H dk0 H2.
have := @pairs_ge0 R d dk H Pi projector; rewrite (trace_mean _ _ _ _ Pi projector).
set p := \sum_h _ => p0; have sum0 : (H%:R * dk%:R + p : R) != 0.
  by rewrite gt_eqF // ltr_paddr // mulr_gt0 // ltr0n // (leq_trans _ H2).
by field; rewrite a b c /= sum0.
Qed.

Theorem diversity_range_holds : diversity_range.
Proof.
move=> R d dk H Pi dk0 H2 projector HDI.
have [a [b c]] := @nz R dk H dk0 H2.
have dkpos : 0 < (dk%:R : R) by rewrite ltr0n.
have Hpos : 0 < (H%:R : R) by rewrite ltr0n (leq_trans _ H2).
have H1pos : 0 < (H%:R - 1 : R) by rewrite subr_gt0 ltr1n.
have dpos : 0 < (d%:R : R).
  have [_ [_ tr]] := projector (Ordinal (ltnW H2)); rewrite ltr0n lt0n; apply/eqP => d0.
  have : \tr (Pi (Ordinal (ltnW H2))) = 0.
    by rewrite /mxtrace big1 // => i; move: (ltn_ord i); rewrite {2}d0.
  by rewrite tr => /eqP; rewrite gt_eqF.
have bound : HDI <= H%:R / (H%:R - 1) * (1 - dk%:R / d%:R).
  rewrite /HDI (spectral _ _ _ _ Pi dk0 H2 projector).
  apply: ler_wpmul2l; first by rewrite divr_ge0 ?ltW.
  rewrite ler_add2l ler_opp2.
  have sym : (H%:R^-1 *: \sum_h Pi h)^T = H%:R^-1 *: \sum_h Pi h.
    rewrite linearZ linear_sum /=; congr (_ *: _); apply: eq_bigr => h _.
    by have [_ []] := projector h.
  have := @trace_cauchy R d _ sym; rewrite [\tr (_ *: _)]linearZ /= linear_sum /=.
  rewrite (eq_bigr (fun=> dk%:R)) => [|h _]; last by have [_ []] := projector h.
  rewrite sumr_const card_ord -[dk%:R *+ H]mulr_natl mulKf //.
  set q := \tr _ => le; by rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr // -expr2 mulrC.
split; last split; last (split=> // small; apply: le_lt_trans bound _).
- rewrite /HDI subr_ge0 ler_pdivr_mulr // mul1r ler_pdivr_mull ?mulr_gt0 //.
  exact: pairs_le.
- rewrite /HDI ler_subl_addr ler_addl; apply: divr_ge0; last exact: ltW.
  apply: mulr_ge0; last exact: pairs_ge0.
  by rewrite invr_ge0 ltW // mulr_gt0.
rewrite mulrAC ltr_pdivr_mulr // mul1r mulrBr mulr1 ltr_add2l ltr_opp2.
by rewrite mulrA ltr_pdivl_mulr // mul1r -natrM ltr_nat.
Qed.
