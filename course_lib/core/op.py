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
from course_lib.core.graph import Node, OpNode, edge, next_order
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
        self.is_operand = tuple(name in self.operands for name in self.params)
        self.places = tuple(self.params.index(name) for name in self.operands if name in self.params)
        self.reached = tuple(self.params.index(name) for name in self.formulas)
        self.check_all = by_position(self.check, self.params)
        self.tails = {n: tuple(t.values()) for n, t in self.signature.tails.items()
                      if n <= self.signature.positional and not self.signature.varargs}
        self.product: Any = None
        self.extra = tuple(self.signature.defaults.get(n) for n in self.params[len(self.operands) :])
        self.savers = [(name, saver(self, name)) for name in self.Node.saved]

    def node_class(self) -> Any:
        """The class of this operation's nodes, with a slot for each value that formulas need."""
        every = [name for names in self.needs.values() for name in names]
        names = needed(every)
        # Saved whichever inputs need a gradient: what several formulas use, or the only formula.
        self.always = {n for n in names if len(self.needs) == 1 or every.count(n) > 1}
        known = {"result", *self.returns, *self.operands, *self.formulas, *self.saves}
        tensors = tuple(n for n in names if n in known)
        slots = [f"{n}_" for n in names] + [f"{n}_version" for n in tensors]
        common = set(OpNode.__slots__)  # `self`, `other` and `result` have slots in every node
        body = {
            "__slots__": tuple(slot for slot in slots if slot not in common),
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


def by_position(check: Any, params: tuple) -> Any:
    """A check as a function of all arguments in the order of the parameters."""
    if check is None:
        return None
    code = check.__code__
    if code.co_varnames[: code.co_argcount] == params and not code.co_kwonlyargcount:
        return check
    return lambda *values: check(**dict(zip(params, values)))


# ---- calling -------------------------------------------------------------------------------------


def call(op: Op, *args: Any, **kwargs: Any) -> Any:
    """Call an operation: bind, compute, wrap, record.

    A call that is plain enough does not come here: `quick` has made a shorter way for it.
    """
    tail = None if kwargs else op.tails.get(len(args))
    values = tuple(op.signature.bind(args, kwargs).values()) if tail is None else args + tail
    if not (isinstance(values[0], Tensor) or any_tensor(values)):
        if not op.operands or op.lists or any(hasattr(v, "dtype") for v in values):
            return op.kernel(**dict(zip(op.params, values)))
        values = numbers_as_tensors(op, values)
    array, mixed = compute(op, values)
    if array.__class__ is tuple or array.__class__ is list:
        outputs = [wrap(one) for one in array]
        if op.formulas and wants_grad(op, values):
            attach(record(op, values, outputs, mixed), outputs)
        return kinds.named(op, outputs) if op.returns else tuple(outputs)
    out = wrap(array)
    if op.formulas and wants_grad(op, values):
        out._node, out._requires_grad = record(op, values, [out], mixed), out._dtype.category >= FLOATING
        if not out._requires_grad:
            out._node = None
    return out


def any_tensor(values: Any) -> bool:
    """Whether a tensor is among the arguments, or in a list or tuple among them."""
    for value in values:
        if isinstance(value, Tensor):
            return True
    lists = [value for value in values if value.__class__ in (list, tuple)]
    return any(isinstance(one, Tensor) for value in lists for one in value)


def numbers_as_tensors(op: Op, values: tuple) -> tuple:
    """The arguments of a call with no tensor, numbers as tensors: a few operations allow that."""
    made = list(values)
    for at, (name, value) in enumerate(zip(op.params, values)):
        if name in op.operands:
            if op.name not in kinds.TAKE_NUMBERS or not isinstance(value, NUMBERS):
                raise TypeError(errors.argument_type(op, name, value))
            dtype = dtypes.of_number(value)
            made[at] = Tensor._make(kinds.scalar(value, dtype.numpy), dtype)
    return tuple(made)


# Rules that give tensors of one floating dtype that dtype, whatever the other arguments are.
KEEPING = ("promote", "float", "compare", "first", "spread")


def compute(op: Op, values: tuple) -> tuple[Any, bool]:
    """The kernel's result on the values' arrays, and whether an operand had to be converted."""
    arrays: list[Any] = []
    operands: list[Any] = []
    dtype, alike = None, op.kind_name in KEEPING  # whether one floating type serves all operands
    for value, is_operand in zip(values, op.is_operand):
        if isinstance(value, Tensor):
            if is_operand:
                operands.append(value)
                if value._dtype is not dtype:
                    alike, dtype = alike and dtype is None and value._dtype.plain, value._dtype
            arrays.append(value._array)
            continue
        if is_operand and value is not None:
            alike = False
            if op.lists and value.__class__ in (list, tuple):
                operands.extend(value)
                value = [t._array for t in value]
            elif isinstance(value, NUMBERS) and not op.tensors_only:
                operands.append(value)
            else:
                name = op.params[len(arrays)]
                if not isinstance(value, NUMBERS) or name in op.tensors_only:
                    raise TypeError(errors.argument_type(op, name, value))
                operands.append(value)
        elif value.__class__ is list or value.__class__ is tuple:
            value = type(value)([v._array if isinstance(v, Tensor) else v for v in value])
        arrays.append(value)
    if alike and op.product is not None and values[len(op.operands) :] == op.extra:
        array = modes.now.quiet(op.product, *arrays[: len(op.operands)])
        if array is not None:
            return array, False
    if op.check is not None:
        op.check_all(*values)
    inputs = arrays if len(op.operands) == len(arrays) else [arrays[at] for at in op.places]
    target, mixed = None, False
    if not alike:
        target = op.kind(operands, dict(zip(op.params, values)), op)
        if target is not None:
            inputs = list(inputs)
            mixed = convert(op, arrays, target)
    last, failure = op.signature.positional, None
    try:
        if last == len(arrays):
            result = modes.now.quiet(op.kernel, *arrays)
        else:
            named = dict(zip(op.params[last:], arrays[last:]))
            result = modes.now.quiet(op.kernel, *arrays[:last], **named)
    except ValueError as error:
        failure = error
    if failure is not None:
        if op.layout == "inputs":
            errors.check_broadcast(inputs)
        raise failure
    if target is not None and target.reduced:
        result = modes.now.quiet(kinds.shrink, result, target.numpy)
    return laid_out(op, result, inputs), mixed


def convert(op: Op, arrays: list[Any], target: Any) -> bool:
    """Cast the operands to the type to compute in; whether that changed one that has a dtype."""
    kernel_type, mixed = dtypes.float32.numpy if target.reduced else target.numpy, target.reduced
    for at in op.places:
        value = arrays[at]
        if isinstance(value, list):
            mixed = mixed or any(a.dtype != kernel_type for a in value)
            arrays[at] = [kinds.cast(a, kernel_type) for a in value]
        elif value is not None and getattr(value, "dtype", None) is not kernel_type:
            mixed = mixed or getattr(value, "dtype", kernel_type) != kernel_type
            arrays[at] = modes.now.quiet(kinds.cast, value, kernel_type)
    return bool(mixed)


def laid_out(op: Op, result: Any, inputs: list[Any]) -> Any:
    """A kernel's result (or results), with the strides that PyTorch gives such a result."""
    if result.__class__ is tuple or result.__class__ is list:
        return tuple([laid_out(op, r, inputs) for r in result])
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


def wants_grad(op: Op, values: tuple) -> bool:
    """Whether this call has to be recorded."""
    if not modes.now.grad:
        return False
    for at in op.reached:
        value = values[at]
        for tensor in (value,) if not op.lists else value if value.__class__ is list or value.__class__ is tuple else (value,):
            if isinstance(tensor, Tensor) and (
                tensor._requires_grad if tensor._view is None else tensor.requires_grad
            ):
                return True
    return False


def record(
    op: Op,
    values: tuple,
    outputs: list[Tensor],
    mixed: bool = False,
    kept: tuple | None = None,
) -> Node:
    """The node of one call, with its edges and what its formulas will need.

    `kept`: the values to save, if a write is about to change the inputs.
    """
    node: Any = new(op.Node)
    nodes, numbers, needed = [], [], set(op.always)
    for at, (name, names) in zip(op.reached, op.needs.items()):
        for tensor in values[at] if name in op.lists else (values[at],):
            to = edge(tensor) if isinstance(tensor, Tensor) else None
            nodes.append(to)
            numbers.append(0 if to is None else tensor._output_nr)
            if to is not None:
                needed.update(names)
    node.nodes, node.numbers, node.order = tuple(nodes), tuple(numbers), next_order()
    several = op.several or len(outputs) > 1
    node.shape = [t._array.shape for t in outputs] if several else outputs[0]._array.shape
    node.dtype, node.extras = widest(outputs), None
    if mixed or (op.holomorphic and node.dtype.is_complex):
        node.more().mixed = True
    if modes.now.anomaly:
        node.more().remember()
    given = kept or values
    for name, save in op.savers:
        save(node, given, outputs, name in needed)
    if modes.now.packing:
        modes.now.packing[-1](node)
    return node


def widest(outputs: list[Tensor]) -> Any:
    """The dtype of gradients: that of the outputs, complex if one of them is."""
    if len(outputs) == 1:
        return outputs[0]._dtype
    return next((t._dtype for t in outputs if t._dtype.is_complex), outputs[0]._dtype)


def saver(op: Op, name: str) -> Callable:
    """A function that puts one value that the formulas need into a node: Note [Saved versions]."""
    slot, version = f"{name}_", f"{name}_version"
    if name == "result":
        return save_result
    if name not in op.Node.tensors:
        if name in op.params:
            at = op.params.index(name)
            return lambda node, values, outputs, needed: setattr(node, slot, values[at])
        argument, _, what = name.rpartition("_")
        at = op.params.index(argument)

        def save_fact(node: Any, values: tuple, outputs: list[Tensor], needed: bool) -> None:
            value = values[at]
            if isinstance(value, Tensor) and (what == "shape" or what == "strides"):
                array = value._array
                setattr(node, slot, array.shape if what == "shape" else array.strides)
            else:
                setattr(node, slot, fact(name, {argument: value}))

        return save_fact
    number = op.returns.index(name) if name in op.returns else None
    at = op.params.index(name) if number is None else 0

    def save(node: Any, values: tuple, outputs: list[Tensor], needed: bool) -> None:
        value = None
        if needed:
            value = values[at] if number is None else kept(outputs[number])
        setattr(node, slot, value)
        if not isinstance(value, Tensor):
            setattr(node, version, -1)  # a Python number, or nothing
            return
        if value._extras is not None and value._extras.inference:
            raise RuntimeError(errors.INFERENCE_SAVED)
        setattr(node, version, 0 if value._cell is None else value._cell.value)

    return save


def save_result(node: Any, values: dict, outputs: list[Tensor], needed: bool) -> None:
    """Save the result: its array only, since the tensor holds the node."""
    out = outputs[0]
    node.result_, node.cell, node.result_version = out._array, out._cell, out._version


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
