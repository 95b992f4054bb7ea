"""Declaring an operation in one place.

    @op(kind="promote", self=lambda grad, other: grad * other,
                        other=lambda grad, self: grad * self)
    def mul(self, other):
        return self * other

Read: *the gradient for `self`, given `grad` and `other`, is …*.  The names of a formula's
parameters say what has to be saved: an argument, the `result`, or only `<argument>_shape`.  From
this one declaration follow the function, the method, the in-place method, `out=`, the node class
(`MulBackward0`) with its `_saved_…` attributes, and the test cases.

Note [One formula, two ways to run]: an operation called without a tensor among its arguments runs
its kernel on what it got.  So a formula written with operators and operations works on arrays
(fast, in an ordinary backward pass) and on tensors (with `create_graph`, the gradient has a
history of its own).  Arrays follow NumPy's promotion; where dtypes are mixed or reduced, the
formula runs on tensors too (`Extras.mixed`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core import glue
from course_lib.core.graph import ZEROS, CopySlices, Node, View, edge, next_order, refresh
from course_lib.core.tensor import Tensor, new
from course_lib.facts import dtypes, errors, kinds, layout
from course_lib.facts.dtypes import FLOATING, bool_
from course_lib.facts.modes import modes

ndarray = np.ndarray
Number = (bool, int, float, complex, np.number, np.bool_)
TABLE: dict[str, Op] = {}


class Op:
    """The facts of one operation: its kernel, its dtype rule, its formulas, what they save."""

    def __init__(self, kernel: Callable, kind: str, formulas: dict[str, Callable], **facts: Any):
        self.kernel, self.kind, self.formulas = kernel, kinds.KINDS[kind], formulas
        self.kind_name = kind
        self.name: str = facts.get("name") or kernel.__name__.rstrip("_")
        signature = inspect.signature(kernel).parameters.values()
        self.params = tuple(p.name for p in signature)
        self.positional = sum(p.kind is not p.KEYWORD_ONLY for p in signature)
        self.defaults = {p.name: p.default for p in signature if p.default is not p.empty}
        required = tuple(p for p in self.params if p not in self.defaults)
        self.operands: tuple[str, ...] = facts.get("operands") or required
        self.layout: str = facts.get("layout", "inputs")
        self.varargs: str | None = facts.get("varargs")
        self.returns: tuple[str, ...] = facts.get("returns", ())
        self.label: str = facts.get("node") or camel(self.name) + "Backward0"
        self.check: Callable | None = facts.get("check")
        self.lists = tuple(name for name in formulas if name == "tensors")
        self.Node = glue.node_class(self)

    def bind(self, args: tuple, kwargs: dict) -> dict[str, Any]:
        """Arguments by parameter name; TypeError with PyTorch's sentence if they do not fit."""
        if len(args) > self.positional:
            if not self.varargs:
                raise TypeError(errors.too_many_arguments(self, args))
            at = self.params.index(self.varargs)
            args = (*args[:at], tuple(args[at:]))
        values = dict(zip(self.params, args, strict=False))
        for name, value in kwargs.items():
            name = "self" if name == "input" and "self" in self.params else name
            if name not in self.params or name in values:
                raise TypeError(errors.unexpected_argument(self, name, name in values))
            values[name] = value
        if len(values) < len(self.params):
            for name in self.params:
                if name not in values:
                    if name not in self.defaults:
                        raise TypeError(errors.missing_argument(self, name, args))
                    values[name] = self.defaults[name]
        return values


def camel(name: str) -> str:
    """`masked_fill` as in `MaskedFillBackward0`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


# ---- computing -----------------------------------------------------------------------------------


def compute(op: Op, values: dict[str, Any]) -> tuple[Any, bool]:
    """The kernel's result on the values' arrays, and whether dtypes were mixed on the way."""
    arrays = {}
    operands = []
    for name, value in values.items():
        if isinstance(value, Tensor):
            arrays[name] = value._array
            if name in op.operands:
                operands.append(value)
        elif name in op.operands:
            if isinstance(value, Number):
                operands.append(value)
            elif isinstance(value, (list, tuple)) and op.lists:
                operands.extend(value)
                value = [t._array for t in value]
            elif value is not None:
                raise TypeError(errors.argument_type(op, name, value))
            arrays[name] = value
        else:
            arrays[name] = value
    if op.check is not None:
        op.check(**values)
    target = op.kind(operands, values, op)
    mixed = False
    if target is not None:
        mixed = target.reduced
        kernel_type = dtypes.float32.numpy if target.reduced else target.numpy
        for name in op.operands:
            value = arrays[name]
            if isinstance(value, list):
                mixed = mixed or any(a.dtype != kernel_type for a in value)
                arrays[name] = [cast(a, kernel_type) for a in value]
            elif value is not None:
                mixed = mixed or getattr(value, "dtype", kernel_type) != kernel_type
                arrays[name] = cast(value, kernel_type)
    result = modes.quiet(op.kernel, **arrays)
    if target is not None and target.reduced:
        result = shrink(result, target.numpy)
    if op.layout == "inputs":
        result = lay_out(result, [arrays[n] for n in op.operands])
    elif isinstance(result, tuple):
        result = tuple(layout.owned(r) for r in result)
    else:
        result = layout.owned(result)
    return result, mixed


def cast(value: Any, numpy_dtype: np.dtype) -> Any:
    """`value` in another dtype, as C casts (no check, no warning); a number becomes a scalar."""
    if getattr(value, "dtype", None) is numpy_dtype:
        return value
    if isinstance(value, ndarray) or hasattr(value, "restride"):
        return value.astype(numpy_dtype)
    return kinds.scalar(value, numpy_dtype)


def shrink(result: Any, numpy_dtype: np.dtype) -> Any:
    """Round what was computed in float32 to a reduced dtype; leave indices and masks alone."""
    if isinstance(result, tuple):
        return tuple(shrink(r, numpy_dtype) for r in result)
    return cast(result, numpy_dtype) if result.dtype.name == "float32" else result


def lay_out(result: Any, inputs: list[Any]) -> Any:
    """Give an elementwise result PyTorch's strides; see layout.follow."""
    if result.__class__ is not ndarray:
        return result
    if result.size == 0 or result.base is not None:
        return layout.follow(result, inputs)
    if result.ndim > 1 and (not result.flags.c_contiguous or 1 in result.shape):
        return layout.follow(result, inputs)
    return result


def wrap(op: Op, array: Any) -> Tensor:
    """A tensor over a kernel's result."""
    out = Tensor._make(array, dtypes.of_numpy(array.dtype))
    if modes.inference:
        out._more().inference = True
    return out


# ---- recording -----------------------------------------------------------------------------------


def wants_grad(op: Op, values: dict[str, Any]) -> bool:
    """Whether this call has to be recorded."""
    if not modes.grad:
        return False
    for name in op.formulas:
        value = values[name]
        if isinstance(value, Tensor):
            if value.requires_grad:
                return True
        elif isinstance(value, (list, tuple)) and any(
            isinstance(t, Tensor) and t.requires_grad for t in value
        ):
            return True
    return False


def record(op: Op, values: dict[str, Any], outputs: list[Tensor], mixed: bool) -> Node:
    """The node of one call, with its edges and what its formulas will need."""
    node: Any = new(op.Node)
    nodes: list[Any] = []
    numbers: list[int] = []
    needed: set[str] = set()
    for name, needs in op.Node.needs.items():
        value = values[name]
        group = value if name in op.lists else (value,)
        for tensor in group:
            if isinstance(tensor, Tensor) and (target := edge(tensor)) is not None:
                needed.update(needs)
                nodes.append(target)
                numbers.append(tensor._output_nr)
            else:
                nodes.append(None)
                numbers.append(0)
    node.nodes, node.numbers, node.order = tuple(nodes), tuple(numbers), next_order()
    first = outputs[0]
    if len(outputs) == 1 and not op.returns:
        node.shape, node.dtype = first._array.shape, first._dtype
    else:
        node.shape, node.dtype = [t._array.shape for t in outputs], first._dtype
    node.extras = None
    if mixed:
        node.more().mixed = True
    if modes.anomaly:
        node.more().stack = errors.forward_stack()
    glue.save(node, op, values, outputs, needed)
    return node


def attach(node: Node, outputs: list[Tensor]) -> None:
    """Make `outputs` the results of `node`; integer results have no gradient."""
    for number, out in enumerate(outputs):
        if out._dtype.category >= FLOATING:
            out._node, out._output_nr, out._requires_grad = node, number, True


def general(op: Op, args: tuple, kwargs: dict) -> Any:
    """Call an operation: bind, compute, wrap, record.  `fast_…` below are the same in a hurry."""
    out = kwargs.pop("out", None) if kwargs else None
    values = op.bind(args, kwargs)
    if not any_tensor(values):
        return op.kernel(**values)
    array, mixed = compute(op, values)
    if out is not None:
        return write_out(op, values, array, out)
    if isinstance(array, tuple):
        outputs = [wrap(op, a) for a in array]
    else:
        outputs = [wrap(op, array)]
    if op.formulas and wants_grad(op, values):
        attach(record(op, values, outputs, mixed), outputs)
    if not isinstance(array, tuple):
        return outputs[0]
    return kinds.named(op, outputs) if op.returns else tuple(outputs)


def any_tensor(values: dict[str, Any]) -> bool:
    """Whether a tensor is among the arguments, also inside a list of tensors."""
    for value in values.values():
        if isinstance(value, Tensor):
            return True
        if value.__class__ in (list, tuple) and any(isinstance(v, Tensor) for v in value):
            return True
    return False


def write_out(op: Op, values: dict[str, Any], array: Any, out: Any) -> Any:
    """The `out=` form: put a result into an existing tensor, resizing it if it has another shape."""
    arrays = array if isinstance(array, tuple) else (array,)
    targets = out if isinstance(out, (tuple, list)) else (out,)
    for target, result in zip(targets, arrays, strict=True):
        if not isinstance(target, Tensor):
            raise TypeError(errors.argument_type(op, "out", target))
        if modes.grad and (target.requires_grad or wants_grad(op, values)):
            raise RuntimeError(errors.out_with_grad(op))
        made = dtypes.of_numpy(result.dtype)
        if made.category > target._dtype.category:
            raise RuntimeError(errors.cannot_cast(made, target._dtype))
        if target._array.shape != result.shape:
            if target._array.size:
                errors.warn(errors.resized_out(target._array.shape, result.shape))
            target._share()
            target._array = layout.empty(result.shape, target._dtype.numpy)
        target._share().value += 1
        np.copyto(target._array, result, casting="unsafe")
    return out


# ---- in place ------------------------------------------------------------------------------------


def check_inplace(self: Tensor) -> None:
    """Raise PyTorch's error if writing into this tensor is not allowed."""
    view = self._view
    if self.is_inference() and not modes.inference:
        raise RuntimeError(errors.INFERENCE_INPLACE)
    if layout.overlaps_itself(self._array) and not (modes.grad and self._requires_grad):
        raise RuntimeError(errors.OVERLAP_SELF)
    if not modes.grad:
        return
    if view is not None and view.base is not None:
        if view.origin and self.requires_grad:
            raise RuntimeError(errors.forbidden_view(view, self))
        base = view.base
        if base._requires_grad and base._node is None:
            raise RuntimeError(errors.VIEW_OF_LEAF)
    if self.requires_grad and self.grad_fn is None:
        raise RuntimeError(errors.LEAF_INPLACE)
    if layout.overlaps_itself(self._array):
        raise RuntimeError(errors.OVERLAP_SELF)


def inplace(op: Op, args: tuple, kwargs: dict) -> Tensor:
    """Call the in-place form: the same kernel, written back through the first argument's memory."""
    values = op.bind(args, kwargs)
    self = values[op.params[0]]
    check_inplace(self)
    array, mixed = compute(op, values)
    made = dtypes.of_numpy(array.dtype)
    if made.category > self._dtype.category and op.kind_name not in ("compare", "bool"):
        raise RuntimeError(errors.cannot_cast(made, self._dtype))
    if array.shape != self._array.shape:
        raise RuntimeError(errors.inplace_shape(self._array.shape, array.shape))
    for value in values.values():
        if isinstance(value, Tensor) and value is not self:
            errors.check_overlap(self._array, value._array)
    recorded = bool(op.formulas) and wants_grad(op, values)
    if recorded and op.Node.saves_self:
        original = Tensor._make(self._array.copy(), self._dtype)
        original._node, original._output_nr = self._node, self._output_nr
        original._requires_grad = self._requires_grad
        for name, value in values.items():  # x.mul_(x): the second x is seen to be overwritten
            if value is self and name == op.params[0]:
                saved = {**values, name: original}
    else:
        saved = values
    node = None
    if recorded:
        edge_of_self = values
        node = record(op, edge_of_self, [self], mixed)
        if saved is not values:
            glue.replace_self(node, op, saved[op.params[0]])
    written(self, array, node)
    return self


def written(self: Tensor, array: Any, node: Any) -> None:
    """Write `array` through `self`, count the write, and give `self` its new history."""
    cell = self._share()
    if self._array.__class__ is ndarray:
        np.copyto(self._array, array, casting="unsafe")
    cell.value += 1
    if node is not None:
        rebase(self, node)


def rebase(self: Tensor, node: Any) -> None:
    """Make `node` the history of a tensor that was just written to; see Note [Rebasing history]."""
    if "result" in node.saved:
        node.result_, node.cell, node.result_version = self._array, self._cell, self._cell.value
    view = self._view
    if view is None or view.base is None:
        self._node, self._output_nr, self._requires_grad = node, 0, True
        return
    base = view.base
    base._node, base._output_nr = CopySlices(base, self, node), 0
    base._requires_grad = True
    refresh(self)


# ---- the hot paths -------------------------------------------------------------------------------


def fast_binary(op: Op, fallback: Callable) -> Callable:
    """`general` for two operands of one floating dtype (or a Python number), without recursion
    into tables: this is what every `a * b` runs."""
    kernel, cls, comparing = op.kernel, op.Node, op.kind_name == "compare"
    needs = op.Node.needs
    formulas = tuple(op.formulas)
    self_formula, other_formula = "self" in formulas, "other" in formulas
    self_saves = needs.get("self", ())
    other_saves = needs.get("other", ())
    self_keeps_self, self_keeps_other = "self" in self_saves, "other" in self_saves
    other_keeps_self, other_keeps_other = "self" in other_saves, "other" in other_saves
    keeps_result = "result" in self_saves + other_saves
    saves = set(self_saves + other_saves)
    constants = [(f"{n}_", op.defaults[n]) for n in sorted(saves) if n in op.defaults]
    simple = saves <= {"self", "other", "result", *op.defaults}
    two = ZEROS[2]
    if formulas and not (simple and self_formula and other_formula):
        return fallback

    def call(self: Any, other: Any) -> Any:
        if not isinstance(self, Tensor):
            return fallback(self, other)
        dtype = self._dtype
        if dtype.category != FLOATING or dtype.reduced:
            return fallback(self, other)
        if isinstance(other, Tensor):
            if other._dtype is not dtype:
                return fallback(self, other)
            if other._view is not None:
                refresh(other)
            right, right_grad = other._array, other._requires_grad
        elif other.__class__ is float or other.__class__ is int:
            right, right_grad = other, False
        else:
            return fallback(self, other)
        if self._view is not None:
            refresh(self)
        left = self._array
        if left.__class__ is ndarray and right.__class__ is ndarray and left.shape != right.shape:
            return fallback(self, other)
        array = modes.quiet(kernel, left, right)
        if array.__class__ is ndarray and (array.ndim > 1 or not array.size):
            array = lay_out(array, [left, right])
        out: Any = new(Tensor)
        out._array = array
        out._dtype = bool_ if comparing else dtype
        out._cell = out._view = out._extras = None
        out._output_nr = 0
        if not modes.grad or not (self._requires_grad or right_grad) or comparing:
            out._node, out._requires_grad = None, False
            if modes.inference:
                out._more().inference = True
            return out
        node: Any = new(cls)
        left_node = right_node = None
        if self._requires_grad:
            left_node = self._node or edge(self)
        if right_grad:
            right_node = other._node or edge(other)
        node.nodes = (left_node, right_node)
        node.numbers = two
        if self._output_nr or (right_grad and other._output_nr):
            node.numbers = (self._output_nr, other._output_nr if right_grad else 0)
        node.order = next_order()
        node.shape, node.dtype, node.extras = array.shape, dtype, None
        if (left_node is not None and self_keeps_self) or (
            right_node is not None and other_keeps_self
        ):
            node.self_ = self
            cell = self._cell
            node.self_version = 0 if cell is None else cell.value
        elif self_keeps_self or other_keeps_self:
            node.self_ = None
        if (left_node is not None and self_keeps_other) or (
            right_node is not None and other_keeps_other
        ):
            node.other_ = other
            if right is other:
                node.other_version = -1
            else:
                cell = other._cell
                node.other_version = 0 if cell is None else cell.value
        elif self_keeps_other or other_keeps_other:
            node.other_ = None
        if keeps_result:
            node.result_, node.cell, node.result_version = array, None, 0
        for name, value in constants:
            setattr(node, name, value)
        if modes.anomaly:
            node.more().stack = errors.forward_stack()
        out._node, out._requires_grad = node, True
        return out

    return call


def fast_unary(op: Op, fallback: Callable) -> Callable:
    """`general` for one floating operand."""
    kernel, cls = op.kernel, op.Node
    saves = op.Node.needs.get("self", ())
    keeps_self, keeps_result = "self" in saves, "result" in saves
    if tuple(op.formulas) != ("self",) or not set(saves) <= {"self", "result"}:
        return fallback
    one = ZEROS[1]

    def call(self: Any) -> Any:
        if not isinstance(self, Tensor):
            return fallback(self)
        dtype = self._dtype
        if dtype.category != FLOATING or dtype.reduced:
            return fallback(self)
        if self._view is not None:
            refresh(self)
        left = self._array
        array = modes.quiet(kernel, left)
        if array.__class__ is ndarray and (array.ndim > 1 or not array.size):
            array = lay_out(array, [left])
        out: Any = new(Tensor)
        out._array = array
        out._dtype = dtype
        out._cell = out._view = out._extras = None
        out._output_nr = 0
        if not modes.grad or not self._requires_grad:
            out._node, out._requires_grad = None, False
            if modes.inference:
                out._more().inference = True
            return out
        node: Any = new(cls)
        node.nodes = (self._node or edge(self),)
        node.numbers = (self._output_nr,) if self._output_nr else one
        node.order = next_order()
        node.shape, node.dtype, node.extras = array.shape, dtype, None
        if keeps_self:
            node.self_ = self
            cell = self._cell
            node.self_version = 0 if cell is None else cell.value
        if keeps_result:
            node.result_, node.cell, node.result_version = array, None, 0
        if modes.anomaly:
            node.more().stack = errors.forward_stack()
        out._node, out._requires_grad = node, True
        return out

    return call


# ---- views ---------------------------------------------------------------------------------------


class ViewOp(Op):
    """An operation that moves no data: its kernel gives (shape, strides, offset), all in bytes."""

    def __call__(self, value: Any, *args: Any) -> Any:
        """Apply to an array or a tensor, arguments in the kernel's order."""
        if isinstance(value, Tensor):
            return view(self, (value, *args), {})
        if isinstance(value, np.generic):
            value = np.asarray(value)
        shape, strides, offset = self.kernel(value, *args)
        return layout.restride(value, shape, strides, layout.offset_of(value) + offset)

    def pull_back(self, grad: Any, like: Any, args: tuple) -> Any:
        """The gradient of the input, an array shaped `like`, from that of the view."""
        values = dict(zip(self.params, (like, *args), strict=True))
        given = {n: glue.fact(n, values) for n in self.Node.needs["self"]}
        return self.formulas["self"](grad=grad, **given)


def view(op: ViewOp, args: tuple, kwargs: dict) -> Any:
    """Call a view operation."""
    values = op.bind(args, kwargs)
    self = values["self"]
    if not isinstance(self, Tensor):
        return op(*values.values())
    cell = self._share()
    array = self._array
    rest = tuple(values.values())[1:]
    shape, strides, step = op.kernel(array, *rest)
    parent = self._view
    offset = step + (0 if parent is None else parent.offset)
    out = Tensor._make(layout.restride(array, shape, strides, offset), self._dtype)
    out._cell = cell
    if parent is None or parent.base is None:
        record_of = View(self, None, op, rest, offset)
    else:
        record_of = View(parent.base, parent, op, rest, offset)
        record_of.origin = parent.origin
    record_of.seen = cell.value
    out._view = record_of
    if modes.grad:
        if self.requires_grad:
            attach(record(op, values, [out], False), [out])
    else:
        out._requires_grad = self._requires_grad and self._node is None
        record_of.origin = "no_grad"
        if modes.inference:
            out._more().inference = True
    return out


def view_inplace(op: ViewOp, args: tuple, kwargs: dict) -> Tensor:
    """The in-place form of a view operation: the tensor itself gets another shape and strides."""
    values = op.bind(args, kwargs)
    self = values["self"]
    check_inplace(self)
    array = self._array if isinstance(self._array, ndarray) else np.asarray(self._array)
    rest = tuple(values.values())[1:]
    cell = self._share()
    shape, strides, step = op.kernel(self._array, *rest)
    node = record(op, values, [self], False) if modes.grad and self.requires_grad else None
    offset = self._offset() + step
    self._array = layout.restride(
        array if array is self._array else self._array, shape, strides, offset
    )
    cell.value += 1
    parent = self._view
    if parent is not None and parent.base is not None:
        self._view = View(parent.base, parent, op, rest, offset)
        self._view.seen = cell.value
    elif offset:
        self._view = View(None, None, None, (), offset)
    if node is not None:
        node.shape = self._array.shape
        self._node, self._output_nr, self._requires_grad = node, 0, True
    return self


# ---- declaring -----------------------------------------------------------------------------------

FACTS = ("name", "layout", "varargs", "returns", "node", "check", "operands")


def op(
    kind: str,
    operator: str = "",
    commutative: bool = False,
    inplace: bool | None = None,
    method: bool = True,
    **given: Any,
) -> Callable:
    """Declare an operation; see the top of this file.

    `kind` is its dtype rule (`facts/kinds.py`), `operator` the name of a Python operator without
    underscores (`commutative`: also reflected), `inplace` whether there is a trailing-underscore form (default: elementwise
    kinds), `method` whether it is a method of Tensor; the other words are formulas, or facts
    named in `FACTS`.
    """
    facts = {name: given.pop(name) for name in FACTS if name in given}

    def declare(kernel: Callable) -> Callable:
        made = Op(kernel, kind, given, **facts)
        TABLE[made.name] = made

        def slow(*args: Any, **kwargs: Any) -> Any:
            return general(made, args, kwargs)

        def operated(self: Any, other: Any) -> Any:
            if not isinstance(other, (Tensor, *Number)):
                return NotImplemented
            return general(made, (self, other), {})

        quick = operation = slow
        if made.positional == 2 and made.params[:2] == ("self", "other"):
            quick, operation = fast_binary(made, slow), fast_binary(made, operated)
        elif len(made.params) == 1:
            quick = operation = fast_unary(made, slow)
        arity = made.positional if quick is not slow else -1

        def call(*args: Any, **kwargs: Any) -> Any:
            if kwargs or len(args) != arity:
                return general(made, args, kwargs)
            return quick(*args)

        function = call if quick is not slow else slow
        elementwise = made.layout == "inputs" and kind in ("promote", "float", "compare")
        writes = elementwise if inplace is None else inplace

        def call_(*args: Any, **kwargs: Any) -> Any:
            return write_in(made, args, kwargs)

        present(function, kernel, made)
        if method:
            setattr(Tensor, made.name, function)
        if writes:
            call_.__name__ = made.name + "_"
            call_.__doc__ = f"`{made.name}`, written into the tensor itself; gives that tensor."
            setattr(Tensor, made.name + "_", call_)
        if operator:
            setattr(Tensor, f"__{operator}__", operation)
            if commutative:
                setattr(Tensor, f"__r{operator}__", operation)
            if writes and made.positional == 2:
                setattr(Tensor, f"__i{operator}__", call_)
        return function

    return declare


write_in = inplace


def view_op(
    varargs: str | None = None,
    inplace: bool = False,
    method: bool = True,
    name: str = "",
    node: str = "",
    **formulas: Callable,
) -> Callable:
    """Declare a view operation; its kernel gives ``(shape, strides, offset)`` in bytes."""

    def declare(kernel: Callable) -> Callable:
        facts: dict[str, Any] = {"varargs": varargs, "name": name}
        if node:
            facts["node"] = node
        made = ViewOp(kernel, "same", formulas, **facts)
        TABLE[made.name] = made

        def call(*args: Any, **kwargs: Any) -> Any:
            return view(made, args, kwargs)

        def call_(*args: Any, **kwargs: Any) -> Any:
            return view_inplace(made, args, kwargs)

        present(call, kernel, made)
        if method:
            setattr(Tensor, made.name, call)
        if inplace:
            call_.__name__ = made.name + "_"
            call_.__doc__ = f"`{made.name}`, applied to the tensor itself; gives that tensor."
            setattr(Tensor, made.name + "_", call_)
        return call

    return declare


def present(function: Any, kernel: Callable, made: Op) -> None:
    """Give a generated function the name, text and signature of its kernel."""
    function.__name__ = function.__qualname__ = made.name
    function.__doc__, function.__module__ = kernel.__doc__, kernel.__module__
    function.__signature__ = inspect.signature(kernel)
    function.op = made
