"""Transformer decoders, and the whole: attention to what was said, and to what was heard."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from course_lib.beyond.nn.attention import MultiheadAttention
from course_lib.beyond.nn.transformer import (
    TransformerEncoder,
    TransformerEncoderLayer,
    activation_named,
    is_causal_mask,
    later_hidden,
)
from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn import init
from course_lib.nn.containers import ModuleList
from course_lib.nn.dropout import Dropout
from course_lib.nn.linear import Linear
from course_lib.nn.module import Module
from course_lib.nn.normalization import LayerNorm
from course_lib.words import errors

__all__ = ["Transformer", "TransformerDecoder", "TransformerDecoderLayer"]


class TransformerDecoderLayer(Module):
    """Attention to the own sequence, then to another one, then two linear layers.

    The result of each of the three is added to its input.

    >>> layer = torch.nn.TransformerDecoderLayer(4, 2, 8, batch_first=True)
    >>> layer(torch.zeros(3, 5, 4), torch.zeros(3, 6, 4)).shape
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
        attention = {"dropout": dropout, "batch_first": batch_first, "bias": bias, **options}
        self.self_attn = MultiheadAttention(d_model, nhead, **attention)
        self.multihead_attn = MultiheadAttention(d_model, nhead, **attention)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **options)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **options)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **options)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **options)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **options)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation: Any = activation_named(activation)

    def forward(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """The sequence `tgt` after attention to itself, to `memory`, and the network."""
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        other = (memory_mask, memory_key_padding_mask, memory_is_causal)
        x = tgt
        if self.norm_first:
            x = x + self._attend(self.norm1(x), *own)
            x = x + self._listen(self.norm2(x), memory, *other)
            x = x + self._transform(self.norm3(x))
        else:
            x = self.norm1(x + self._attend(x, *own))
            x = self.norm2(x + self._listen(x, memory, *other))
            x = self.norm3(x + self._transform(x))
        return x

    def _attend(self, x: Any, mask: Any, padding: Any, is_causal: bool) -> Any:
        masks = {"attn_mask": mask, "key_padding_mask": padding, "is_causal": is_causal}
        return self.dropout1(self.self_attn(x, x, x, need_weights=False, **masks)[0])

    def _listen(self, x: Any, memory: Any, mask: Any, padding: Any, is_causal: bool) -> Any:
        masks = {"attn_mask": mask, "key_padding_mask": padding, "is_causal": is_causal}
        found = self.multihead_attn(x, memory, memory, need_weights=False, **masks)
        return self.dropout2(found[0])

    def _transform(self, x: Any) -> Any:
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerDecoder(Module):
    """Several decoder layers, one after the other: copies of one, with the same first weights.

    >>> layer = torch.nn.TransformerDecoderLayer(4, 2, 8, batch_first=True)
    >>> torch.nn.TransformerDecoder(layer, 2)(torch.zeros(3, 5, 4), torch.zeros(3, 6, 4)).shape
    torch.Size([3, 5, 4])
    """

    __constants__ = ["norm"]

    def __init__(self, decoder_layer: Any, num_layers: int, norm: Module | None = None):
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(decoder_layer) for _ in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm

    def forward(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """The sequence after all layers."""
        first = self.layers[0]
        causal = is_causal_mask(tgt_mask, tgt_is_causal, tgt, first.self_attn.batch_first)
        padding = (tgt_key_padding_mask, memory_key_padding_mask)
        x = tgt
        for layer in self.layers:
            x = layer(x, memory, tgt_mask, memory_mask, *padding, causal, memory_is_causal)
        return x if self.norm is None else self.norm(x)


class Transformer(Module):
    """An encoder reads one sequence, a decoder writes another and listens to the first.

    >>> model = torch.nn.Transformer(4, 2, 1, 1, 8, batch_first=True)
    >>> model(torch.zeros(3, 6, 4), torch.zeros(3, 5, 4)).shape
    torch.Size([3, 5, 4])
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Tensor], Tensor] = F.relu,
        custom_encoder: Any | None = None,
        custom_decoder: Any | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ):
        super().__init__()
        options = {"device": device, "dtype": dtype}
        sizes = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps)
        choices = (batch_first, norm_first, bias, device, dtype)
        self.encoder: Any = custom_encoder
        self.decoder: Any = custom_decoder
        if custom_encoder is None:
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **options)
            layer: Module = TransformerEncoderLayer(*sizes, *choices)
            self.encoder = TransformerEncoder(layer, num_encoder_layers, norm)
        if custom_decoder is None:
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **options)
            layer = TransformerDecoderLayer(*sizes, *choices)
            self.decoder = TransformerDecoder(layer, num_decoder_layers, norm)
        for param in self.parameters():
            if param.dim() > 1:
                init.xavier_uniform_(param)
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(
        self,
        src: Any,
        tgt: Any,
        src_mask: Any = None,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        src_key_padding_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """The sequence `tgt` after the decoder, which listens to `src` after the encoder."""
        batch = 0 if self.batch_first else 1
        if src.dim() == 3 and src.size(batch) != tgt.size(batch):
            raise RuntimeError(errors.TRANSFORMER_BATCHES)
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError(errors.TRANSFORMER_FEATURES)
        memory = self.encoder(
            src,
            mask=src_mask,
            src_key_padding_mask=src_key_padding_mask,
            is_causal=src_is_causal,
        )
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """What to add so that each place listens to itself and those before it only.

        >>> torch.nn.Transformer.generate_square_subsequent_mask(2)
        tensor([[0., -inf],
                [0., 0.]])
        """
        return later_hidden(sz, device, dtype)
