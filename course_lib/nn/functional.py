"""`torch.nn.functional`: what the layers of a network compute, as functions without state.

>>> F = torch.nn.functional
>>> F.relu(torch.tensor([-1., 2.]))
tensor([0., 2.])
"""

from course_lib.declare.fronts import publish as _publish
from course_lib.declare.public import completed as _completed
from course_lib.nn._functional.activations import (
    elu,
    gelu,
    gumbel_softmax,
    hardtanh,
    leaky_relu,
    log_softmax,
    logsigmoid,
    relu,
    relu6,
    selu,
    sigmoid,
    silu,
    softmax,
    softmin,
    softplus,
    tanh,
    threshold,
)
from course_lib.nn._functional.attention import multi_head_attention_forward
from course_lib.nn._functional.dropouts import (
    alpha_dropout,
    dropout,
    dropout1d,
    dropout2d,
    dropout3d,
    feature_alpha_dropout,
)
from course_lib.nn._functional.layers import (
    batch_norm,
    embedding,
    embedding_bag,
    group_norm,
    instance_norm,
    layer_norm,
    rms_norm,
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
    mse_loss,
    nll_loss,
    smooth_l1_loss,
)
from course_lib.nn._functional.pools import (
    adaptive_max_pool2d,
    avg_pool2d,
    avg_pool3d,
    lp_pool1d,
    lp_pool2d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    max_unpool1d,
    max_unpool2d,
    max_unpool3d,
)
from course_lib.nn._functional.resampling import interpolate, upsample
from course_lib.ops.elementwise.activations import prelu, relu_
from course_lib.ops.elementwise.activations_inplace import elu_, hardtanh_, leaky_relu_, threshold_
from course_lib.ops.layers.adaptive_pooling import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
)
from course_lib.ops.layers.attention import scaled_dot_product_attention
from course_lib.ops.layers.conv import (
    conv1d,
    conv2d,
    conv3d,
    conv_transpose1d,
    conv_transpose2d,
    conv_transpose3d,
)
from course_lib.ops.layers.embedding import one_hot
from course_lib.ops.layers.linear import linear
from course_lib.ops.layers.padding import pad
from course_lib.ops.layers.pooling import avg_pool1d
from course_lib.ops.layers.similarity import cosine_similarity, normalize

_publish(globals(), "F")
__getattr__, __dir__ = _completed(globals(), "nn.functional")
