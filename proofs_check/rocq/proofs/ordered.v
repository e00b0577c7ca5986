(* Ordered fields: order, sums, and how integers and rational numbers lie in them. *)
From Coq Require Import List ZArith QArith Ring Lia.
From Headproof Require Import StatementsCertificates.
Import ListNotations.
Local Open Scope number_scope.

Section Ordered.
Variable F : ordered_field.
Implicit Types x y z : F.

Lemma field_ring :
  ring_theory (zero F) (one F) (add F) (multiply F) (fun x y => x + - y) (opposite F) (@eq F).
Proof.
constructor; intros.
- apply add_zero.
- apply add_commutative.
- apply add_associative.
- apply multiply_one.
- apply multiply_commutative.
- apply multiply_associative.
- apply distributive.
- reflexivity.
- apply add_opposite.
Qed.

Add Ring field_ring : field_ring.

Lemma multiply_zero x : x * 0 = 0.
Proof. ring. Qed.

Lemma one_not_zero : one F <> 0.
Proof.
intro same. apply (less_irreflexive F 0). rewrite <- same at 2. apply zero_less_one.
Qed.

Lemma less_zero_opposite x : 0 < x -> - x < 0.
Proof.
intro pos. apply (less_add F 0 x (- x)) in pos.
replace (- x + 0) with (- x) in pos by ring. replace (- x + x) with (0 : F) in pos by ring.
exact pos.
Qed.

Lemma zero_less_opposite x : x < 0 -> 0 < - x.
Proof.
intro neg. apply (less_add F x 0 (- x)) in neg.
replace (- x + 0) with (- x) in neg by ring. replace (- x + x) with (0 : F) in neg by ring.
exact neg.
Qed.

Lemma less_difference x y : x < y -> 0 < y + - x.
Proof.
intro l. apply (less_add F x y (- x)) in l.
replace (- x + x) with (0 : F) in l by ring. replace (- x + y) with (y + - x) in l by ring. exact l.
Qed.

Lemma sum_positive x y : 0 < x -> 0 <= y -> 0 < x + y.
Proof.
intros px [py | <-].
- apply (less_transitive F 0 x); [exact px |].
  apply (less_add F 0 y x) in py. replace (x + 0) with x in py by ring. exact py.
- replace (x + 0) with x by ring. exact px.
Qed.

Lemma sum_nonnegative x y : 0 <= x -> 0 <= y -> 0 <= x + y.
Proof.
intros [px | <-] py.
- left. apply sum_positive; assumption.
- replace (0 + y) with y by ring. exact py.
Qed.

Lemma product_nonnegative x y : 0 <= x -> 0 <= y -> 0 <= x * y.
Proof.
intros [px | <-].
- intros [py | <-]; [left; apply less_multiply; assumption |]. right. ring.
- intros _. right. ring.
Qed.

Lemma square_nonnegative x : 0 <= x * x.
Proof.
destruct (less_total F 0 x) as [pos | [<- | neg]].
- left. apply less_multiply; exact pos.
- right. ring.
- left. replace (x * x) with (- x * - x) by ring.
  apply less_multiply; apply zero_less_opposite, neg.
Qed.

Lemma product_zero x y : x * y = 0 -> x <> 0 -> y = 0.
Proof.
intros e nz. replace y with (inverse F x * (x * y)).
- rewrite e. ring.
- replace (inverse F x * (x * y)) with (inverse F x * x * y) by ring.
  rewrite (multiply_inverse F x nz). ring.
Qed.

Lemma positive_not_zero x : 0 < x -> x <> 0.
Proof. intros pos e. rewrite e in pos. exact (less_irreflexive F 0 pos). Qed.

Lemma positive_factor x y : 0 < x -> 0 < x * y -> 0 < y.
Proof.
intros px pxy. destruct (less_total F 0 y) as [py | [<- | ny]]; [exact py | exfalso ..].
- replace (x * 0) with (0 : F) in pxy by ring. exact (less_irreflexive F 0 pxy).
- apply zero_less_opposite in ny. pose proof (less_multiply F _ _ px ny) as p.
  replace (x * - y) with (- (x * y)) in p by ring. apply less_zero_opposite in pxy.
  exact (less_irreflexive F _ (less_transitive F _ _ _ p pxy)).
Qed.

Lemma zero_decided x : x = 0 \/ x <> 0.
Proof.
destruct (less_total F 0 x) as [pos | [e | neg]].
- right. apply positive_not_zero, pos.
- left. symmetry. exact e.
- right. intro e. rewrite e in neg. exact (less_irreflexive F 0 neg).
Qed.

(* Sums. *)

Lemma sum_ext n (f g : nat -> F) : (forall i, (i < n)%nat -> f i = g i) -> sum_of n f = sum_of n g.
Proof.
revert f g. induction n as [| n IH]; intros f g e; simpl; [reflexivity |].
rewrite (e O) by lia. f_equal. apply IH. intros i l. apply e. lia.
Qed.

Lemma sum_zero n (f : nat -> F) : (forall i, (i < n)%nat -> f i = 0) -> sum_of n f = 0.
Proof.
revert f. induction n as [| n IH]; intros f e; simpl; [reflexivity |].
rewrite (e O) by lia. rewrite IH; [ring |]. intros i l. apply e. lia.
Qed.

Lemma sum_add n (f g : nat -> F) : sum_of n (fun i => f i + g i) = sum_of n f + sum_of n g.
Proof.
revert f g. induction n as [| n IH]; intros f g; simpl; [ring |]. rewrite IH. ring.
Qed.

Lemma sum_scale n a (f : nat -> F) : sum_of n (fun i => a * f i) = a * sum_of n f.
Proof.
revert f. induction n as [| n IH]; intros f; simpl; [ring |]. rewrite IH. ring.
Qed.

Lemma sum_exchange n m (f : nat -> nat -> F) :
  sum_of n (fun i => sum_of m (f i)) = sum_of m (fun c => sum_of n (fun i => f i c)).
Proof.
revert f. induction n as [| n IH]; intros f; simpl.
- symmetry. apply sum_zero. reflexivity.
- rewrite IH. rewrite <- sum_add. reflexivity.
Qed.

Lemma sum_terms_nonnegative n (f : nat -> F) :
  (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum_of n f.
Proof.
revert f. induction n as [| n IH]; intros f p; simpl; [right; reflexivity |].
apply sum_nonnegative; [apply p; lia |]. apply IH. intros i l. apply p. lia.
Qed.

Lemma sum_terms_zero n (f : nat -> F) :
  (forall i, (i < n)%nat -> 0 <= f i) -> sum_of n f <= 0 -> forall i, (i < n)%nat -> f i = 0.
Proof.
revert f. induction n as [| n IH]; intros f p s i l; [lia |]. simpl in s.
assert (rest : 0 <= sum_of n (fun i => f (S i))).
{ apply sum_terms_nonnegative. intros k lk. apply p. lia. }
assert (no : forall x, 0 < x -> ~ x <= 0).
{ intros x px [nx | e]; [exact (less_irreflexive F _ (less_transitive F _ _ _ px nx)) |].
  exact (positive_not_zero x px e). }
assert (first : f O = 0).
{ destruct (p O ltac:(lia)) as [pos | e]; [exfalso | symmetry; exact e].
  exact (no _ (sum_positive _ _ pos rest) s). }
destruct i as [| i]; [exact first |].
apply (IH (fun i => f (S i))); [| | lia].
- intros k lk. apply p. lia.
- rewrite first in s. replace (0 + sum_of n (fun i => f (S i)))
    with (sum_of n (fun i => f (S i))) in s by ring. exact s.
Qed.

Lemma sum_at n k a (f : nat -> F) :
  (k < n)%nat -> sum_of n (fun i => (if (i =? k)%nat then a else 0) * f i) = a * f k.
Proof.
revert k f. induction n as [| n IH]; intros k f l; [lia |]. simpl. destruct k as [| k].
- rewrite sum_zero; [simpl; ring |]. intros i _. simpl. ring.
- simpl. rewrite (IH k (fun i => f (S i))) by lia. ring.
Qed.

(* Integers and rational numbers. *)

Lemma of_positive_successor p : of_positive (Pos.succ p) = of_positive p + one F.
Proof. induction p as [p IH | p IH |]; simpl; [rewrite IH | | ]; ring. Qed.

Lemma of_positive_add p q : @of_positive F (p + q) = of_positive p + of_positive q.
Proof.
revert q. induction p as [| p IH] using Pos.peano_ind; intro q.
- rewrite Pos.add_1_l, of_positive_successor. simpl. ring.
- rewrite Pos.add_succ_l, !of_positive_successor, IH. ring.
Qed.

Lemma of_positive_multiply p q : @of_positive F (p * q) = of_positive p * of_positive q.
Proof.
revert q. induction p as [| p IH] using Pos.peano_ind; intro q.
- rewrite Pos.mul_1_l. simpl. ring.
- rewrite Pos.mul_succ_l, of_positive_add, of_positive_successor, IH. ring.
Qed.

Lemma of_positive_positive p : 0 < @of_positive F p.
Proof.
induction p as [| p IH] using Pos.peano_ind; [apply zero_less_one |].
rewrite of_positive_successor. apply sum_positive; [exact IH |]. left. apply zero_less_one.
Qed.

Lemma of_integer_opposite a : @of_integer F (- a) = - of_integer a.
Proof. destruct a; simpl; ring. Qed.

Lemma of_integer_difference p q : @of_integer F (Z.pos_sub p q) = of_positive p + - of_positive q.
Proof.
rewrite Z.pos_sub_spec. destruct (Pos.compare_spec p q) as [<- | l | l]; simpl; [ring | |].
- pose proof (of_positive_add (q - p) p) as e. rewrite (Pos.sub_add q p l) in e. rewrite e. ring.
- pose proof (of_positive_add (p - q) q) as e. rewrite (Pos.sub_add p q l) in e. rewrite e. ring.
Qed.

Lemma of_integer_add a b : @of_integer F (a + b) = of_integer a + of_integer b.
Proof.
destruct a as [| p | p], b as [| q | q]; simpl; rewrite ?of_positive_add, ?of_integer_difference;
ring.
Qed.

Lemma of_integer_multiply a b : @of_integer F (a * b) = of_integer a * of_integer b.
Proof.
destruct a as [| p | p], b as [| q | q]; simpl; rewrite ?of_positive_multiply; ring.
Qed.

Lemma of_integer_positive a : (0 < a)%Z -> 0 < @of_integer F a.
Proof. intro l. destruct a as [| p | p]; [lia | apply of_positive_positive | lia]. Qed.

Lemma of_integer_negative a : (a < 0)%Z -> @of_integer F a < 0.
Proof.
intro l. destruct a as [| p | p]; [lia | lia |]. apply less_zero_opposite, of_positive_positive.
Qed.

Lemma of_integer_nonnegative a : (0 <= a)%Z -> 0 <= @of_integer F a.
Proof.
intro l. destruct (Z.eq_dec a 0) as [-> | n]; [right; reflexivity |]. left.
apply of_integer_positive. lia.
Qed.

Lemma of_integer_zero a : @of_integer F a = 0 -> a = 0%Z.
Proof.
intro e. destruct (Z.lt_trichotomy a 0) as [l | [l | l]]; [exfalso | exact l | exfalso].
- apply of_integer_negative in l. rewrite e in l. exact (less_irreflexive F _ l).
- apply of_integer_positive in l. rewrite e in l. exact (less_irreflexive F _ l).
Qed.

Lemma of_integer_injective a b : @of_integer F a = of_integer b -> a = b.
Proof.
intro e. enough (a - b = 0)%Z by lia. apply of_integer_zero.
unfold Z.sub. rewrite of_integer_add, of_integer_opposite, e. ring.
Qed.

Lemma of_rational_times d q :
  (Zpos (Qden q) | d)%Z -> of_integer d * of_rational q = @of_integer F (times d q).
Proof.
intros [k ->]. unfold of_rational, times. rewrite Z.div_mul by discriminate.
rewrite !of_integer_multiply. simpl of_integer at 2.
transitivity (of_integer k * of_integer (Qnum q)
              * (inverse F (of_positive (Qden q)) * of_positive (Qden q))); [ring |].
rewrite multiply_inverse by apply positive_not_zero, of_positive_positive. ring.
Qed.

End Ordered.

Lemma common_denominator_positive l : (0 < common_denominator l)%Z.
Proof.
induction l as [| q l IH]; simpl; [lia |].
pose proof (Z.lcm_nonneg (Zpos (Qden q)) (common_denominator l)).
enough (Z.lcm (Zpos (Qden q)) (common_denominator l) <> 0)%Z by lia.
rewrite Z.lcm_eq_0. lia.
Qed.

Lemma common_denominator_divides q l : In q l -> (Zpos (Qden q) | common_denominator l)%Z.
Proof.
induction l as [| r l IH]; simpl; [tauto |]. intros [-> | i].
- apply Z.divide_lcm_l.
- eapply Z.divide_trans; [apply IH, i | apply Z.divide_lcm_r].
Qed.

Lemma forallb_in {A : Type} (f : A -> bool) l a : forallb f l = true -> In a l -> f a = true.
Proof. intros h. rewrite forallb_forall in h. apply h. Qed.
