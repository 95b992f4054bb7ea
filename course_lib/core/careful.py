"""Any call of an operation, the unusual ones too: dtypes that differ, numbers, lists, errors.

Every call takes the same four steps.  Bind: which argument is which.  Compute: find the common
dtype and run the kernel on arrays.  Wrap: make a tensor of the result.  Record: if an input
requires grad, make a node that remembers what the formulas will need.  `calls.py` takes the same
steps for the commonest calls.  All rules and errors are here, except those of `op.check`.
"""

from typing import Any

import numpy as np

from course_lib.calls.return_types import return_type
from course_lib.core.graph import Node, edge
from course_lib.core.op import Op, save
from course_lib.core.tensor import Tensor, new
from course_lib.dtypes import dtypes, kinds
from course_lib.dtypes.dtypes import FLOATING
from course_lib.memory import layout, meta
from course_lib.memory.dims import broadcast
from course_lib.modes import modes
from course_lib.words import errors


def call(op: Op, *args: Any, **kwargs: Any) -> Any:
    """Call an operation: bind, compute, wrap, record."""
    tail = None if kwargs else op.tails.get(len(args))
    values = op.signature.placed(args, kwargs) if tail is None else args + tail
    if not (isinstance(values[0], Tensor) or any_tensor(values)):
        if not op.operands or op.lists or any(hasattr(value, "dtype") for value in values):
            return op.kernel(**dict(zip(op.params, values)))
        values = numbers_as_tensors(op, values)
    array, mixed = compute(op, values)
    several = array.__class__ is tuple
    outputs = [wrap(one) for one in array] if several else [wrap(array)]
    if op.formulas and wants_grad(op, values):
        attach(record(op, values, outputs, mixed), outputs)
    if not several:
        return outputs[0]
    return return_type(op.name, op.returns)(outputs) if op.returns else tuple(outputs)


def any_tensor(values: tuple) -> bool:
    """Whether a tensor is among the arguments, or in a list or tuple among them."""
    lists = [value if value.__class__ in (list, tuple) else (value,) for value in values]
    return any([isinstance(one, Tensor) for value in lists for one in value])


def numbers_as_tensors(op: Op, values: tuple) -> tuple:
    """The arguments of a call with no tensor, numbers as tensors: a few operations allow that."""
    made = list(values)
    for at in op.places:
        value = values[at]
        if op.name not in kinds.TAKE_NUMBERS or not isinstance(value, kinds.NUMBERS):
            raise TypeError(errors.argument_type(op, op.params[at], value))
        dtype = dtypes.of_number(value)
        made[at] = Tensor._make(kinds.scalar(value, dtype.numpy), dtype)
    return tuple(made)


# ---- computing -----------------------------------------------------------------------------------

PLAIN = {int, float, bool, str, type(None), dtypes.dtype}  # arguments that are no tensors
# Rules that give tensors of one floating dtype that dtype, whatever the other arguments are.
KEEPING = ("promote", "float", "compare", "first", "spread")
SINGLE = [{dtypes.float32}, {dtypes.float64}]  # the dtypes of a list that needs no cast


def compute(op: Op, values: tuple) -> tuple[Any, bool]:
    """The kernel's result on the values' arrays, and whether an operand had to be converted."""
    arrays, operands = [*values], []  # type: list[Any], list[Any]
    dtype, alike, numbers = None, op.kind_name in KEEPING, False  # `alike`: of one floating dtype
    for at in op.places:
        value = values[at]
        if isinstance(value, Tensor) and not op.lists:
            operands.append(value)
            arrays[at] = value._array
            if value._dtype is not dtype:
                alike, dtype = alike and dtype is None and value._dtype.plain, value._dtype
        elif value is not None:
            arrays[at] = value = number_or_list(op, value, operands, at)
            if value.__class__ is list:
                alike = alike and {tensor._dtype for tensor in operands} in SINGLE
            else:
                alike = alike and dtype is not None and value.__class__ in (int, float)
                numbers = True
    for at in op.others:
        value = values[at]
        if value.__class__ is list or value.__class__ is tuple:
            arrays[at] = type(value)([v._array if isinstance(v, Tensor) else v for v in value])
        elif value.__class__ not in PLAIN and isinstance(value, Tensor):
            arrays[at] = value._array
    if alike and not numbers and op.product is not None and values[len(op.operands) :] == op.extra:
        try:
            return modes.now.quiet(op.product, *arrays[: len(op.operands)]), False
        except Exception:  # whatever it is, the kernel meets it again, after the check
            pass
    if op.check is not None:
        op.check(*values)
    inputs = [arrays[at] for at in op.places]  # as given: the result's strides follow theirs
    target = dtype if numbers else None
    if not alike:
        target = op.kind(operands, dict(zip(op.params, values)), op)
    mixed = target is not None and convert(op, arrays, target)
    result = run_kernel(op, arrays, inputs)
    if target is not None and target.reduced:
        result = modes.now.quiet(kinds.shrink, result, target.numpy)
    return lay_out(op, result, inputs), mixed


def number_or_list(op: Op, value: Any, operands: list[Any], at: int) -> Any:
    """An operand that is no tensor, for the kernel; it is added to `operands`."""
    if op.lists and value.__class__ in (list, tuple):
        operands.extend(value)
        return [tensor._array for tensor in value]
    name = op.params[at]
    if not isinstance(value, kinds.NUMBERS) or name in op.tensors_only:
        raise TypeError(errors.argument_type(op, name, value))
    operands.append(value)
    return value


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


def run_kernel(op: Op, arrays: list[Any], inputs: list[Any]) -> Any:
    """The kernel's result; if NumPy refuses the shapes, PyTorch's error."""
    last = op.signature.positional
    named = dict(zip(op.params[last:], arrays[last:])) if len(arrays) > last else {}
    try:
        return modes.now.quiet(op.kernel, *arrays[:last], **named)
    except Exception as error:
        by_element, spoken = op.layout == "inputs", isinstance(error, RuntimeError)
        if not (by_element and isinstance(error, ValueError) or meta.mixed_devices(arrays)):
            raise
        if spoken and not (by_element and hasattr(Tensor, op.name.partition("_")[0])):
            raise  # a method says first on which device its `self` is
    if op.layout == "inputs":
        broadcast(*map(np.shape, inputs))  # after the handler, so that NumPy's error is not shown
    meta.check_devices(arrays)
    return modes.now.quiet(op.kernel, *arrays[:last], **named)


def lay_out(op: Op, result: Any, inputs: list[Any]) -> Any:
    """A kernel's result (or results), with the strides that PyTorch gives such a result."""
    if result.__class__ is tuple or result.__class__ is list:
        return tuple([lay_out(op, one, inputs) for one in result])
    if op.layout == "inputs":
        return layout.elementwise(result, inputs)
    return layout.keep_strides(result) if op.layout == "kernel" else layout.own_array(result)


def wrap(array: Any) -> Tensor:
    """A tensor over a kernel's result."""
    out = Tensor._make(array, dtypes.of_numpy(array.dtype))
    if modes.now.inference:
        out._more().inference = True
    return out


# ---- recording -----------------------------------------------------------------------------------


def wants_grad(op: Op, values: tuple) -> bool:
    """Whether this call has to be recorded."""
    for at, listed, _ in op.reached if modes.now.grad else ():
        for tensor in values[at] if listed else (values[at],):
            if isinstance(tensor, Tensor):
                if tensor._requires_grad if tensor._view is None else tensor.requires_grad:
                    return True
    return False


def record(
    op: Op, values: tuple, outputs: list[Tensor], mixed: bool = False, kept: tuple | None = None
) -> Node:
    """The node of one call, with its edges and what its formulas will need.

    `kept`: the values to save, if a write is about to change the inputs.
    """
    node: Any = new(op.Node)
    nodes, numbers, needed, now = [], [], op.always, modes.now
    for at, listed, names in op.reached:
        for tensor in values[at] if listed else (values[at],):
            to = edge(tensor) if isinstance(tensor, Tensor) else None
            nodes.append(to)
            numbers.append(0 if to is None else tensor._output_nr)
            if to is not None:
                needed += names
    shape, dtype = outputs[0]._array.shape, outputs[0]._dtype
    if op.several or len(outputs) > 1:  # gradients are complex if one of the outputs is
        shape = [out._array.shape for out in outputs]
        dtype = next((out._dtype for out in outputs if out._dtype.is_complex), dtype)
    node.enter(tuple(nodes), tuple(numbers), shape, dtype)
    if mixed or (op.holomorphic and dtype.category > FLOATING):
        node.more().mixed = True
    if now.anomaly:
        node.more().remember()
    save(node, kept or values, outputs, needed)
    if now.packing:
        now.packing[-1](node)
    return node


def attach(node: Node, outputs: list[Tensor]) -> None:
    """Make `node` the history of its `outputs`, except of integer ones: they have no gradient."""
    for number, out in enumerate(outputs):
        if out._dtype.category >= FLOATING:
            out._node, out._output_nr, out._requires_grad = node, number, True
