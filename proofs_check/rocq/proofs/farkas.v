(* A nonnegative combination of the conditions that no point fulfils. *)
From Coq Require Import List ZArith QArith Ring Lia Bool.
From Headproof Require Import StatementsCertificates.
From Headproof.proofs Require Import ordered.
Import ListNotations.
Local Open Scope number_scope.

Section Farkas.
Variable F : ordered_field.
Variable x : nat -> F.

Add Ring field_ring : (field_ring F).

(* The value b - a.x of a row (b, a). *)
Fixpoint linear (a : list Z) (z : nat -> F) : F :=
  match a with [] => 0 | h :: t => of_integer h * z O + linear t (fun c => z (S c)) end.

Definition slack (u : list Z) : F :=
  linear u (fun c => match c with O => 1 | S i => - x i end).

Lemma linear_add u v z : linear (vector_add u v) z = linear u z + linear v z.
Proof.
revert v z. induction u as [| a u IH]; intros v z; simpl; [ring |].
destruct v as [| b v]; simpl; [ring |]. rewrite IH, of_integer_add. ring.
Qed.

Lemma linear_scale m u z : linear (map (Z.mul m) u) z = of_integer m * linear u z.
Proof.
revert z. induction u as [| a u IH]; intro z; cbn [linear map]; [ring |].
rewrite IH, of_integer_multiply. ring.
Qed.

Lemma linear_zero u z : forallb (Z.eqb 0) u = true -> linear u z = 0.
Proof.
revert z. induction u as [| a u IH]; intros z h; [reflexivity |].
cbn [forallb linear] in *. apply andb_true_iff in h as [e h]. apply Z.eqb_eq in e as <-.
rewrite IH by exact h. simpl. ring.
Qed.

Lemma linear_times d l z :
  (forall q, In q l -> (Zpos (Qden q) | d)%Z) ->
  linear (map (times d) l) z
  = of_integer d * sum_of (length l) (fun i => of_rational (nth i l 0%Q) * z i).
Proof.
revert z. induction l as [| q l IH]; intros z h; cbn [linear map length sum_of nth]; [ring |].
rewrite IH by (intros; apply h; right; assumption).
rewrite <- (of_rational_times F d q) by (apply h; left; reflexivity). ring.
Qed.

Lemma slack_of_condition c :
  exists d, 0 < d /\ slack (integral_row c)
    = d * (of_rational (bound c)
           + - sum_of (length (coefficients c))
                 (fun i => of_rational (nth i (coefficients c) 0%Q) * x i)).
Proof.
exists (of_integer (common_denominator (bound c :: coefficients c))). split.
{ apply of_integer_positive, common_denominator_positive. }
unfold slack, integral_row. rewrite linear_times by (intros; apply common_denominator_divides;
assumption).
cbn [length sum_of nth]. f_equal. f_equal; [ring |].
rewrite (sum_ext F _ _ (fun i => - one F
  * (of_rational (nth i (coefficients c) 0%Q) * x i))) by (intros; ring).
rewrite sum_scale. ring.
Qed.

Lemma slack_nonnegative c : fulfils x c -> 0 <= slack (integral_row c).
Proof.
intro f. destruct (slack_of_condition c) as [d [pos ->]].
apply product_nonnegative; [left; exact pos |].
unfold fulfils in f. destruct (relates c).
- destruct f as [f | ->]; [left; apply less_difference, f | right; ring].
- left. apply less_difference, f.
- rewrite f. right. ring.
Qed.

Lemma slack_positive c : relates c = Below -> fulfils x c -> 0 < slack (integral_row c).
Proof.
intros e f. destruct (slack_of_condition c) as [d [pos ->]]. apply less_multiply; [exact pos |].
unfold fulfils in f. rewrite e in f. apply less_difference, f.
Qed.

Lemma slack_zero c : relates c = Equal -> fulfils x c -> slack (integral_row c) = 0.
Proof.
intros e f. destruct (slack_of_condition c) as [d [pos ->]].
unfold fulfils in f. rewrite e in f. rewrite f. ring.
Qed.

Lemma slack_of_combination system y :
  (forall c, In c system -> fulfils x c) -> signs_fit system y = true ->
  0 <= slack (combined_rows system y)
  /\ (strict_row_counts system y = true -> 0 < slack (combined_rows system y)).
Proof.
revert y. induction system as [| c system IH]; intros y all signs.
{ split; [right; reflexivity | discriminate]. }
destruct y as [| m y]; [split; [right; reflexivity | discriminate] |].
cbn [signs_fit strict_row_counts combined_rows] in *. apply andb_true_iff in signs as [sign signs].
assert (fc : fulfils x c) by (apply all; left; reflexivity).
destruct (IH y (fun e h => all e (or_intror h)) signs) as [rest strict].
unfold slack in *. rewrite linear_add, linear_scale. fold (slack (integral_row c)) in *.
assert (here : 0 <= of_integer m * slack (integral_row c)).
{ destruct (relates c) eqn:r.
  - apply product_nonnegative; [apply of_integer_nonnegative; lia | apply slack_nonnegative, fc].
  - apply product_nonnegative; [apply of_integer_nonnegative; lia | apply slack_nonnegative, fc].
  - rewrite slack_zero by assumption. right. ring. }
split; [apply sum_nonnegative; assumption |]. intro counts.
apply orb_true_iff in counts as [this | other].
- destruct (relates c) eqn:r; try discriminate. apply sum_positive; [| exact rest].
  apply less_multiply; [apply of_integer_positive; lia | apply slack_positive; assumption].
- match goal with |- 0 < ?a + ?b => replace (a + b) with (b + a) by ring end.
  apply sum_positive; [apply strict, other | exact here].
Qed.

End Farkas.

Theorem farkas_sound_holds : farkas_sound.
Proof.
intros system y accepted F x all. unfold check_farkas in accepted.
apply andb_true_iff in accepted as [signs total].
destruct (slack_of_combination F x system y all signs) as [weak strict].
destruct (combined_rows system y) as [| b a]; [discriminate |].
apply andb_true_iff in total as [flat sign].
assert (value : slack F x (b :: a) = of_integer b).
{ unfold slack. cbn [linear]. rewrite linear_zero by exact flat.
  rewrite multiply_commutative, multiply_one.
  rewrite add_commutative, add_zero. reflexivity. }
rewrite value in *. apply orb_true_iff in sign as [negative | tie].
- pose proof (of_integer_negative F b ltac:(lia)) as l. destruct weak as [w | w].
  + exact (less_irreflexive F _ (less_transitive F _ _ _ w l)).
  + rewrite <- w in l. exact (less_irreflexive F _ l).
- apply andb_true_iff in tie as [null counts]. apply Z.eqb_eq in null. subst b.
  exact (less_irreflexive F _ (strict counts)).
Qed.
