(* What is proved about certificates: if a short program accepts one, its statement holds. The file
   has four parts, one common and one for each kind; in each, definitions come first, then the
   program that checks, and the theorem about it last. Only the definitions that a statement about
   one certificate uses have to be read: a program that is wrong cannot make it say something else.
   A file that `headproof rocq` writes holds the common part and that of its kind, their proofs, the
   numbers of one certificate and its statement. *)
From Coq Require Import List ZArith QArith.
Import ListNotations.

(* ==== common ==== *)

(* A field with an order that fits its operations. The rational, the algebraic and the real numbers
   are instances. *)
Record ordered_field : Type := OrderedField {
  number :> Type;
  zero : number;
  one : number;
  add : number -> number -> number;
  opposite : number -> number;
  multiply : number -> number -> number;
  inverse : number -> number;
  less : number -> number -> Prop;
  add_associative : forall x y z, add x (add y z) = add (add x y) z;
  add_commutative : forall x y, add x y = add y x;
  add_zero : forall x, add zero x = x;
  add_opposite : forall x, add x (opposite x) = zero;
  multiply_associative : forall x y z, multiply x (multiply y z) = multiply (multiply x y) z;
  multiply_commutative : forall x y, multiply x y = multiply y x;
  multiply_one : forall x, multiply one x = x;
  multiply_inverse : forall x, x <> zero -> multiply (inverse x) x = one;
  distributive : forall x y z, multiply (add x y) z = add (multiply x z) (multiply y z);
  less_irreflexive : forall x, ~ less x x;
  less_transitive : forall x y z, less x y -> less y z -> less x z;
  less_total : forall x y, less x y \/ x = y \/ less y x;
  less_add : forall x y z, less x y -> less (add z x) (add z y);
  less_multiply : forall x y, less zero x -> less zero y -> less zero (multiply x y);
  zero_less_one : less zero one
}.

Declare Scope number_scope.
Delimit Scope number_scope with number.
Bind Scope number_scope with number.
Notation "0" := (zero _) : number_scope.
Notation "1" := (one _) : number_scope.
Notation "x + y" := (add _ x y) : number_scope.
Notation "- x" := (opposite _ x) : number_scope.
Notation "x * y" := (multiply _ x y) : number_scope.
Notation "x < y" := (less _ x y) : number_scope.
Notation "x <= y" := (less _ x y \/ x%number = y%number) : number_scope.

(* f(0) + ... + f(n-1). *)
Fixpoint sum_of {F : ordered_field} (n : nat) (f : nat -> F) : F :=
  match n with O => 0 | S k => f O + sum_of k (fun i => f (S i)) end.

(* Integers and rational numbers as elements of F. *)
Fixpoint of_positive {F : ordered_field} (p : positive) : F :=
  match p with
  | xH => 1
  | xO q => of_positive q + of_positive q
  | xI q => 1 + (of_positive q + of_positive q)
  end.

Definition of_integer {F : ordered_field} (z : Z) : F :=
  match z with Z0 => 0 | Zpos p => of_positive p | Zneg p => - of_positive p end.

Definition of_rational {F : ordered_field} (q : Q) : F :=
  of_integer (Qnum q) * inverse F (of_positive (Qden q)).

(* For the programs: rational numbers times a common multiple of their denominators. *)
Definition common_denominator (l : list Q) : Z :=
  fold_right (fun q d => Z.lcm (Zpos (Qden q)) d) 1%Z l.

Definition times (d : Z) (q : Q) : Z := (Qnum q * (d / Zpos (Qden q)))%Z.

Fixpoint vector_add (u v : list Z) : list Z :=
  match u, v with
  | [], _ => v
  | _, [] => u
  | a :: u', b :: v' => (a + b)%Z :: vector_add u' v'
  end.

Fixpoint product (u v : list Z) : Z :=
  match u, v with a :: u', b :: v' => (a * b + product u' v')%Z | _, _ => 0%Z end.

(* ==== farkas ==== *)

(* A condition a.x <= b, a.x < b or a.x = b on x = (x_0, x_1, ...). *)
Inductive relation : Type := AtMost | Below | Equal.

Record condition : Type := Condition { coefficients : list Q; relates : relation; bound : Q }.

Definition fulfils {F : ordered_field} (x : nat -> F) (c : condition) : Prop :=
  let left := sum_of (length (coefficients c))
                (fun i => of_rational (nth i (coefficients c) 0%Q) * x i)%number in
  let right := of_rational (bound c) in
  match relates c with
  | AtMost => (left <= right)%number
  | Below => (left < right)%number
  | Equal => left = right
  end.

(* In no ordered field is there a solution. *)
Definition infeasible (system : list condition) : Prop :=
  forall (F : ordered_field) (x : nat -> F), ~ (forall c, In c system -> fulfils x c).

(* The program: integral multiples (b, a) of the rows, the multipliers y of these, and their sum,
   which must be (negative, 0) or, if a strict row counts, (0, 0). *)
Definition integral_row (c : condition) : list Z :=
  map (times (common_denominator (bound c :: coefficients c))) (bound c :: coefficients c).

Fixpoint combined_rows (system : list condition) (y : list Z) : list Z :=
  match system, y with
  | c :: system', m :: y' => vector_add (map (Z.mul m) (integral_row c)) (combined_rows system' y')
  | _, _ => []
  end.

Fixpoint signs_fit (system : list condition) (y : list Z) : bool :=
  match system, y with
  | c :: system', m :: y' =>
      match relates c with Equal => true | _ => (0 <=? m)%Z end && signs_fit system' y'
  | _, _ => true
  end.

Fixpoint strict_row_counts (system : list condition) (y : list Z) : bool :=
  match system, y with
  | c :: system', m :: y' =>
      match relates c with Below => (0 <? m)%Z | _ => false end || strict_row_counts system' y'
  | _, _ => false
  end.

Definition check_farkas (system : list condition) (y : list Z) : bool :=
  signs_fit system y &&
  match combined_rows system y with
  | [] => false
  | b :: a => forallb (Z.eqb 0) a && ((b <? 0)%Z || ((b =? 0)%Z && strict_row_counts system y))
  end.

(* Multipliers that the program accepts show that the system has no solution. *)
Definition farkas_sound : Prop :=
  forall (system : list condition) (y : list Z), check_farkas system y = true -> infeasible system.

(* ==== hull ==== *)

(* Two questions: which points are vertices of the convex hull of all; and which of them are upper
   vertices, those of the convex hull less the ray in the last coordinate. *)
Inductive side : Type := Whole | Upper.

(* z in F^m is y; or it agrees with y in all coordinates but the last, and is at least y there. *)
Definition reaches {F : ordered_field} (s : side) (m : nat) (z y : nat -> F) : Prop :=
  match s with
  | Whole => forall c, (c < m)%nat -> z c = y c
  | Upper => (forall c, (S c < m)%nat -> z c = y c) /\ (y (pred m) <= z (pred m))%number
  end.

Definition same_point {F : ordered_field} (m : nat) (y z : nat -> F) : Prop :=
  forall c, (c < m)%nat -> y c = z c.

(* Weights of a convex combination of n points, and that combination. *)
Definition convex {F : ordered_field} (n : nat) (w : nat -> F) : Prop :=
  (forall j, (j < n)%nat -> (0 <= w j)%number) /\ sum_of n w = 1%number.

Definition combination {F : ordered_field} (n : nat) (w : nat -> F) (x : nat -> nat -> F)
    (c : nat) : F :=
  sum_of n (fun j => w j * x j c)%number.

(* x_i is a vertex among x_0, ..., x_(n-1) in F^m: no convex combination of those that differ from
   it reaches it. *)
Definition vertex {F : ordered_field} (s : side) (n m : nat) (x : nat -> nat -> F)
    (i : nat) : Prop :=
  forall w, convex n w -> (forall j, (j < n)%nat -> same_point m (x j) (x i) -> w j = 0%number) ->
  ~ reaches s m (combination n w x) (x i).

(* Coordinate c of point j, in F. *)
Definition point_in (F : ordered_field) (points : list (list Q)) (j c : nat) : F :=
  of_rational (nth c (nth j points []) 0%Q).

(* The points have m coordinates each. Over every ordered field, the indices in the list are,
   each once, those of the vertices, the first of its kind for a point that is repeated; and every
   point is reached by a convex combination of the listed ones. *)
Definition has_vertices (s : side) (m : nat) (points : list (list Q)) (vertices : list nat)
    : Prop :=
  (forall p, In p points -> length p = m) /\ NoDup vertices /\
  forall F : ordered_field,
    let n := length points in let x := point_in F points in
    (forall i, In i vertices <->
       (i < n)%nat /\ vertex s n m x i /\ (forall j, (j < i)%nat -> ~ same_point m (x j) (x i))) /\
    (forall i, (i < n)%nat -> exists w, convex n w /\
       (forall j, (j < n)%nat -> ~ In j vertices -> w j = 0%number) /\
       reaches s m (combination n w x) (x i)).

(* The program: each point has its reason, a functional that is largest at this point alone, weights
   of vertices, or the point that it repeats. All in integers, indices too: the points times their
   common denominator, the functional and the weights times whatever makes them so. *)
Inductive reason : Type :=
  | Wins (functional : list Z)
  | Inside (weights : list (Z * Z))
  | Repeats (first : Z).

Fixpoint same_numbers (u v : list Z) : bool :=
  match u, v with
  | [], [] => true
  | a :: u', b :: v' => (a =? b)%Z && same_numbers u' v'
  | _, _ => false
  end.

Fixpoint vanishes (s : side) (u : list Z) : bool :=
  match u with
  | [] => true
  | [a] => match s with Whole => (a =? 0)%Z | Upper => (0 <=? a)%Z end
  | a :: u' => (a =? 0)%Z && vanishes s u'
  end.

Definition is_vertex (r : reason) : bool := match r with Wins _ => true | _ => false end.

Fixpoint weighted (points : list (list Z)) (weights : list (Z * Z)) : list Z :=
  match weights with
  | [] => []
  | (j, w) :: rest => vector_add (map (Z.mul w) (nth (Z.to_nat j) points [])) (weighted points rest)
  end.

Definition check_reason (s : side) (m : nat) (points : list (list Z)) (reasons : list reason)
    (i : nat) (p : list Z) (r : reason) : bool :=
  match r with
  | Wins u =>
      (length u =? m)%nat
      && match s with Whole => true | Upper => (0 <? nth (pred m) u 0)%Z end
      && (let value := product u p in
          forallb (fun q => (product u q <? value)%Z || same_numbers q p) points)
      && negb (existsb (fun q => same_numbers q p) (firstn i points))
  | Inside weights =>
      let total := fold_right (fun t d => snd t + d)%Z 0%Z weights in
      (0 <? total)%Z
      && forallb (fun t => let j := Z.to_nat (fst t) in
                           (0 <=? snd t)%Z && is_vertex (nth j reasons (Repeats 0%Z))
                           && negb (same_numbers (nth j points []) p)) weights
      && vanishes s (vector_add (weighted points weights) (map (Z.mul (- total)) p))
  | Repeats j => (Z.to_nat j <? i)%nat && same_numbers (nth (Z.to_nat j) points []) p
  end.

Fixpoint check_reasons (s : side) (m : nat) (points : list (list Z)) (reasons : list reason)
    (i : nat) (left : list (list Z)) (given : list reason) : bool :=
  match left, given with
  | [], [] => true
  | p :: left', r :: given' =>
      check_reason s m points reasons i p r && check_reasons s m points reasons (S i) left' given'
  | _, _ => false
  end.

Fixpoint vertices_from (i : nat) (reasons : list reason) : list nat :=
  match reasons with
  | [] => []
  | r :: rest => if is_vertex r then i :: vertices_from (S i) rest else vertices_from (S i) rest
  end.

Definition check_hull (s : side) (m : nat) (points : list (list Q)) (vertices : list nat)
    (reasons : list reason) : bool :=
  let whole := map (map (times (common_denominator (concat points)))) points in
  (0 <? m)%nat && forallb (fun p => (length p =? m)%nat) points
  && (if list_eq_dec Nat.eq_dec vertices (vertices_from 0 reasons) then true else false)
  && check_reasons s m whole reasons 0 whole reasons.

(* Reasons that the program accepts show which points are the vertices. *)
Definition hull_sound : Prop :=
  forall (s : side) (m : nat) (points : list (list Q)) (vertices : list nat)
         (reasons : list reason),
    check_hull s m points vertices reasons = true -> has_vertices s m points vertices.

(* ==== rank ==== *)

(* k vectors v_0, ..., v_(k-1) of F^n are linearly independent; x is a linear combination of
   them. *)
Definition independent {F : ordered_field} (k n : nat) (v : nat -> nat -> F) : Prop :=
  forall y : nat -> F,
    (forall c, (c < n)%nat -> sum_of k (fun i => y i * v i c)%number = 0%number) ->
    forall i, (i < k)%nat -> y i = 0%number.

Definition spanned {F : ordered_field} (k n : nat) (v : nat -> nat -> F) (x : nat -> F) : Prop :=
  exists y : nat -> F, forall c, (c < n)%nat -> x c = sum_of k (fun i => y i * v i c)%number.

(* A row is a list of pairs (column, value); what is not listed is 0, and of a column that stands
   twice the first counts. *)
Fixpoint entry (row : list (Z * Z)) (c : nat) : Z :=
  match row with
  | [] => 0%Z
  | (j, value) :: rest => if (j =? Z.of_nat c)%Z then value else entry rest c
  end.

Definition matrix_in (F : ordered_field) (rows : list (list (Z * Z))) (i c : nat) : F :=
  of_integer (entry (nth i rows []) c).

Definition vector_in (F : ordered_field) (vectors : list (list Z)) (i c : nat) : F :=
  of_integer (nth c (nth i vectors []) 0%Z).

(* The matrix has the columns 0, ..., n - 1 and rank r, over every ordered field: r of its rows, the
   listed ones, are linearly independent, and every row is a linear combination of them. Its kernel
   has dimension n - r: so many vectors, the listed ones, are linearly independent, and x is in the
   kernel iff it is a linear combination of them. *)
Definition has_rank (n : nat) (rows : list (list (Z * Z))) (r : nat)
    (basis : list nat) (kernel : list (list Z)) : Prop :=
  length basis = r /\ (length kernel + r)%nat = n /\
  (forall i, In i basis -> (i < length rows)%nat) /\
  forall F : ordered_field,
    let a := matrix_in F rows in
    let b := fun i => a (nth i basis O) in
    let v := vector_in F kernel in
    independent r n b /\
    (forall i, (i < length rows)%nat -> spanned r n b (a i)) /\
    independent (length kernel) n v /\
    (forall x : nat -> F,
       (forall i, (i < length rows)%nat -> sum_of n (fun c => a i c * x c)%number = 0%number)
       <-> spanned (length kernel) n v x).

(* The program: elimination modulo a number p > 1, without dividing, so that p need not be prime. *)
Fixpoint pivot (p : Z) (row : list Z) (c : nat) : option (nat * Z) :=
  match row with
  | [] => None
  | a :: rest => if (a mod p =? 0)%Z then pivot p rest (S c) else Some (c, a)
  end.

Fixpoint reduce (p a b : Z) (row line : list Z) : list Z :=
  match row, line with
  | x :: row', y :: line' => ((a * x - b * y) mod p)%Z :: reduce p a b row' line'
  | _, _ => []
  end.

Fixpoint independent_modulo (p : Z) (k : nat) (rows : list (list Z)) : bool :=
  match k, rows with
  | _, [] => true
  | O, _ => false
  | S k', row :: rest =>
      match pivot p row 0 with
      | None => false
      | Some (c, a) =>
          independent_modulo p k' (map (fun other => reduce p a (nth c other 0%Z) other row) rest)
      end
  end.

Definition dense (n : nat) (row : list (Z * Z)) : list Z := map (entry row) (seq 0 n).

Definition check_rank (n : nat) (rows : list (list (Z * Z))) (r : nat) (basis : list nat)
    (kernel : list (list Z)) (p : Z) : bool :=
  let chosen := map (fun i => dense n (nth i rows [])) basis in
  (1 <? p)%Z && (length basis =? r)%nat && (length kernel + r =? n)%nat
  && forallb (fun i => (i <? length rows)%nat) basis
  && forallb (fun v => (length v =? n)%nat) kernel
  && forallb (fun row => let whole := dense n row in
                         forallb (fun v => (product whole v =? 0)%Z) kernel) rows
  && independent_modulo p r chosen && independent_modulo p (length kernel) kernel.

(* Rows, vectors and a modulus that the program accepts show what the rank and the kernel are. *)
Definition rank_sound : Prop :=
  forall (n : nat) (rows : list (list (Z * Z))) (r : nat) (basis : list nat)
         (kernel : list (list Z)) (p : Z),
    check_rank n rows r basis kernel p = true -> has_rank n rows r basis kernel.
