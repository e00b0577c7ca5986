"""The layer that all claims of the topic speak about."""

LAYER = (
    "f(X)_q = sum_h V_h(X) sum_j softmax_j(x_q^T W_h x_j) x_j",
    "V_h(X) = C_h + sum_i beta_hi(X) G_hi, beta_hi(X) = tanh(<a_hi, sum_j x_j> + b_hi)",
)
"""Hypotheses by which the layer is given."""
