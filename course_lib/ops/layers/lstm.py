"""A whole layer of an LSTM as one operation, as PyTorch runs it in float32 on a CPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.declare.op import op
from course_lib.ops.elementwise.activations import sigmoid
from course_lib.ops.elementwise.trigonometry import tanh
from course_lib.ops.linalg.matmul import flipped
from course_lib.ops.reduce.sums import sum_along
from course_lib.ops.shape.join import cat, stack
from course_lib.ops.shape.reshape import reshape

__all__: list[str] = []


def opened(gates: Any) -> list[Any]:
    """The four gates of an LSTM: input, forget, candidate (new) and output."""
    size = gates.shape[-1] // 4
    take, keep, new, show = (gates[:, n * size : (n + 1) * size] for n in range(4))
    return [sigmoid(take), sigmoid(keep), tanh(new), sigmoid(show)]


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    several=True,
    operands=("tensors",),
    saves=("input", "weight_ih", "weight_hh", "bias_ih", "bias_hh", "hidden", "memory"),
    tensors=lambda grads, input, weight_ih, weight_hh, bias_ih, bias_hh, hidden, memory, result,
    reverse: back_along(
        grads, input, weight_ih, weight_hh, bias_ih + bias_hh, hidden, memory, result, reverse
    ),
)  # fmt: skip
def mkldnn_rnn_layer(
    tensors,
    input,
    weight_ih,
    weight_hh,
    bias_ih,
    bias_hh,
    hidden,
    memory,
    reverse,
):
    """The states after all steps, and the last state and memory; `tensors` lists the others."""
    input, weight_ih, weight_hh, bias_ih, bias_hh, hidden, memory = tensors
    from_input = np.matmul(input, weight_ih.T) + (bias_ih + bias_hh)
    states = np.empty((*input.shape[:2], hidden.shape[-1]), input.dtype)
    back = np.ascontiguousarray(weight_hh.T)
    for t in along(len(input), reverse):
        take, keep, new, show = opened(from_input[t] + np.dot(hidden, back))
        memory = keep * memory + take * new
        hidden = states[t] = show * np.tanh(memory)
    return states, hidden, memory


def along(steps: int, reverse: bool) -> Any:
    """The order in which a direction visits the steps."""
    return range(steps - 1, -1, -1) if reverse else range(steps)


def back_along(
    grads: Any,
    input: Any,
    weight_ih: Any,
    weight_hh: Any,
    bias: Any,
    hidden: Any,
    memory: Any,
    states: Any,
    reverse: bool,
) -> list[Any]:
    """The gradients of all inputs: the gates are recomputed, then the steps are run backwards."""
    order = list(along(len(input), reverse))
    before = [hidden, *(states[t] for t in order[:-1])]
    memories, gates = [memory], []
    for t, old in zip(order, before, strict=True):
        gates.append(opened(input[t] @ flipped(weight_ih) + old @ flipped(weight_hh) + bias))
        take, keep, new, _ = gates[-1]
        memories.append(keep * memories[-1] + take * new)
    of_states, of_hidden, of_memory = grads
    slopes: list[Any] = [None] * len(order)
    for n in reversed(range(len(order))):
        take, keep, new, show = gates[n]
        seen = tanh(memories[n + 1])
        arriving = None if of_states is None else of_states[order[n]]
        of_hidden = total(of_hidden, arriving, hidden)
        of_memory = total(of_memory, of_hidden * show * (1 - seen * seen), memory)
        slope = cat(
            [
                of_memory * new * take * (1 - take),
                of_memory * memories[n] * keep * (1 - keep),
                of_memory * take * (1 - new * new),
                of_hidden * seen * show * (1 - show),
            ],
            1,
        )
        slopes[order[n]] = slope
        of_hidden, of_memory = slope @ weight_hh, of_memory * keep
    every = stack(slopes)
    rows = reshape(every, (-1, every.shape[-1]))
    old_states = stack([before[order.index(t)] for t in range(len(order))])
    of_bias = sum_along(rows, (0,), False)
    return [
        every @ weight_ih,
        flipped(rows) @ reshape(input, (-1, input.shape[-1])),
        flipped(rows) @ reshape(old_states, (-1, old_states.shape[-1])),
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
