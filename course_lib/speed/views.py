"""The call of a view operation, unrolled.

A view is three objects (tensor, `View`, node), and making them takes nearly all of its time.
`call_view` serves any operation; the text below is its fast path for one operation on a plain
tensor.  It uses NumPy's own way (`native`) if there is one, and names the values that the node
saves.  All other calls, and those that the kernel refuses, go to `slow`, which starts again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from course_lib.core.graph import edge, next_order
from course_lib.core.op import fact
from course_lib.core.tensor import Tensor, new
from course_lib.core.views import AsStridedBackward0, Pick, View, ViewOp, passed_on
from course_lib.declare.fronts import NOTHING, Doubt
from course_lib.memory import layout
from course_lib.modes import modes
from course_lib.speed.becoming import becoming

TEXT = """\
def run(self=NOTHING, *given, **named):
    try:
        if named or not isinstance(self, Tensor):
{arrays}            raise Doubt
        now, more = modes.now, self._extras
        if now.special or (more is not None and more.inference):
            raise Doubt
{gather}{unpack}        array, cell, parent = self._array, self._cell, self._view
        if cell is None or array.__class__ is not ndarray:
            cell, array = self._share(), self._array
            if array.__class__ is not ndarray:
                raise Doubt
        if parent is None:
            base, start, origin = self, 0 if array.base is None else offset_of(array), ""
        elif parent.base is None:  # a window without a history
            base, parent, start, origin = self, None, parent.offset, ""
        else:
            base, start, origin = parent.base, parent.offset, parent.origin
            alike = base._requires_grad is self._requires_grad or self._node is not None
            if parent.seen != cell.value or not alike:
                if now.grad:
                    parent.refresh(self)
                    if parent.lost is not None:
                        raise Doubt  # a lost history is an error before anything else is
                else:
                    self._requires_grad = parent.tracks(self)
{window}        node, dtype, tracked = None, self._dtype, self._requires_grad
        if not now.grad:  # a view of a leaf has no node then: it counts as a leaf itself
            origin = passed_on(origin, "inference" if now.inference else "no_grad")
        else:
{lasting}            if tracked:
                node = Node()
                target = self._node or edge(self)
                node.nodes = (target,)
                node.numbers = (self._output_nr,) if self._output_nr and target is not None else ONE
                node.order = next_order()
                node.shape = {shape}
                node.dtype = dtype
                node.extras = None
{saving}{views}    except Doubt:
        pass
    return slow(*given, **named) if self is NOTHING else slow(self, *given, **named)
"""
VIEW = """\
        out = new(Tensor)
        out._array = seen
        out._dtype = dtype
        out._cell = cell
        out._extras = None
        out._node = node
        out._requires_grad = tracked
        out._output_nr = {number}
        out._view = view = new(View)
        view.base = base
        view.parent = parent
        view.step = {step}
        view.args = given
        view.offset = start + offset
        view.seen = cell.value
        view.origin = origin
        view.leaf = False
        view.lost = None
"""
ON_ARRAYS = """\
            if self.__class__ is ndarray and not named and {fits}:
                return op(self, *given)  # in a formula
"""
GATHER = """\
        if not given:
            raise Doubt
        if given[0].__class__ is int:
            given = (given,)
        elif not isinstance(given[0], (tuple, list)):
            raise Doubt
"""
KERNEL = """\
        try:
            shape, strides, offset = kernel(array, *given)
            seen = restride(array, shape, strides, start + offset)
        except Exception:  # of the kernel, or of sizes it let pass: `slow` raises it anew
            raise Doubt from None
"""
KERNEL_OF_MANY = """\
        try:
            windows = [
                (restride(array, shape, strides, start + offset), offset)
                for shape, strides, offset in kernel(array, *given)
            ]
        except Exception:  # as above: `slow` raises it anew
            raise Doubt from None
        if not windows:
            raise Doubt
"""
NATIVE = """\
        try:
            found = native(array, *given)
        except (ValueError, IndexError):  # an error of the kernel's, if it is one
            found = None
        except TypeError:
            raise Doubt from None
        if found is None:
{otherwise}        else:
            seen, offset = found
"""
DOUBT = "            raise Doubt\n"


def unroll_view(op: Any, slow: Callable, native_only: bool = False, inner: bool = False) -> Any:
    """The operation as a function of a tensor and its other arguments, in the kernel's order.

    `native_only`: if NumPy cannot make the view, `slow` is called instead of the kernel.
    `inner`: formulas call the function too, with arrays.
    """
    return becoming(op.name, partial(composed, op, slow, native_only, inner), slow)


def composed(op: Any, slow: Callable, native_only: bool, inner: bool) -> tuple[str, dict[str, Any]]:
    """The text of one function, and the names in it."""
    return compose(op, native_only, inner), {
        "__name__": __name__,  # the module that warnings and tracebacks name
        "op": op,
        "slow": slow,
        "kernel": op.kernel,
        "native": op.native,
        "Node": op.Node,
        "NOTHING": NOTHING,
        "ONE": (0,),
        "Doubt": Doubt,
        "rest": {n - 1: tuple(tail.values()) for n, tail in op.signature.tails.items()},
        "Pick": Pick,
        "View": View,
        "edge": edge,
        "fact": fact,
        "modes": modes,
        "ndarray": np.ndarray,
        "new": new,
        "Tensor": Tensor,
        "next_order": next_order,
        "offset_of": layout.offset_of,
        "passed_on": passed_on,
        "restride": layout.restride,
    }


def compose(op: Any, native_only: bool, inner: bool) -> str:
    """The text for one operation."""
    params = op.params[1:]
    unpack = f"        if len(given) != {len(params)}:\n            raise Doubt\n"
    if op.signature.defaults:
        unpack = f"        given = (*given, *rest.get(len(given), ()))\n{unpack}"
    if params:
        unpack += f"        {''.join(f'{name}_, ' for name in params)} = given\n"
    saving = ""
    for name in op.Node.saved:
        value = f"{name}_" if name in params else f"fact('{name}', {{'self': self}})"
        if name == "self_shape":
            value = "array.shape"
        saving += f"                node.{name}_ = {value}\n"
    window, shape = KERNEL, "seen.shape"
    if op.native is not None:
        window = NATIVE.format(otherwise=DOUBT if native_only else deeper(KERNEL))
    lasting = ""
    if op.many:
        window, shape = KERNEL_OF_MANY, "[seen.shape for seen, _ in windows]"
        lasting = '            origin = passed_on(origin, "many")\n'
        views = "        outs = []\n        for number, (seen, offset) in enumerate(windows):\n"
        views += deeper(
            VIEW.format(number="0 if node is None else number", step="Pick(op, number)")
        )
        views += "            outs.append(out)\n        return tuple(outs)\n"
    else:
        views = VIEW.format(number=0, step="op") + "        return out\n"
    gather = GATHER if op.signature.gathers else ""
    fits = f"len(given) == {len(params)}" + " and given[0].__class__ is tuple" * bool(gather)
    return TEXT.format(
        arrays=ON_ARRAYS.format(fits=fits) if inner else "",
        gather=gather,
        unpack=unpack,
        window=window,
        lasting=lasting,
        shape=shape,
        saving=saving,
        views=views,
    )


def on_arrays(op: Any, value: Any, *args: Any) -> Any:
    """`ViewOp.__call__`, with NumPy's own way to make the view if the operation has one."""
    if value.__class__ is np.ndarray and op.native is not None:
        try:
            found = op.native(value, *args)
        except (ValueError, IndexError):  # an error of the kernel's, if it is one
            found = None
        if found is not None:
            return found[0]
    return plain_call(op, value, *args)


plain_call = ViewOp.__call__


# ---- backward of views that were written to ------------------------------------------------------


def spot(node: Any) -> tuple[Any, ...] | None:
    """Shape, strides and start, in bytes, of the part of its base that a view shows.

    See `core.views.way`.  None unless the base is row-major and the view shows each element at most
    once: then the node's backward on arrays is an assignment to a window.
    """
    step, args = node.steps[0]
    like, itemsize = node.like, node.like.itemsize
    if step.name != "as_strided" or len(node.steps) > 1 or like.dtype.kind == "V":
        return None  # (bfloat16 has no buffer protocol)
    shape, strides, start = args[0], tuple([s * itemsize for s in args[1]]), args[2] * itemsize
    reach = 0  # bytes from the first element to the last
    for stride, size in sorted(zip(strides, shape)):
        if size > 1:
            if stride <= reach:
                return None
            reach += stride * (size - 1)
    if not 0 <= start <= like.nbytes - itemsize - reach or not layout.lies_in_rows(like):
        return None
    return shape, strides, start


def window(where: tuple[Any, ...], array: Any) -> Any:
    """The part of an array that `spot` describes."""
    shape, strides, start = where
    return np.ndarray(shape, array.dtype, array, start, strides)


def back_into_base(node: Any, grad: Any, keep: bool) -> tuple[Any, ...]:
    """`AsStridedBackward0.apply` on an array."""
    where = spot(node)
    if where is None or grad.__class__ is not np.ndarray or grad.dtype != node.like.dtype:
        return node.apply(grad, keep)
    result = np.zeros(node.like.shape, grad.dtype)
    window(where, result)[...] = grad
    return (result,)


AsStridedBackward0.run = back_into_base


def deeper(text: str) -> str:
    """The text, indented by one more level."""
    return "".join(f"    {line}" for line in text.splitlines(True))


__all__ = ["on_arrays", "spot", "unroll_view", "window"]
