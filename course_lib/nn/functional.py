"""`torch.nn.functional`: what the layers of a network compute, as functions without state.

>>> F = torch.nn.functional
>>> F.relu(torch.tensor([-1., 2.]))
tensor([0., 2.])
"""

from course_lib.calls.missing import complete_module as _completed
from course_lib.declare.fronts import publish as _publish
from course_lib.ops.elementwise.activations import relu_
from course_lib.ops.layers.activations import (
    elu,
    gelu,
    leaky_relu,
    log_softmax,
    logsigmoid,
    relu,
    relu6,
    sigmoid,
    silu,
    softmax,
    softplus,
    tanh,
)
from course_lib.ops.layers.attention import (
    multi_head_attention_forward,
    scaled_dot_product_attention,
)
from course_lib.ops.layers.convolution import conv1d, conv2d, conv_transpose2d
from course_lib.ops.layers.cross_entropy import cross_entropy, nll_loss
from course_lib.ops.layers.dropout import dropout, dropout2d
from course_lib.ops.layers.embedding import embedding, one_hot
from course_lib.ops.layers.interpolate import interpolate
from course_lib.ops.layers.linear import linear
from course_lib.ops.layers.losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    l1_loss,
    mse_loss,
)
from course_lib.ops.layers.normalization import batch_norm, group_norm, layer_norm, normalize
from course_lib.ops.layers.pooling import adaptive_avg_pool2d, avg_pool2d, max_pool1d, max_pool2d
from course_lib.ops.shape.rearrange import pad

_publish(globals(), "F")
__getattr__, __dir__ = _completed(globals(), "nn.functional")
