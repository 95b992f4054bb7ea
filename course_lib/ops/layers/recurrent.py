"""Recurrent layers: a whole layer of an LSTM as one operation, and packed sequences.

PyTorch runs the first so, in float32 on a CPU.  Packed are the steps of sequences of different
lengths, one step after the other, without padding.
"""

from typing import Any

import numpy as np

from course_lib.calls.rules import refuse
from course_lib.ops.elementwise.activations import over_one_plus_exp, sigmoid
from course_lib.ops.elementwise.trigonometry import tanh
from course_lib.ops.layers import layer_op
from course_lib.ops.linalg.matmul import swap_axes
from course_lib.ops.make.tensor import tensor
from course_lib.ops.reduce.sums import sum_along
from course_lib.ops.shape.join import cat, stack
from course_lib.ops.shape.reshape import reshape
from course_lib.words import errors


def open_gates(gates: Any) -> list[Any]:
    """The four gates of an LSTM: input, forget, candidate (new) and output."""
    size = gates.shape[-1] // 4
    take, keep, new, show = (gates[..., n * size : (n + 1) * size] for n in range(4))
    return [sigmoid(take), sigmoid(keep), tanh(new), sigmoid(show)]


@layer_op(
    several=True,
    saves=("input", "weight0", "weight1", "weight2", "weight3", "hx_", "cx_"),
    tensors=lambda grads, input, weight0, weight1, weight2, weight3, hx_, cx_, result, reverse: (
        back_along(grads, input, weight0, weight1, weight2 + weight3, hx_, cx_, result, reverse)
    ),
)
def mkldnn_rnn_layer(tensors, input, weight0, weight1, weight2, weight3, hx_, cx_, reverse):
    """The states after all steps, and the last state and memory; `tensors` lists the others."""
    input, weight_ih, weight_hh, bias_ih, bias_hh, hidden, memory = tensors
    # One product for all steps: of arrays with three dimensions, NumPy makes one for each step.
    every = np.dot(input.reshape(-1, input.shape[-1]), weight_ih.T)
    every += bias_ih + bias_hh
    every = every.reshape(*input.shape[:2], -1)
    size = hidden.shape[-1]
    states = np.empty((*input.shape[:2], size), input.dtype)
    back = np.ascontiguousarray(weight_hh.T)
    for t in along(len(input), reverse):
        gates = every[t] + np.dot(hidden, back)
        new = np.tanh(gates[:, 2 * size : 3 * size])
        gates = over_one_plus_exp(gates)
        memory = gates[:, size : 2 * size] * memory + gates[:, :size] * new
        hidden = np.multiply(gates[:, 3 * size :], np.tanh(memory), out=states[t])
    return states, hidden.copy(), memory


def along(steps: int, reverse: bool) -> Any:
    """The order in which a direction visits the steps."""
    return range(steps - 1, -1, -1) if reverse else range(steps)


def back_along(grads, input, weight_ih, weight_hh, bias, hidden, memory, states, reverse):
    """The gradients of all inputs: the gates are recomputed, then the steps are run backwards."""
    order = list(along(len(input), reverse))
    first = reshape(hidden, (1, *hidden.shape))
    before = cat([states[1:], first]) if reverse else cat([first, states[:-1]])
    inputs, states = (reshape(part, (-1, part.shape[-1])) for part in (input, before))
    gates = inputs @ swap_axes(weight_ih) + states @ swap_axes(weight_hh) + bias
    take, keep, new, show = open_gates(reshape(gates, (*input.shape[:2], -1)))
    added = take * new
    memories: list[Any] = [None] * len(order)  # before each step
    last = memory
    for t in order:
        memories[t], last = last, keep[t] * last + added[t]
    old = stack(memories)
    seen = tanh(keep * old + added)
    # What the gradients of memory and state are multiplied by, to be those of the four gates.
    of_gates = cat(
        [
            new * (take * (1 - take)),
            old * (keep * (1 - keep)),
            take * (1 - new * new),
            seen * (show * (1 - show)),
        ],
        2,
    )
    passed = show * (1 - seen * seen)  # from a state to its memory
    of_states, of_hidden, of_memory = grads
    slopes: list[Any] = [None] * len(order)
    for t in reversed(order):
        of_hidden = total(of_hidden, None if of_states is None else of_states[t], hidden)
        of_memory = total(of_memory, of_hidden * passed[t], memory)
        slopes[t] = cat([of_memory, of_memory, of_memory, of_hidden], 1) * of_gates[t]
        of_hidden, of_memory = slopes[t] @ weight_hh, of_memory * keep[t]
    rows = cat(slopes)
    of_bias = sum_along(rows, (0,), False)
    return [
        reshape(rows @ weight_ih, input.shape),
        swap_axes(rows) @ inputs,
        swap_axes(rows) @ states,
        of_bias,
        of_bias,
        of_hidden,
        of_memory,
    ]


def total(one: Any, other: Any, like: Any) -> Any:
    """The sum of two gradients, either of which may be missing."""
    if one is None or other is None:
        found = one if other is None else other
        return like * 0 if found is None else found
    return one + other


# ---- packed sequences ----------------------------------------------------------------------------


@layer_op(
    "same",
    node="PackPaddedSequenceBackward0",
    self=lambda grad, self_shape, sizes, batch_first: unpacked(
        grad, self_shape, sizes, batch_first
    ),
)
def packed(self, sizes, batch_first):
    """The first `sizes[t]` sequences of each step t, one step after the other."""
    steps = self.swapaxes(0, 1) if batch_first else self
    return np.concatenate([step[:size] for step, size in zip(steps, sizes, strict=False)])


@layer_op(
    "same", layout="kernel", self=lambda grad, sizes, batch_first: packed(grad, sizes, batch_first)
)
def unpacked(self, shape, sizes, batch_first):
    """The adjoint of `packed`."""
    whole = np.zeros((shape[1], shape[0], *shape[2:]) if batch_first else shape, self.dtype)
    start = 0
    for step, size in enumerate(sizes):
        whole[step, :size] = self[start : start + size]
        start += size
    return whole.swapaxes(0, 1) if batch_first else whole


def pack_padded(input: Any, lengths: list[int], batch_first: bool) -> tuple[Any, Any]:
    """The steps of the sequences in a padded tensor, and how many sequences each step has."""
    shape = input._array.shape
    steps, batch = shape[1::-1] if batch_first else shape[:2]
    refuse(not steps, errors.PACKED_EMPTY)
    refuse(len(lengths) != batch, errors.lengths_count, len(lengths), batch)
    refuse(min(lengths) <= 0, errors.LENGTH_ZERO)
    refuse(sorted(lengths, reverse=True) != lengths, errors.LENGTHS_UNSORTED)
    sizes = [sum(length > step for length in lengths) for step in range(lengths[0])]
    return packed(input, sizes, batch_first), tensor(sizes)
