(* Elimination modulo a number, and the dimensions of a row space and of a kernel. *)
From Coq Require Import List ZArith QArith Ring Lia Bool.
From Headproof Require Import StatementsCertificates.
From Headproof.proofs Require Import ordered.
Import ListNotations.
Local Open Scope number_scope.

Section Rank.
Variable F : ordered_field.
Add Ring field_ring : (field_ring F).

(* y_0 v_0 + y_1 v_1 + ... *)
Fixpoint mixed (vs : list (nat -> F)) (y : nat -> F) (c : nat) : F :=
  match vs with [] => 0 | v :: rest => y O * v c + mixed rest (fun i => y (S i)) c end.

(* No combination but that of zeros vanishes on the coordinates that P holds for. *)
Definition free (vs : list (nat -> F)) (P : nat -> Prop) : Prop :=
  forall y, (forall c, P c -> mixed vs y c = 0) -> forall i, (i < length vs)%nat -> y i = 0.

Lemma mixed_ext vs y z c :
  (forall i, (i < length vs)%nat -> y i = z i) -> mixed vs y c = mixed vs z c.
Proof.
revert y z. induction vs as [| v vs IH]; intros y z e; simpl; [reflexivity |].
rewrite (e O) by (simpl; lia). f_equal. apply IH. intros i l. apply e. simpl. lia.
Qed.

Lemma mixed_scale vs y a c : mixed vs (fun i => a * y i) c = a * mixed vs y c.
Proof.
revert y. induction vs as [| v vs IH]; intro y; simpl; [ring |].
rewrite (IH (fun i => y (S i))). ring.
Qed.

Lemma mixed_sum k (v : nat -> nat -> F) y c start :
  mixed (map v (seq start k)) y c = sum_of k (fun i => y i * v (start + i)%nat c).
Proof.
revert y start. induction k as [| k IH]; intros y start; cbn [seq map mixed sum_of];
  [reflexivity |].
rewrite Nat.add_0_r, IH. f_equal. apply sum_ext. intros i _.
replace (start + S i)%nat with (S start + i)%nat by lia. reflexivity.
Qed.

Lemma mixed_app us vs y c :
  mixed (us ++ vs) y c = mixed us y c + mixed vs (fun i => y (length us + i)%nat) c.
Proof.
revert y. induction us as [| u us IH]; intro y; cbn [app mixed length].
- symmetry. apply add_zero.
- rewrite IH. apply add_associative.
Qed.

(* One step of elimination without division: a u - u_c v, with a = v_c. *)
Definition cleared (v : nat -> F) (c : nat) (u : nat ->
  F) (k : nat) : F := v c * u k + - (u c * v k).

Lemma mixed_cleared v c vs y k :
  mixed (map (cleared v c) vs) y k = v c * mixed vs y k + - (mixed vs y c * v k).
Proof.
revert y. induction vs as [| u vs IH]; intro y; cbn [map mixed]; [ring |].
rewrite IH. unfold cleared. ring.
Qed.

(* If the cleared vectors are independent, so are the given ones. *)
Lemma free_step v c vs (P : nat -> Prop) :
  P c -> v c <> 0 -> free (map (cleared v c) vs) P -> free (v :: vs) P.
Proof.
intros pc nz cleared_free y zero.
assert (rest : forall i, (i < length vs)%nat -> y (S i) = 0).
{ intros i l. apply (cleared_free (fun i => y (S i))); [| rewrite map_length; exact l].
  intros k pk. rewrite mixed_cleared.
  pose proof (zero k pk) as zk. pose proof (zero c pc) as zc. cbn [mixed] in zk, zc.
  transitivity (v c * (y O * v k + mixed vs (fun i => y (S i)) k)
    + - ((y O * v c + mixed vs (fun i => y (S i)) c) * v k)); [ring |]. rewrite zk, zc. ring. }
intros [| i] l; [| apply rest; simpl in l; lia].
pose proof (zero c pc) as zc. cbn [mixed] in zc.
rewrite (mixed_ext vs (fun i => y (S i)) (fun i => 0 * y i)) in zc
  by (intros; rewrite rest by assumption; ring).
rewrite mixed_scale in zc. apply (product_zero F (v c)); [| exact nz].
transitivity (y O * v c + 0 * mixed vs y c); [ring | exact zc].
Qed.

(* And conversely, on the other coordinates. *)
Lemma free_cleared v c vs P :
  v c <> 0 -> free (v :: vs) P -> free (map (cleared v c) vs) (fun k => P k /\ k <> c).
Proof.
intros nz all y zero i l. rewrite map_length in l.
assert (vanish : forall k, P k -> mixed (map (cleared v c) vs) y k = 0).
{ intros k pk. destruct (Nat.eq_dec k c) as [-> | n]; [| apply zero; split; assumption].
  rewrite mixed_cleared. ring. }
set (z := fun i => match i with O => - mixed vs y c | S i => v c * y i end).
assert (e : z (S i) = 0).
{ apply (all z); [| simpl; lia]. intros k pk. cbn [mixed]. unfold z at 1. cbn beta iota.
  change (fun i => z (S i)) with (fun i => v c * y i). rewrite mixed_scale.
  rewrite <- (vanish k pk), mixed_cleared. ring. }
apply (product_zero F (v c)); [exact e | exact nz].
Qed.

Lemma some_coordinate (v : nat -> F) l :
  (forall c, In c l -> v c = 0) \/ exists before c after, l = before ++ c :: after /\ v c <> 0.
Proof.
induction l as [| a l [zero | [before [c [after [-> nz]]]]]].
- left. intros c [].
- destruct (zero_decided F (v a)) as [za | nz].
  + left. intros c [<- | i]; [exact za | apply zero, i].
  + right. exists [], a, l. split; [reflexivity | exact nz].
- right. exists (a :: before), c, after. split; [reflexivity | exact nz].
Qed.

(* As many independent vectors as coordinates span everything. *)
Lemma free_spans l vs (x : nat -> F) :
  NoDup l -> length vs = length l -> free vs (fun c => In c l) ->
  exists y, forall c, In c l -> x c = mixed vs y c.
Proof.
revert l x. induction vs as [vs IH] using (well_founded_induction
  (Wf_nat.well_founded_ltof _ (@length (nat -> F)))).
intros l x nodup len indep. destruct vs as [| v vs].
{ exists (fun _ => 0). destruct l; [intros c [] | discriminate]. }
destruct (some_coordinate v l) as [zero | [before [c [after [-> nz]]]]].
{ exfalso. apply (one_not_zero F).
  apply (indep (fun i => match i with O => 1 | _ => 0 end)) with (i := O).
  - intros c i. cbn [mixed]. rewrite (zero c i).
    rewrite (mixed_ext vs _ (fun i => 0 * 0)) by (intros; ring).
    rewrite (mixed_scale vs (fun _ => 0)).
    ring.
  - simpl. lia. }
apply NoDup_remove in nodup as [nodup out].
apply (free_cleared v c vs _ nz) in indep.
destruct (IH (map (cleared v c) vs) ltac:(unfold Wf_nat.ltof; rewrite map_length; simpl; lia)
  (before ++ after) (cleared v c x) nodup) as [y e].
- rewrite map_length. rewrite app_length in *. simpl in *. lia.
- intros y zero. apply (indep y). intros k [ik nk]. apply zero.
  rewrite in_app_iff in *. simpl in ik. destruct ik as [i | [i | i]]; [left; exact i | | right;
  exact i].
  destruct nk. symmetry. exact i.
- exists (fun i => match i with O => inverse F (v c) * (x c + - mixed vs y c) | S i => y i end).
  intros k ik. cbn [mixed]. change (fun i => y i) with y.
  assert (unit : inverse F (v c) * v c = 1) by (apply multiply_inverse, nz).
  destruct (Nat.eq_dec k c) as [-> | n].
  + match goal with |- _ = ?i * ?b * ?a + _ => replace (i * b * a) with (i * a * b) by ring end.
    rewrite unit. ring.
  + assert (ek : cleared v c x k = mixed (map (cleared v c) vs) y k).
    { apply e. rewrite in_app_iff in *. simpl in ik. destruct ik as [i | [i | i]];
        [left; exact i | | right; exact i]. destruct n. symmetry. exact i. }
    rewrite mixed_cleared in ek. unfold cleared in ek.
    assert (solved : v c * (x k + - (mixed vs y k))
    = v c * (inverse F (v c) * (x c + - mixed vs y c) * v k)).
    { transitivity (v c * x k + - (x c * v k) + x c * v k + - (v c * mixed vs y k)); [ring |].
      rewrite ek.
      transitivity (inverse F (v c) * v c * ((x c + - mixed vs y c) * v k)); [| ring].
      rewrite unit. ring. }
    assert (gone : x k + - mixed vs y k + - (inverse F (v c) * (x c + - mixed vs y c) * v k) = 0).
    { apply (product_zero F (v c)); [| exact nz].
      match goal with |- ?a * (?p + - ?q) = 0 => transitivity (a * p + - (a * q)); [ring |] end.
      rewrite solved. ring. }
    match type of gone with ?a + - ?b + - ?r = 0 => transitivity (a + - b + - r + b + r);
      [ring |] end.
    rewrite gone. ring.
Qed.

(* Integers. *)

Definition integral (row : list Z) (c : nat) : F := of_integer (nth c row 0%Z).

Definition congruent (p : Z) (row other : list Z) : Prop :=
  length row = length other /\ forall c, (nth c row 0 mod p = nth c other 0 mod p)%Z.

(* The exact row that the program holds modulo p. *)
Fixpoint reduced (a b : Z) (row line : list Z) : list Z :=
  match row, line with
  | x :: row', y :: line' => (a * x - b * y)%Z :: reduced a b row' line'
  | _, _ => []
  end.

Lemma length_reduced a b row line : length line = length row ->
  length (reduced a b row line) = length row.
Proof.
revert line. induction row as [| x row IH]; intros [| y line] e; try discriminate; [reflexivity |].
simpl. f_equal. apply IH. injection e as e. exact e.
Qed.

Lemma length_reduce p a b row line : length line = length row ->
  length (reduce p a b row line) = length row.
Proof.
revert line. induction row as [| x row IH]; intros [| y line] e; try discriminate; [reflexivity |].
simpl. f_equal. apply IH. injection e as e. exact e.
Qed.

Lemma nth_reduced a b row line c :
  length line = length row -> nth c (reduced a b row line) 0%Z
  = (a * nth c row 0 - b * nth c line 0)%Z.
Proof.
revert line c. induction row as [| x row IH]; intros [| y line] c e; try discriminate.
- destruct c; simpl; lia.
- destruct c as [| c]; [reflexivity |]. cbn [reduced nth]. apply IH. injection e as e. exact e.
Qed.

Lemma nth_reduce p a b row line c :
  length line = length row ->
  nth c (reduce p a b row line) 0%Z = ((a * nth c row 0 - b * nth c line 0) mod p)%Z.
Proof.
revert line c. induction row as [| x row IH]; intros [| y line] c e; try discriminate.
- replace (a * nth c [] 0 - b * nth c [] 0)%Z with 0%Z by (destruct c; simpl; lia).
  rewrite Zmod_0_l. destruct c; reflexivity.
- destruct c as [| c]; [reflexivity |]. cbn [reduce nth]. apply IH. injection e as e. exact e.
Qed.

Lemma congruent_reduce p a b a' b' row line row' line' :
  (a mod p = a' mod p)%Z -> (b mod p = b' mod p)%Z ->
  length line = length row -> congruent p row row' -> congruent p line line' ->
  congruent p (reduce p a b row line) (reduced a' b' row' line').
Proof.
intros ea eb e [l1 c1] [l2 c2].
assert (e' : length line' = length row') by congruence.
split; [rewrite length_reduce, length_reduced by assumption; exact l1 |]. intro c.
rewrite nth_reduce, nth_reduced by assumption. rewrite Zmod_mod.
rewrite Zminus_mod, Zmult_mod, ea, c1, <- Zmult_mod.
rewrite (Zmult_mod b), eb, c2, <- (Zmult_mod b').
symmetry. apply Zminus_mod.
Qed.

Lemma pivot_found p row start c a :
  pivot p row start = Some (c, a) ->
  (start <= c)%nat /\ a = nth (c - start) row 0%Z
  /\ (a mod p <> 0)%Z /\ (c - start < length row)%nat.
Proof.
revert start. induction row as [| x row IH]; intro start; cbn [pivot]; [discriminate |].
destruct (Z.eqb_spec (x mod p) 0) as [z | n].
- intro e. destruct (IH _ e) as [l [ea [na lc]]]. split; [lia |].
  replace (c - start)%nat with (S (c - S start)) by lia. simpl.
  repeat split; [exact ea | exact na | lia].
- intro e. injection e as <- <-. rewrite Nat.sub_diag. simpl. repeat split; [lia | exact n | lia].
Qed.

(* Exact rows that are congruent to those of the program are independent. *)
Lemma independent_modulo_free p n k rows exact :
  independent_modulo p k rows = true -> Forall2 (congruent p) rows exact ->
  (forall row, In row rows -> length row = n) ->
  free (map integral exact) (fun c => (c < n)%nat).
Proof.
revert rows exact. induction k as [| k IH]; intros rows exact h; destruct rows as [| row rest].
- intros f _. inversion f. subst. intros y _ i l. simpl in l. lia.
- discriminate.
- intros f _. inversion f. subst. intros y _ i l. simpl in l. lia.
- intros f len. inversion f as [| row0 row' rest0 rest' same others]. subst.
  cbn [independent_modulo] in h. destruct (pivot p row 0) as [[c a] |] eqn:found; [| discriminate].
  destruct (pivot_found _ _ _ _ _ found) as [_ [ea [na lc]]]. rewrite Nat.sub_0_r in *.
  destruct same as [sl sc].
  assert (lrow : length row = n) by (apply len; left; reflexivity).
  cbn [map]. apply (free_step _ c); [lia | |].
  { intro zero. apply of_integer_zero in zero. apply na. rewrite ea, sc, zero. apply Zmod_0_l. }
  set (step := fun u => reduced (nth c row' 0%Z) (nth c u 0%Z) u row').
  assert (free_exact : free (map integral (map step rest')) (fun c => (c < n)%nat)).
  { eapply IH; [exact h | |].
    - clear -ea sl sc others len lrow. induction others as [| u u' us us' same others IHo];
      [constructor |].
      cbn [map]. constructor.
      + assert (lu : length u = n) by (apply len; right; left; reflexivity).
        apply congruent_reduce; [rewrite ea; apply sc | apply same | congruence | exact same |].
        split; assumption.
      + apply IHo. intros r [<- | i]; [exact lrow |]. apply len. right. right. exact i.
    - intros u iu. apply in_map_iff in iu as [w [<- iw]].
      assert (lw : length w = n) by (apply len; right; exact iw).
      rewrite length_reduce; congruence. }
  assert (same_rows : forall y k0, mixed (map (cleared (integral row') c) (map integral rest')) y k0
                                   = mixed (map integral (map step rest')) y k0).
  { assert (lens : forall u, In u rest' -> length row' = length u).
    { clear -others len sl lrow. intros u iu.
      induction others as [| w w' ws ws' same others IHo]; [destruct iu |].
      destruct iu as [<- | iu].
      - destruct same as [e _]. rewrite <- e, <- sl, lrow. symmetry. apply len. right. left.
        reflexivity.
      - apply IHo; [| exact iu]. intros r [<- | i]; [exact lrow |]. apply len. right. right.
        exact i. }
    clear -lens. induction rest' as [| u us IHu]; intros y k0; [reflexivity |]. cbn [map mixed].
    rewrite IHu by (intros w iw; apply lens; right; exact iw). f_equal. f_equal.
    unfold step, cleared, integral. rewrite nth_reduced by (apply lens; left; reflexivity).
    unfold Z.sub. rewrite of_integer_add, of_integer_opposite, !of_integer_multiply. reflexivity. }
  intros y zero i l. apply (free_exact y); [| rewrite !map_length in *; exact l].
  intros k0 lk. rewrite <- same_rows. apply zero, lk.
Qed.

Lemma congruent_itself p rows : Forall2 (congruent p) rows rows.
Proof. induction rows; constructor; [split; reflexivity | assumption]. Qed.

(* A vector whose product with itself vanishes. *)
Lemma orthogonal_to_itself n (z : nat -> F) :
  sum_of n (fun c => z c * z c) = 0 -> forall c, (c < n)%nat -> z c = 0.
Proof.
intros e c l. destruct (zero_decided F (z c)) as [zero | nz]; [exact zero |].
apply (product_zero F (z c)); [| exact nz].
apply (sum_terms_zero F n (fun c => z c * z c)); [intros; apply square_nonnegative | right;
exact e | exact l].
Qed.

Section Dimensions.
Variables (n r : nat) (k : nat) (b v : nat -> nat -> F).
Hypothesis dimensions : (k + r)%nat = n.
Hypothesis rows_free : independent r n b.
Hypothesis kernel_free : independent k n v.
Hypothesis orthogonal : forall i j, (i < r)%nat -> (j < k)%nat ->
  sum_of n (fun c => b i c * v j c) = 0.

Definition inner (u w : nat -> F) : F := sum_of n (fun c => u c * w c).

Lemma inner_ext u w u' w' :
  (forall c, (c < n)%nat -> u c = u' c) -> (forall c, (c < n)%nat -> w c = w' c) ->
  inner u w = inner u' w'.
Proof. intros e f. apply sum_ext. intros c l. rewrite e, f by exact l. reflexivity. Qed.

Lemma inner_sum_left q y (u : nat -> nat -> F) w :
  inner (fun c => sum_of q (fun i => y i * u i c)) w = sum_of q (fun i => y i * inner (u i) w).
Proof.
unfold inner.
rewrite (sum_ext F n _ (fun c => sum_of q (fun i => y i * (u i c * w c)))).
- rewrite sum_exchange. apply sum_ext. intros i _. apply sum_scale.
- intros c _. rewrite multiply_commutative, <- sum_scale. apply sum_ext. intros. ring.
Qed.

Lemma inner_commutative u w : inner u w = inner w u.
Proof. apply sum_ext. intros. ring. Qed.

Lemma rows_orthogonal_to_kernel y z :
  inner (fun c => sum_of r (fun i => y i * b i c)) (fun c => sum_of k (fun j => z j * v j c)) = 0.
Proof.
rewrite inner_sum_left. apply sum_zero. intros i li. rewrite inner_commutative, inner_sum_left.
rewrite sum_zero; [ring |]. intros j lj. rewrite inner_commutative. unfold inner.
rewrite orthogonal by assumption. ring.
Qed.

Lemma together_span x :
  exists y z, forall c, (c < n)%nat ->
    x c = sum_of r (fun i => y i * b i c) + sum_of k (fun j => z j * v j c).
Proof.
set (vs := map b (seq 0 r) ++ map v (seq 0 k)).
assert (both : forall y c, mixed vs y c
  = sum_of r (fun i => y i * b i c) + sum_of k (fun j => y (r + j)%nat * v j c)).
{ intros y c. unfold vs. rewrite mixed_app, !mixed_sum, map_length, seq_length. reflexivity. }
destruct (free_spans (seq 0 n) vs x) as [y e].
- apply seq_NoDup.
- unfold vs. rewrite app_length, !map_length, !seq_length. lia.
- intros y zero.
  set (p := fun c => sum_of r (fun i => y i * b i c)).
  set (q := fun c => sum_of k (fun j => y (r + j)%nat * v j c)).
  assert (opposite_parts : forall c, (c < n)%nat -> p c = - q c).
  { intros c l. assert (s : p c + q c = 0) 
      by (transitivity (mixed vs y c); [symmetry; apply both | apply zero, in_seq; lia]).
    transitivity (p c + q c + - q c); [ring |]. rewrite s. ring. }
  assert (pq : inner p q = 0) by apply rows_orthogonal_to_kernel.
  assert (pz : forall c, (c < n)%nat -> p c = 0).
  { apply orthogonal_to_itself.
    transitivity (inner p (fun c => - one F * q c)).
    - apply inner_ext; [reflexivity |]. intros c l. rewrite opposite_parts by exact l. ring.
    - transitivity (- one F * inner p q); [| rewrite pq; ring].
      unfold inner. rewrite <- sum_scale. apply sum_ext. intros. ring. }
  assert (qz : forall c, (c < n)%nat -> q c = 0).
  { intros c l. transitivity (- (- q c)); [ring |]. rewrite <- opposite_parts, pz by exact l. ring.
    }
  intros i l. unfold vs in l. rewrite app_length, !map_length, !seq_length in l.
  destruct (Nat.lt_ge_cases i r) as [li | ge]; [exact (rows_free y pz i li) |].
  replace i with (r + (i - r))%nat by lia.
  apply (kernel_free (fun j => y (r + j)%nat) qz). lia.
- exists y, (fun j => y (r + j)%nat). intros c l. rewrite <- both. apply e, in_seq. lia.
Qed.

(* What is orthogonal to the kernel vectors is a combination of the rows, and conversely. *)
Lemma orthogonal_to_kernel x :
  (forall j, (j < k)%nat -> inner x (v j) = 0) -> spanned r n b x.
Proof.
intro orth. destruct (together_span x) as [y [z e]]. exists y.
set (p := fun c => sum_of r (fun i => y i * b i c)).
set (q := fun c => sum_of k (fun j => z j * v j c)).
change (forall c, (c < n)%nat -> x c = p c + q c) in e.
assert (xq : inner x q = 0).
{ rewrite inner_commutative. unfold q. rewrite inner_sum_left. apply sum_zero. intros j lj.
  rewrite inner_commutative, orth by exact lj. ring. }
assert (qz : forall c, (c < n)%nat -> q c = 0).
{ apply orthogonal_to_itself. transitivity (inner x q + - inner p q).
  - transitivity (inner x q + - one F * inner p q); [| ring]. unfold inner.
    rewrite <- sum_scale, <- sum_add. apply sum_ext. intros c l. rewrite (e c l). ring.
  - rewrite xq. unfold p, q. rewrite rows_orthogonal_to_kernel. ring. }
intros c l. rewrite (e c l), (qz c l). unfold p. ring.
Qed.

Lemma orthogonal_to_rows x :
  (forall i, (i < r)%nat -> inner (b i) x = 0) -> spanned k n v x.
Proof.
intro orth. destruct (together_span x) as [y [z e]]. exists z.
set (p := fun c => sum_of r (fun i => y i * b i c)).
set (q := fun c => sum_of k (fun j => z j * v j c)).
change (forall c, (c < n)%nat -> x c = p c + q c) in e.
assert (px : inner p x = 0).
{ unfold p. rewrite inner_sum_left. apply sum_zero. intros i li. rewrite orth by exact li. ring. }
assert (pz : forall c, (c < n)%nat -> p c = 0).
{ apply orthogonal_to_itself. transitivity (inner p x + - inner p q).
  - transitivity (inner p x + - one F * inner p q); [| ring]. unfold inner.
    rewrite <- sum_scale, <- sum_add. apply sum_ext. intros c l. rewrite (e c l). ring.
  - rewrite px. unfold p, q. rewrite rows_orthogonal_to_kernel. ring. }
intros c l. rewrite (e c l), (pz c l). unfold q. ring.
Qed.

End Dimensions.

Lemma free_independent p n rows :
  independent_modulo p (length rows) rows = true -> (forall row, In row rows -> length row = n) ->
  independent (length rows) n (fun i => integral (nth i rows [])).
Proof.
intros h len y zero i l.
apply (independent_modulo_free p n (length rows) rows rows h (congruent_itself p rows) len y).
- intros c lc. rewrite <- (zero c lc).
  transitivity (mixed (map (fun i => integral (nth i rows [])) (seq 0 (length rows))) y c);
    [| apply mixed_sum]. f_equal. clear. induction rows as [| row rows IH]; [reflexivity |].
    cbn [length seq map nth].
  f_equal. rewrite IH, <- seq_shift, map_map. reflexivity.
- rewrite map_length. exact l.
Qed.

Lemma product_inner n u w :
  length u = n -> of_integer (product u w) = sum_of n (fun c => integral u c * integral w c).
Proof.
revert u w. induction n as [| n IH]; intros [| a u] w l; try discriminate; [reflexivity |].
injection l as l. destruct w as [| b w]; cbn [product sum_of].
- symmetry. rewrite (sum_zero F n); [unfold integral; simpl; ring |].
  intros i _. unfold integral. simpl. ring.
- rewrite of_integer_add, of_integer_multiply, (IH u w l). reflexivity.
Qed.

End Rank.

Lemma nth_dense n row c : (c < n)%nat -> nth c (dense n row) 0%Z = entry row c.
Proof.
intro l. unfold dense. rewrite (nth_indep _ 0%Z (entry row n)) by (rewrite map_length, seq_length;
exact l).
rewrite map_nth, seq_nth by exact l. reflexivity.
Qed.

Lemma length_dense n row : length (dense n row) = n.
Proof. unfold dense. rewrite map_length, seq_length. reflexivity. Qed.

Theorem rank_sound_holds : rank_sound.
Proof.
intros n rows r basis kernel p h. unfold check_rank in h.
apply andb_true_iff in h as [h kernel_free]. apply andb_true_iff in h as [h rows_free].
apply andb_true_iff in h as [h orthogonal]. apply andb_true_iff in h as [h lengths].
apply andb_true_iff in h as [h inside]. apply andb_true_iff in h as [h dims].
apply andb_true_iff in h as [_ many]. apply Nat.eqb_eq in many, dims.
assert (in_rows : forall i, In i basis -> (i < length rows)%nat).
{ intros i ii. apply Nat.ltb_lt. rewrite forallb_forall in inside. apply inside, ii. }
split; [exact many |]. split; [exact dims |]. split; [exact in_rows |].
intro F. cbv zeta. set (a := matrix_in F rows).
set (b := fun i => a (nth i basis O)). set (v := vector_in F kernel).
assert (chosen_free : independent r n b).
{ assert (e : length (map (fun i => dense n (nth i rows [])) basis) = r) by (rewrite map_length;
  exact many).
  rewrite <- e in rows_free. pose proof (free_independent F p n _ rows_free) as free.
  rewrite e in free. intros y zero i l. apply free; [| | exact l].
  - intros row ir. apply in_map_iff in ir as [j [<- _]]. apply length_dense.
  - intros c lc. rewrite <- (zero c lc). apply sum_ext. intros j lj. f_equal.
    unfold b, a, matrix_in, integral. f_equal.
    rewrite (nth_indep _ [] (dense n (nth O rows []))) by (rewrite e; exact lj).
    rewrite (map_nth (fun i => dense n (nth i rows []))). apply nth_dense, lc. }
assert (vectors_free : independent (length kernel) n v).
{ apply (free_independent F p n kernel kernel_free). intros u iu. apply Nat.eqb_eq.
  rewrite forallb_forall in lengths. apply lengths, iu. }
assert (orth : forall i j, (i < length rows)%nat -> (j < length kernel)%nat ->
  sum_of n (fun c => (a i c * v j c)%number) = zero F).
{ intros i j li lj. rewrite forallb_forall in orthogonal.
  specialize (orthogonal (nth i rows []) (nth_In _ _ li)). cbv zeta in orthogonal.
  rewrite forallb_forall in orthogonal. specialize (orthogonal (nth j kernel []) (nth_In _ _ lj)).
  apply Z.eqb_eq in orthogonal. apply (f_equal (@of_integer F)) in orthogonal.
  rewrite (product_inner F n) in orthogonal by apply length_dense.
  simpl of_integer in orthogonal. rewrite <- orthogonal. apply sum_ext. intros c lc.
  unfold integral. rewrite nth_dense by exact lc. reflexivity. }
assert (basis_orth : forall i j, (i < r)%nat -> (j < length kernel)%nat ->
  sum_of n (fun c => (b i c * v j c)%number) = zero F).
{ intros i j li lj. apply orth; [| exact lj]. apply in_rows, nth_In. rewrite many. exact li. }
split; [exact chosen_free |]. split; [| split; [exact vectors_free |]].
- intros i li. apply (orthogonal_to_kernel F n r (length kernel) b v); try assumption.
  intros j lj. apply orth; assumption.
- intro x. split.
  + intro zero. apply (orthogonal_to_rows F n r (length kernel) b v); try assumption.
    intros i li. apply zero, in_rows, nth_In. rewrite many. exact li.
  + intros [y e] i li.
    transitivity (inner F n (fun c => sum_of (length kernel) (fun j => y j * v j c)) (a i)).
    { apply sum_ext. intros c lc. rewrite (e c lc). apply multiply_commutative. }
    rewrite inner_sum_left. apply sum_zero. intros j lj.
    rewrite inner_commutative. unfold inner. rewrite orth by assumption.
    apply multiply_zero.
Qed.
