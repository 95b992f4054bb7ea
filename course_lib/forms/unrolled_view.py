"""The call of a view operation, unrolled.

A view is three objects (tensor, `View`, node), and making them is nearly all of its time.  What
`call_view` does for any operation, the text below does in a hurry for one: a plain tensor, NumPy's
own way (`native`) if the operation has one, and the values that its node saves by name.  Whatever
is special, and what the kernel refuses, is left to `slow`, which begins anew.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from course_lib.core.graph import edge, next_order
from course_lib.core.op import fact
from course_lib.core.tensor import Tensor, new
from course_lib.facts import layout
from course_lib.facts.modes import modes
from course_lib.forms.becoming import becoming
from course_lib.forms.fronts import NOTHING, Doubt
from course_lib.forms.history import View

TEXT = """\
def run(self=NOTHING, *given, **named):
    try:
        if named or not isinstance(self, Tensor):
            raise Doubt
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
            if parent.seen != cell.value or (base._requires_grad and not self._requires_grad):
                parent.refresh(self)
                if now.grad and parent.lost is not None:
                    raise Doubt  # a lost history is an error before anything else is
{window}        out = new(Tensor)
        out._array = seen
        out._dtype = dtype = self._dtype
        out._cell = cell
        out._extras = None
        out._output_nr = 0
        out._view = view = new(View)
        view.base = base
        view.parent = parent
        view.step = op
        view.args = given
        view.offset = start + offset
        view.seen = cell.value
        view.origin = origin
        view.leaf = False
        view.lost = None
        if not now.grad:  # a view of a leaf has no node then: it counts as a leaf itself
            view.origin = "inference" if now.inference else "no_grad"
            out._node = None
            out._requires_grad = self._requires_grad
        elif self._requires_grad:
            out._node = node = Node()
            out._requires_grad = True
            target = self._node or edge(self)
            node.nodes = (target,)
            node.numbers = (self._output_nr,) if self._output_nr and target is not None else ONE
            node.order = next_order()
            node.shape = seen.shape
            node.dtype = dtype
            node.extras = None
{saving}        else:
            out._node = None
            out._requires_grad = False
        return out
    except Doubt:
        pass
    return slow(*given, **named) if self is NOTHING else slow(self, *given, **named)
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


def unroll_view(op: Any, slow: Callable, native_only: bool = False) -> Any:
    """The operation as a function of a tensor and its other arguments, in the kernel's order.

    `native_only`: where NumPy has no way of its own, `slow` is asked instead of the kernel.
    """
    return becoming(op.name, partial(composed, op, slow, native_only), slow)


def composed(op: Any, slow: Callable, native_only: bool) -> tuple[str, dict[str, Any]]:
    """The text of one function, and the names in it."""
    return compose(op, native_only), {
        "__name__": __name__,  # warnings and tracebacks ask whose code this is
        "op": op,
        "slow": slow,
        "kernel": op.kernel,
        "native": op.native,
        "Node": op.Node,
        "NOTHING": NOTHING,
        "ONE": (0,),
        "Doubt": Doubt,
        "View": View,
        "edge": edge,
        "fact": fact,
        "modes": modes,
        "ndarray": np.ndarray,
        "new": new,
        "Tensor": Tensor,
        "next_order": next_order,
        "offset_of": layout.offset_of,
        "restride": layout.restride,
    }


def compose(op: Any, native_only: bool) -> str:
    """The text for one operation."""
    params = op.params[1:]
    unpack = f"        if len(given) != {len(params)}:\n            raise Doubt\n"
    if params:
        unpack += f"        {''.join(f'{name}_, ' for name in params)} = given\n"
    saving = ""
    for name in op.Node.saved:
        value = f"{name}_" if name in params else f"fact('{name}', {{'self': self}})"
        if name == "self_shape":
            value = "array.shape"
        saving += f"            node.{name}_ = {value}\n"
    window = KERNEL
    if op.native is not None:
        window = NATIVE.format(otherwise=DOUBT if native_only else deeper(KERNEL))
    gather = GATHER if op.signature.gathers else ""
    return TEXT.format(gather=gather, unpack=unpack, window=window, saving=saving)


def deeper(text: str) -> str:
    """The text, one level to the right."""
    return "".join(f"    {line}" for line in text.splitlines(True))


__all__ = ["unroll_view"]
