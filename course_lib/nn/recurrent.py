"""Recurrent layers: a cell runs along a sequence and passes its state on.

    h₀ → [cell] → h₁ → [cell] → h₂ → …       one layer; the next one reads h₁, h₂, …
           ↑             ↑
           x₁            x₂

What a cell computes is in `cells.py`.  The part that needs only the input is computed for all
steps at once, as in PyTorch.
"""

import itertools
import math
from collections.abc import Callable
from functools import partial
from typing import Any

from course_lib.calls.rules import lacking, refuse, refuse_type, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.nn import functional as F
from course_lib.nn import init
from course_lib.nn.cells import STEPS, State
from course_lib.nn.module import Module
from course_lib.nn.parameter import fresh
from course_lib.nn.utils.rnn import PackedSequence
from course_lib.ops.layers.recurrent import mkldnn_rnn_layer
from course_lib.ops.make.creation import zeros
from course_lib.ops.shape.join import cat, stack
from course_lib.words import errors

__all__ = ["GRU", "LSTM", "RNN", "RNNBase"]

GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


class RNNBase(Module):
    """The base of `RNN`, `LSTM` and `GRU`: weights per layer and direction, and the loop."""

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ):
        super().__init__()
        check_dropout(dropout, num_layers)
        for name, value in (("bias", bias), ("batch_first", batch_first)):
            refuse_type(not isinstance(value, bool), errors.rnn_argument, name, bool, value)
        for name, size in (("input_size", input_size), ("hidden_size", hidden_size)):
            refuse_type(not isinstance(size, int), errors.rnn_argument, name, int, size)
            refuse_value(size <= 0, errors.not_positive, name)
        refuse_value(num_layers <= 0, errors.not_positive, "num_layers")
        lacking(proj_size, errors.absent, "torch.nn.LSTM(proj_size=…)")
        refuse_value(mode not in GATES, f"Unrecognized RNN mode: {mode}")
        self.mode, self.input_size, self.hidden_size = mode, input_size, hidden_size
        self.num_layers, self.bias, self.batch_first = num_layers, bias, batch_first
        self.dropout, self.bidirectional = float(dropout), bidirectional
        self._all_weights: list[list[str]] = []
        for layer in range(num_layers):
            for suffix in ("", "_reverse")[: 1 + bidirectional]:
                self._add_weights(layer, suffix, device, dtype)
        self.reset_parameters()

    def _add_weights(self, layer: int, suffix: str, device: Any, dtype: Any) -> None:
        gates = GATES[self.mode] * self.hidden_size
        inputs = self.hidden_size * (1 + self.bidirectional) if layer else self.input_size
        names = []
        for name, wide in (("weight_ih", inputs), ("weight_hh", self.hidden_size)):
            names.append(f"{name}_l{layer}{suffix}")
            self.register_parameter(names[-1], fresh((gates, wide), device, dtype))
        for name in ("bias_ih", "bias_hh") if self.bias else ():
            names.append(f"{name}_l{layer}{suffix}")
            self.register_parameter(names[-1], fresh(gates, device, dtype))
        self._all_weights.append(names)

    def reset_parameters(self) -> None:
        """Redraw all weights, uniformly between plus and minus ``1 / sqrt(hidden_size)``."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    @property
    def all_weights(self) -> list[list[Any]]:
        """The weights of each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self) -> None:
        """A no-op: on a GPU, PyTorch puts the weights side by side in memory."""

    def extra_repr(self) -> str:
        """The sizes, and the options that differ from the defaults."""
        text = f"{self.input_size}, {self.hidden_size}"
        usual = {"num_layers": 1, "bias": True, "batch_first": False}
        for name, value in (usual | {"dropout": 0, "bidirectional": False}).items():
            if getattr(self, name) != value:
                text += f", {name}={getattr(self, name)}"
        return text

    # ---- along the sequence ----------------------------------------------------------------------

    def _prepare(self, input: Any, states: tuple | None) -> tuple[Any, tuple, bool]:
        """The input with a batch dimension, the first states, and whether it had one."""
        dims = input.dim()
        batched = dims == 3
        name = type(self).__name__
        end = " tensor" * (name == "RNN")
        refuse_value(dims not in (2, 3), errors.rnn_input_dims, name, dims, end)
        if not batched:
            input = input.unsqueeze(0 if self.batch_first else 1)
        shapes = self._state_shapes(input.shape[0 if self.batch_first else 1])
        if states is None:
            states = tuple(zeros(s, dtype=input.dtype, device=input.device) for s in shapes)
        else:
            given = tuple([states[n].dim() for n in range(len(shapes))])
            refuse(any(n != 2 + batched for n in given), errors.rnn_hidden_dims, batched, given)
            if not batched:
                states = tuple(state.unsqueeze(1) for state in states)
        own = getattr(self, self._all_weights[0][0])
        refuse_value(input.dtype != own.dtype, errors.rnn_dtype, input.dtype, own.dtype)
        if input.shape[-1] != self.input_size:
            raise RuntimeError(errors.rnn_input_size(self.input_size, input.shape[-1]))
        refuse(not input.shape[1 if self.batch_first else 0], errors.RNN_WITHOUT_STEPS)
        for other, one in ("parameter", own), ("hidden", states[0]):
            refuse(one.device != input.device, errors.rnn_device, other, input.device, one.device)
        for number, (state, shape) in enumerate(zip(states, shapes, strict=True)):
            which, given = "hidden" if len(shapes) == 1 else f"hidden[{number}]", state.shape
            refuse(tuple(given) != shape, errors.rnn_hidden_size, which, shape, given)
        return input, states, batched

    def _state_shapes(self, batch: int) -> list[tuple[int, ...]]:
        layers = self.num_layers * (1 + self.bidirectional)
        return [(layers, batch, self.hidden_size)] * (2 if self.mode == "LSTM" else 1)

    def _run(self, input: Any, states: tuple | None) -> tuple[Any, tuple]:
        """The outputs of all steps, and the last states of all layers and directions."""
        if isinstance(input, PackedSequence):
            return self._run_packed(input, states)
        input, states, batched = self._prepare(input, states)
        outputs = input.transpose(0, 1) if self.batch_first else input
        whole = self._as_one_operation(input)
        if whole:
            outputs = outputs.contiguous()
            first = [tuple(state[n] for state in states) for n in range(len(states[0]))]
        else:
            first = list(zip(*(state.unbind(0) for state in states), strict=True))
        outputs, finals = self._through(outputs, first, self._layer if whole else self._along)
        if self.batch_first:
            outputs = outputs.transpose(0, 1) if whole else outputs.transpose_(0, 1)
        if not batched:
            outputs = outputs.squeeze(0 if self.batch_first else 1)
            finals = tuple(final.squeeze(1) for final in finals)
        return outputs, finals

    def _through(self, outputs: Any, first: list[State], along: Callable) -> tuple[Any, tuple]:
        """The outputs of the last layer, and the last states; `along` runs in one direction."""
        directions = 1 + self.bidirectional
        last: list[State] = []
        for layer in range(self.num_layers):
            found = []
            for place in range(layer * directions, (layer + 1) * directions):
                weights, backwards = self.all_weights[place], place % directions == 1
                output, state = along(outputs, first[place], weights, backwards)
                found.append(output)
                last.append(state)
            outputs = found[0] if directions == 1 else cat(found, -1)
            if self.dropout and layer < self.num_layers - 1:
                outputs = F.dropout(outputs, self.dropout, self.training)
        return outputs, tuple(stack(list(part)) for part in zip(*last, strict=True))

    def _as_one_operation(self, input: Any) -> bool:
        """Whether PyTorch runs a whole layer as one operation."""
        kinds = (dtypes.float32, dtypes.bfloat16)
        return self.mode == "LSTM" and input.dtype in kinds and input.is_cpu and input.numel() > 0

    def _layer(self, inputs: Any, state: State, weights: list[Any], backwards: bool) -> Any:
        """One layer in one direction as one operation: the outputs and the last state."""
        if not self.bias:
            blank = weights[0].new_zeros(len(weights[0]), requires_grad=False)
            weights = [*weights, blank, blank]
        tensors = [inputs, *weights, *state]
        output, *last = mkldnn_rnn_layer(tensors, *tensors, backwards)
        return output, tuple(last)

    def _along(self, inputs: Any, state: State, weights: list[Any], backwards: bool) -> Any:
        """One layer in one direction: the outputs, stacked, and the last state."""
        bias_ih, bias_hh = weights[2:4] if self.bias else (None, None)
        step = STEPS[self.mode]
        steps = list(F.linear(inputs, weights[0], bias_ih).unbind(0))[:: -1 if backwards else 1]
        outputs = []
        for gates in steps:
            state = step(gates, state, weights[1], bias_hh)
            outputs.append(state[0])
        return stack(outputs[::-1] if backwards else outputs), state

    # ---- along packed sequences ------------------------------------------------------------------

    def _run_packed(self, packed: PackedSequence, states: tuple | None) -> tuple[Any, tuple]:
        """The same for sequences of different lengths: a packed sequence, and the last states."""
        data, sizes, order, back = packed
        counts = sizes.tolist()
        shapes = self._state_shapes(counts[0])
        if states is None:
            states = tuple(zeros(s, dtype=data.dtype, device=data.device) for s in shapes)
        elif order is not None:
            states = tuple(state.index_select(1, order) for state in states)
        self._check_packed(data, shapes[0], states[0])
        first = list(zip(*(state.unbind(0) for state in states), strict=True))
        data, finals = self._through(data, first, partial(self._along_packed, counts=counts))
        if back is not None:
            finals = tuple(final.index_select(1, back) for final in finals)
        return PackedSequence(data, sizes, order, back), finals

    def _check_packed(self, data: Any, shape: tuple[int, ...], state: Any) -> None:
        """Raise unless steps and first state fit; of an LSTM, PyTorch checks less."""
        if self.mode == "LSTM":
            if state.dim() == 3 and state.shape[1] != shape[1]:
                raise RuntimeError(errors.broadcast_sizes(state.shape[1], shape[1], 0))
            return
        if data.shape[-1] != self.input_size:
            raise RuntimeError(errors.rnn_input_size(self.input_size, data.shape[-1]))
        refuse(tuple(state.shape) != shape, errors.rnn_hidden_size, "hidden", shape, state.shape)

    def _along_packed(
        self, data: Any, first: State, weights: list[Any], backwards: bool, counts: list[int]
    ) -> tuple[Any, State]:
        """One layer in one direction.

        Forwards, the states of sequences that have ended are set aside; backwards, sequences join
        when their last step comes.
        """
        bias_ih, bias_hh = weights[2:4] if self.bias else (None, None)
        every: Any = F.linear(data, weights[0], bias_ih)
        ends = itertools.accumulate(counts)
        steps = [(n, every[end - n : end]) for n, end in zip(counts, ends, strict=True)]
        state = tuple(part[: counts[-1]] for part in first) if backwards else first
        outputs, ended = [], []
        for count, gates in steps[::-1] if backwards else steps:
            size = state[0].shape[0]
            if count < size:
                ended.append(tuple(part[count:size] for part in state))
                state = tuple(part[:count] for part in state)
            elif count > size:
                news = [new[size:count] for new in first]
                state = tuple(cat(list(both)) for both in zip(state, news, strict=True))
            state = STEPS[self.mode](gates, state, weights[1], bias_hh)
            outputs.append(state[0])
        if backwards:
            return cat(outputs[::-1]), state
        ended.append(state)
        return cat(outputs), tuple(cat(list(part)) for part in zip(*ended[::-1], strict=True))


def check_dropout(dropout: Any, num_layers: int) -> None:
    """Raise if `dropout` is no probability; warn if there is no layer to apply it after."""
    numeric = isinstance(dropout, (int, float)) and not isinstance(dropout, bool)
    refuse_value(not numeric or not 0 <= dropout <= 1, errors.RNN_DROPOUT)
    if dropout > 0 and num_layers == 1:
        errors.warn(errors.dropout_of_one_layer(dropout, num_layers))


class RNN(RNNBase):
    """The simplest recurrent layer: ``h' = tanh(W x + b + V h + c)``.

    It takes `input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True,
    batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None`.

    >>> outputs, last = torch.nn.RNN(2, 4)(torch.zeros(5, 3, 2))
    >>> outputs.shape, last.shape
    (torch.Size([5, 3, 4]), torch.Size([1, 3, 4]))
    """

    def __init__(self, *args: Any, **kwargs: Any):
        refuse_value("proj_size" in kwargs, errors.RNN_PROJECTION_LSTM)
        if len(args) > 3:
            nonlinearity, args = args[3], args[:3] + args[4:]
        else:
            nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(errors.unknown_nonlinearity(nonlinearity))
        super().__init__(f"RNN_{nonlinearity.upper()}", *args, **kwargs)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The states of the last layer after each step, and those of all layers at the end."""
        outputs, (last,) = self._run(input, None if hx is None else (hx,))
        return outputs, last


class GRU(RNNBase):
    """A recurrent layer whose gates decide how much of the old state is kept.

    It takes `input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
    bidirectional=False, device=None, dtype=None`.

    >>> outputs, last = torch.nn.GRU(2, 4)(torch.zeros(5, 3, 2))
    >>> outputs.shape, last.shape
    (torch.Size([5, 3, 4]), torch.Size([1, 3, 4]))
    """

    def __init__(self, *args: Any, **kwargs: Any):
        refuse_value("proj_size" in kwargs, errors.RNN_PROJECTION_LSTM)
        super().__init__("GRU", *args, **kwargs)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The states of the last layer after each step, and those of all layers at the end."""
        outputs, (last,) = self._run(input, None if hx is None else (hx,))
        return outputs, last


class LSTM(RNNBase):
    """A recurrent layer with a memory beside its state; gates decide what it adds, keeps and shows.

    It takes `input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
    bidirectional=False, proj_size=0, device=None, dtype=None`.

    >>> outputs, (last, memory) = torch.nn.LSTM(2, 4)(torch.zeros(5, 3, 2))
    >>> outputs.shape, last.shape, memory.shape
    (torch.Size([5, 3, 4]), torch.Size([1, 3, 4]), torch.Size([1, 3, 4]))
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__("LSTM", *args, **kwargs)

    def forward(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """The states of the last layer after each step, and state and memory at the end."""
        outputs, last = self._run(input, hx)
        return outputs, last
