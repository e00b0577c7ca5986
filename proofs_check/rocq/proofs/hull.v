(* Functionals that are largest at one point, and convex combinations of those points. *)
From Coq Require Import List ZArith QArith Ring Lia Bool.
From Headproof Require Import StatementsCertificates.
From Headproof.proofs Require Import ordered.
Import ListNotations.
Local Open Scope number_scope.

(* Lists of integers. *)

Lemma same_numbers_equal u v : same_numbers u v = true <-> u = v.
Proof.
revert v. induction u as [| a u IH]; intros [| b v]; simpl; try (split; congruence).
rewrite andb_true_iff, Z.eqb_eq, IH. split; [intros [-> ->]; reflexivity |].
intro e. injection e as -> ->. split; reflexivity.
Qed.

Lemma nth_vector_add c u v :
  nth c (vector_add u v) 0%Z = (nth c u 0 + nth c v 0)%Z.
Proof.
revert c v. induction u as [| a u IH]; intros c v; [destruct c; reflexivity |].
destruct v as [| b v]; [destruct c; simpl; lia |]. destruct c as [| c]; [reflexivity |]. simpl.
apply IH.
Qed.

Lemma length_vector_add u v : length (vector_add u v) = Nat.max (length u) (length v).
Proof.
revert v. induction u as [| a u IH]; intros [| b v]; simpl; [reflexivity .. |]. rewrite IH.
  reflexivity.
Qed.

Lemma nth_scaled c m u : nth c (map (Z.mul m) u) 0%Z = (m * nth c u 0)%Z.
Proof.
rewrite <- (map_nth (Z.mul m) u 0%Z c), Z.mul_0_r. reflexivity.
Qed.

Lemma vanishes_nth s l :
  vanishes s l = true ->
  (forall c, (S c < length l)%nat -> nth c l 0%Z = 0%Z)
  /\ match s with
     | Whole => forall c, nth c l 0%Z = 0%Z
     | Upper => (0 <= nth (pred (length l)) l 0)%Z
     end.
Proof.
induction l as [| a l IH]; simpl; intro h.
{ split; [lia |]. destruct s; [intros [| c]; reflexivity | lia]. }
destruct l as [| b l].
{ split; [simpl; lia |]. destruct s; [intros [| [| c]]; simpl; lia | simpl; lia]. }
apply andb_true_iff in h as [e h]. destruct (IH h) as [inner last]. split.
- intros [| c] lc; [simpl; lia |]. apply (inner c). simpl in *. lia.
- destruct s; [| exact last]. intros [| c]; [simpl; lia | apply last].
Qed.

Lemma vertices_from_in reasons k i :
  In i (vertices_from k reasons)
  <-> (k <= i)%nat /\ is_vertex (nth (i - k) reasons (Repeats 0%Z)) = true.
Proof.
revert k. induction reasons as [| r reasons IH]; intro k.
{ simpl. split; [tauto |]. intros [_ h]. destruct (i - k)%nat; discriminate. }
assert (tail : In i (vertices_from (S k) reasons)
  <-> (S k <= i)%nat /\ is_vertex (nth (i - k) (r :: reasons) (Repeats 0%Z)) = true).
{ rewrite IH. split; intros [l h]; (split; [exact l |]);
    replace (i - k)%nat with (S (i - S k)) in * by lia; exact h. }
cbn [vertices_from]. destruct (is_vertex r) eqn:v.
- cbn [In]. rewrite tail. destruct (Nat.eq_dec k i) as [-> | n].
  + rewrite Nat.sub_diag. cbn [nth]. split; [intros _ | left; reflexivity].
    split; [lia | exact v].
  + split; [intros [e | [l h]]; [contradiction |] | intros [l h]; right]; (split; [lia | exact h]).
- rewrite tail. split; intros [l h]; (split; [| exact h]); [lia |].
  destruct (Nat.eq_dec k i) as [-> | n]; [| lia].
  rewrite Nat.sub_diag in h. cbn [nth] in h. congruence.
Qed.

Lemma vertices_from_different reasons k : NoDup (vertices_from k reasons).
Proof.
revert k. induction reasons as [| r reasons IH]; intro k; simpl; [constructor |].
destruct (is_vertex r); [| apply IH]. constructor; [| apply IH].
rewrite vertices_from_in. lia.
Qed.

Lemma check_reasons_each s m points reasons i left given :
  check_reasons s m points reasons i left given = true ->
  length given = length left /\
  forall j, (j < length left)%nat ->
    check_reason s m points reasons (i + j) (nth j left []) (nth j given (Repeats 0%Z)) = true.
Proof.
revert i given. induction left as [| p left IH]; intros i [| r given]; simpl; intro h;
  try discriminate.
- split; [reflexivity | lia].
- apply andb_true_iff in h as [here h]. destruct (IH _ _ h) as [len each]. split; [lia |].
  intros [| j] l; [rewrite Nat.add_0_r; exact here |].
  replace (i + S j)%nat with (S i + j)%nat by lia. apply each. lia.
Qed.

Section Hull.
Variable F : ordered_field.
Add Ring field_ring : (field_ring F).

Lemma product_sum m u v :
  length u = m ->
  of_integer (product u v)
  = sum_of m (fun c => of_integer (nth c u 0%Z) * @of_integer F (nth c v 0%Z)).
Proof.
revert u v. induction m as [| m IH]; intros [| a u] v l; try discriminate; [reflexivity |].
injection l as l. destruct v as [| b v]; cbn [product sum_of nth].
- symmetry. rewrite (sum_zero F m) by (intros; destruct i; simpl; ring). simpl. ring.
- rewrite of_integer_add, of_integer_multiply, (IH u v l). reflexivity.
Qed.

(* The weights of a list of terms, as a function of the point. *)
Fixpoint spread (terms : list (Z * Z)) (j : nat) : F :=
  match terms with
  | [] => 0
  | (k, a) :: rest => (if (j =? Z.to_nat k)%nat then of_integer a else 0) + spread rest j
  end.

Fixpoint over_terms (terms : list (Z * Z)) (f : nat -> F) : F :=
  match terms with
  | [] => 0
  | (k, a) :: rest => of_integer a * f (Z.to_nat k) + over_terms rest f
  end.

Lemma spread_sum n terms f :
  (forall t, In t terms -> (Z.to_nat (fst t) < n)%nat) ->
  sum_of n (fun j => spread terms j * f j) = over_terms terms f.
Proof.
induction terms as [| [k a] rest IH]; intro inside; cbn [spread over_terms].
- apply sum_zero. intros. ring.
- rewrite (sum_ext F n _ (fun j => (if (j =? Z.to_nat k)%nat then of_integer a else 0) * f j
                                   + spread rest j * f j)) by (intros; ring).
  rewrite sum_add, (sum_at F n (Z.to_nat k)) by (apply (inside (k, a)); left; reflexivity).
  rewrite IH; [reflexivity |]. intros t i. apply inside. right. exact i.
Qed.

Lemma spread_nonnegative terms j :
  (forall t, In t terms -> (0 <= snd t)%Z) -> 0 <= spread terms j.
Proof.
induction terms as [| [k a] rest IH]; intro pos; cbn [spread]; [right; reflexivity |].
apply sum_nonnegative; [| apply IH; intros t i; apply pos; right; exact i].
destruct (j =? Z.to_nat k)%nat; [| right; reflexivity].
apply of_integer_nonnegative. apply (pos (k, a)). left. reflexivity.
Qed.

Lemma spread_elsewhere terms j : (forall t, In t terms -> Z.to_nat (fst t) <> j) ->
  spread terms j = 0.
Proof.
induction terms as [| [k a] rest IH]; intro other; cbn [spread]; [reflexivity |].
rewrite IH by (intros t i; apply other; right; exact i).
destruct (Nat.eqb_spec j (Z.to_nat k)) as [e | _]; [| ring].
destruct (other (k, a)); [left; reflexivity | symmetry; exact e].
Qed.

Lemma over_terms_weighted points terms c :
  over_terms terms (fun k => of_integer (nth c (nth k points []) 0%Z))
  = of_integer (nth c (weighted points terms) 0%Z).
Proof.
induction terms as [| [k a] rest IH]; cbn [over_terms weighted]; [destruct c; reflexivity |].
rewrite IH, nth_vector_add, nth_scaled, of_integer_add, of_integer_multiply. reflexivity.
Qed.

Lemma over_terms_total terms :
  over_terms terms (fun _ => 1)
  = of_integer (fold_right (fun t d => snd t + d)%Z 0%Z terms).
Proof.
induction terms as [| [k a] rest IH]; cbn [over_terms fold_right snd]; [reflexivity |].
rewrite IH, of_integer_add. ring.
Qed.

Section Accepted.
Variables (s : side) (m : nat) (points : list (list Q)) (reasons : list reason).
Let d := common_denominator (concat points).
Let whole := map (map (times d)) points.
Let n := length points.
Let x := point_in F points.
Hypothesis positive : (0 < m)%nat.
Hypothesis lengths : forall p, In p points -> length p = m.
Hypothesis as_many : length reasons = n.
Hypothesis accepted : forall i, (i < n)%nat ->
  check_reason s m whole reasons i (nth i whole []) (nth i reasons (Repeats 0%Z)) = true.

Let integral j c : F := of_integer (nth c (nth j whole []) 0%Z).

Lemma scaled j c : of_integer d * x j c = integral j c.
Proof.
unfold x, point_in, integral. rewrite of_rational_times.
- f_equal. unfold whole. change (@nil Z) with (map (times d) []). rewrite map_nth.
  change 0%Z with (times d 0%Q) at 2. rewrite map_nth. reflexivity.
- destruct (nth_in_or_default c (nth j points []) 0%Q) as [i | ->]; [| apply Z.divide_1_l].
  apply common_denominator_divides, in_concat. exists (nth j points []). split; [| exact i].
  destruct (nth_in_or_default j points []) as [ij | e]; [exact ij |]. rewrite e in i. destruct i.
Qed.

Lemma d_positive : 0 < @of_integer F d.
Proof. apply of_integer_positive, common_denominator_positive. Qed.

Lemma length_whole j : (j < n)%nat -> length (nth j whole []) = m.
Proof.
intro l. unfold whole. change (@nil Z) with (map (times d) []). rewrite map_nth, map_length.
apply lengths, nth_In, l.
Qed.

Lemma same_point_whole i j :
  (i < n)%nat -> (j < n)%nat ->
  same_point m (x i) (x j) <-> nth i whole [] = nth j whole [].
Proof.
intros li lj. split.
- intro same. apply (nth_ext _ _ 0%Z 0%Z); [rewrite !length_whole by assumption; reflexivity |].
  intros c lc. rewrite length_whole in lc by exact li. apply (of_integer_injective F).
  fold (integral i c) (integral j c). rewrite <- !scaled, (same c lc). reflexivity.
- intros e c _. assert (both : integral i c = integral j c) by (unfold integral; rewrite e;
  reflexivity).
  rewrite <- !scaled in both.
  assert (zero : x i c + - x j c = 0).
  { apply (product_zero F (of_integer d)); [| apply positive_not_zero, d_positive].
    transitivity (of_integer d * x i c + - (of_integer d * x j c)); [ring |]. rewrite both. ring. }
  transitivity (x i c + - x j c + x j c); [ring |]. rewrite zero. ring.
Qed.

Lemma combination_scaled w c :
  of_integer d * combination n w x c = sum_of n (fun j => w j * integral j c).
Proof.
unfold combination. rewrite <- sum_scale. apply sum_ext. intros j _. rewrite <- scaled. ring.
Qed.

(* What reaches a point is no less on a functional that the program lets pass. *)
Lemma reached u i w :
  length u = m -> match s with Whole => True | Upper => (0 < nth (pred m) u 0)%Z end ->
  reaches s m (combination n w x) (x i) ->
  0 <= sum_of n (fun j => w j * of_integer (product u (nth j whole [])))
       + - of_integer (product u (nth i whole [])).
Proof.
intros lu up reach.
set (gap := fun c => sum_of n (fun j => w j * integral j c) + - integral i c).
assert (gap_of : forall c, gap c = of_integer d * (combination n w x c + - x i c)).
{ intro c. unfold gap. rewrite <- combination_scaled, <- scaled. ring. }
replace (sum_of n (fun j => w j * of_integer (product u (nth j whole [])))
         + - of_integer (product u (nth i whole [])))
  with (sum_of m (fun c => of_integer (nth c u 0%Z) * gap c)).
- apply sum_terms_nonnegative. intros c lc. rewrite gap_of. unfold reaches in reach. destruct s.
  + rewrite (reach c lc). right. ring.
  + destruct reach as [inner last]. destruct (Nat.eq_dec c (pred m)) as [-> | no].
    * apply product_nonnegative; [left; apply of_integer_positive, up |].
      apply product_nonnegative; [left; apply d_positive |].
      destruct last as [l | ->]; [left; apply less_difference, l | right; ring].
    * rewrite (inner c) by lia. right. ring.
- rewrite (product_sum m u (nth i whole []) lu).
  rewrite (sum_ext F n _ (fun j => sum_of m (fun c =>
    of_integer (nth c u 0%Z) * (w j * integral j c)))).
  2: { intros j _. rewrite (product_sum m u _ lu), <- sum_scale. apply sum_ext.
       intros c _. unfold integral. ring. }
  rewrite sum_exchange.
  transitivity (sum_of m (fun c => sum_of n (fun j =>
      of_integer (nth c u 0%Z) * (w j * integral j c)))
    + - one F * sum_of m (fun c => of_integer (nth c u 0%Z) * integral i c)); [| unfold integral;
      ring].
  rewrite <- sum_scale, <- sum_add. apply sum_ext. intros c _. rewrite sum_scale. unfold gap. ring.
Qed.

Lemma wins_is_vertex u i :
  (i < n)%nat -> nth i reasons (Repeats 0%Z) = Wins u ->
  vertex s n m x i /\ (forall j, (j < i)%nat -> ~ same_point m (x j) (x i)).
Proof.
intros li e. pose proof (accepted i li) as h. rewrite e in h. cbn [check_reason] in h.
apply andb_true_iff in h as [h first]. apply andb_true_iff in h as [h largest].
apply andb_true_iff in h as [lu up]. apply Nat.eqb_eq in lu.
assert (each : forall j, (j < n)%nat -> nth j whole [] <> nth i whole [] ->
  (product u (nth j whole []) < product u (nth i whole []))%Z).
{ intros j lj other. rewrite forallb_forall in largest.
  assert (inw : In (nth j whole []) whole) by (apply nth_In; unfold whole; rewrite map_length;
  exact lj).
  specialize (largest _ inw). apply orb_true_iff in largest as [l | same]; [lia |].
  apply same_numbers_equal in same. contradiction. }
split.
- intros w [nonneg total] away reach.
  apply (reached u i w lu) in reach; [| destruct s; [exact I | lia]].
  set (value := @of_integer F (product u (nth i whole []))) in *.
  assert (terms : forall j, (j < n)%nat ->
    w j * (value + - of_integer (product u (nth j whole []))) = 0).
  { apply sum_terms_zero.
    - intros j lj. apply product_nonnegative; [apply nonneg, lj |].
      destruct (list_eq_dec Z.eq_dec (nth j whole []) (nth i whole [])) as [same | other].
      + unfold value. rewrite same. right. ring.
      + left. unfold value. rewrite <- of_integer_opposite, <- of_integer_add.
        apply of_integer_positive. pose proof (each j lj other). lia.
    - rewrite (sum_ext F n _ (fun j => value * w j
        + - one F * (w j * of_integer (product u (nth j whole []))))) by (intros; ring).
      rewrite sum_add, !sum_scale, total.
      match type of reach with 0 <= ?r => replace (value * 1 + - (1) * sum_of n
        (fun j => w j * of_integer (product u (nth j whole [])))) with (- r) by ring end.
      destruct reach as [pos | zero]; [left; apply less_zero_opposite, pos |].
      right. rewrite <- zero. ring. }
  apply (one_not_zero F). rewrite <- total. apply sum_zero. intros j lj.
  destruct (list_eq_dec Z.eq_dec (nth j whole []) (nth i whole [])) as [same | other].
  + apply away; [exact lj |]. apply same_point_whole; assumption.
  + apply (product_zero F (value + - of_integer (product u (nth j whole [])))).
    * rewrite multiply_commutative. apply terms, lj.
    * apply positive_not_zero. unfold value. rewrite <- of_integer_opposite, <- of_integer_add.
      apply of_integer_positive. pose proof (each j lj other). lia.
- intros j lj same. apply same_point_whole in same; [| lia | exact li].
  apply negb_true_iff in first. apply not_true_iff_false in first. apply first.
  apply existsb_exists. exists (nth j whole []). split; [| apply same_numbers_equal, same].
  rewrite <- (firstn_skipn i whole) at 1. rewrite app_nth1.
  + apply nth_In. rewrite firstn_length. unfold whole. rewrite map_length. fold n. lia.
  + rewrite firstn_length. unfold whole. rewrite map_length. fold n. lia.
Qed.

Lemma vertex_below k : is_vertex (nth k reasons (Repeats 0%Z)) = true -> (k < n)%nat.
Proof.
intro v. destruct (Nat.lt_ge_cases k n) as [l | g]; [exact l |].
rewrite nth_overflow in v by lia. discriminate.
Qed.

(* The weights of a point that is not a vertex are of points that are, and differ from it. *)
Lemma inside_is_reached terms i :
  (i < n)%nat -> nth i reasons (Repeats 0%Z) = Inside terms ->
  exists w, convex n w /\ reaches s m (combination n w x) (x i) /\
    (forall j, (j < n)%nat -> is_vertex (nth j reasons (Repeats 0%Z)) = false -> w j = 0) /\
    (forall j, (j < n)%nat -> same_point m (x j) (x i) -> w j = 0).
Proof.
intros li e. pose proof (accepted i li) as h. rewrite e in h. cbn [check_reason] in h.
apply andb_true_iff in h as [h gone]. apply andb_true_iff in h as [h fit].
set (total := fold_right (fun t r => snd t + r)%Z 0%Z terms) in *.
assert (pos : 0 < @of_integer F total) by (apply of_integer_positive; lia).
assert (each : forall t, In t terms -> (0 <= snd t)%Z
  /\ is_vertex (nth (Z.to_nat (fst t)) reasons (Repeats 0%Z)) = true
  /\ nth (Z.to_nat (fst t)) whole [] <> nth i whole []).
{ intros t it. rewrite forallb_forall in fit. specialize (fit t it).
  apply andb_true_iff in fit as [fit other]. apply andb_true_iff in fit as [sign v].
  split; [lia |]. split; [exact v |]. intro same. apply same_numbers_equal in same.
  rewrite same in other. discriminate. }
assert (below : forall t, In t terms -> (Z.to_nat (fst t) < n)%nat) by (intros;
apply vertex_below, each; assumption).
assert (cancel : of_integer total * inverse F (of_integer total) = 1).
{ rewrite multiply_commutative. apply multiply_inverse, positive_not_zero, pos. }
exists (fun j => inverse F (of_integer total) * spread terms j).
assert (gap : forall c, of_integer d * of_integer total
    * (combination n (fun j => inverse F (of_integer total) * spread terms j) x c + - x i c)
  = of_integer (nth c (vector_add (weighted whole terms)
      (map (Z.mul (- total)) (nth i whole []))) 0%Z)).
{ intro c. rewrite nth_vector_add, nth_scaled, of_integer_add, of_integer_multiply,
  of_integer_opposite.
  fold (integral i c). rewrite <- over_terms_weighted, <- (spread_sum n terms _ below).
  rewrite <- scaled.
  transitivity (of_integer total * (of_integer d
      * combination n (fun j => inverse F (of_integer total) * spread terms j) x c)
    + - (of_integer total * (of_integer d * x i c))); [ring |].
  rewrite combination_scaled. unfold integral.
  rewrite (sum_ext F n (fun j => inverse F (of_integer total) * spread terms j * _)
    (fun j => inverse F (of_integer total)
              * (spread terms j * of_integer (nth c (nth j whole []) 0%Z))))
    by (intros; ring).
  rewrite sum_scale.
  match goal with |- ?t * (?i * ?r) + _ = _ => replace (t * (i * r)) with (t * i * r) by ring end.
  rewrite cancel. ring. }
assert (width : length (vector_add (weighted whole terms)
    (map (Z.mul (- total)) (nth i whole []))) = m).
{ rewrite length_vector_add, map_length, length_whole by exact li. apply Nat.max_r.
  clear -below lengths.
  induction terms as [| [k a] rest IH]; cbn [weighted]; [simpl; lia |].
  rewrite length_vector_add, map_length, length_whole by (apply (below (k, a)); left; reflexivity).
  apply Nat.max_lub; [lia |]. apply IH. intros t it. apply below. right. exact it. }
assert (factor : of_integer d * of_integer total <> zero F).
{ apply positive_not_zero, less_multiply; [apply d_positive | exact pos]. }
apply vanishes_nth in gone as [inner last]. rewrite width in inner, last.
assert (equal : forall c, nth c (vector_add (weighted whole terms)
    (map (Z.mul (- total)) (nth i whole []))) 0%Z = 0%Z ->
  combination n (fun j => inverse F (of_integer total) * spread terms j) x c = x i c).
{ intros c zero. specialize (gap c). rewrite zero in gap.
  apply product_zero in gap; [| exact factor].
  match goal with |- ?a = ?b => transitivity (a + - b + b); [ring | rewrite gap; ring] end. }
repeat split.
- intros j _. apply product_nonnegative; [| apply spread_nonnegative; intros; apply each;
  assumption].
  left. apply (positive_factor F (of_integer total) _ pos). rewrite cancel. apply zero_less_one.
- rewrite sum_scale, (sum_ext F n _ (fun j => spread terms j * 1)) by (intros; ring).
  rewrite (spread_sum n terms _ below), over_terms_total. fold total.
  rewrite multiply_commutative. exact cancel.
- destruct s; [intros c _; apply equal, last |]. split; [intros c lc; apply equal, inner, lc |].
  specialize (gap (pred m)). apply (of_integer_nonnegative F) in last. rewrite <- gap in last.
  destruct last as [l | zero].
  + left. apply positive_factor in l; [| apply less_multiply; [apply d_positive | exact pos]].
    apply (less_add F _ _ (x i (pred m))) in l.
    match type of l with ?a < ?b => match goal with |- ?p < ?q =>
      replace p with a by ring; replace q with b by ring; exact l end end.
  + right. symmetry in zero. apply product_zero in zero; [| exact factor].
    match type of zero with ?a + - ?b = 0 => transitivity (a + - b + b); [| ring] end.
    rewrite zero. ring.
- intros j lj no. rewrite spread_elsewhere; [ring |]. intros t it same. subst j.
  destruct (each t it) as [_ [v _]]. congruence.
- intros j lj same. rewrite spread_elsewhere; [ring |]. intros t it eq. subst j.
  destruct (each t it) as [_ [_ other]]. apply other, same_point_whole; assumption.
Qed.

Lemma repeats_same j i :
  (i < n)%nat -> nth i reasons (Repeats 0%Z) = Repeats j ->
  (Z.to_nat j < i)%nat /\ same_point m (x (Z.to_nat j)) (x i).
Proof.
intros li e. pose proof (accepted i li) as h. rewrite e in h. cbn [check_reason] in h.
apply andb_true_iff in h as [l same]. apply Nat.ltb_lt in l. split; [exact l |].
apply same_point_whole; [lia | exact li |]. apply same_numbers_equal, same.
Qed.

Lemma each_is_reached i :
  (i < n)%nat -> exists w, convex n w /\
    (forall j, (j < n)%nat -> is_vertex (nth j reasons (Repeats 0%Z)) = false -> w j = 0) /\
    reaches s m (combination n w x) (x i).
Proof.
induction i as [i IH] using (well_founded_induction lt_wf). intro li.
destruct (nth i reasons (Repeats 0%Z)) as [u | terms | j] eqn:e.
- exists (fun j => if (j =? i)%nat then 1 else 0).
  assert (here : forall c, combination n (fun j => if (j =? i)%nat then 1 else 0) x c = x i c).
  { intro c. unfold combination. rewrite (sum_at F n i (one F) (fun j => x j c)) by exact li. ring.
    }
  repeat split.
  + intros j _. destruct (j =? i)%nat; [left; apply zero_less_one | right; reflexivity].
  + rewrite (sum_ext F n _ (fun j => (if (j =? i)%nat then 1 else 0) * 1)) by (intros; ring).
    rewrite (sum_at F n i (one F) (fun _ => 1)) by exact li. ring.
  + intros j _ no. destruct (Nat.eqb_spec j i) as [-> |]; [| reflexivity].
    rewrite e in no. discriminate.
  + destruct s; [intros c _; apply here |]. split; [intros c _; apply here |]. right.
    symmetry. apply here.
- destruct (inside_is_reached terms i li e) as [w [conv [reach [outside _]]]].
  exists w. split; [exact conv |]. split; [exact outside | exact reach].
- destruct (repeats_same j i li e) as [lj same].
  destruct (IH (Z.to_nat j) lj ltac:(lia)) as [w [conv [outside reach]]].
  exists w. split; [exact conv |]. split; [exact outside |]. unfold reaches in *. destruct s.
  + intros c lc. rewrite (reach c lc). apply same, lc.
  + destruct reach as [inner last]. split.
    * intros c lc. rewrite (inner c lc). apply same. lia.
    * rewrite <- (same (pred m)) by lia. exact last.
Qed.

End Accepted.
End Hull.

Theorem hull_sound_holds : hull_sound.
Proof.
intros s m points vertices reasons h. unfold check_hull in h.
apply andb_true_iff in h as [h each]. apply andb_true_iff in h as [h listed].
apply andb_true_iff in h as [pos lengths]. apply Nat.ltb_lt in pos.
destruct (list_eq_dec Nat.eq_dec vertices (vertices_from 0 reasons)) as [-> |]; [| discriminate].
assert (lens : forall p, In p points -> length p = m).
{ intros p ip. apply Nat.eqb_eq. rewrite forallb_forall in lengths. apply lengths, ip. }
apply check_reasons_each in each as [many each]. rewrite map_length in many, each.
cbn [Nat.add] in each. split; [exact lens |]. split; [apply vertices_from_different |].
intro F. cbv zeta. split.
- intro i. rewrite vertices_from_in, Nat.sub_0_r. split.
  + intros [_ v]. assert (li : (i < length points)%nat) by (eapply vertex_below; eassumption).
    split; [exact li |]. destruct (nth i reasons (Repeats 0%Z)) as [u | |] eqn:e; try discriminate.
    eapply wins_is_vertex; eassumption.
  + intros [li [v first]]. split; [lia |].
    destruct (nth i reasons (Repeats 0%Z)) as [u | terms | j] eqn:e; [reflexivity | exfalso ..].
    * destruct (inside_is_reached F s m points reasons pos lens many each terms i li e)
        as [w [conv [reach [_ away]]]]. exact (v w conv away reach).
    * destruct (repeats_same F s m points reasons pos lens many each j i li e) as [lj same].
      exact (first (Z.to_nat j) lj same).
- intros i li. destruct (each_is_reached F s m points reasons pos lens many each i li)
    as [w [conv [outside reach]]].
  exists w. split; [exact conv |]. split; [| exact reach]. intros j lj no.
  apply outside; [exact lj |].
  apply not_true_iff_false. intro v. apply no. rewrite vertices_from_in, Nat.sub_0_r.
  split; [lia | exact v].
Qed.
