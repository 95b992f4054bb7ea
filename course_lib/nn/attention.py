"""`MultiheadAttention`: the layer that keeps the weights of several heads."""

from typing import Any

from course_lib.calls.rules import lacking, refuse, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn import init
from course_lib.nn.linear import Linear
from course_lib.nn.module import Module
from course_lib.nn.parameter import Parameter, fresh
from course_lib.words import errors

__all__ = ["MultiheadAttention"]


class NonDynamicallyQuantizableLinear(Linear):
    """The last linear layer of attention, under the name that PyTorch shows."""


class MultiheadAttention(Module):
    """Attention with several heads, between one sequence and another or within one.

    Sequences are (length, batch, embedding), or with `batch_first` (batch, length, embedding).

    >>> layer = torch.nn.MultiheadAttention(4, 2, batch_first=True)
    >>> x = torch.zeros(3, 5, 4)
    >>> result, weights = layer(x, x, x)
    >>> result.shape, weights.shape
    (torch.Size([3, 5, 4]), torch.Size([3, 5, 5]))
    """

    in_proj_weight: Parameter
    in_proj_bias: Parameter | None

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ):
        refuse_value(embed_dim <= 0 or num_heads <= 0, errors.attention_sizes, embed_dim, num_heads)
        exotic = "nn.MultiheadAttention with add_bias_kv, add_zero_attn, kdim or vdim"
        apart = {kdim, vdim} - {None, embed_dim}
        lacking(add_bias_kv or add_zero_attn or apart, errors.absent, exotic)
        super().__init__()
        self.embed_dim, self.num_heads, self.dropout = embed_dim, num_heads, dropout
        self.kdim = self.vdim = embed_dim
        self.batch_first, self.head_dim = batch_first, embed_dim // num_heads
        refuse(self.head_dim * num_heads != embed_dim, errors.HEADS_DIVIDE, error=AssertionError)
        where = (device, dtype)
        self.register_parameter("in_proj_weight", fresh((3 * embed_dim, embed_dim), *where))
        self.register_parameter("in_proj_bias", fresh(3 * embed_dim, *where, bias))
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, *where)
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        init.xavier_uniform_(self.in_proj_weight)
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)

    def forward(
        self,
        query: Any,
        key: Any,
        value: Any,
        key_padding_mask: Any = None,
        need_weights: bool = True,
        attn_mask: Any = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """The mixtures, and the weights of the mixtures if `need_weights`.

        `key_padding_mask` is True at positions of the keys that are ignored, `attn_mask` at pairs
        of query and key; numbers in a mask are added before the softmax.
        """
        turned = self.batch_first and query.dim() == 3
        if turned:
            same_key, same_value = query is key, key is value
            query = query.transpose(1, 0)
            key = query if same_key else key.transpose(1, 0)
            value = key if same_value else value.transpose(1, 0)
        own = (self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias)
        out = (self.dropout, self.out_proj.weight, self.out_proj.bias, self.training)
        masks = (key_padding_mask, need_weights, attn_mask, average_attn_weights, is_causal)
        result, weights = F.multi_head_attention_forward(
            query, key, value, *own, None, None, False, *out, *masks
        )
        return (result.transpose(1, 0) if turned else result), weights
