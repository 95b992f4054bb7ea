"""What is rare in a graph: saved values that are packed, stale or results; `t_()` and its kin.

The core reads a saved array straight from its node (`core/saved.py`).  If the value is something
else, or if its version has changed, it asks `unpack` here.
"""

from typing import Any

from course_lib.core.careful import record
from course_lib.core.graph import AccumulateGrad, Node, Window
from course_lib.core.saved import FREED, PACKED, OpNode
from course_lib.core.tensor import Tensor
from course_lib.core.views import View, ViewOp
from course_lib.core.writes import check_inplace
from course_lib.dtypes.dtypes import FLOATING
from course_lib.memory import layout
from course_lib.modes import modes
from course_lib.words import errors

# ---- saved values --------------------------------------------------------------------------------


def unpack(node: Any, name: str, as_tensor: bool = True) -> Any:
    """A saved value, its version checked: a tensor with its history, or just its array."""
    value = getattr(node, name + "_")
    if name not in node._tensors or (value is None and name != "result"):
        return value
    version = getattr(node, name + "_version")
    if version == PACKED and value is not None:
        packed, unhook = value
        return saved_output(node, unhook(packed), name)
    if name == "result":
        cell = node.cell
        if value is None or (cell is not None and cell.value != version):
            raise stale_error(node, name)
        return reattach_output(maker(node), value, cell, node._dtype) if as_tensor else value
    if version < 0:  # a Python number
        return value
    cell = value._cell
    if cell is not None and (cell.value != version or (cell.detached and lost_history(node, name))):
        raise stale_error(node, name)
    return saved_output(node, value, name) if as_tensor else value._array


def maker(node: Any) -> Node:
    """The node that the result has: its view's, if it was written into one that still is."""
    window = None if node.extras is None else node.extras.window
    return node if window is None else window() or node


def is_output(node: Any, name: str, value: Any) -> bool:
    """Whether a saved value is an output of this node, which has a gradient."""
    return name == "result" or (name in node.returned and value._dtype.category >= FLOATING)


def saved_output(node: Any, value: Any, name: str) -> Any:
    """A saved value; an output of this node gets its place in the graph again."""
    if not is_output(node, name, value):
        return value
    number = node.returned.get(name, 0)
    return reattach_output(node, value._array, value._cell, value._dtype, number)


def reattach_output(node: Any, array: Any, cell: Any, dtype: Any, number: int = 0) -> Tensor:
    """A saved result as a tensor again: the output of `node`."""
    out = Tensor._make(array, dtype)
    out._cell, out._node, out._output_nr, out._requires_grad = cell, node, number, True
    return out


def lost_history(node: OpNode, name: str) -> bool:
    """Whether a saved argument had a history and lost it to `detach_()`."""
    before = dict(zip(node.needs, node.nodes)).get(name)
    if before is None or isinstance(before, AccumulateGrad):
        return False
    return getattr(node, name + "_").grad_fn is None


def stale_error(node: OpNode, name: str) -> Exception:
    """The error for a saved value that was freed or overwritten; see Note [Saved versions]."""
    value: Any = getattr(node, name + "_")
    if value is None or value is FREED:
        return RuntimeError(errors.BACKWARD_TWICE)
    if name == "result":
        value = reattach_output(maker(node), value, node.cell, node._dtype)
    elif lost_history(node, name):
        return RuntimeError(errors.DETACHED_SAVED)
    else:
        value = saved_output(node, value, name)
    version, source, number = getattr(node, name + "_version"), value.grad_fn, value._output_nr
    made_by = source.name() if source is not None else None
    legacy, shape, now = value._dtype.legacy, value._array.shape, value._version
    text = errors.stale_value(legacy, shape, made_by, number, now, version, modes.now.anomaly)
    return RuntimeError(text)


OpNode.unpack, OpNode.maker = unpack, maker

# ---- view operations in place --------------------------------------------------------------------


def call_view_inplace(op: ViewOp, *args: Any, **kwargs: Any) -> Tensor:
    """Call `x.t_()` and the like: x itself gets another shape and other strides."""
    values = op.signature.bind(args, kwargs)
    self, *rest = values.values()
    given = tuple(rest)
    recorded = modes.now.grad and self.requires_grad
    check_inplace(self, recorded)
    self._share()
    [(shape, strides, offset)] = op.geometry(self._array, given)
    node = record(op, tuple(values.values()), [self]) if recorded else None
    start = offset + self._offset()
    self._array = layout.restride(self._array, shape, strides, start)
    self._bump()
    view = self._view
    if view is not None and view.base is not None:
        self._view = View(view.base, view, op, given, start)
        self._view.seen, self._view.origin = view.seen, view.origin
    elif start:
        self._view = Window(start)
    if node is not None:
        node._shape = shape
        # Not `_set_history`: a retained gradient stays what it was, of the shape from before.
        self._node, self._output_nr, self._requires_grad = node, 0, True
        if view is not None and view.base is not None:
            self._view.seen = self._cell.value
    return self
