"""View operations: other shapes and strides over the same memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.graph import Window, edge, next_order
from course_lib.core.op import Op, attach, fact, record
from course_lib.core.tensor import Tensor, new
from course_lib.facts import dtypes, layout
from course_lib.facts.modes import State, modes
from course_lib.forms.history import View
from course_lib.forms.inplace import check_inplace

ndarray = np.ndarray


class ViewOp(Op):
    """An operation that moves no data: its kernel gives (shape, strides, offset), all in bytes.

    A fourth item, a NumPy dtype, says that the memory is read as another type.  With `many`, the
    kernel gives a list of those, and the operation as many views.
    """

    def __init__(self, kernel: Callable, formulas: dict[str, Callable], many: bool, **facts: Any):
        facts = {"operands": ("self",), "several": many, **facts}
        super().__init__(kernel, "same", formulas, **facts)
        self.many, self.native, self.on_arrays = many, facts.get("native"), self
        self.arity = len(self.params)
        self.gathers = self.arity == 2 and self.signature.place == 1  # sizes one by one
        places = {name: place for place, name in enumerate(self.params)}
        # What a node keeps: its slot, its name, and the place of the argument that it is (or 0).
        self.keeps = [(f"{name}_", name, places.get(name, 0)) for name in self.Node.saved]

    def __call__(self, value: Any, *args: Any) -> Any:
        """Apply to an array or a tensor, arguments in the kernel's order."""
        if isinstance(value, Tensor):
            return call_view(self, (value, *args), {})
        if isinstance(value, np.generic):
            value = np.asarray(value)
        elif self.native is not None and (found := self.natively(value, args)) is not None:
            return found[0]
        value = layout.sharable(value)
        start = layout.offset_of(value)
        if not self.many:
            shape, strides, offset, *dtype = self.kernel(value, *args)
            return layout.restride(value, shape, strides, start + offset, *dtype)
        windows = [
            layout.restride(value, shape, strides, start + offset, *dtype)
            for shape, strides, offset, *dtype in self.geometry(value, args)
        ]
        return tuple(windows)

    def natively(self, array: Any, args: tuple) -> Any:
        """The view as NumPy makes it and where it starts, in bytes from `array`; or None."""
        try:
            return self.native(array, *args) if array.__class__ is np.ndarray else None
        except ValueError:
            return None

    def geometry(self, array: Any, args: tuple) -> list[tuple]:
        """The kernel's answer, as a list also where it is one view."""
        found = self.kernel(array, *args)
        return found if self.many else [found]

    def pull_back(self, grad: Any, start: Any, args: tuple) -> Any:
        """The gradient of the input, an array like `start`, from that of the view."""
        values = dict(zip(self.params, (start, *args), strict=True))
        given = {n: fact(n, values) for n in self.needs["self"]}
        return self.formulas["self"](grad, **given)


class Pick:
    """One of the views that a `many` operation gives, as a step of a `View`."""

    __slots__ = ("op", "number")

    def __init__(self, op: ViewOp, number: int):
        self.op, self.number = op, number

    def __call__(self, value: Any, *args: Any) -> Any:
        return self.op(value, *args)[self.number]

    def pull_back(self, grad: Any, start: Any, args: tuple) -> Any:
        grads: list[Any] = [None] * len(self.op.kernel(start, *args))
        grads[self.number] = grad
        return self.op.pull_back(grads, start, args)


def call_view(op: ViewOp, args: tuple, kwargs: dict) -> Any:
    """Call a view operation on a tensor (or, within a formula, on an array)."""
    if op.gathers and not kwargs and len(args) > 1 and args[1].__class__ is int:
        args = (args[0], args[1:])
    if kwargs or len(args) != op.arity or (op.gathers and not isinstance(args[1], (tuple, list))):
        args = tuple(op.signature.bind(args, kwargs).values())
    self, given = args[0], args[1:]
    if not isinstance(self, Tensor):
        return op(self, *given)
    now, more = modes.now, self._extras
    if not (op.many or now.special or (more is not None and more.inference)):
        return one_window(op, self, given, now)
    values = dict(zip(op.params, args, strict=True))
    self._share()
    windows = [
        window(self, Pick(op, number) if op.many else op, given, *found)
        for number, found in enumerate(op.geometry(self._array, given))
    ]
    if now.grad and not self.is_inference():
        if self.requires_grad and windows:
            attach(record(op, values, windows), windows)
        if op.many:
            for out in windows:
                out._view.origin = "many"
    return tuple(windows) if op.many else windows[0]


def one_window(op: ViewOp, self: Tensor, given: tuple, now: State) -> Tensor:
    """A view of a plain tensor and its node: `window` and `record`, in a hurry."""
    array, cell, parent = self._array, self._cell, self._view
    if cell is None or array.__class__ is not ndarray:
        cell, array = self._share(), self._array
    if parent is None:
        base, start, origin = self, 0 if array.base is None else layout.offset_of(array), ""
    elif parent.base is None:  # a window without a history
        base, parent, start, origin = self, None, parent.offset, ""
    else:
        base, start, origin = parent.base, parent.offset, parent.origin
        if parent.seen != cell.value or (base._requires_grad and not self._requires_grad):
            parent.refresh(self)
            if now.grad and parent.lost is not None:
                edge(self)  # a lost history is an error before anything else is
    found = None
    if op.native is not None and array.__class__ is ndarray:
        try:
            found = op.native(array, *given)
        except ValueError:
            pass  # an error of the kernel's, if it is one
    if found is None:
        shape, strides, offset, *dtype = op.kernel(array, *given)
        if dtype:
            out = window(self, op, given, shape, strides, offset, *dtype)
            if now.grad and self.requires_grad:
                attach(record(op, dict(zip(op.params, (self, *given), strict=True)), [out]), [out])
            return out
        found = layout.restride(array, shape, strides, start + offset), offset
    seen, offset = found
    out = Tensor._make(seen, self._dtype)
    out._cell = cell
    view = out._view = new(View)
    view.base, view.parent, view.step, view.args = base, parent, op, given
    view.offset, view.seen, view.origin = start + offset, cell.value, origin
    view.leaf, view.lost = False, None
    if not now.grad:
        view.origin = "inference" if now.inference else "no_grad"
        # a view of a leaf taken now has no node: it counts as a leaf that requires grad
        out._requires_grad = self._requires_grad
    elif self._requires_grad:
        node: Any = op.Node()
        target = self._node or edge(self)
        node.nodes, node.numbers = (target,), (0 if target is None else self._output_nr,)
        node.order, node.extras = next_order(), None
        node.shape, node.dtype = seen.shape, self._dtype
        for slot, name, place in op.keeps:
            if place:
                setattr(node, slot, given[place - 1])
            elif name == "self_shape":
                setattr(node, slot, array.shape)
            else:
                setattr(node, slot, fact(name, {"self": self}))
        out._node, out._requires_grad = node, True
    return out


def window(
    self: Tensor, step: Any, args: tuple, shape: Any, strides: Any, offset: int, dtype: Any = None
) -> Tensor:
    """A view of `self`, without its own node."""
    parent = self._view
    start = offset + (layout.offset_of(self._array) if parent is None else parent.offset)
    seen_as = self._dtype if dtype is None else dtypes.of_numpy(dtype)
    out = Tensor._make(layout.restride(self._array, shape, strides, start, dtype), seen_as)
    cell = out._cell = self._cell
    if self.is_inference():  # outside recording, wherever it is used: a window without a history
        out._view, out._more().inference = Window(start), True
        return out
    if parent is None or parent.base is None:
        view = out._view = View(self, None, step, args, start)
    else:
        view = out._view = View(parent.base, parent, step, args, start)
        view.origin = parent.origin
    view.seen = cell.value
    if not modes.grad:
        view.origin = "inference" if modes.inference else "no_grad"
        # a view of a leaf taken now has no node: it counts as a leaf that requires grad
        out._requires_grad = self._requires_grad
    return out


def call_view_inplace(op: ViewOp, args: tuple, kwargs: dict) -> Tensor:
    """Call `x.t_()` and the like: x itself gets another shape and strides over its memory."""
    values = op.signature.bind(args, kwargs)
    self, *rest = values.values()
    given = tuple(rest)
    recorded = modes.grad and self.requires_grad
    check_inplace(self, recorded)
    self._share()
    [(shape, strides, offset)] = op.geometry(self._array, given)
    node = record(op, values, [self]) if recorded else None
    start = offset + self._offset()
    self._array = layout.restride(self._array, shape, strides, start)
    self._cell.value += 1
    view = self._view
    if view is not None and view.base is not None:
        self._view = View(view.base, view, op, given, start)
        self._view.seen, self._view.origin = view.seen, view.origin
    elif start:
        self._view = Window(start)
    if node is not None:
        node.shape = shape
        if view is None or view.base is None:
            self._set_history(node)
        else:
            self._node, self._output_nr, self._requires_grad = node, 0, True
            self._view.seen = self._cell.value
    return self


__all__ = ["Pick", "ViewOp", "call_view", "call_view_inplace"]
