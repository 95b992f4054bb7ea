"""View operations: other shapes and strides over the same memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.graph import Window, edge
from course_lib.core.op import Op, attach, fact, record
from course_lib.core.tensor import Tensor
from course_lib.facts import dtypes, layout
from course_lib.facts.modes import modes
from course_lib.forms.history import View
from course_lib.forms.inplace import check_inplace


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

    def __call__(self, value: Any, *args: Any) -> Any:
        """Apply to an array or a tensor, arguments in the kernel's order."""
        if value.__class__ is np.ndarray:
            if self.native is not None:
                try:
                    found = self.native(value, *args)
                    if found is not None:
                        return found[0]
                except (ValueError, IndexError):
                    pass  # an error of the kernel's, if it is one
        elif isinstance(value, Tensor):
            return call_view(self, (value, *args), {})
        elif isinstance(value, np.generic):
            value = np.asarray(value)
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
    bound = None if kwargs else op.signature.in_order(args)
    if bound is None or len(bound) != op.arity:
        bound = tuple(op.signature.bind(args, kwargs).values())
    self, given = bound[0], bound[1:]
    if not isinstance(self, Tensor):
        return op(self, *given)
    if (view := self._view) is not None:
        view.refresh(self)
        if modes.grad and view.lost is not None:
            edge(self)  # a lost history is an error before anything else is
    values = dict(zip(op.params, bound, strict=True))
    self._share()
    windows = [
        window(self, Pick(op, number) if op.many else op, given, *found)
        for number, found in enumerate(op.geometry(self._array, given))
    ]
    if modes.grad and not self.is_inference():
        if self.requires_grad and windows:
            attach(record(op, values, windows), windows)
        if op.many:
            for out in windows:
                out._view.origin = "many"
    return tuple(windows) if op.many else windows[0]


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
