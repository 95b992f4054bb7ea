"""The `out=` form: a result written into an existing tensor."""

from __future__ import annotations

from functools import cache
from typing import Any

from course_lib.calls.overloads import overloads
from course_lib.calls.return_types import return_type
from course_lib.core.careful import compute, wants_grad
from course_lib.core.op import Op
from course_lib.core.tensor import Tensor
from course_lib.core.writes import check_inplace, check_memory, elements_of, write
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.memory.fresh import resized
from course_lib.modes import modes
from course_lib.words import errors

WITHOUT = frozenset("sum_all prod_all median_all nanmedian_all".split())  # of all elements
BEFORE = frozenset("index_select take masked_select".split())  # look before `out` is resized
APART = BEFORE | {"cat", "stack", "gather"}


def call_out(op: Op, args: tuple, kwargs: dict, out: Any) -> Any:
    """Call `op(…, out=out)`: returns `out`, resized first if it has another shape."""
    if op.name in WITHOUT or not accepts_out(op.name):
        raise TypeError(op.name)  # the front replaces this message by PyTorch's
    values = op.signature.bind(args, kwargs)
    tracked = op.formulas and wants_grad(op, tuple(values.values()))
    targets = out if isinstance(out, (tuple, list)) else (out,)
    for target in targets:
        if not isinstance(target, Tensor):
            raise TypeError(errors.argument_type(op, "out", target))
        if modes.grad and op.formulas and (target.requires_grad or tracked):
            raise RuntimeError(errors.out_with_grad(op.name))
    if op.name in errors.COMPUTED_IN_OUT:
        if values.get("dtype") is not None:
            errors.check_wanted(op.name, values["dtype"], targets[0]._dtype)
        elif op.name not in ("mean", "nansum") or targets[0]._dtype.category >= dtypes.FLOATING:
            values = {**values, "dtype": targets[0]._dtype}
    array, _ = compute(op, tuple(values.values()))
    arrays = array if isinstance(array, (tuple, list)) else (array,)
    name = errors.name_for_output(op)
    for target, result in zip(targets, arrays, strict=True):
        check_out_memory(op, target, result, values)
    for number, (target, result) in enumerate(zip(targets, arrays, strict=True)):
        errors.check_output(name, dtypes.of_numpy(result.dtype), target._dtype, number)
    for target, result in zip(targets, arrays, strict=True):
        put(target, result, alike=op.layout == "inputs")
    return return_type(op.name + "_out", op.returns)(targets) if op.returns else out


def check_out_memory(op: Op, target: Tensor, result: Any, values: dict) -> None:
    """Raise PyTorch's error if `target` shares memory with an input, or with itself, in a bad way.

    Operations on elements look before an `out` of another shape is resized, the others after.
    """
    shape = result.shape
    inputs = [
        one for name, value in values.items() for one in (value if name in op.lists else (value,))
    ]
    if op.name in BEFORE:
        target._share()
        check_memory(target, inputs, apart=True)
    if op.layout != "inputs":
        resize(target, shape, result if op.layout == "kernel" else None)
    target._share()
    check_memory(target, inputs, apart=op.name in APART)
    if target._array.shape != shape and any(v is target for v in inputs):
        raise RuntimeError(errors.inplace_shape(target._array.shape, shape))


@cache
def accepts_out(name: str) -> bool:
    """Whether PyTorch's function of this name takes `out`; True if its signatures are not known."""
    lines = overloads("torch", name).lines
    return not lines or any("out=" in line for line in lines)


def into(
    out: Tensor | None, result: Tensor, name: str, refused_by: str = "", strided: bool = False
) -> Tensor:
    """`result`, or `out` with the result in it, by the rules of the operation `name`.

    `refused_by`: the operation that refuses tracked tensors, as its message calls it, if one does.
    `strided`: new memory gets the strides of `result`.
    """
    if out is None:
        return result
    if refused_by and modes.grad and (result.requires_grad or out.requires_grad):
        raise RuntimeError(errors.out_with_grad(refused_by))
    errors.check_output(name, result._dtype, out._dtype)
    put(out, result._array, strided)
    return out


def put(target: Tensor, result: Any, alike: bool = False) -> None:
    """Write `result` into `target`, which is resized if its shape is different.

    With `alike` it gets the order of the result's elements then, else it becomes row-major.
    """
    check_inplace(target, recorded=False)
    resize(target, result.shape, result if alike else None)
    write(target, elements_of(result))


def resize(target: Tensor, shape: tuple, like: Any = None) -> None:
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
    target._array = resized(target._array, shape, strides, target._offset())
