(* What is proved over ordered fields, rings and natural numbers, without analysis and without
   axioms. Every statement is one closed formula: a reader who wants to know what the formal layer
   says about a claim reads the definition here and nothing else. The number before each is that of
   the claim. A vector of d coordinates is a function 'I_d -> R, where 'I_d = {0, .., d - 1}. *)
From mathcomp Require Import all_ssreflect fingroup all_algebra.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A2. The power distance of a query x from a site k of weight |k|^2 + 2 b is |x|^2 less twice the
   score <k, x> + b. *)
Definition power_distance : Prop :=
  forall (R : realFieldType) (d : nat) (x k : 'I_d -> R) (b : R),
    (\sum_c (x c - k c) ^+ 2) - ((\sum_c k c ^+ 2) + 2%:R * b)
    = (\sum_c x c ^+ 2) - 2%:R * ((\sum_c k c * x c) + b).

(* A2. Key j has the largest score at x iff its site has the least power distance from x. *)
Definition power_diagram : Prop :=
  forall (R : realFieldType) (d N : nat) (x : 'I_d -> R)
         (k : 'I_N -> 'I_d -> R) (b : 'I_N -> R) (j : 'I_N),
    (forall i, (\sum_c k i c * x c) + b i <= (\sum_c k j c * x c) + b j)
    <->
    (forall i, (\sum_c (x c - k j c) ^+ 2) - ((\sum_c k j c ^+ 2) + 2%:R * b j)
            <= (\sum_c (x c - k i c) ^+ 2) - ((\sum_c k i c ^+ 2) + 2%:R * b i)).

(* A6. The face of a Minkowski sum in the direction of a linear functional u is the Minkowski sum of
   the faces. The sets need be neither convex nor finite. *)
Definition face_of_sum : Prop :=
  forall (R : realFieldType) (V : lmodType R) (u : {scalar V}) (H : nat)
         (P : 'I_H -> V -> Prop) (y : V),
    ((exists2 p : 'I_H -> V, y = \sum_h p h & forall h, P h (p h))
     /\ (forall q : 'I_H -> V, (forall h, P h (q h)) -> u (\sum_h q h) <= u y))
    <->
    (exists2 p : 'I_H -> V, y = \sum_h p h &
       forall h, P h (p h) /\ (forall q, P h q -> u q <= u (p h))).

(* A6. With y_h = sum_j lambda_hj k_hj in the convex hull of the points k_h1, .., k_hN, the sum of
   the y_h lies on the face of the Minkowski sum in the direction u iff every lambda_hj is 0 or
   <u, k_hj> is the largest of its head. *)
Definition face_labels : Prop :=
  forall (R : realFieldType) (V : lmodType R) (u : {scalar V}) (H N : nat)
         (k : 'I_H -> 'I_N -> V) (lambda : 'I_H -> 'I_N -> R),
    (forall h j, 0 <= lambda h j) -> (forall h, \sum_j lambda h j = 1) ->
    (forall mu : 'I_H -> 'I_N -> R,
       (forall h j, 0 <= mu h j) -> (forall h, \sum_j mu h j = 1) ->
       u (\sum_h \sum_j mu h j *: k h j) <= u (\sum_h \sum_j lambda h j *: k h j))
    <->
    (forall h j, lambda h j = 0 \/ forall i, u (k h i) <= u (k h j)).

(* A11. The covariance of values and keys under weights of sum 1 is a sum over pairs:
   sum_j p_j v_j k_j^T - (sum_j p_j v_j) (sum_j p_j k_j)^T
   = sum_(i < j) p_i p_j (v_i - v_j) (k_i - k_j)^T, entry by entry. *)
Definition covariance_of_pairs : Prop :=
  forall (R : realFieldType) (N : nat) (p v k : 'I_N -> R),
    \sum_j p j = 1 ->
    (\sum_j p j * (v j * k j)) - (\sum_j p j * v j) * (\sum_j p j * k j)
    = \sum_(i < N) \sum_(j < N | (i < j)%N) p i * p j * ((v i - v j) * (k i - k j)).

(* A11. Weights of sum 1: the products of pairs sum to at most (1 - p_m^2) / 2, and that is at most
   1 - p_m, for every m. *)
Definition products_of_pairs : Prop :=
  forall (R : realFieldType) (N : nat) (p : 'I_N -> R) (m : 'I_N),
    (forall j, 0 <= p j) -> \sum_j p j = 1 ->
    \sum_(i < N) \sum_(j < N | (i < j)%N) p i * p j <= (1 - p m ^+ 2) / 2%:R
    /\ (1 - p m ^+ 2) / 2%:R <= 1 - p m.

(* B3. V is a space of random variables, E f g the expectation of their product, one the constant 1.
   For H >= 2 estimators f_h of y + e, with noise e of mean 0 that is uncorrelated with each of
   them, the mean squared error of their average is
   (mean bias)^2 + (1/H) mean variance + (1 - 1/H) mean covariance + E e^2. *)
Definition bias_variance_covariance : Prop :=
  forall (R : realFieldType) (V : lmodType R) (E : V -> V -> R) (one e : V)
         (H : nat) (f : 'I_H -> V) (y : R),
    (forall g h, E g h = E h g) ->
    (forall a g g' h, E (a *: g + g') h = a * E g h + E g' h) ->
    E one one = 1 -> E e one = 0 -> (forall h, E e (f h) = 0) -> (2 <= H)%N ->
    let mean h := E (f h) one in
    let cov h h' := E (f h - mean h *: one) (f h' - mean h' *: one) in
    let error := H%:R^-1 *: (\sum_h f h) - (y *: one + e) in
    E error error
    = (H%:R^-1 * \sum_h (mean h - y)) ^+ 2
      + H%:R^-1 * (H%:R^-1 * \sum_h cov h h)
      + (1 - H%:R^-1) * ((H%:R * (H%:R - 1))^-1 * \sum_h \sum_(h' | h' != h) cov h h')
      + E e e.

(* B5. Pi_h are orthogonal projectors of rank d_k (idempotent, symmetric, of trace d_k), H >= 2.
   HDI = 1 - (mean over pairs of tr(Pi_h Pi_h')) / d_k is H/(H-1) (1 - tr(Pbar^2) / d_k), where
   Pbar is the mean of the Pi_h. *)
Definition diversity_spectral : Prop :=
  forall (R : realFieldType) (d dk H : nat) (Pi : 'I_H -> 'M[R]_d),
    (0 < dk)%N -> (2 <= H)%N ->
    (forall h, Pi h *m Pi h = Pi h /\ (Pi h)^T = Pi h /\ \tr (Pi h) = dk%:R) ->
    let HDI := 1 - (H%:R * (H%:R - 1))^-1
                   * (\sum_h \sum_(h' | h' != h) \tr (Pi h *m Pi h')) / dk%:R in
    let Pbar := H%:R^-1 *: \sum_h Pi h in
    HDI = H%:R / (H%:R - 1) * (1 - \tr (Pbar *m Pbar) / dk%:R).

(* B5. The effective number of heads H / (1 + (H-1)(1-HDI)) is d_k / tr(Pbar^2). *)
Definition diversity_effective : Prop :=
  forall (R : realFieldType) (d dk H : nat) (Pi : 'I_H -> 'M[R]_d),
    (0 < dk)%N -> (2 <= H)%N ->
    (forall h, Pi h *m Pi h = Pi h /\ (Pi h)^T = Pi h /\ \tr (Pi h) = dk%:R) ->
    let HDI := 1 - (H%:R * (H%:R - 1))^-1
                   * (\sum_h \sum_(h' | h' != h) \tr (Pi h *m Pi h')) / dk%:R in
    let Pbar := H%:R^-1 *: \sum_h Pi h in
    H%:R / (1 + (H%:R - 1) * (1 - HDI)) = dk%:R / \tr (Pbar *m Pbar).

(* B5. 0 <= HDI <= 1, and HDI <= H/(H-1) (1 - d_k/d): if H d_k > d it is less than 1. *)
Definition diversity_range : Prop :=
  forall (R : realFieldType) (d dk H : nat) (Pi : 'I_H -> 'M[R]_d),
    (0 < dk)%N -> (2 <= H)%N ->
    (forall h, Pi h *m Pi h = Pi h /\ (Pi h)^T = Pi h /\ \tr (Pi h) = dk%:R) ->
    let HDI := 1 - (H%:R * (H%:R - 1))^-1
                   * (\sum_h \sum_(h' | h' != h) \tr (Pi h *m Pi h')) / dk%:R in
    0 <= HDI /\ HDI <= 1 /\ HDI <= H%:R / (H%:R - 1) * (1 - dk%:R / d%:R)
    /\ ((d < H * dk)%N -> HDI < 1).

(* C1, C4. Q and K, multiplied by A and by the transposed inverse of A, have the same product. *)
Definition gauge_of_product : Prop :=
  forall (F : fieldType) (m n dk : nat) (Q : 'M[F]_(m, dk)) (K : 'M[F]_(n, dk)) (A : 'M[F]_dk),
    A \in unitmx -> (Q *m A) *m (K *m (invmx A)^T)^T = Q *m K^T.

(* C1, C4. Conversely, factors of full rank with equal products differ by exactly one such A. *)
Definition gauge_complete : Prop :=
  forall (F : fieldType) (m n dk : nat) (Q Q' : 'M[F]_(m, dk)) (K K' : 'M[F]_(n, dk)),
    \rank Q = dk -> \rank K = dk -> Q *m K^T = Q' *m K'^T ->
    exists! A : 'M[F]_dk, A \in unitmx /\ Q' = Q *m A /\ K' = K *m (invmx A)^T.

(* C3. Softmax, of any base: ex turns sums into products and has positive values. Adding the same
   c to all scores changes no weight. *)
Definition softmax_shift : Prop :=
  forall (R : realFieldType) (ex : R -> R) (N : nat) (s : 'I_N -> R) (c : R) (j : 'I_N),
    (forall a b, ex (a + b) = ex a * ex b) -> (forall a, 0 < ex a) ->
    ex (s j + c) / (\sum_i ex (s i + c)) = ex (s j) / (\sum_i ex (s i)).

(* C3. A value bias merges into the output bias: the weights p_h of each head sum to 1; v_hj are the
   values, b_h the value biases, O_h the output projections. *)
Definition value_bias : Prop :=
  forall (R : comRingType) (H N dv d : nat) (p : 'I_H -> 'I_N -> R)
         (v : 'I_H -> 'I_N -> 'rV[R]_dv) (b : 'I_H -> 'rV[R]_dv) (O : 'I_H -> 'M[R]_(dv, d)),
    (forall h, \sum_j p h j = 1) ->
    \sum_h (\sum_j p h j *: (v h j + b h)) *m O h
    = (\sum_h (\sum_j p h j *: v h j) *m O h) + \sum_h b h *m O h.

(* C3, C4. A whole attention block: H heads with weights Q, K, V, O and biases q, k, v, o; row x_j is
   token j, x the reading token; softmax of any base. Invertible A_h and B_h in every head, key
   biases replaced at will (k'), and value biases moved by any w_h whose projection leaves the output
   bias: the block computes the same function. *)
Definition block_gauge : Prop :=
  forall (R : realFieldType) (ex : R -> R) (H N d dk dv : nat)
         (x : 'rV[R]_d) (X : 'I_N -> 'rV[R]_d)
         (Q K : 'I_H -> 'M[R]_(d, dk)) (V : 'I_H -> 'M[R]_(d, dv)) (O : 'I_H -> 'M[R]_(dv, d))
         (q k k' : 'I_H -> 'rV[R]_dk) (v w : 'I_H -> 'rV[R]_dv) (o : 'rV[R]_d)
         (A : 'I_H -> 'M[R]_dk) (B : 'I_H -> 'M[R]_dv),
    (0 < N)%N ->
    (forall a b, ex (a + b) = ex a * ex b) -> (forall a, 0 < ex a) ->
    (forall h, A h \in unitmx) -> (forall h, B h \in unitmx) ->
    let block (Q K : 'I_H -> 'M[R]_(d, dk)) (V : 'I_H -> 'M[R]_(d, dv))
              (O : 'I_H -> 'M[R]_(dv, d)) (q k : 'I_H -> 'rV[R]_dk) (v : 'I_H -> 'rV[R]_dv)
              (o : 'rV[R]_d) : 'rV[R]_d :=
      let score h j := ((x *m Q h + q h) *m (X j *m K h + k h)^T) 0 0 in
      let weight h j := ex (score h j) / (\sum_i ex (score h i)) in
      (\sum_h (\sum_j weight h j *: (X j *m V h + v h)) *m O h) + o in
    block (fun h => Q h *m A h) (fun h => K h *m (invmx (A h))^T)
          (fun h => V h *m B h) (fun h => invmx (B h) *m O h)
          (fun h => q h *m A h) k' (fun h => (v h + w h) *m B h) (o - \sum_h w h *m O h)
    = block Q K V O q k v o.

(* E2. n distinct poles -r_h with r_h > 0 and a constant: if K + sum_h a_h / (t + r_h) vanishes at
   n + 1 distinct nonnegative t, then K and all a_h are 0. *)
Definition poles_with_constant : Prop :=
  forall (R : realFieldType) (n : nat) (K : R) (a r : 'I_n -> R) (t : 'I_n.+1 -> R),
    injective r -> injective t -> (forall h, 0 < r h) -> (forall i, 0 <= t i) ->
    (forall i, K + (\sum_h a h / (t i + r h)) = 0) ->
    K = 0 /\ forall h, a h = 0.

(* E2. Without a constant n points determine n residues. *)
Definition poles_without_constant : Prop :=
  forall (R : realFieldType) (n : nat) (a r t : 'I_n -> R),
    injective r -> injective t -> (forall h, 0 < r h) -> (forall i, 0 <= t i) ->
    (forall i, \sum_h a h / (t i + r h) = 0) ->
    forall h, a h = 0.

(* E2. Two sums C - sum_h c_h / (1 + m z_h), of H and H' heads with distinct positive z and nonzero
   c, that agree at H + H' + 1 distinct nonnegative m have the same constant and, up to a
   permutation, the same pairs (z_h, c_h). *)
Definition heads_separate : Prop :=
  forall (R : realFieldType) (H H' : nat) (C C' : R)
         (c z : 'I_H -> R) (c' z' : 'I_H' -> R) (m : 'I_(H + H').+1 -> R),
    injective z -> injective z' -> injective m ->
    (forall h, 0 < z h) -> (forall h, 0 < z' h) -> (forall i, 0 <= m i) ->
    (forall h, c h != 0) -> (forall h, c' h != 0) ->
    (forall i, C - (\sum_h c h / (1 + m i * z h)) = C' - (\sum_h c' h / (1 + m i * z' h))) ->
    C = C' /\ exists2 s : 'I_H -> 'I_H', bijective s &
                      forall h, z h = z' (s h) /\ c h = c' (s h).

(* E2. The same without constants: H + H' distinct nonnegative m suffice. *)
Definition heads_separate_without_constant : Prop :=
  forall (R : realFieldType) (H H' : nat)
         (c z : 'I_H -> R) (c' z' : 'I_H' -> R) (m : 'I_(H + H') -> R),
    injective z -> injective z' -> injective m ->
    (forall h, 0 < z h) -> (forall h, 0 < z' h) -> (forall i, 0 <= m i) ->
    (forall h, c h != 0) -> (forall h, c' h != 0) ->
    (forall i, \sum_h c h / (1 + m i * z h) = \sum_h c' h / (1 + m i * z' h)) ->
    exists2 s : 'I_H -> 'I_H', bijective s & forall h, z h = z' (s h) /\ c h = c' (s h).

(* E3. F(0) once, and 2H queries for each of d^2 pairs and d^2 - 1 sums of pairs. *)
Definition query_count : Prop :=
  forall H d : nat, (0 < d)%N ->
    (1 + 2 * H * (d ^ 2 + (d * (d - 1) + (d - 1))) = 4 * H * d ^ 2 - 2 * H + 1)%N.

(* E1. Attention of the last token over a sequence of columns X_0, .., X_n: head h has scores
   x^T W_h y and value matrix V_h (p = 1: V_h is the row v_h^T); ex turns sums into products and has
   positive values. The query of m copies of x + w and then x has the answer
   (sum_h V_h) (x + w) - sum_h (V_h w) / (1 + m z_h), z_h = ex(x^T W_h w). *)
Definition copies_query : Prop :=
  forall (R : realFieldType) (ex : R -> R) (d p H : nat)
         (W : 'I_H -> 'M[R]_d) (V : 'I_H -> 'M[R]_(p, d)),
    (forall a b, ex (a + b) = ex a * ex b) -> (forall a, 0 < ex a) ->
    let score h (x y : 'cV[R]_d) := (x^T *m W h *m y) 0 0 in
    let attention n (X : 'I_n.+1 -> 'cV[R]_d) :=
      \sum_h \sum_j (ex (score h (X ord_max) (X j))
                     / (\sum_i ex (score h (X ord_max) (X i)))) *: (V h *m X j) in
    forall (m : nat) (x w : 'cV[R]_d),
      attention m (fun j => if (j < m)%N then x + w else x)
      = (\sum_h V h) *m (x + w)
        - (\sum_h (1 + m%:R * ex (score h x w))^-1 *: (V h *m w)).

(* E2. Two models, of H and H' heads, not necessarily canonical; ex is injective as well. They give
   the same answers to all sequences iff they do so to all queries of m <= H + H' copies of x + w
   and then x, iff for every matrix M their heads with W_h = M have value matrices of equal sums. *)
Definition models_merge : Prop :=
  forall (R : realFieldType) (ex : R -> R) (d p H H' : nat)
         (W : 'I_H -> 'M[R]_d) (V : 'I_H -> 'M[R]_(p, d))
         (W' : 'I_H' -> 'M[R]_d) (V' : 'I_H' -> 'M[R]_(p, d)),
    (forall a b, ex (a + b) = ex a * ex b) -> (forall a, 0 < ex a) -> injective ex ->
    let attention K (U : 'I_K -> 'M[R]_d) (A : 'I_K -> 'M[R]_(p, d)) n (X : 'I_n.+1 -> 'cV[R]_d) :=
      let score h (x y : 'cV[R]_d) := (x^T *m U h *m y) 0 0 in
      \sum_h \sum_j (ex (score h (X ord_max) (X j))
                     / (\sum_i ex (score h (X ord_max) (X i)))) *: (A h *m X j) in
    let on_all := forall n (X : 'I_n.+1 -> 'cV[R]_d),
      attention H W V n X = attention H' W' V' n X in
    let on_copies := forall m (x w : 'cV[R]_d), (m <= H + H')%N ->
      let X (j : 'I_m.+1) := if (j < m)%N then x + w else x in
      attention H W V m X = attention H' W' V' m X in
    let merged := forall M : 'M[R]_d, \sum_(h | W h == M) V h = \sum_(h | W' h == M) V' h in
    (on_all <-> on_copies) /\ (on_copies <-> merged).

(* E2. From queries to heads: two canonical models (distinct W_h, nonzero V_h) that give the same
   answers to all queries of m <= H + H' copies of x + w and then x have, up to a permutation, the
   same heads. *)
Definition models_determined : Prop :=
  forall (R : realFieldType) (ex : R -> R) (d p H H' : nat)
         (W : 'I_H -> 'M[R]_d) (V : 'I_H -> 'M[R]_(p, d))
         (W' : 'I_H' -> 'M[R]_d) (V' : 'I_H' -> 'M[R]_(p, d)),
    (forall a b, ex (a + b) = ex a * ex b) -> (forall a, 0 < ex a) -> injective ex ->
    injective W -> (forall h, V h != 0) -> injective W' -> (forall h, V' h != 0) ->
    let attention K (U : 'I_K -> 'M[R]_d) (A : 'I_K -> 'M[R]_(p, d)) n (X : 'I_n.+1 -> 'cV[R]_d) :=
      let score h (x y : 'cV[R]_d) := (x^T *m U h *m y) 0 0 in
      \sum_h \sum_j (ex (score h (X ord_max) (X j))
                     / (\sum_i ex (score h (X ord_max) (X i)))) *: (A h *m X j) in
    (forall m (x w : 'cV[R]_d), (m <= H + H')%N ->
      let X (j : 'I_m.+1) := if (j < m)%N then x + w else x in
      attention H W V m X = attention H' W' V' m X) ->
    exists2 s : 'I_H -> 'I_H', bijective s & forall h, W h = W' (s h) /\ V h = V' (s h).

(* T1a. A finite group G acts on the tokens by rho and on the outputs by sigma; the model is
   canonical. It is equivariant iff every g permutes its heads by some pi_g:
   rho(g)^T W_h rho(g) = W_(pi_g h) and sigma(g)^-1 V_h rho(g) = V_(pi_g h). Such pi are
   anti-homomorphisms: pi_(g k) = pi_k o pi_g. The representations need not be orthogonal. *)
Definition equivariance_of_heads : Prop :=
  forall (R : realFieldType) (ex : R -> R) (G : finGroupType) (d p H : nat)
         (rho : G -> 'M[R]_d) (sigma : G -> 'M[R]_p)
         (W : 'I_H -> 'M[R]_d) (V : 'I_H -> 'M[R]_(p, d)),
    (forall a b, ex (a + b) = ex a * ex b) -> (forall a, 0 < ex a) -> injective ex ->
    injective W -> (forall h, V h != 0) ->
    rho 1%g = 1%:M -> (forall g k, rho (g * k)%g = rho g *m rho k) ->
    sigma 1%g = 1%:M -> (forall g k, sigma (g * k)%g = sigma g *m sigma k) ->
    let score h (x y : 'cV[R]_d) := (x^T *m W h *m y) 0 0 in
    let attention n (X : 'I_n.+1 -> 'cV[R]_d) :=
      \sum_h \sum_j (ex (score h (X ord_max) (X j))
                     / (\sum_i ex (score h (X ord_max) (X i)))) *: (V h *m X j) in
    let permutes (pi : G -> 'I_H -> 'I_H) := forall g, bijective (pi g) /\ forall h,
      (rho g)^T *m W h *m rho g = W (pi g h)
      /\ invmx (sigma g) *m V h *m rho g = V (pi g h) in
    ((forall g n (X : 'I_n.+1 -> 'cV[R]_d),
        attention n (fun j => rho g *m X j) = sigma g *m attention n X)
     <-> exists pi, permutes pi)
    /\ (forall pi, permutes pi ->
          forall h, pi 1%g h = h /\ forall g k, pi (g * k)%g h = pi k (pi g h)).

(* T2a. Set attention of H heads whose value matrix C_h + sum_i beta_hi(X) G_hi moves with the whole
   set X, by coefficients that do not depend on the order of the tokens; ex is any function. To
   permute the tokens is to permute the outputs. *)
Definition set_attention_equivariance : Prop :=
  forall (R : realFieldType) (ex : R -> R) (d p n H g : nat)
         (W : 'I_H -> 'M[R]_d) (C : 'I_H -> 'M[R]_(p, d)) (G : 'I_H -> 'I_g -> 'M[R]_(p, d))
         (beta : 'I_H -> 'I_g -> ('I_n -> 'cV[R]_d) -> R),
    (forall h i X (s : 'I_n -> 'I_n), bijective s -> beta h i (fun j => X (s j)) = beta h i X) ->
    let score h (X : 'I_n -> 'cV[R]_d) q j := ((X q)^T *m W h *m X j) 0 0 in
    let weight h X q j := ex (score h X q j) / (\sum_i ex (score h X q i)) in
    let value h X := C h + (\sum_i beta h i X *: G h i) in
    let layer X q := \sum_h value h X *m (\sum_j weight h X q j *: X j) in
    forall X (s : 'I_n -> 'I_n), bijective s ->
      forall q, layer (fun j => X (s j)) q = layer X (s q).

(* T2a. In particular with coefficients act(sum_j phi_hi(x_j)) of pooled features, for any function
   act, such as tanh, and any phi. *)
Definition pooled_attention_equivariance : Prop :=
  forall (R : realFieldType) (ex act : R -> R) (d p n H g : nat)
         (W : 'I_H -> 'M[R]_d) (C : 'I_H -> 'M[R]_(p, d)) (G : 'I_H -> 'I_g -> 'M[R]_(p, d))
         (phi : 'I_H -> 'I_g -> 'cV[R]_d -> R),
    let score h (X : 'I_n -> 'cV[R]_d) q j := ((X q)^T *m W h *m X j) 0 0 in
    let weight h X q j := ex (score h X q j) / (\sum_i ex (score h X q i)) in
    let value h (X : 'I_n -> 'cV[R]_d) :=
      C h + (\sum_i act (\sum_j phi h i (X j)) *: G h i) in
    let layer X q := \sum_h value h X *m (\sum_j weight h X q j *: X j) in
    forall X (s : 'I_n -> 'I_n), bijective s ->
      forall q, layer (fun j => X (s j)) q = layer X (s q).

(* A5. Key j of one head has a full-dimensional cell (some x at which it beats every other lifted
   point (k_i, b_i)) or a convex combination of other lifted points lies at k_j and not below b_j;
   never both. *)
Definition cell_or_dominated : Prop :=
  forall (R : realFieldType) (d N : nat) (k : 'I_N -> 'rV[R]_d) (b : 'I_N -> R) (j : 'I_N),
    let score i (x : 'rV[R]_d) := (\sum_c k i 0 c * x 0 c) + b i in
    let cell := exists x : 'rV[R]_d,
      forall i, (k i, b i) != (k j, b j) -> score i x < score j x in
    let dominated := exists lambda : 'I_N -> R,
      (forall i, 0 <= lambda i) /\ (forall i, (k i, b i) = (k j, b j) -> lambda i = 0)
      /\ \sum_i lambda i = 1 /\ \sum_i lambda i *: k i = k j
      /\ b j <= \sum_i lambda i * b i in
    (cell \/ dominated) /\ ~ (cell /\ dominated).

(* A6. Heads with distinct lifted points (k_hj, b_hj). Their Minkowski sum is the set of the points of
   weights lam, convex in every head; an upper vertex is a point that is strictly the highest in some
   direction (x, 1), and the cell of a label l (a key l_h for each head h) is where l wins strictly in
   every head. Label l wins at x iff its sum is the upper vertex of direction x; no other weights have
   that sum; and every upper vertex is the sum of a label. So cells and upper vertices are in
   bijection. *)
Definition overlay_vertices : Prop :=
  forall (R : realFieldType) (d H N : nat) (k : 'I_H -> 'I_N -> 'rV[R]_d)
         (b : 'I_H -> 'I_N -> R),
    (forall h i j, (k h i, b h i) = (k h j, b h j) -> i = j) ->
    let score h j (x : 'rV[R]_d) := (\sum_c k h j 0 c * x 0 c) + b h j in
    let wins (l : 'I_H -> 'I_N) x := forall h i, i != l h -> score h i x < score h (l h) x in
    let convex (lam : 'I_H -> 'I_N -> R) :=
      (forall h j, 0 <= lam h j) /\ forall h, \sum_j lam h j = 1 in
    let point (lam : 'I_H -> 'I_N -> R) :=
      (\sum_h \sum_j lam h j *: k h j, \sum_h \sum_j lam h j * b h j) in
    let label (l : 'I_H -> 'I_N) h j : R := if j == l h then 1 else 0 in
    let height (p : 'rV[R]_d * R) (x : 'rV[R]_d) := (\sum_c p.1 0 c * x 0 c) + p.2 in
    let highest p x :=
      forall mu, convex mu -> point mu != p -> height (point mu) x < height p x in
    (forall l x, wins l x <-> highest (point (label l)) x)
    /\ (forall l x lam, wins l x -> convex lam -> point lam = point (label l) ->
          forall h j, lam h j = label l h j)
    /\ (forall lam x, convex lam -> highest (point lam) x ->
          exists l, point lam = point (label l)).

(* A5, A6. Some x at which label l beats all other lifted points strictly in every head exists iff
   the cell of l, where it does not lose, contains a cube: iff the cell is full-dimensional. *)
Definition interior_of_cell : Prop :=
  forall (R : realFieldType) (d H N : nat) (k : 'I_H -> 'I_N -> 'rV[R]_d)
         (b : 'I_H -> 'I_N -> R) (l : 'I_H -> 'I_N),
    let score h j (x : 'rV[R]_d) := (\sum_c k h j 0 c * x 0 c) + b h j in
    (exists x, forall h i, (k h i, b h i) != (k h (l h), b h (l h)) ->
       score h i x < score h (l h) x)
    <->
    (exists x : 'rV[R]_d, exists2 r : R, 0 < r & forall y : 'rV[R]_d,
       (forall c, `|y 0 c - x 0 c| <= r) ->
       forall h i, score h i y <= score h (l h) y).

(* A5. Without biases key j wins somewhere against all keys that differ from it iff it is no convex
   combination of these: iff it is a vertex of the convex hull of the keys. *)
Definition cell_is_vertex : Prop :=
  forall (R : realFieldType) (d N : nat) (k : 'I_N -> 'rV[R]_d) (j : 'I_N),
    let score i (x : 'rV[R]_d) := \sum_c k i 0 c * x 0 c in
    (exists x : 'rV[R]_d, forall i, k i != k j -> score i x < score j x)
    <->
    ~ (exists lambda : 'I_N -> R,
         (forall i, 0 <= lambda i) /\ (forall i, k i = k j -> lambda i = 0)
         /\ \sum_i lambda i = 1 /\ \sum_i lambda i *: k i = k j).

(* A7. Lower bound. For every d, H and N >= 1 there are H heads of N sites, each of which reads one
   linear form a_h of x (score j a_h.x + b_hj, so that its walls are N - 1 parallel hyperplanes), and
   a set of at least sum_(j <= min(d, H)) C(H, j) (N - 1)^j labels, each of which wins strictly in
   every head at some x in R^d, hence has a full-dimensional cell. *)
Definition parallel_families : Prop :=
  forall (R : realFieldType) (d H N : nat), (0 < N)%N ->
    exists (a : 'I_H -> 'I_d -> R) (b : 'I_H -> 'I_N -> R),
      let score h (j : 'I_N) x := j%:R * (\sum_c a h c * x c) + b h j in
      exists2 L : {set {ffun 'I_H -> 'I_N}},
        (\sum_(j < (minn d H).+1) 'C(H, j) * (N - 1) ^ j <= #|L|)%N &
        forall l, l \in L -> exists x : 'I_d -> R,
          forall h i, i != l h -> score h i x < score h (l h) x.

(* A7. That number is N^H if H <= d, and for N >= 2 smaller if not. *)
Definition count_is_power : Prop :=
  forall d H N : nat, (0 < N)%N ->
    let count := (\sum_(j < (minn d H).+1) 'C(H, j) * (N - 1) ^ j)%N in
    (count <= N ^ H)%N /\ ((H <= d)%N -> count = (N ^ H)%N)
    /\ ((2 <= N)%N -> (d < H)%N -> (count < N ^ H)%N).

(* A9. Digit extraction. In layer l = 0, .., L - 1 head h reads x_h (0 if h >= d), gives
   key j = 0, .., N - 1 the score j x_h - N^-(l + 1) j (j + 1) / 2 and the value -j N^-(l + 1) e_h. A
   route w names a key w(l, h) for every layer and head; after l w x is where x stands when it has
   followed w through the first l layers. Exactly N^(min(H, d) L) routes are followed by some x, their
   keys winning strictly in every layer and head, hence on a full-dimensional cell; if H <= d these
   are all routes that there are; and the total translations of these routes differ: there are as many
   cells and as many affine pieces. *)
Definition digit_extraction : Prop :=
  forall (R : realFieldType) (d H N L : nat), (0 < N)%N ->
    let step l : R := (N%:R ^+ l.+1)^-1 in
    let reads (h : 'I_H) (x : 'I_d -> R) := \sum_(c < d | c == h :> nat) x c in
    let score (l : 'I_L) h (j : 'I_N) x :=
      j%:R * reads h x - step l * (j * (j + 1))%:R / 2%:R in
    let after (l : nat) (w : {ffun 'I_L * 'I_H -> 'I_N}) (x : 'I_d -> R) (c : 'I_d) :=
      x c - (\sum_(m < L | (m < l)%N) \sum_(h < H | h == c :> nat) (w (m, h))%:R * step m) in
    exists S : {set {ffun 'I_L * 'I_H -> 'I_N}},
      #|S| = (N ^ (minn H d * L))%N
      /\ ((H <= d)%N -> forall w, w \in S)
      /\ (forall w, w \in S <-> exists x, forall l h j, j != w (l, h) ->
            score l h j (after l w x) < score l h (w (l, h)) (after l w x))
      /\ (forall w w', w \in S -> w' \in S ->
            (forall c, after L w (fun=> 0) c = after L w' (fun=> 0) c) -> w = w').

(* A7. The same for heads of unequal numbers N_h of sites: the number of labels is at least the sum
   of the elementary symmetric polynomials of the N_h - 1 of degree at most d, that is, over the sets
   S of at most d heads, of the products of N_h - 1 over S. *)
Definition parallel_families_unequal : Prop :=
  forall (R : realFieldType) (d H : nat) (N : 'I_H -> nat), (forall h, (0 < N h)%N) ->
    exists (a : 'I_H -> 'I_d -> R) (b : 'I_H -> nat -> R),
      let score h (j : nat) x := j%:R * (\sum_c a h c * x c) + b h j in
      exists L : seq {ffun 'I_H -> nat},
        uniq L
        /\ (\sum_(S : {set 'I_H} | (#|S| <= d)%N) \prod_(h in S) (N h - 1) <= size L)%N
        /\ forall l, l \in L -> (forall h, (l h < N h)%N) /\ exists x : 'I_d -> R,
             forall h i, (i < N h)%N -> i != l h -> score h i x < score h (l h) x.

(* E2, T1a. Every model has the function of a canonical one (distinct W_h, nonzero V_h), with no more
   heads: heads of equal W_h are merged and those of sum 0 dropped. ex is any function. *)
Definition canonical_form : Prop :=
  forall (R : realFieldType) (ex : R -> R) (d p H : nat)
         (W : 'I_H -> 'M[R]_d) (V : 'I_H -> 'M[R]_(p, d)),
    let attention K (U : 'I_K -> 'M[R]_d) (A : 'I_K -> 'M[R]_(p, d)) n (X : 'I_n.+1 -> 'cV[R]_d) :=
      let score h (x y : 'cV[R]_d) := (x^T *m U h *m y) 0 0 in
      \sum_h \sum_j (ex (score h (X ord_max) (X j))
                     / (\sum_i ex (score h (X ord_max) (X i)))) *: (A h *m X j) in
    exists (K : nat) (U : 'I_K -> 'M[R]_d) (A : 'I_K -> 'M[R]_(p, d)),
      (K <= H)%N /\ injective U /\ (forall h, A h != 0)
      /\ forall n (X : 'I_n.+1 -> 'cV[R]_d), attention H W V n X = attention K U A n X.
