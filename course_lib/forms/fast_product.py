"""The hot path of matrix products: what `core.op.call` does, in a hurry.

Operands of one floating dtype, all of them plain arrays, need no binding, promotion or layout: a
fresh product lies row by row.  Whatever is special goes to `fallback`, which has the sentences.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.graph import edge, next_order
from course_lib.core.op import Op
from course_lib.core.tensor import Tensor, new
from course_lib.facts.dtypes import FLOATING
from course_lib.facts.modes import modes

ndarray = np.ndarray


def fast_product(op: Op, quick: Callable, fallback: Callable) -> Callable:
    """A function of the operands of `op`, its numbers at their defaults.

    `quick` gives the result for arrays, a fresh one, or None if it should not.
    """
    cls, zeros = op.Node, (0,) * len(op.operands)
    # Which operands each formula keeps, and for which gradients each operand is kept.
    kept = [
        (
            f"{name}_",
            f"{name}_version",
            op.operands.index(name),
            tuple(op.operands.index(f) for f, names in op.needs.items() if name in names),
        )
        for name in op.Node.tensors
    ]
    facts = [n for n in op.Node.saved if n not in op.operands]
    numbers = [(f"{n}_", op.signature.defaults[n]) for n in facts if n in op.signature.defaults]
    lies = [(f"{n}_", *n.rsplit("_", 1)) for n in facts if n not in op.signature.defaults]
    geometry = [(slot, op.operands.index(operand), what) for slot, operand, what in lies]

    def call(*tensors: Any) -> Any:
        first = tensors[0]
        if not isinstance(first, Tensor):
            return fallback(*tensors)
        dtype, now = first._dtype, modes.now
        if dtype.category != FLOATING or dtype.reduced or now.special:
            return fallback(*tensors)
        tracked = False
        for tensor in tensors:
            if not isinstance(tensor, Tensor) or tensor._dtype is not dtype:
                return fallback(*tensors)
            more = tensor._extras
            if tensor._array.__class__ is not ndarray or (more is not None and more.inference):
                return fallback(*tensors)
            tracked = tracked or tensor._requires_grad or tensor._view is not None
        array = now.quiet(quick, *[t._array for t in tensors])
        if array is None or now.inference:
            return fallback(*tensors)
        out: Any = new(Tensor)
        out._array, out._dtype = array, dtype
        out._cell = out._view = out._node = out._extras = None
        out._output_nr, out._requires_grad = 0, False
        if not tracked or not now.grad:
            return out
        nodes = tuple([edge(t) for t in tensors])
        if not any(nodes):
            return out
        node: Any = new(cls)
        node.nodes, node.numbers, node.order = nodes, zeros, next_order()
        for tensor in tensors:
            if tensor._output_nr:
                node.numbers = tuple([t._output_nr if n else 0 for t, n in zip(tensors, nodes)])
                break
        node.shape, node.dtype, node.extras = array.shape, dtype, None
        for slot, version, place, users in kept:
            for user in users:
                if nodes[user] is not None:
                    tensor = tensors[place]
                    cell = tensor._cell
                    setattr(node, slot, tensor)
                    setattr(node, version, 0 if cell is None else cell.value)
                    break
            else:
                setattr(node, slot, None)
                setattr(node, version, -1)
        for slot, number in numbers:
            setattr(node, slot, number)
        for slot, place, what in geometry:  # the shape or the strides of an operand
            setattr(node, slot, getattr(tensors[place]._array, what))
        out._node, out._requires_grad = node, True
        return out

    return call


__all__ = ["fast_product"]
