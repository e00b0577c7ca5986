(* What is proved over the real numbers with their exponential and logarithm. The proofs rest on the
   three axioms of MathComp's analysis library (propositional and functional extensionality and
   constructive indefinite description), which the manifest allows by name. Every statement is one
   closed formula; the number before each is that of the claim. R is any model of the reals. *)
From mathcomp Require Import all_ssreflect fingroup all_algebra.
From mathcomp Require Import reals sequences exp.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A1. The soft maximum exceeds the largest score s_m by at least 0 and at most tau log N. *)
Definition dequantisation_bounds : Prop :=
  forall (R : realType) (N : nat) (s : 'I_N -> R) (tau : R) (m : 'I_N),
    0 < tau -> (forall j, s j <= s m) ->
    0 <= tau * ln (\sum_j expR (s j / tau)) - s m
    /\ tau * ln (\sum_j expR (s j / tau)) - s m <= tau * ln N%:R.

(* A1. The upper bound is attained iff all scores are equal, the lower one iff N = 1. *)
Definition dequantisation_equality : Prop :=
  forall (R : realType) (N : nat) (s : 'I_N -> R) (tau : R) (m : 'I_N),
    0 < tau -> (forall j, s j <= s m) ->
    (tau * ln (\sum_j expR (s j / tau)) - s m = tau * ln N%:R <-> forall j, s j = s m)
    /\ (tau * ln (\sum_j expR (s j / tau)) - s m = 0 <-> N = 1%N).

(* A1. As tau tends to 0 from above, the soft maximum tends to the maximum. *)
Definition dequantisation_limit : Prop :=
  forall (R : realType) (N : nat) (s : 'I_N -> R) (m : 'I_N),
    (forall j, s j <= s m) ->
    forall eps : R, 0 < eps -> exists2 delta : R, 0 < delta &
      forall tau : R, 0 < tau -> tau < delta ->
        `|tau * ln (\sum_j expR (s j / tau)) - s m| <= eps.

(* A3. T is the set of keys of the largest score. As tau tends to 0 from above, the softmax weights
   tend to the uniform law on T. *)
Definition routing_limit : Prop :=
  forall (R : realType) (N : nat) (s : 'I_N -> R) (j : 'I_N),
    let T := [set k | [forall i, s i <= s k]] in
    forall eps : R, 0 < eps -> exists2 delta : R, 0 < delta &
      forall tau : R, 0 < tau -> tau < delta ->
        `|expR (s j / tau) / (\sum_i expR (s i / tau))
          - (if j \in T then #|T|%:R^-1 else 0)| <= eps.

(* A3. The rate: every score outside T lies below the largest one by at least Delta. *)
Definition routing_rate : Prop :=
  forall (R : realType) (N : nat) (s : 'I_N -> R) (tau Delta : R) (j : 'I_N),
    let T := [set k | [forall i, s i <= s k]] in
    let m : R := #|T|%:R in
    let p := expR (s j / tau) / (\sum_i expR (s i / tau)) in
    0 < tau -> (forall i k, i \notin T -> k \in T -> s i <= s k - Delta) ->
    (j \in T -> 0 <= m^-1 - p /\ m^-1 - p <= (N%:R - m) / m ^+ 2 * expR (- (Delta / tau)))
    /\ (j \notin T -> 0 < p /\ p <= m^-1 * expR (- (Delta / tau))).

(* A4. The output sum_j p_j exp(u_j / tau) on the logarithmic scale lies within tau log N of
   max (s + u) - max s = (s_n + u_n) - s_m. *)
Definition rational_map_bounds : Prop :=
  forall (R : realType) (N : nat) (s u : 'I_N -> R) (tau : R) (m n : 'I_N),
    0 < tau -> (forall j, s j <= s m) -> (forall j, s j + u j <= s n + u n) ->
    let out := \sum_j expR (s j / tau) / (\sum_i expR (s i / tau)) * expR (u j / tau) in
    `|tau * ln out - (s n + u n - s m)| <= tau * ln N%:R.

(* A4. For two keys or more the bound is not attained. *)
Definition rational_map_strict : Prop :=
  forall (R : realType) (N : nat) (s u : 'I_N -> R) (tau : R) (m n : 'I_N),
    (2 <= N)%N -> 0 < tau -> (forall j, s j <= s m) -> (forall j, s j + u j <= s n + u n) ->
    let out := \sum_j expR (s j / tau) / (\sum_i expR (s i / tau)) * expR (u j / tau) in
    `|tau * ln out - (s n + u n - s m)| < tau * ln N%:R.

(* A4. As tau tends to 0 from above, tau log out tends to max (s + u) - max s. *)
Definition rational_map_limit : Prop :=
  forall (R : realType) (N : nat) (s u : 'I_N -> R) (m n : 'I_N),
    (forall j, s j <= s m) -> (forall j, s j + u j <= s n + u n) ->
    forall eps : R, 0 < eps -> exists2 delta : R, 0 < delta &
      forall tau : R, 0 < tau -> tau < delta ->
        let out := \sum_j expR (s j / tau) / (\sum_i expR (s i / tau)) * expR (u j / tau) in
        `|tau * ln out - (s n + u n - s m)| <= eps.

(* A10. Key m leads all others by at least Delta; D bounds the distances of the values from v_m in
   any seminorm; rho = (N - 1) exp(-Delta / tau). The output lies within D rho / (1 + rho) of v_m. *)
Definition value_stability : Prop :=
  forall (R : realType) (V : lmodType R) (norm : V -> R) (N : nat)
         (s : 'I_N -> R) (v : 'I_N -> V) (m : 'I_N) (tau Delta D : R),
    (forall a b, norm (a + b) <= norm a + norm b) ->
    (forall c a, norm (c *: a) = `|c| * norm a) ->
    0 < tau -> (forall i, i != m -> s i <= s m - Delta) ->
    (forall i, i != m -> norm (v i - v m) <= D) -> 0 <= D ->
    let p j := expR (s j / tau) / (\sum_i expR (s i / tau)) in
    let rho := (N%:R - 1) * expR (- (Delta / tau)) in
    norm (\sum_j p j *: v j - v m) <= D * (rho / (1 + rho)).

(* A10. If the others tie at distance Delta and share one value at distance D, that is attained. *)
Definition value_stability_attained : Prop :=
  forall (R : realType) (V : lmodType R) (norm : V -> R) (N : nat)
         (s : 'I_N -> R) (v : 'I_N -> V) (w : V) (m : 'I_N) (tau Delta D : R),
    (forall c a, norm (c *: a) = `|c| * norm a) ->
    0 < tau -> (2 <= N)%N -> (forall i, i != m -> s i = s m - Delta) ->
    (forall i, i != m -> v i = w) -> norm (w - v m) = D ->
    let p j := expR (s j / tau) / (\sum_i expR (s i / tau)) in
    let rho := (N%:R - 1) * expR (- (Delta / tau)) in
    norm (\sum_j p j *: v j - v m) = D * (rho / (1 + rho)).

(* A11. The weight that leaves the winner is at most rho: 1 - p_m <= (N - 1) exp(-Delta / tau). *)
Definition loser_weight : Prop :=
  forall (R : realType) (N : nat) (s : 'I_N -> R) (m : 'I_N) (tau Delta : R),
    0 < tau -> (forall i, i != m -> s i <= s m - Delta) ->
    1 - expR (s m / tau) / (\sum_i expR (s i / tau)) <= (N%:R - 1) * expR (- (Delta / tau)).

(* C3. A key bias b moves all scores of a query q by the same amount and leaves the softmax weights
   as they are. *)
Definition key_bias : Prop :=
  forall (R : realType) (d N : nat) (q b : 'I_d -> R) (k : 'I_N -> 'I_d -> R) (j : 'I_N),
    (\sum_c q c * (k j c + b c) = (\sum_c q c * k j c) + \sum_c q c * b c)
    /\ expR (\sum_c q c * (k j c + b c)) / (\sum_i expR (\sum_c q c * (k i c + b c)))
       = expR (\sum_c q c * k j c) / (\sum_i expR (\sum_c q c * k i c)).

(* E1. Attention of the last token over a sequence of columns X_0, .., X_n: head h has scores
   x^T W_h y and value matrix V_h (p = 1: V_h is the row v_h^T). The query of m copies of x + w and
   then x has the answer (sum_h V_h) (x + w) - sum_h (V_h w) / (1 + m z_h), z_h = exp(x^T W_h w). *)
Definition copies_query_exp : Prop :=
  forall (R : realType) (d p H : nat)
         (W : 'I_H -> 'M[R]_d) (V : 'I_H -> 'M[R]_(p, d)),
    let score h (x y : 'cV[R]_d) := (x^T *m W h *m y) 0 0 in
    let attention n (X : 'I_n.+1 -> 'cV[R]_d) :=
      \sum_h \sum_j (expR (score h (X ord_max) (X j))
                     / (\sum_i expR (score h (X ord_max) (X i)))) *: (V h *m X j) in
    forall (m : nat) (x w : 'cV[R]_d),
      attention m (fun j => if (j < m)%N then x + w else x)
      = (\sum_h V h) *m (x + w)
        - (\sum_h (1 + m%:R * expR (score h x w))^-1 *: (V h *m w)).

(* E2. Two models, of H and H' heads, not necessarily canonical, give the same answers to all
   sequences iff they do so to all queries of m <= H + H' copies of x + w and then x, iff for every
   matrix M their heads with W_h = M have value matrices of equal sums. *)
Definition models_merge_exp : Prop :=
  forall (R : realType) (d p H H' : nat)
         (W : 'I_H -> 'M[R]_d) (V : 'I_H -> 'M[R]_(p, d))
         (W' : 'I_H' -> 'M[R]_d) (V' : 'I_H' -> 'M[R]_(p, d)),
    let attention K (U : 'I_K -> 'M[R]_d) (A : 'I_K -> 'M[R]_(p, d)) n (X : 'I_n.+1 -> 'cV[R]_d) :=
      let score h (x y : 'cV[R]_d) := (x^T *m U h *m y) 0 0 in
      \sum_h \sum_j (expR (score h (X ord_max) (X j))
                     / (\sum_i expR (score h (X ord_max) (X i)))) *: (A h *m X j) in
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
Definition models_determined_exp : Prop :=
  forall (R : realType) (d p H H' : nat)
         (W : 'I_H -> 'M[R]_d) (V : 'I_H -> 'M[R]_(p, d))
         (W' : 'I_H' -> 'M[R]_d) (V' : 'I_H' -> 'M[R]_(p, d)),
    injective W -> (forall h, V h != 0) -> injective W' -> (forall h, V' h != 0) ->
    let attention K (U : 'I_K -> 'M[R]_d) (A : 'I_K -> 'M[R]_(p, d)) n (X : 'I_n.+1 -> 'cV[R]_d) :=
      let score h (x y : 'cV[R]_d) := (x^T *m U h *m y) 0 0 in
      \sum_h \sum_j (expR (score h (X ord_max) (X j))
                     / (\sum_i expR (score h (X ord_max) (X i)))) *: (A h *m X j) in
    (forall m (x w : 'cV[R]_d), (m <= H + H')%N ->
      let X (j : 'I_m.+1) := if (j < m)%N then x + w else x in
      attention H W V m X = attention H' W' V' m X) ->
    exists2 s : 'I_H -> 'I_H', bijective s & forall h, W h = W' (s h) /\ V h = V' (s h).

(* T1a. A finite group G acts on the tokens by rho and on the outputs by sigma; the model is
   canonical. It is equivariant iff every g permutes its heads by some pi_g:
   rho(g)^T W_h rho(g) = W_(pi_g h) and sigma(g)^-1 V_h rho(g) = V_(pi_g h). Such pi are
   anti-homomorphisms: pi_(g k) = pi_k o pi_g. The representations need not be orthogonal. *)
Definition equivariance_of_heads_exp : Prop :=
  forall (R : realType) (G : finGroupType) (d p H : nat)
         (rho : G -> 'M[R]_d) (sigma : G -> 'M[R]_p)
         (W : 'I_H -> 'M[R]_d) (V : 'I_H -> 'M[R]_(p, d)),
    injective W -> (forall h, V h != 0) ->
    rho 1%g = 1%:M -> (forall g k, rho (g * k)%g = rho g *m rho k) ->
    sigma 1%g = 1%:M -> (forall g k, sigma (g * k)%g = sigma g *m sigma k) ->
    let score h (x y : 'cV[R]_d) := (x^T *m W h *m y) 0 0 in
    let attention n (X : 'I_n.+1 -> 'cV[R]_d) :=
      \sum_h \sum_j (expR (score h (X ord_max) (X j))
                     / (\sum_i expR (score h (X ord_max) (X i)))) *: (V h *m X j) in
    let permutes (pi : G -> 'I_H -> 'I_H) := forall g, bijective (pi g) /\ forall h,
      (rho g)^T *m W h *m rho g = W (pi g h)
      /\ invmx (sigma g) *m V h *m rho g = V (pi g h) in
    ((forall g n (X : 'I_n.+1 -> 'cV[R]_d),
        attention n (fun j => rho g *m X j) = sigma g *m attention n X)
     <-> exists pi, permutes pi)
    /\ (forall pi, permutes pi ->
          forall h, pi 1%g h = h /\ forall g k, pi (g * k)%g h = pi k (pi g h)).

(* E1. Hence F(0) = sum_h V_h x, and what the copies add is m times a sum of simple poles at
   -exp(-x^T W_h w) with the residues V_h w. *)
Definition copies_query_proper_exp : Prop :=
  forall (R : realType) (d p H : nat)
         (W : 'I_H -> 'M[R]_d) (V : 'I_H -> 'M[R]_(p, d)),
    let score h (x y : 'cV[R]_d) := (x^T *m W h *m y) 0 0 in
    let attention n (X : 'I_n.+1 -> 'cV[R]_d) :=
      \sum_h \sum_j (expR (score h (X ord_max) (X j))
                     / (\sum_i expR (score h (X ord_max) (X i)))) *: (V h *m X j) in
    let F (m : nat) x w := attention m (fun j => if (j < m)%N then x + w else x) in
    forall (m : nat) (x w : 'cV[R]_d),
      F 0%N x w = \sum_h V h *m x
      /\ F m x w - F 0%N x w
         = m%:R *: (\sum_h (m%:R + expR (- score h x w))^-1 *: (V h *m w)).
