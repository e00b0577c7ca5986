(* B5: the trace of the squared mean projector, expanded over pairs. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Headproof Require Import StatementsAlgebra.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
split; last split; last 1 first.
- rewrite /HDI (spectral _ _ _ _ Pi dk0 H2 projector); apply: ler_wpmul2l; first by rewrite divr_ge0 ?ltW.
  rewrite ler_add2l ler_opp2.
  have sym : (H%:R^-1 *: \sum_h Pi h)^T = H%:R^-1 *: \sum_h Pi h.
    rewrite linearZ linear_sum /=; congr (_ *: _); apply: eq_bigr => h _.
    by have [_ []] := projector h.
  have := @trace_cauchy R d _ sym; rewrite [\tr (_ *: _)]linearZ /= linear_sum /=.
  rewrite (eq_bigr (fun=> dk%:R)) => [|h _]; last by have [_ []] := projector h.
  rewrite sumr_const card_ord -[dk%:R *+ H]mulr_natl mulKf //.
  set q := \tr _ => le; have [d0|d0] := posnP d.
    by move: le; rewrite d0 mul0r leNgt exprn_gt0.
  by rewrite ler_pdivr_mulr ?ltr0n // mulrAC ler_pdivl_mulr // -expr2 mulrC.
- rewrite /HDI subr_ge0 ler_pdivr_mulr // mul1r ler_pdivr_mull ?mulr_gt0 //.
  exact: pairs_le.
rewrite /HDI ler_subl_addr ler_addl; apply: divr_ge0; last exact: ltW.
apply: mulr_ge0; last exact: pairs_ge0.
by rewrite invr_ge0 ltW // mulr_gt0.
Qed.
