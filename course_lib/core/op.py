"""An operation: its facts, and what happens when it is called.

Every call takes the same four steps.  Bind: which argument is which.  Compute: find the common
dtype and run the kernel on arrays.  Wrap: make a tensor of the result.  Record: if an input
requires grad, make a node that remembers what the formulas below will need.

    @op(kind="promote", self=lambda grad, other: grad * other,
                        other=lambda grad, self: grad * self)
    def mul(self, other):
        return self * other

Read it as: *the gradient for `self`, given `grad` and `other`, is …*.  The names of a formula's
parameters say what has to be saved: an argument, the `result`, or only `<argument>_shape`.  This
one declaration gives the function, the method, the in-place method, `out=`, the node class
(`MulBackward0`) with its `_saved_…` attributes, and the test cases (`course_lib/declare`).

Note [One formula, two ways to run]: an operation called with no tensor among its arguments runs
its kernel on those arguments.  So a formula written with operators and operations works on arrays
(fast, in an ordinary backward pass) and on tensors (with `create_graph`, the gradient has its own
history).  Arrays follow NumPy's promotion; if dtypes were mixed, or the kernel computes in another
precision, the formula always runs on tensors (`Extras.mixed`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from course_lib.calls import arguments
from course_lib.core.graph import Node, OpNode, edge
from course_lib.core.tensor import Tensor, new
from course_lib.dtypes import dtypes, kinds
from course_lib.dtypes.dtypes import FLOATING
from course_lib.dtypes.kinds import NUMBERS
from course_lib.memory import layout
from course_lib.modes import modes
from course_lib.words import errors

GRADS = ("grad", "grads")
TABLE: dict[str, Op] = {}  # every declared operation, by its name


class Op:
    """One operation: its kernel, its dtype rule, its formulas and the values that they save."""

    def __init__(self, kernel: Callable, kind: str, formulas: dict[str, Callable], **facts: Any):
        self.kernel, self.kind_name, self.kind = kernel, kind, kinds.KINDS[kind]
        self.name: str = facts.get("name") or kernel.__name__.rstrip("_")
        self.signature = arguments.Signature(self.name, kernel, facts.get("varargs"))
        self.params = self.signature.names
        required = tuple(p for p in self.params if p not in self.signature.defaults)
        self.operands: tuple[str, ...] = facts.get("operands") or required
        self.tensors_only: tuple[str, ...] = facts.get("tensors_only", ())  # no numbers here
        self.layout: str = facts.get("layout", "inputs")
        self.returns: tuple[str, ...] = facts.get("returns", ())
        self.several: bool = facts.get("several", bool(self.returns))
        self.label: str = facts.get("node") or camel(self.name) + "Backward0"
        self.saves: tuple[str, ...] = facts.get("saves", ())  # saved tensors that aren't operands
        self.check: Callable | None = facts.get("check")
        self.holomorphic: bool = facts.get("holomorphic", False)
        self.formulas, self.lists = formulas, tuple(n for n in formulas if n == "tensors")
        words = {name: arguments.parameters(f) for name, f in formulas.items()}
        self.gradients = {n: tuple(w for w in ws if w in GRADS) for n, ws in words.items()}
        self.needs = {n: needed(ws) for n, ws in words.items()}
        self.Node = self.node_class()

    def node_class(self) -> Any:
        """The class of this operation's nodes, with a slot for each value that formulas need."""
        every = [name for names in self.needs.values() for name in names]
        names = needed(every)
        # Saved whichever inputs need a gradient: what several formulas use, or the only formula.
        self.always = {n for n in names if len(self.needs) == 1 or every.count(n) > 1}
        known = {"result", *self.returns, *self.operands, *self.formulas, *self.saves}
        tensors = tuple(n for n in names if n in known)
        slots = [f"{n}_" for n in names] + [f"{n}_version" for n in tensors]
        body = {
            "__slots__": (*slots, "cell") if "result" in names else tuple(slots),
            "op": self,
            "label": self.label,
            "needs": self.needs,
            "saved": names,
            "tensors": tensors,
        }
        return type(self.label, (OpNode,), body)

    # ---- called by a node ------------------------------------------------------------------------

    def reattach(self, node: Any, array: Any, cell: Any, dtype: Any, number: int = 0) -> Tensor:
        """A saved result as a tensor again: the output of `node`."""
        out = Tensor._make(array, dtype)
        out._cell, out._node, out._requires_grad = cell, node, True
        out._output_nr = number
        return out


def needed(words: Iterable[str]) -> tuple[str, ...]:
    """The values that the formulas need, in the order in which PyTorch unpacks and checks them."""
    return tuple(sorted(set(words) - set(GRADS), key=lambda word: (word == "result", word)))


def camel(name: str) -> str:
    """The name in camel case: ``MaskedFill`` for ``masked_fill``."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


# ---- calling -------------------------------------------------------------------------------------


def call(op: Op, *args: Any, **kwargs: Any) -> Any:
    """Call an operation: bind, compute, wrap, record.

    By default a faster version of this runs, generated for each operation: see Note [Plain] in
    `declare/switch.py`.
    """
    values = op.signature.bind(args, kwargs)
    if not any_tensor(values):
        if not op.operands or op.lists or any(hasattr(v, "dtype") for v in values.values()):
            return op.kernel(**values)
        values = numbers_as_tensors(op, values)
    array, mixed = compute(op, values)
    outputs = [wrap(a) for a in array] if isinstance(array, (tuple, list)) else [wrap(array)]
    if op.formulas and wants_grad(op, values):
        attach(record(op, values, outputs, mixed), outputs)
    if not isinstance(array, (tuple, list)):
        return outputs[0]
    return kinds.named(op, outputs) if op.returns else tuple(outputs)


def numbers_as_tensors(op: Op, values: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call with no tensor, numbers as tensors: a few operations allow that."""
    made = dict(values)
    for name in op.operands:
        value = values[name]
        if op.name not in kinds.TAKE_NUMBERS or not isinstance(value, NUMBERS):
            raise TypeError(errors.argument_type(op, name, value))
        dtype = dtypes.of_number(value)
        made[name] = Tensor._make(kinds.scalar(value, dtype.numpy), dtype)
    return made


def any_tensor(values: dict[str, Any]) -> bool:
    """Whether an argument is a tensor, or a list or tuple that contains one."""
    for value in values.values():
        if isinstance(value, Tensor):
            return True
        if value.__class__ in (list, tuple) and any(isinstance(v, Tensor) for v in value):
            return True
    return False


def compute(op: Op, values: dict[str, Any]) -> tuple[Any, bool]:
    """The kernel's result on the values' arrays, and whether an operand had to be converted."""
    arrays = {}
    operands: list[Any] = []
    for name, value in values.items():
        if isinstance(value, Tensor):
            if name in op.operands:
                operands.append(value)
            value = value._array
        elif name in op.operands:
            if isinstance(value, NUMBERS) and name not in op.tensors_only:
                operands.append(value)
            elif name in op.lists:
                operands.extend(value)
                value = [t._array for t in value]
            elif value is not None:
                raise TypeError(errors.argument_type(op, name, value))
        elif value.__class__ in (list, tuple):
            value = type(value)(v._array if isinstance(v, Tensor) else v for v in value)
        arrays[name] = value
    if op.check is not None:
        op.check(**values)
    inputs = [arrays[name] for name in op.operands]  # as given: the result's strides follow theirs
    target = op.kind(operands, values, op)
    mixed = False
    if target is not None:
        mixed = target.reduced
        kernel_type = dtypes.float32.numpy if target.reduced else target.numpy
        for name in op.operands:
            value = arrays[name]
            if isinstance(value, list):
                mixed = mixed or any(a.dtype != kernel_type for a in value)
                arrays[name] = [kinds.cast(a, kernel_type) for a in value]
            elif value is not None and getattr(value, "dtype", None) is not kernel_type:
                mixed = mixed or getattr(value, "dtype", kernel_type) != kernel_type
                arrays[name] = modes.now.quiet(kinds.cast, value, kernel_type)
    if op.layout == "inputs" and len({getattr(a, "shape", ()) for a in inputs}) > 1:
        errors.check_broadcast(inputs)
    result = modes.now.quiet(op.kernel, **arrays)
    if target is not None and target.reduced:
        result = modes.now.quiet(kinds.shrink, result, target.numpy)
    return laid_out(op, result, inputs), mixed


def laid_out(op: Op, result: Any, inputs: list[Any]) -> Any:
    """A kernel's result (or results), with the strides that PyTorch gives such a result."""
    if isinstance(result, (tuple, list)):
        return tuple(laid_out(op, r, inputs) for r in result)
    if op.layout == "inputs":
        return layout.elementwise(result, inputs)
    return layout.kept(result) if op.layout == "kernel" else layout.owned(result)


def wrap(array: Any) -> Tensor:
    """A tensor over a kernel's result."""
    out = Tensor._make(array, dtypes.of_numpy(array.dtype))
    if modes.now.inference:
        out._more().inference = True
    return out


# ---- recording -----------------------------------------------------------------------------------


def wants_grad(op: Op, values: dict[str, Any]) -> bool:
    """Whether this call has to be recorded."""
    if not modes.now.grad:
        return False
    for name in op.formulas:
        value = values[name]
        for tensor in value if name in op.lists else (value,):
            if isinstance(tensor, Tensor) and tensor.requires_grad:
                return True
    return False


def record(
    op: Op,
    values: dict[str, Any],
    outputs: list[Tensor],
    mixed: bool = False,
    kept: dict[str, Any] | None = None,
) -> Node:
    """The node of one call, with its edges and what its formulas will need.

    `kept`: the values to save, if a write is about to change the inputs.
    """
    node: Any = new(op.Node)
    inputs: list[Tensor | None] = []
    needed = set(op.always)
    for name, names in op.needs.items():
        given = values[name] if name in op.lists else (values[name],)
        tensors = [t if isinstance(t, Tensor) else None for t in given]
        inputs += tensors
        if any(t is not None and edge(t) is not None for t in tensors):
            needed.update(names)
    shapes = [t._array.shape for t in outputs]
    several = op.several or len(outputs) > 1
    node.link(inputs, shapes if several else shapes[0], widest(outputs))
    if mixed or (op.holomorphic and outputs[0]._dtype.is_complex):
        node.more().mixed = True
    if modes.now.anomaly:
        node.more().remember()
    for name in node.saved:
        save(node, op, name, kept or values, outputs, name in needed)
    if modes.now.packing:
        modes.now.packing[-1](node)
    return node


def widest(outputs: list[Tensor]) -> Any:
    """The dtype of gradients: that of the outputs, complex if one of them is."""
    return next((t._dtype for t in outputs if t._dtype.is_complex), outputs[0]._dtype)


def save(node: Any, op: Op, name: str, values: dict, outputs: list[Tensor], needed: bool) -> None:
    """Put one value that the formulas need into the node; see Note [Saved versions]."""
    if name == "result":
        out = outputs[0]
        node.result_, node.cell, node.result_version = out._array, out._cell, out._version
        return
    if name not in node.tensors:
        setattr(node, name + "_", fact(name, values))
        return
    value = kept(outputs[op.returns.index(name)]) if name in op.returns else values[name]
    if not needed:
        value = None
    if isinstance(value, Tensor):
        if value.is_inference():
            raise RuntimeError(errors.INFERENCE_SAVED)
        setattr(node, name + "_version", value._version)
    else:
        setattr(node, name + "_version", -1)  # a Python number, or nothing
    setattr(node, name + "_", value)


def kept(output: Tensor) -> Tensor:
    """One of several outputs, to be saved: not the tensor itself if that will hold the node."""
    if output._dtype.category < FLOATING:
        return output
    output._share()
    twin = Tensor._make(output._array, output._dtype)
    twin._cell = output._cell
    return twin


def fact(name: str, values: dict) -> Any:
    """A saved value that is not a tensor: an argument, or a fact about one (`<argument>_shape`)."""
    if name in values:
        return values[name]
    argument, _, what = name.rpartition("_")
    value = values[argument]
    if isinstance(value, (list, tuple)):
        return [fact(f"one_{what}", {"one": v}) for v in value]
    if what == "offset":
        return value._offset() if isinstance(value, Tensor) else layout.offset_of(value)
    if not isinstance(value, Tensor):
        return getattr(value, what, ())
    return value._dtype if what == "dtype" else getattr(value._array, what)


def attach(node: Node, outputs: list[Tensor]) -> None:
    """Make `node` the history of its `outputs`, except of integer ones: they have no gradient."""
    for number, out in enumerate(outputs):
        if out._dtype.category >= FLOATING:
            out._node, out._output_nr, out._requires_grad = node, number, True
