"""Transformer encoders: attention to all places, then a small network at each place."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from course_lib.beyond.nn.attention import MultiheadAttention
from course_lib.beyond.ops.triangles import triu
from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.containers import ModuleList
from course_lib.nn.dropout import Dropout
from course_lib.nn.linear import Linear
from course_lib.nn.module import Module
from course_lib.nn.normalization import LayerNorm
from course_lib.ops.make.creation import full
from course_lib.words import errors

__all__ = ["TransformerEncoder", "TransformerEncoderLayer"]

ACTIVATIONS: dict[Any, Any] = {"relu": F.relu, "gelu": F.gelu}


def activation_named(activation: Any) -> Any:
    """The function between the two linear layers, itself or by its name."""
    if isinstance(activation, str) and activation not in ACTIVATIONS:
        raise RuntimeError(errors.transformer_activation(activation))
    return ACTIVATIONS.get(activation, activation)


def later_hidden(size: int, device: Any = None, dtype: Any = None) -> Tensor:
    """What to add to the scores so that no place listens to later ones: minus infinity there."""
    hidden = full((size, size), float("-inf"), dtype=dtype, device=device)
    return triu(hidden, diagonal=1)


def is_causal_mask(mask: Any, said: bool | None, sequence: Any, batch_first: bool) -> bool:
    """Whether a mask hides exactly what is later, unless the caller says so or not."""
    if said is not None or mask is None:
        return bool(said)
    size = sequence.shape[1 if batch_first and sequence.dim() == 3 else 0]
    return tuple(mask.shape) == (size, size) and bool(
        (mask == later_hidden(size, mask.device, mask.dtype)).all()
    )


class TransformerEncoderLayer(Module):
    """Attention of a sequence to itself, and two linear layers; each is added to its input.

    With `norm_first` the inputs of both are normalized, otherwise the sums.

    >>> layer = torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
    >>> layer(torch.zeros(3, 5, 4)).shape
    torch.Size([3, 5, 4])
    """

    __constants__ = ["norm_first"]

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Tensor], Tensor] = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ):
        super().__init__()
        options = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(
            d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **options
        )
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **options)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **options)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **options)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **options)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation: Any = activation_named(activation)

    def forward(
        self,
        src: Any,
        src_mask: Any = None,
        src_key_padding_mask: Any = None,
        is_causal: bool = False,
    ) -> Tensor:
        """The sequence after attention and network."""
        masks = (src_mask, src_key_padding_mask, is_causal)
        x = src
        if self.norm_first:
            x = x + self._attend(self.norm1(x), *masks)
            x = x + self._transform(self.norm2(x))
        else:
            x = self.norm1(x + self._attend(x, *masks))
            x = self.norm2(x + self._transform(x))
        return x

    def _attend(self, x: Any, mask: Any, padding: Any, is_causal: bool) -> Any:
        found = self.self_attn(
            x,
            x,
            x,
            attn_mask=mask,
            key_padding_mask=padding,
            need_weights=False,
            is_causal=is_causal,
        )
        return self.dropout1(found[0])

    def _transform(self, x: Any) -> Any:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerEncoder(Module):
    """Several encoder layers, one after the other: copies of one, with the same first weights.

    >>> layer = torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
    >>> torch.nn.TransformerEncoder(layer, 2)(torch.zeros(3, 5, 4)).shape
    torch.Size([3, 5, 4])
    """

    __constants__ = ["norm"]

    def __init__(
        self,
        encoder_layer: Any,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ):
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm
        self.enable_nested_tensor, self.mask_check = enable_nested_tensor, mask_check
        refused = errors.nested_refused(encoder_layer, ACTIVATIONS.values())
        if enable_nested_tensor and refused:
            errors.warn(refused)

    def forward(
        self,
        src: Any,
        mask: Any = None,
        src_key_padding_mask: Any = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        """The sequence after all layers."""
        causal = is_causal_mask(mask, is_causal, src, self.layers[0].self_attn.batch_first)
        x = src
        for layer in self.layers:
            x = layer(x, mask, src_key_padding_mask, causal)
        return x if self.norm is None else self.norm(x)
