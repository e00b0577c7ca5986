(* The laws of an ordered field as the exported files state them: the real numbers of Coq's standard
   library fulfil them, the rational numbers in lowest terms, and every realFieldType of MathComp. Not
   part of the package: compiled by a test. *)
From Coq Require Import List ZArith QArith Qcanon Reals.
From Headproof Require Import StatementsCertificates.

Definition real_numbers : ordered_field.
Proof.
refine (OrderedField R R0 R1 Rplus Ropp Rmult Rinv Rlt _ _ _ _ _ _ _ _ _ _ _ _ _ _ _).
- intros. ring.
- exact Rplus_comm.
- exact Rplus_0_l.
- exact Rplus_opp_r.
- intros. ring.
- exact Rmult_comm.
- exact Rmult_1_l.
- exact Rinv_l.
- exact Rmult_plus_distr_r.
- exact Rlt_irrefl.
- exact Rlt_trans.
- intros x y. destruct (Rtotal_order x y) as [l | [e | l]]; auto.
- intros x y z. apply Rplus_lt_compat_l.
- exact Rmult_lt_0_compat.
- exact Rlt_0_1.
Defined.

(* So a statement about every ordered field is one about the real numbers; this one is met. *)
Lemma of_real_numbers (c : condition) :
  infeasible (c :: nil) -> forall x : nat -> R, ~ @fulfils real_numbers x c.
Proof. now intros none x all; apply (none real_numbers x); intros d [<- | []]. Qed.

Definition rational_numbers : ordered_field.
Proof.
refine (OrderedField Qc 0%Qc 1%Qc Qcplus Qcopp Qcmult Qcinv Qclt _ _ _ _ _ _ _ _ _ _ _ _ _ _ _).
- exact Qcplus_assoc.
- exact Qcplus_comm.
- exact Qcplus_0_l.
- exact Qcplus_opp_r.
- exact Qcmult_assoc.
- exact Qcmult_comm.
- exact Qcmult_1_l.
- exact Qcmult_inv_l.
- exact Qcmult_plus_distr_l.
- intros x l. exact (Qlt_irrefl x l).
- exact Qclt_trans.
- intros x y. destruct (Qc_dec x y) as [[l | g] | e]; auto.
- intros x y z l. unfold Qclt, Qcplus in *. cbn [this Q2Qc]. rewrite !Qred_correct.
  apply Qplus_lt_r. exact l.
- intros x y px py. change (0 < Qred (x * y))%Q. rewrite Qred_correct.
  exact (Qmult_lt_0_compat x y px py).
- reflexivity.
Defined.

From mathcomp Require Import all_ssreflect all_algebra.
Import Order.Theory GRing.Theory Num.Theory.

Definition of_mathcomp (K : realFieldType) : ordered_field.
Proof.
refine (OrderedField K 0%R 1%R (@GRing.add K) (@GRing.opp K) (@GRing.mul K) (@GRing.inv K)
  (fun x y => is_true (x < y)%R) _ _ _ _ _ _ _ _ _ _ _ _ _ _ _).
- exact: addrA.
- exact: addrC.
- exact: add0r.
- exact: subrr.
- exact: mulrA.
- exact: mulrC.
- exact: mul1r.
- by move=> x /eqP nz; rewrite mulVf.
- exact: mulrDl.
- by move=> x; rewrite ltxx.
- by move=> x y z; exact: lt_trans.
- by move=> x y; case: (ltgtP x y) => [| | ->]; auto.
- by move=> x y z; rewrite ltr_add2l.
- by move=> x y; exact: mulr_gt0.
- exact: ltr01.
Defined.
