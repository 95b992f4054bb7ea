"""The `out=` form: a result written into an existing tensor."""

from typing import Any

from course_lib.calls.overloads import overloads
from course_lib.calls.return_types import return_type
from course_lib.calls.rules import refuse, refuse_type
from course_lib.core.careful import compute, wants_grad
from course_lib.core.op import Op
from course_lib.core.tensor import Tensor
from course_lib.core.writes import check_inplace, check_memory, copy_elements, write
from course_lib.dtypes import dtypes
from course_lib.memory import devices, fresh, layout
from course_lib.modes import modes
from course_lib.words import errors

APART = ("index_select", "cat", "stack", "gather")  # `out` may not be an input


def call_out(op: Op, args: tuple, kwargs: dict, out: Any) -> Any:
    """Call `op(…, out=out)`: returns `out`, resized first if it has another shape."""
    if op.name in ("sum_all", "prod_all") or not accepts_out(op.name):
        raise TypeError(op.name)  # the front replaces this message by PyTorch's
    values = op.signature.bind(args, kwargs)
    tracked = op.formulas and wants_grad(op, tuple(values.values()))
    targets = out if isinstance(out, (tuple, list)) else (out,)
    for target in targets:
        refuse_type(not isinstance(target, Tensor), errors.argument_type, op, "out", target)
        if modes.grad and op.formulas and (target.requires_grad or tracked):
            raise RuntimeError(errors.out_with_grad(op.name.removesuffix("_tensor")))
    if op.name in errors.COMPUTED_IN_OUT:
        given, wanted = targets[0]._dtype, values.get("dtype")
        refuse(wanted not in (None, given), errors.EXPECTED_OUT, wanted, given)
        if wanted is None and (op.name != "mean" or given.category >= dtypes.FLOATING):
            values = {**values, "dtype": given}
    if op.lists and not values[op.lists[0]]:
        op.kernel(**values)  # which refuses an empty list
    array, _ = compute(op, tuple(values.values()))
    arrays = array if isinstance(array, (tuple, list)) else (array,)
    for target, result in zip(targets, arrays, strict=True):
        check_out_memory(op, target, result, values)
    for number, (target, result) in enumerate(zip(targets, arrays, strict=True)):
        check_output(op.name, dtypes.of_numpy(result.dtype), target._dtype, number)
    for target, result in zip(targets, arrays, strict=True):
        if devices.of(result) != target.device:
            raise RuntimeError(errors.out_across(devices.of(result), target.device))
        write_out(target, result, alike=op.layout == "inputs")
    return return_type(op.name + "_out", op.returns)(targets) if op.returns else out


def check_out_memory(op: Op, target: Tensor, result: Any, values: dict) -> None:
    """Raise PyTorch's error if `target` shares memory with an input, or with itself, in a bad way.

    Operations on elements look before an `out` of another shape is resized, the others after.
    """
    shape, inputs = result.shape, [*values.values()]
    for name in op.lists:
        inputs += values[name]
    target._share()
    if op.name == "index_select":
        check_memory(target, inputs, apart=True)
    if op.layout != "inputs":
        resize(target, shape, result if op.layout == "kernel" else None)
    check_memory(target, inputs, apart=op.name in APART)
    if target._array.shape != shape and any(v is target for v in inputs):
        raise RuntimeError(errors.inplace_shape(target._array.shape, shape))


def check_output(name: str, made: Any, given: Any, number: int = 0) -> None:
    """Raise PyTorch's error if output `number`, of dtype `made`, may not go into one of `given`."""
    only_the_same = errors.SAME.get(f"{name}.{number}", errors.SAME.get(name))
    if only_the_same is not None:
        if made is not given:
            raise RuntimeError(only_the_same(made=made, given=given))
    elif name in ("all", "any") and given not in (dtypes.bool_, dtypes.uint8):
        raise RuntimeError(errors.only_bool_output(name, given))
    elif name == "cumsum" and given is dtypes.bool_:
        raise NotImplementedError(errors.no_kernel("cumsum_out_cpu", given))
    elif made.category > given.category:
        says = errors.HIGHER.get(name, errors.cannot_cast)(made=made, given=given, wanted=given)
        raise TypeError(says) if name in ("cat", "stack") else RuntimeError(says)


def accepts_out(name: str) -> bool:
    """Whether PyTorch's function of this name takes `out`; True if its signatures are not known."""
    lines = overloads("torch", name).lines
    return not lines or any("out=" in line for line in lines)


def into(out: Tensor | None, result: Tensor, name: str) -> Tensor:
    """`result`, or `out` with the result in it, by the rules of the operation `name`."""
    if out is None:
        return result
    check_output(name, result._dtype, out._dtype)
    write_out(out, result._array)
    return out


def write_out(target: Tensor, result: Any, alike: bool = False) -> None:
    """Write `result` into `target`, which is resized if its shape is different.

    With `alike` it gets the order of the result's elements then, else it becomes row-major.
    """
    check_inplace(target, recorded=False)
    resize(target, result.shape, result if alike else None)
    write(target, copy_elements, None, result)


def resize(target: Tensor, shape: tuple, like: Any) -> None:
    """Give `target` a shape; with a warning if it had elements and another shape."""
    if target._array.shape == shape:
        return
    if target._array.size:
        errors.warn(errors.resized_out(target._array.shape, shape))
    target._share()
    itemsize = target._dtype.itemsize
    strides = layout.contiguous_strides(shape, itemsize)
    if like is not None and layout.is_dense(like):
        strides = tuple(step // like.itemsize * itemsize for step in like.strides)
    target._array = fresh.resize_window(target._array, shape, strides, target._offset())
