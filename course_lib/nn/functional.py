"""`torch.nn.functional`: what the layers of a network compute, as functions without state.

>>> F = torch.nn.functional
>>> F.relu(torch.tensor([-1., 2.]))
tensor([0., 2.])
"""

from course_lib.forms.fronts import publish as _publish
from course_lib.nn._functional.activations import (
    celu,
    elu,
    gelu,
    glu,
    hardsigmoid,
    hardswish,
    hardtanh,
    leaky_relu,
    log_softmax,
    logsigmoid,
    mish,
    relu,
    relu6,
    selu,
    sigmoid,
    silu,
    softmax,
    softmin,
    softplus,
    softshrink,
    softsign,
    tanh,
    tanhshrink,
    threshold,
)
from course_lib.nn._functional.losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cosine_embedding_loss,
    cross_entropy,
    hinge_embedding_loss,
    huber_loss,
    kl_div,
    l1_loss,
    margin_ranking_loss,
    mse_loss,
    nll_loss,
    poisson_nll_loss,
    smooth_l1_loss,
    soft_margin_loss,
    triplet_margin_loss,
)
from course_lib.ops.activations import celu_, hardshrink, prelu, selu_, threshold_
from course_lib.ops.bounds import relu_
from course_lib.ops.comparing import cosine_similarity, normalize, pairwise_distance
from course_lib.ops.linear import linear

__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "celu",
    "celu_",
    "cosine_embedding_loss",
    "cosine_similarity",
    "cross_entropy",
    "elu",
    "gelu",
    "glu",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "hinge_embedding_loss",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "leaky_relu",
    "linear",
    "log_softmax",
    "logsigmoid",
    "margin_ranking_loss",
    "mish",
    "mse_loss",
    "nll_loss",
    "normalize",
    "pairwise_distance",
    "poisson_nll_loss",
    "prelu",
    "relu",
    "relu6",
    "relu_",
    "selu",
    "selu_",
    "sigmoid",
    "silu",
    "smooth_l1_loss",
    "soft_margin_loss",
    "softmax",
    "softmin",
    "softplus",
    "softshrink",
    "softsign",
    "tanh",
    "tanhshrink",
    "threshold",
    "threshold_",
    "triplet_margin_loss",
]

_publish(globals(), "F")
