"""Cells: one step of a recurrent layer."""

import math
from typing import Any

from course_lib.calls.rules import refuse, refuse_type, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn import init
from course_lib.nn.module import Module, own_copy
from course_lib.nn.parameter import Parameter, fresh
from course_lib.ops.make.creation import zeros
from course_lib.words import errors

__all__ = ["GRUCell", "LSTMCell", "RNNCell", "RNNCellBase"]

State = tuple[Any, ...]  # (h,), and for an LSTM (h, c)

# Each step gets the input's contribution to the gates, the state, and the weights for the state.


def rnn_tanh_step(gates: Any, state: State, weight: Any, bias: Any) -> State:
    """``tanh(W x + V h)``"""
    return ((F.linear(state[0], weight, bias) + gates).tanh(),)


def rnn_relu_step(gates: Any, state: State, weight: Any, bias: Any) -> State:
    """``relu(W x + V h)``"""
    return ((F.linear(state[0], weight, bias) + gates).relu(),)


def gru_step(gates: Any, state: State, weight: Any, bias: Any) -> State:
    """A mixture of the old state and a new one, which may forget the old one (`reset`)."""
    (old,) = state
    from_input = gates.unsafe_chunk(3, 1)
    from_state = F.linear(old, weight, bias).unsafe_chunk(3, 1)
    reset = (from_state[0] + from_input[0]).sigmoid()
    keep = (from_state[1] + from_input[1]).sigmoid()
    new = (from_input[2] + from_state[2] * reset).tanh()
    return ((old - new).mul_(keep).add_(new),)


def lstm_step(gates: Any, state: State, weight: Any, bias: Any) -> State:
    """The next state and memory: the memory keeps a part of itself and adds a part of the new."""
    old, memory = state
    gates = F.linear(old, weight, bias) + gates
    take, keep, new, show = gates.unsafe_chunk(4, 1)
    memory = (keep.sigmoid() * memory).add_(take.sigmoid() * new.tanh())
    return show.sigmoid() * memory.tanh(), memory


STEPS = {"RNN_TANH": rnn_tanh_step, "RNN_RELU": rnn_relu_step, "GRU": gru_step, "LSTM": lstm_step}


# ---- modules -------------------------------------------------------------------------------------


class RNNCellBase(Module):
    """The base of cells: weights for the input and for the state."""

    gates = 1  # how many numbers are computed for each number of the state
    weight_ih: Parameter
    weight_hh: Parameter
    bias_ih: Parameter | None
    bias_hh: Parameter | None

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ):
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = self.gates * hidden_size
        self.register_parameter("weight_ih", fresh((rows, input_size), device, dtype))
        self.register_parameter("weight_hh", fresh((rows, hidden_size), device, dtype))
        self.register_parameter("bias_ih", fresh(rows, device, dtype, bias))
        self.register_parameter("bias_hh", fresh(rows, device, dtype, bias))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Redraw all weights, uniformly between plus and minus ``1 / sqrt(hidden_size)``."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        """The sizes, and the options that differ from the defaults."""
        text = f"{self.input_size}, {self.hidden_size}"
        text += f", bias={self.bias}" * (self.bias is not True)
        nonlinearity = getattr(self, "nonlinearity", "tanh")
        return text + f", nonlinearity={nonlinearity}" * (nonlinearity != "tanh")

    def _step(self, step: Any, input: Any, states: tuple | None, count: int) -> State:
        """One step, with or without a batch dimension."""
        name = type(self).__name__
        batched = input.dim() == 2
        refuse_value(input.dim() not in (1, 2), errors.cell_dims, name, "input", input.dim())
        for number, state in enumerate(() if states is None else states):
            what = "hidden" if count == 1 else f"hx[{number}]"
            refuse_value(state.dim() not in (1, 2), errors.cell_dims, name, what, state.dim())
        if not batched:
            input = input.unsqueeze(0)
        if states is None:
            options = {"dtype": input.dtype, "device": input.device}
            states = (zeros(input.shape[0], self.hidden_size, **options),) * count
        elif not batched:
            states = tuple([states[n].unsqueeze(0) for n in range(count)])
        given = ("lstm_cell", "hx", 2, "tuple of Tensors", states)
        refuse_type(isinstance(states, Tensor), errors.other_argument, *given)
        refuse(len(states) != count, "lstm_cell expects two hidden states")
        batch, size = input.shape
        refuse(size != self.input_size, errors.cell_input, size, self.input_size)
        for number, state in enumerate(states):
            rows = state.size(0)
            refuse(rows != batch, errors.cell_batch, batch, number, rows)
            size = state.size(1)
            refuse(size != self.hidden_size, errors.cell_hidden, number, size, self.hidden_size)
        gates = F.linear(input, self.weight_ih, self.bias_ih)
        found: State = step(gates, states, self.weight_hh, self.bias_hh)
        return found if batched else tuple(state.squeeze(0) for state in found)


class RNNCell(RNNCellBase):
    """One step of an `RNN`.

    >>> torch.nn.RNNCell(2, 4)(torch.zeros(3, 2)).shape
    torch.Size([3, 4])
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ):
        super().__init__(input_size, hidden_size, bias, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """The next state."""
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(errors.cell_nonlinearity(self.nonlinearity))
        step = rnn_tanh_step if self.nonlinearity == "tanh" else rnn_relu_step
        return self._step(step, input, None if hx is None else (hx,), 1)[0]


class GRUCell(RNNCellBase):
    """One step of a `GRU`.

    >>> torch.nn.GRUCell(2, 4)(torch.zeros(3, 2)).shape
    torch.Size([3, 4])
    """

    gates = 3

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """The next state."""
        return self._step(gru_step, input, None if hx is None else (hx,), 1)[0]


class LSTMCell(RNNCellBase):
    """One step of an `LSTM`.

    >>> state, memory = torch.nn.LSTMCell(2, 4)(torch.zeros(3, 2))
    >>> state.shape, memory.shape
    (torch.Size([3, 4]), torch.Size([3, 4]))
    """

    gates = 4

    def forward(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, Tensor]:
        """The next state and memory."""
        state, memory = self._step(lstm_step, input, hx, 2)
        return state, memory


for _cell in (GRUCell, LSTMCell):
    own_copy(_cell, "__init__")
