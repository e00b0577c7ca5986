(* A7: families of parallel hyperplanes. A point is a polynomial p of degree < d, family h reads its
   value at the node s_h, so that any d of the linear forms are independent (interpolation), and on
   the hyperplane p(s_h) = t the point is p = t + (X - s_h) q: the same problem for q, one dimension
   and one family less, with thresholds (t' - t) / (s' - s_h). That gives the recurrence of the count
   without a word about arrangements. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import StatementsAlgebra.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Families.
Variable F : realFieldType.
Implicit Types (ts : seq F) (fs : seq (F * seq F)) (p q : {poly F}) (w : seq nat).

(* y lies above the first k thresholds and below the others *)
Definition slab ts (k : nat) (y : F) : Prop :=
  (k <= size ts)%N /\
  forall i, (i < size ts)%N -> if (i < k)%N then nth 0 ts i < y else y < nth 0 ts i.

Fixpoint fits fs w (p : {poly F}) : Prop :=
  match fs, w with
  | [::], [::] => True
  | f :: fs', k :: w' => slab f.2 k p.[f.1] /\ fits fs' w' p
  | _, _ => False
  end.

Definition realised d fs w := exists p, (size p <= d)%N /\ fits fs w p.

Fixpoint ordered fs : bool :=
  if fs is f :: fs' then
    [&& sorted <%R f.2, all (fun g => f.1 < g.1) fs' & ordered fs']
  else true.

Definition meets fs p : nat := count (fun f => p.[f.1] \in f.2) fs.
Definition general d fs : Prop := forall p, (size p <= d)%N -> (meets fs p <= d)%N.

Definition restrict (s t : F) fs : seq (F * seq F) :=
  [seq (f.1, [seq (u - t) / (f.1 - s) | u <- f.2]) | f <- fs].

Definition lift_poly (s t : F) q : {poly F} := t%:P + ('X - s%:P) * q.

Fixpoint words (ns : seq nat) (d : nat) : nat :=
  match ns, d with
  | n :: ns', d'.+1 => (words ns' d + n * words ns' d')%N
  | _, _ => 1%N
  end.

Lemma lift_polyE s t q x : (lift_poly s t q).[x] = t + (x - s) * q.[x].
Proof. by rewrite /lift_poly hornerD hornerM hornerXsubC hornerC. Qed.

Lemma size_lift_poly s t q d : (size q <= d)%N -> (size (lift_poly s t q) <= d.+1)%N.
Proof.
move=> sq; apply: leq_trans (size_add _ _) _; rewrite geq_max.
rewrite (leq_trans (size_polyC_leq1 _)) //=.
have [->|q0] := eqVneq q 0; first by rewrite mulr0 size_poly0.
by rewrite size_monicM ?monicXsubC // size_XsubC.
Qed.

Lemma slab_restrict s t x ts k (y : F) : s < x ->
  slab ts k (t + (x - s) * y) <-> slab [seq (u - t) / (x - s) | u <- ts] k y.
Proof.
rewrite -subr_gt0 => xs; rewrite /slab size_map.
have eq i : (i < size ts)%N ->
    (if (i < k)%N then nth 0 ts i < t + (x - s) * y else t + (x - s) * y < nth 0 ts i)
    = (if (i < k)%N then nth 0 [seq (u - t) / (x - s) | u <- ts] i < y
       else y < nth 0 [seq (u - t) / (x - s) | u <- ts] i).
  move=> lt; rewrite (nth_map 0) // ltr_pdivr_mulr // ltr_pdivl_mulr //.
  by rewrite ltr_subl_addl ltr_subr_addl mulrC.
by split=> -[le h]; split=> // i lt; have := h i lt; rewrite eq.
Qed.

Lemma fits_restrict s t fs w q : all (fun f => s < f.1) fs ->
  fits fs w (lift_poly s t q) <-> fits (restrict s t fs) w q.
Proof.
elim: fs w => [|f fs IH] [|k w] //= /andP[sf al].
rewrite lift_polyE.
have h1 := slab_restrict s t f.1 f.2 k q.[f.1] sf; have h2 := IH w al.
by split=> -[/h1 ? /h2 ?]; split.
Qed.

Lemma meets_restrict s t fs q : all (fun f => s < f.1) fs ->
  meets (restrict s t fs) q = meets fs (lift_poly s t q).
Proof.
move=> /allP al; rewrite /meets count_map; apply: eq_in_count => f /al sf /=.
have x0 : f.1 - s != 0 by rewrite subr_eq0 gt_eqF.
rewrite lift_polyE; apply/mapP/idP => [[u uf ->]|mf].
  by rewrite mulrC divfK // addrC subrK.
by exists (t + (f.1 - s) * q.[f.1]) => //; rewrite addrC addKr mulrC mulKf.
Qed.

Lemma sorted_nth ts i j : sorted <%R ts -> (i < size ts)%N -> (j < size ts)%N ->
  (nth 0 ts i < nth 0 ts j) = (i < j)%N.
Proof. by move=> st li lj; rewrite (lt_sorted_ltn_nth 0 st). Qed.

Lemma ordered_restrict s t fs : all (fun f => s < f.1) fs -> ordered fs ->
  ordered (restrict s t fs).
Proof.
elim: fs => //= f fs IH /andP[sf al] /and3P[st lo /(IH al) ->].
rewrite andbT all_map /= lo andbT.
rewrite sorted_map; apply: sub_sorted st => u v uv /=.
by rewrite ltr_pmul2r ?invr_gt0 ?subr_gt0 // ltr_add2r.
Qed.

(* strict conditions survive small moves *)
Lemma slab_open ts k y : slab ts k y ->
  exists2 e : F, 0 < e & forall z, `|z| < e -> slab ts k (y + z).
Proof.
move=> [le h]; rewrite /slab.
suff [e e0 he] : exists2 e : F, 0 < e & forall z, `|z| < e -> forall i, (i < size ts)%N ->
    if (i < k)%N then nth 0 ts i < y + z else y + z < nth 0 ts i.
  by exists e => // z /he.
elim: (size ts) h => [|n IH] h; first by exists 1; [exact: ltr01 | move=> z _ i; rewrite ltn0].
have [i lt|e e0 he] := IH; first by apply: h; rewrite ltnW.
have hn := h n (ltnSn n).
have n0 : 0 < `|y - nth 0 ts n|.
  by rewrite normr_gt0 subr_eq0; case: ifP hn => _ /lt_eqF; rewrite 1?eq_sym => ->.
exists (Num.min e `|y - nth 0 ts n|); first by rewrite lt_minr e0.
move=> z; rewrite lt_minr => /andP[ze zn] i; rewrite ltnS leq_eqVlt => /orP[/eqP ->|]; last exact: he.
move: zn; case: ifP hn => _ lt.
  rewrite [`|y - _|]gtr0_norm ?subr_gt0 // ltr_norml opprB => /andP[zl _].
  by rewrite -ltr_subl_addl.
rewrite [`|y - _|]ltr0_norm ?subr_lt0 // opprB ltr_norml => /andP[_ zl].
by rewrite -ltr_subr_addl.
Qed.

Lemma fits_open fs w p : fits fs w p ->
  exists2 e : F, 0 < e & forall z, `|z| < e -> fits fs w (p + z%:P).
Proof.
elim: fs w => [|f fs IH] [|k w] //=; first by move=> _; exists 1; rewrite ?ltr01.
move=> [/slab_open[e e0 he] /IH[e' e'0 he']].
exists (Num.min e e'); first by rewrite lt_minr e0.
move=> z; rewrite lt_minr => /andP[/he h1 /he' h2].
by rewrite hornerD hornerC.
Qed.

Lemma slab_exists ts y : sorted <%R ts -> y \notin ts -> exists k, slab ts k y.
Proof.
move=> st nin; exists (find (fun u => y < u) ts); split; first exact: find_size.
move=> i lt; case: ifP => [/(before_find 0) /negbT|].
  rewrite -leNgt le_eqVlt => /orP[/eqP e|//].
  by rewrite -e mem_nth in nin.
move/negbT; rewrite -leqNgt => le.
have has_y : has (fun u => y < u) ts by rewrite has_find (leq_ltn_trans le).
apply: (lt_le_trans (nth_find 0 has_y)); move: le; rewrite leq_eqVlt => /orP[/eqP ->//|lt'].
by apply/ltW; rewrite sorted_nth // -has_find.
Qed.

(* beside the threshold number i lie the slabs i and i + 1 *)
Lemma slab_beside ts i : sorted <%R ts -> (i < size ts)%N ->
  exists2 e : F, 0 < e & forall z, 0 < z -> z < e ->
    slab ts i (nth 0 ts i - z) /\ slab ts i.+1 (nth 0 ts i + z).
Proof.
move=> st lt; set y := nth 0 ts i.
suff [e e0 he] : exists2 e : F, 0 < e & forall z, 0 < z -> z < e -> forall j, (j < size ts)%N ->
   (if (j < i)%N then nth 0 ts j < y - z else y - z < nth 0 ts j) /\
   (if (j < i.+1)%N then nth 0 ts j < y + z else y + z < nth 0 ts j).
  exists e => // z z0 ze; rewrite /slab lt (ltnW lt).
  by split; split=> // j lj; have [] := he z z0 ze j lj.
have le_size : (size ts <= size ts)%N := leqnn _.
move: {1 3}(size ts) le_size => n; elim: n => [|n IH] ln; first by exists 1; [exact: ltr01 | move=> z _ _ j; rewrite ltn0].
have [|e e0 he] := IH; first exact: ltnW.
have [nlt|ngt|ni] := ltngtP n i.
- exists (Num.min e (y - nth 0 ts n)).
    by rewrite lt_minr e0 subr_gt0 sorted_nth.
  move=> z z0; rewrite lt_minr => /andP[ze zn] j; rewrite ltnS leq_eqVlt => /orP[/eqP ->|].
    rewrite nlt ltnS ltnW //; split; first by rewrite ltr_subr_addl -ltr_subr_addr.
    by rewrite (ltr_paddr (ltW z0)) // sorted_nth.
  exact: he.
- exists (Num.min e (nth 0 ts n - y)).
    by rewrite lt_minr e0 subr_gt0 sorted_nth.
  move=> z z0; rewrite lt_minr => /andP[ze zn] j; rewrite ltnS leq_eqVlt => /orP[/eqP ->|].
    have -> : (n < i)%N = false by rewrite ltnNge ltnW.
    have -> : (n < i.+1)%N = false by rewrite ltnS leqNgt ngt.
    split; last by rewrite -ltr_subr_addl.
    by rewrite ltr_subl_addl (ltr_paddl (ltW z0)) // sorted_nth.
  exact: he.
subst n; exists e => // z z0 ze j; rewrite ltnS leq_eqVlt => /orP[/eqP ->|ji]; last first.
  by have := he z z0 ze j ji; rewrite ji orbT ltnS (ltnW ji).
by rewrite eqxx ltnn /= -/y ltr_subl_addl ltr_addr ltr_addl.
Qed.

Lemma fits_size fs w p : fits fs w p -> size w = size fs.
Proof. by elim: fs w => [|f fs IH] [|k w] //= [_ /IH ->]. Qed.

(* a point on no hyperplane has a word *)
Lemma fits_exists fs p : ordered fs -> meets fs p = 0%N -> exists w, fits fs w p.
Proof.
elim: fs => [|f fs IH] /=; first by exists [::].
move=> /and3P[st _ /IH {}IH]; rewrite /meets /=.
have [//|nin] := boolP (p.[f.1] \in f.2); rewrite add0n => /IH[w fw].
by have [k sk] := slab_exists _ _ st nin; exists (k :: w).
Qed.

(* the digits in front of one word of the other families *)
Lemma digits (T : eqType) (n : nat) (Q : nat -> T -> Prop) (u : T) (hit : nat -> bool) (b : bool) :
  (forall i, (i < n)%N -> hit i -> Q i u /\ Q i.+1 u) -> (b -> exists k, Q k u) ->
  exists D : seq nat, [/\ uniq D, forall k, k \in D -> Q k u &
    (b + count hit (iota 0 n) <= size D)%N].
Proof.
move=> hitQ bQ; case E: [seq i <- iota 0 n | hit i] => [|i0 T0].
  rewrite -size_filter E /= addn0; case: b bQ => [/(_ isT)[k Qk]|_]; last by exists [::].
  by exists [:: k]; split=> // j; rewrite inE => /eqP ->.
have inT i : i \in i0 :: T0 -> (i < n)%N /\ hit i.
  by rewrite -E mem_filter mem_iota => /andP[? /andP[_]].
have sortT : sorted ltn (i0 :: T0).
  by rewrite -E; apply: sorted_filter; [exact: ltn_trans | exact: iota_ltn_sorted].
exists (i0 :: [seq i.+1 | i <- i0 :: T0]); split.
- rewrite cons_uniq map_inj_uniq ?(sorted_uniq ltn_trans ltnn) ?andbT //; last by move=> i j [].
  apply/mapP => -[j]; rewrite inE => /orP[/eqP ->|jT] e.
    by move/eqP: e; rewrite eqn_leq ltnn andbF.
  have /allP/(_ _ jT) := order_path_min ltn_trans sortT.
  by rewrite /= e ltnNge leqnSn.
- move=> k; rewrite inE => /orP[/eqP ->|/mapP[j /inT[lt h] ->]].
    by have [lt h] := inT i0 (mem_head _ _); case: (hitQ i0 lt h).
  by case: (hitQ j lt h).
- rewrite -size_filter E /= size_map; by case: b {bQ} => //=; rewrite add0n leqW.
Qed.

Lemma assemble (us : seq (seq nat)) (Q : nat -> seq nat -> Prop) (cost : seq nat -> nat) :
  uniq us ->
  (forall u, u \in us -> exists D : seq nat, [/\ uniq D, forall k, k \in D -> Q k u &
     (cost u <= size D)%N]) ->
  exists L : seq (seq nat), [/\ uniq L,
    forall v, v \in L -> exists k, exists2 u, u \in us & v = k :: u /\ Q k u &
    (\sum_(u <- us) cost u <= size L)%N].
Proof.
elim: us => [|u us IH] /= => [_ _|/andP[nu uus] h]; first by exists [::]; rewrite big_nil.
have [|L [uL QL sL]] := IH uus; first by move=> v vus; apply: h; rewrite inE vus orbT.
have [D [uD QD sD]] := h u (mem_head _ _).
exists ([seq k :: u | k <- D] ++ L); split.
- rewrite cat_uniq uL andbT map_inj_uniq ?uD /= => [|i j [] //].
  apply/hasPn => v /QL[k [x xus [-> _]]]; apply/mapP => -[j _ [_ e]].
  by rewrite -e xus in nu.
- move=> v; rewrite mem_cat => /orP[/mapP[k kD ->]|/QL[k [x xus [e Qx]]]].
    by exists k; exists u; rewrite ?mem_head //; split=> //; apply: QD.
  by exists k; exists x => //; rewrite inE xus orbT.
- by rewrite big_cons size_cat size_map leq_add.
Qed.

Lemma size_move p (z : F) d : (size p <= d.+1)%N -> (size (p + z%:P)%R <= d.+1)%N.
Proof.
move=> sp; apply: leq_trans (size_add _ _) _.
by rewrite geq_max sp (leq_trans (size_polyC_leq1 _)).
Qed.

(* a point on the threshold number i of f moves to both sides of it *)
Lemma move_off d f fs u p i : sorted <%R f.2 -> (i < size f.2)%N ->
  p.[f.1] = nth 0 f.2 i -> (size p <= d.+1)%N -> fits fs u p ->
  realised d.+1 (f :: fs) (i :: u) /\ realised d.+1 (f :: fs) (i.+1 :: u).
Proof.
move=> st lt pt sp /fits_open[e e0 he].
have [e' e'0 he'] := slab_beside _ _ st lt.
pose z := Num.min e e' / 2%:R.
have m0 : 0 < Num.min e e' by rewrite lt_minr e0.
have z0 : 0 < z by rewrite divr_gt0 // ltr0n.
have zm : z < Num.min e e' by rewrite ltr_pdivr_mulr ?ltr0n // ltr_pmulr // ltr1n.
move: zm; rewrite lt_minr => /andP[ze /(he' z z0)[below above]].
split; [exists (p + (- z)%:P) | exists (p + z%:P)]; split; try exact: size_move.
  by rewrite /= hornerD hornerC pt; split=> //; apply: he; rewrite normrN gtr0_norm.
by rewrite /= hornerD hornerC pt; split=> //; apply: he; rewrite gtr0_norm.
Qed.

Lemma count_sub (T : eqType) (us A : seq T) : uniq A -> {subset A <= us} ->
  (size A <= \sum_(u <- us) (u \in A))%N.
Proof.
move=> uA sub; rewrite (eq_bigr (fun u => if u \in A then 1 else 0)%N); last first.
  by move=> u _; case: (_ \in _).
rewrite -big_mkcond sum1_count -size_filter; apply: uniq_leq_size => // u uA'.
by rewrite mem_filter uA' sub.
Qed.

Lemma many_words fs d : ordered fs -> general d fs ->
  exists L : seq (seq nat), [/\ uniq L, forall w, w \in L -> realised d fs w &
    (words [seq size f.2 | f <- fs] d <= size L)%N].
Proof.
move: {2}(size fs) (leqnn (size fs)) => m; elim: m fs d => [|m IH] [|f fs] d //=.
- move=> _ _ _; exists [:: [::]]; split=> // w; rewrite inE => /eqP ->.
  by exists 0; rewrite size_poly0.
- move=> _ _ _; exists [:: [::]]; split=> // w; rewrite inE => /eqP ->.
  by exists 0; rewrite size_poly0.
rewrite ltnS => sm ofs gen.
case: d gen => [|d] gen.
  have [|w fw] := @fits_exists (f :: fs) 0 ofs.
    by apply/eqP; rewrite -leqn0; apply: gen; rewrite size_poly0.
  exists [:: w]; split=> // v; rewrite inE => /eqP ->.
  by exists 0; rewrite size_poly0.
move/and3P: ofs => [st al ofs]; set n := size f.2.
have gen1 : general d.+1 fs.
  by move=> p /gen; rewrite /meets /=; apply: leq_trans; apply: leq_addl.
have gen2 i : (i < n)%N -> general d (restrict f.1 (nth 0 f.2 i) fs).
  move=> lt q sq; rewrite meets_restrict //.
  have := gen (lift_poly f.1 (nth 0 f.2 i) q) (size_lift_poly _ _ _ _ sq).
  by rewrite /meets /= lift_polyE subrr mul0r addr0 mem_nth.
have [L1 [uL1 rL1 sL1]] := IH fs d.+1 sm ofs gen1.
have sizes t : [seq size g.2 | g <- restrict f.1 t fs] = [seq size g.2 | g <- fs].
  by rewrite -map_comp; apply: eq_map => g; rewrite /= size_map.
have [Lg gP] : exists Lg : nat -> seq (seq nat), forall i, (i < n)%N ->
    [/\ uniq (Lg i), forall w, w \in Lg i -> realised d (restrict f.1 (nth 0 f.2 i) fs) w &
      (words [seq size g.2 | g <- fs] d <= size (Lg i))%N].
  have [|Lf fP] := @fin_all_exists [finType of 'I_n] (fun=> seq (seq nat))
    (fun i L => [/\ uniq L, forall w, w \in L -> realised d (restrict f.1 (nth 0 f.2 i) fs) w &
      (words [seq size g.2 | g <- fs] d <= size L)%N]).
    move=> i; rewrite -(sizes (nth 0 f.2 i)); apply: IH.
    - by rewrite size_map.
    - exact: ordered_restrict.
    - exact: gen2.
  by exists (fun i => oapp Lf [::] (insub i)) => i lt; rewrite insubT /=; apply: fP.
pose us := undup (L1 ++ flatten [seq Lg i | i <- iota 0 n]).
pose Q k u := realised d.+1 (f :: fs) (k :: u).
pose cost u := ((u \in L1) + count (fun i => u \in Lg i) (iota 0 n))%N.
have [||L [uL QL sL]] := @assemble us Q cost.
- exact: undup_uniq.
- move=> u _; apply: (@digits _ n Q u (fun i => u \in Lg i) (u \in L1)) => [i lt ui|].
    have [_ /(_ u ui)[q [sq fq0]] _] := gP i lt.
    have fq := proj2 (fits_restrict f.1 (nth 0 f.2 i) fs u q al) fq0.
    apply: (move_off _ _ _ _ (lift_poly f.1 (nth 0 f.2 i) q)) => //.
      by rewrite lift_polyE subrr mul0r addr0.
    exact: size_lift_poly.
  move/rL1 => [p [sp fp]]; have [pin|nin] := boolP (p.[f.1] \in f.2).
    exists (index p.[f.1] f.2).
    by have [] := move_off d f fs u p (index p.[f.1] f.2) st; rewrite ?index_mem ?nth_index.
  by have [k sk] := slab_exists _ _ st nin; exists k; exists p.
exists L; split=> // [w /QL[k [u _ [-> //]]]|].
apply: leq_trans sL; rewrite big_split /= leq_add //.
  apply: leq_trans sL1 _; apply: count_sub => // u u1.
  by rewrite mem_undup mem_cat u1.
rewrite (eq_bigr (fun u => \sum_(i <- iota 0 n) (u \in Lg i)))%N; last first.
  by move=> u _; rewrite -sum1_count big_mkcond; apply: eq_bigr => i _; case: (_ \in _).
rewrite exchange_big /= -[X in (X * _)%N](size_iota 0) -sum1_size big_distrl /=.
rewrite big_seq [X in (_ <= X)%N]big_seq; apply: leq_sum => i.
rewrite mem_iota add0n => /andP[_ lt]; have [ug _ sg] := gP i lt.
rewrite mul1n (leq_trans sg) //; apply: count_sub => // u uu.
rewrite mem_undup mem_cat; apply/orP; right; apply/flattenP; exists (Lg i) => //.
by apply: map_f; rewrite mem_iota.
Qed.

Lemma lift_root s t p d : (size p <= d.+1)%N -> p.[s] = t ->
  exists2 q : {poly F}, (size q <= d)%N & p = lift_poly s t q.
Proof.
move=> sp pt; have : root (p - t%:P) s by rewrite /root hornerD hornerN hornerC pt subrr.
case/factor_theorem => q e; exists q; last first.
  by rewrite /lift_poly mulrC -e addrC subrK.
have [->|q0] := eqVneq q 0; first by rewrite size_poly0.
have : (size (q * ('X - s%:P))%R <= d.+1)%N.
  rewrite -e -polyCN.
  by apply: leq_trans (size_add _ _) _; rewrite geq_max sp (leq_trans (size_polyC_leq1 _)).
by rewrite size_Mmonic ?monicXsubC // size_XsubC addn2.
Qed.

(* the polynomials that meet as many families as they have coefficients take finitely many values *)
Lemma full_values fs d s : ordered fs -> exists B : seq F,
  forall p, (size p <= d)%N -> (d <= meets fs p)%N -> p.[s] \in B.
Proof.
move: {2}(size fs) (leqnn (size fs)) => m; elim: m fs d => [|m IH] [|f fs] [|d] //=.
- by move=> _ _; exists [:: 0] => p; rewrite size_poly_leq0 => /eqP -> _; rewrite horner0 mem_head.
- by move=> _ _; exists [::].
- by move=> _ _; exists [:: 0] => p; rewrite size_poly_leq0 => /eqP -> _; rewrite horner0 mem_head.
- by move=> _ _; exists [::].
- by move=> _ _; exists [:: 0] => p; rewrite size_poly_leq0 => /eqP -> _; rewrite horner0 mem_head.
rewrite ltnS => sm /and3P[st al ofs].
have [B0 B0P] := IH fs d.+1 sm ofs.
have [B BP] : exists B : seq F, forall t, t \in f.2 -> forall q, (size q <= d)%N ->
    (d <= meets (restrict f.1 t fs) q)%N -> t + (s - f.1) * q.[s] \in B.
  elim: (f.2) => [|t ts [B BP]]; first by exists [::].
  have [||Bt BtP] := IH (restrict f.1 t fs) d.
  - by rewrite size_map.
  - exact: ordered_restrict.
  exists ([seq t + (s - f.1) * y | y <- Bt] ++ B) => u.
  rewrite inE => /orP[/eqP ->|/BP h] q sq mq; rewrite mem_cat; last by rewrite h ?orbT.
  by rewrite (map_f (fun y => t + (s - f.1) * y)) // BtP.
exists (B0 ++ B) => p sp mp; rewrite mem_cat.
have [pf|npf] := boolP (p.[f.1] \in f.2); last first.
  by rewrite B0P //; move: mp; rewrite /meets /= (negPf npf).
have [q sq e] := lift_root f.1 p.[f.1] p d sp erefl.
rewrite [X in _ || (X \in _)](_ : _ = p.[f.1] + (s - f.1) * q.[s]); last first.
  by rewrite {1}e lift_polyE.
rewrite BP ?orbT // meets_restrict // -e.
by move: mp; rewrite /meets /= pf.
Qed.

Lemma general_extend fs d n : ordered fs -> general d fs -> exists f : F * seq F,
  [/\ size f.2 = n, ordered (f :: fs) & general d (f :: fs)].
Proof.
move=> ofs gen; pose s := - (1 + \sum_(f <- fs) `|f.1|).
have sl f : f \in fs -> s < f.1.
  move=> ffs; rewrite /s ltr_oppl (le_lt_trans (ler_norm _)) // normrN.
  rewrite (big_rem f) //= addrCA ltr_addl (lt_le_trans ltr01) // ler_addl.
  by apply: sumr_ge0 => g _; apply: normr_ge0.
have [B BP] := full_values fs d s ofs.
pose M := \sum_(b <- B) `|b|.
have Bl b : b \in B -> b <= M.
  move=> bB; rewrite /M (big_rem b) //= (le_trans (ler_norm _)) // ler_addl.
  by apply: sumr_ge0 => c _; apply: normr_ge0.
pose ts := [seq M + i.+1%:R | i <- iota 0 n].
exists (s, ts); split.
- by rewrite /= size_map size_iota.
- rewrite /= ofs andbT; apply/andP; split; last by apply/allP => f /sl.
  rewrite sorted_map; apply: sub_sorted (iota_ltn_sorted 0 n) => i j /= ij.
  by rewrite ltr_add2l ltr_nat ltnS.
move=> p sp; rewrite /meets /=.
have := gen p sp; rewrite leq_eqVlt => /orP[/eqP full|]; last first.
  by rewrite /meets; case: (_ \in _) => /=; rewrite ?add1n // add0n => /ltnW.
have /Bl pB : p.[s] \in B by apply: BP => //; rewrite full.
case: mapP => [[i _ e]|_]; last by rewrite add0n -full.
by move: pB; rewrite e ger_addl leNgt ltr0n.
Qed.

Lemma general_exists (ns : seq nat) d : exists fs : seq (F * seq F),
  [/\ [seq size f.2 | f <- fs] = ns, ordered fs & general d fs].
Proof.
elim: ns => [|n ns [fs [<- ofs gen]]]; first by exists [::]; split.
have [f [<- off genf]] := general_extend fs d n ofs gen.
by exists (f :: fs).
Qed.

Lemma words_nseq H n d : words (nseq H n) d = (\sum_(j < d.+1) 'C(H, j) * n ^ j)%N.
Proof.
elim: H d => [|H IH] [|d] /=.
- by rewrite big_ord_recl big_ord0.
- rewrite big_ord_recl bin0 mul1n big1 // => i _.
- by rewrite big_ord_recl big_ord0 bin0.
rewrite !IH big_ord_recl [RHS]big_ord_recl !bin0 -addnA; congr (_ + _)%N.
under [RHS]eq_bigr do rewrite binS mulnDl.
rewrite big_split /=; congr (_ + _)%N.
by rewrite big_distrr; apply: eq_bigr => i _; rewrite /= expnS mulnCA.
Qed.

Lemma fits_nth fs w p h : fits fs w p -> (h < size fs)%N ->
  slab (nth (0, [::]) fs h).2 (nth 0%N w h) p.[(nth (0, [::]) fs h).1].
Proof. by elim: fs w h => [|f fs IH] [|k w] [|h] //= [sk fw] lt //; apply: IH. Qed.

(* the concave polygon through the thresholds peaks at the slab *)
Lemma peak ts k (y : F) i : slab ts k y -> (i <= size ts)%N -> i != k ->
  i%:R * y - \sum_(l < i) nth 0 ts l < k%:R * y - \sum_(l < k) nth 0 ts l.
Proof.
move=> [ks sl] si; pose g m : F := m%:R * y - \sum_(l < m) nth 0 ts l.
rewrite -/(g i) -/(g k); have step m : g m.+1 = g m + (y - nth 0 ts m).
  by rewrite /g big_ord_recr /= -addn1 natrD mulrDl mul1r opprD addrACA.
rewrite neq_ltn => /orP[ik|ki].
  suff up m : (i < m)%N -> (m <= k)%N -> g i < g m by apply: up.
  elim: m => // m IH; rewrite ltnS => im mk.
  have gm : g m < g m.+1.
    by have := sl m (leq_trans mk ks); rewrite mk step ltr_addl subr_gt0.
  move: im; rewrite leq_eqVlt => /orP[/eqP -> //|im].
  by apply: lt_trans gm; apply: IH => //; apply: ltnW.
suff down m : (k < m)%N -> (m <= size ts)%N -> g m < g k by apply: down.
elim: m => // m IH; rewrite ltnS => km ms.
have gm : g m.+1 < g m.
  by have := sl m ms; rewrite ltnNge km /= step gtr_addl subr_lt0.
move: km; rewrite leq_eqVlt => /orP[/eqP -> //|km].
by apply: lt_trans gm _; apply: IH => //; apply: ltnW.
Qed.

End Families.

Theorem parallel_families_holds : parallel_families.
Proof.
move=> R d H [//|n] _; rewrite subn1 /=.
have [fs [sizes ofs gen]] := general_exists R (nseq H n) d.
have [L [uL rL sL]] := many_words _ fs d ofs gen.
have sH : size fs = H by rewrite -(size_map (fun f => size f.2)) sizes size_nseq.
pose node h := (nth (0, [::]) fs h).1; pose ts h := (nth (0, [::]) fs h).2.
have sts h : (h < H)%N -> size (ts h) = n.
  move=> hH; have := nth_map (0, [::]) 0%N (fun f => size f.2) (n := h) (s := fs).
  by rewrite sizes sH nth_nseq hH => /(_ isT).
exists (fun h c => node h ^+ c), (fun h j => - \sum_(l < j) nth 0 (ts h) l).
pose label (w : seq nat) : {ffun 'I_H -> 'I_n.+1} := [ffun h : 'I_H => inord (nth 0%N w h)].
have small w h : w \in L -> (h < H)%N -> (nth 0%N w h < n.+1)%N.
  move=> /rL[p [_ fp]] hH; rewrite ltnS -(sts h hH).
  by case: (@fits_nth R fs w p h fp); rewrite ?sH.
exists [set l in [seq label w | w <- L]].
  rewrite cardsE (card_uniqP _) ?size_map; last first.
    rewrite map_inj_in_uniq // => v w vL wL e.
    have sz u : u \in L -> size u = H.
      by move=> /rL[p [_ /fits_size]]; rewrite sH.
    apply: (@eq_from_nth _ 0%N) => [|h]; rewrite !sz // => hH.
    have /ffunP/(_ (Ordinal hH)) := e; rewrite !ffunE /= => /(congr1 val) /=.
    by rewrite !inordK ?small.
  apply: leq_trans sL; rewrite sizes words_nseq.
  rewrite -!(big_mkord xpredT (fun j => 'C(H, j) * n ^ j)%N).
  rewrite [X in (_ <= X)%N](@big_cat_nat _ _ _ (minn d H).+1) //=; first exact: leq_addr.
  by rewrite ltnS geq_minl.
move=> l; rewrite inE => /mapP[w wL ->]; have [p [sp fp]] := rL w wL.
exists (fun c => p`_c) => h i il; have hH := ltn_ord h.
have val_p : \sum_(c < d) node h ^+ c * p`_c = p.[node h].
  by rewrite (horner_coef_wide _ sp); apply: eq_bigr => c _; rewrite mulrC.
rewrite val_p !ffunE inordK ?small //.
apply: peak.
- by apply: fits_nth; rewrite ?sH.
- by rewrite sts // -ltnS.
- by apply: contra il => /eqP e; apply/eqP/val_inj; rewrite /= ffunE inordK ?small.
Qed.

Theorem count_is_power_holds : count_is_power.
Proof.
move=> d H [//|n] _; rewrite subn1 /=.
set count := (\sum_(j < _) _)%N.
have full : (n.+1 ^ H = \sum_(0 <= j < H.+1) 'C(H, j) * n ^ j)%N.
  rewrite -add1n Pascal big_mkord; apply: eq_bigr => i _.
  by rewrite exp1n mul1n.
have part : count = (\sum_(0 <= j < (minn d H).+1) 'C(H, j) * n ^ j)%N by rewrite big_mkord.
have split_at : (n.+1 ^ H = count + \sum_((minn d H).+1 <= j < H.+1) 'C(H, j) * n ^ j)%N.
  by rewrite full part -big_cat_nat // ltnS geq_minr.
split; first by rewrite split_at leq_addr.
split=> [le|]; first by rewrite split_at (minn_idPr le) big_geq ?addn0.
rewrite ltnS => n0 dH; rewrite split_at -[X in (X < _)%N]addn0 ltn_add2l.
rewrite (minn_idPl (ltnW dH)) big_nat_recr //= addn_gt0 orbC binn mul1n expn_gt0 n0.
by [].
Qed.
