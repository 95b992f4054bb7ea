"""Views: several tensors that look at the same memory.

`x.t()`, `x[1:]`, `x.view(-1)` move no element.  Each is a new tensor with another shape, other
strides or another start over the memory of `x`, so a write through one shows in all.  That is easy
for the numbers and hard for the gradients: a write through one view changes where the numbers of
all the others come from.  Four rules settle it.  A view knows its base and the steps from there.
A write through a view makes the *base* the output of a new node (`CopySlices`, in `slices.py`).
The shared version number tells every view that this happened.  A view whose number is old gets a
new node, a window on the base (`AsStridedBackward0`), when its history is next needed.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from course_lib.core.careful import attach, record
from course_lib.core.graph import Window, edge
from course_lib.core.op import NOTHING, Op, fact
from course_lib.core.tensor import Tensor, new
from course_lib.dtypes import dtypes
from course_lib.dtypes.dtypes import FLOATING
from course_lib.memory import layout
from course_lib.modes import modes
from course_lib.words import errors

ndarray = np.ndarray

# ---- what a view knows ---------------------------------------------------------------------------


class View(Window):
    """How a tensor became a view of the memory of `base`.

    `base` is never itself a view; following `parent` gives the steps from it.  `seen` is the
    version at which the tensor's node was last known to be right.  `origin` ("no_grad", "many", …)
    says why a write through the view is refused; "" if it is allowed.  `leaf`: the user called
    `requires_grad_` on the view itself, so it may have an AccumulateGrad.  A view that requires
    grad only because its base does has none.
    """

    __slots__ = ("base", "parent", "step", "args", "seen", "origin", "leaf", "lost")
    rebuilt: Any

    def __init__(self, base: Any, parent: "View | None", step: Any, args: tuple, offset: int):
        self.base, self.parent, self.step, self.args = base, parent, step, args
        self.offset, self.seen, self.origin, self.leaf = offset, 0, "", False
        self.lost: Any = None  # the node of a view whose history is lost: see `refuse`

    def steps(self) -> list[tuple[Any, tuple]]:
        """The view operations that lead from the base to this view, in order."""
        steps = []
        view: View | None = self
        while view is not None:
            steps.append((view.step, view.args))
            view = view.parent
        return steps[::-1]

    def refresh(self, tensor: Any) -> None:
        """Rebuild the history of a view if its base was written to.

        Note [Rebuilding a stale view]: a write through one view changes the history of the base
        and of every other view.  We do not search for these views.  When the history of one is
        needed, it notices that the version has changed since `seen`, and its new history is that
        of a window on the base.
        """
        base, version, node = self.base, tensor._cell.value, tensor._node
        if node is not None and self.seen == version:
            return  # up to date, and tracked
        tracked = base._requires_grad and tensor._dtype.category >= FLOATING
        if self.seen != version and (tracked or node is not None):
            if self.origin:  # an error only when the node is needed: `refuse`
                self.lost, tensor._node = node or self.lost, None
            else:
                self.seen = version
                tensor._set_history(self.rebuilt(base, tensor))
        tensor._requires_grad = self.tracks(tensor)

    def tracks(self, tensor: Any) -> bool:
        """Whether operations on the view are recorded; the base may have changed that since."""
        if tensor._node is not None or self.lost is not None or self.leaf:
            return True
        return self.base._requires_grad and tensor._dtype.category >= FLOATING

    def refuse(self, tensor: Any) -> None:
        """Raise if the view's history cannot be rebuilt; call this after `refresh`."""
        if not self.origin or self.seen == tensor._cell.value:
            return
        if self.lost is not None or self.base._requires_grad:
            raise RuntimeError(errors.forbidden_view(self, tensor, self.lost, indirect=True))


# ---- operations that make views ------------------------------------------------------------------


class ViewOp(Op):
    """An operation that moves no data: its kernel gives (shape, strides, offset), all in bytes.

    A fourth item, a NumPy dtype, says that the memory is read as another type.  With `many`, the
    kernel gives a list of those, and the operation as many views.
    """

    def __init__(self, kernel: Callable, formulas: dict[str, Callable], many: bool, **facts: Any):
        facts = {"operands": ("self",), "several": many, **facts}
        super().__init__(kernel, "same", formulas, **facts)
        self.many, self.native = many, facts.get("native")
        self.call = viewing(self)

    def __call__(self, value: Any, *args: Any) -> Any:
        """The view of an array or a tensor; the arguments come in the kernel's order."""
        if isinstance(value, Tensor):
            return self.call(value, *args)
        value = np.asarray(value) if isinstance(value, np.generic) else value
        if self.native is not None and value.__class__ is ndarray:
            try:
                found = self.native(value, *args)
                if found is not None:
                    return found[0]
            except Exception:  # an error of the kernel's, if it is one
                pass
        value = layout.sharable(value)
        start = layout.offset_of(value)
        windows = [
            layout.restride(value, shape, strides, start + offset, *dtype)
            for shape, strides, offset, *dtype in self.geometry(value, args)
        ]
        return tuple(windows) if self.many else windows[0]

    def geometry(self, array: Any, args: tuple) -> list[tuple]:
        """The kernel's result as a list, even if it is a single view."""
        found = self.kernel(array, *args)
        return found if self.many else [found]

    def pull_back(self, grad: Any, start: Any, args: tuple) -> Any:
        """The gradient of the input (an array like `start`), given that of the view."""
        values = dict(zip(self.params, (start, *args), strict=True))
        given = {n: values[n] for n in self.needs["self"] if n in values}
        given |= {slot[:-1]: fact(what, start) for slot, _, what, _ in self.saved_facts}
        return self.formulas["self"](grad, **given)


class Pick:
    """A step of a `View`: one of the views that a `many` operation gives."""

    __slots__ = ("op", "number")

    def __init__(self, op: ViewOp, number: int):
        self.op, self.number = op, number

    def __call__(self, value: Any, *args: Any) -> Any:
        return self.op(value, *args)[self.number]

    def pull_back(self, grad: Any, start: Any, args: tuple) -> Any:
        grads: list[Any] = [None] * len(self.op.kernel(start, *args))
        grads[self.number] = grad
        return self.op.pull_back(grads, start, args)


def viewing(op: ViewOp, careful: Callable | None = None, native_only: bool = False) -> Callable:
    """The function that makes the views of `op`.

    Calls that are not common, and those that fail, go to `careful`: `call_view`, or a front, which
    has PyTorch's error.  With `native_only`, so do views that NumPy cannot make.
    """
    kernel, native, many, record = op.kernel, op.native, op.many, of_view(op)
    count, gathers = len(op.params) - 1, op.signature.gathers
    careful = careful or partial(call_view, op)

    def view(self: Any = NOTHING, /, *args: Any, **named: Any) -> Any:
        if named or many or not isinstance(self, Tensor):
            return careful(*(() if self is NOTHING else (self,)), *args, **named)
        given = args
        if gathers and args and args[0].__class__ is int:
            args = (args,)
        if len(args) != count:
            args += op.tails.get(len(args) + 1, ())
        if len(args) != count or (gathers and not isinstance(args[0], (tuple, list))):
            return careful(self, *given)
        now, seen = modes.now, self._view
        if self._cell is None or self._array.__class__ is not ndarray:
            prepare(self, now)
        elif seen is not None and (self._node is None or seen.seen != self._cell.value):
            prepare(self, now)
        array, found = self._array, None
        try:
            if native is not None and array.__class__ is ndarray:
                found = native(array, *args)
            if found is None and not native_only:
                shape, strides, offset, *dtype = kernel(array, *args)
                start = self._offset() + offset
                found = layout.restride(array, shape, strides, start, *dtype), offset, *dtype
        except Exception:  # whatever it is, nothing has happened: `careful` meets it again,
            found = None  # after the handler, and says it in PyTorch's words
        if found is None:
            return careful(self, *given)
        out = window(self, now, op, args, *found)
        if now.grad and self._requires_grad:
            record(self, now, args, out)
        return out

    return view


def prepare(self: Tensor, now: Any) -> None:
    """Bring a tensor up to date that is about to be viewed, and give it memory to share."""
    if self._view is not None and now.grad:
        self._view.refresh(self)
        if self._view.lost is not None:
            edge(self)  # a lost history is reported before any other error
    self._share()


def of_view(op: ViewOp) -> Callable:
    """How `viewing` makes a node."""
    Node: Any = op.Node
    shaped = "self_shape" in Node.saved
    places = [(slot, at - 1) for slot, at in op.saved_values]
    facts = [(slot, read) for slot, *_, read in op.saved_facts if slot != "self_shape_"]

    def enter(self: Any, now: Any, args: tuple, out: Any) -> None:
        if self._extras is not None and self._extras.inference:
            return
        if now.special or out._dtype is not self._dtype or out._dtype.category > FLOATING:
            attach(record(op, (self, *args), [out]), [out])
            return
        node: Any = new(Node)
        nodes, number = (self._node or edge(self),), self._output_nr
        node.enter(nodes, (number,) if number else (0,), out._array.shape, out._dtype)
        if shaped:
            node.self_shape_ = self._array.shape
        for slot, at in places:
            setattr(node, slot, args[at])
        for slot, read in facts:
            setattr(node, slot, read(self))
        out._node = node
        out._requires_grad = True

    return enter


def call_view(op: ViewOp, *args: Any, **kwargs: Any) -> Any:
    """Any call of a view operation: on an array in a formula, for many views, with an error."""
    if kwargs or op.signature.gathers or len(args) != len(op.params):
        args = tuple(op.signature.bind(args, kwargs).values())
    self, given = args[0], args[1:]
    if not isinstance(self, Tensor):
        return op(self, *given)
    now = modes.now
    prepare(self, now)
    start, outs = self._offset(), []
    for number, (shape, strides, offset, *dtype) in enumerate(op.geometry(self._array, given)):
        step = Pick(op, number) if op.many else op
        seen = layout.restride(self._array, shape, strides, start + offset, *dtype)
        outs.append(window(self, now, step, given, seen, offset, *dtype))
    if now.grad and not self.is_inference():
        if self.requires_grad and outs:
            attach(record(op, (self, *given), outs), outs)
        for out in outs if op.many else ():
            out._view.origin = inherit_origin(out._view.origin, "many")
    return tuple(outs) if op.many else outs[0]


def inherit_origin(old: str, new: str) -> str:
    """Where a view of a view comes from: inference mode is never forgotten."""
    return old if old == "inference" else new


def window(
    self: Tensor, now: Any, step: Any, args: tuple, seen: Any, offset: int, dtype: Any = None
) -> Tensor:
    """A view of `self` over the array `seen`, without its own node: all views are made here."""
    parent, cell = self._view, self._cell
    out: Any = new(Tensor)
    out._array = seen
    out._dtype = self._dtype if dtype is None else dtypes.of_numpy(dtype)
    out._cell = cell
    out._node = out._extras = None
    out._output_nr, out._requires_grad = 0, False
    if parent is not None:
        start = offset + parent.offset
    else:
        start = offset if self._array.base is None else offset + layout.offset_of(self._array)
    if self._extras is not None and self._extras.inference:
        out._view, out._more().inference = Window(start), True  # never recorded: no history
        return out
    out._view = view = new(View)
    if parent is None or parent.base is None:
        view.base, view.parent, view.origin = self, None, ""
    else:
        view.base, view.parent, view.origin = parent.base, parent, parent.origin
    view.step, view.args, view.offset = step, args, start
    view.seen, view.leaf, view.lost = cell.value, False, None
    if not now.grad:
        view.origin = inherit_origin(view.origin, "inference" if now.inference else "no_grad")
        # a view of a leaf taken in this mode has no node: it counts as a leaf that requires grad
        out._requires_grad = self.requires_grad
    return out
