(* B3: the error of the average splits by bilinearity; the constant 1 has norm 1. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Headproof Require Import StatementsAlgebra.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
