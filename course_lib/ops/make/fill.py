"""Writing into a tensor: one number everywhere, another tensor's elements, a kernel's results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.careful import wants_grad
from course_lib.core.op import Op
from course_lib.core.tensor import Tensor
from course_lib.core.writes import check_inplace, check_memory, record_write, write, writing
from course_lib.declare.fronts import common_first
from course_lib.declare.methods import attach_as
from course_lib.declare.op import TABLE, op, present_inplace
from course_lib.dtypes import dtypes, kinds
from course_lib.memory import layout
from course_lib.modes import modes
from course_lib.ops.elementwise.zeroing import blank
from course_lib.words import errors

__all__ = ["fill_", "zero_"]

# ---- kernels that write into what they are given -------------------------------------------------


def written(
    inplace: bool = True, expanded: str | None = "", copy: str = "like", **facts: Any
) -> Callable:
    """Declare an operation whose kernel writes into its first argument, and returns nothing.

    The trailing-underscore form runs the kernel on the tensor's own memory; the other form runs
    it on a copy.  A kernel checks its arguments before it writes.  `expanded` says what happens
    if several indices share an element: nothing special (None), a warning with this text, or by
    default an error.  `copy` names the strides of the copy: "contiguous",
    or by default those of a dense tensor whose dimensions are in the same order.
    """
    make = contiguous if copy == "contiguous" else lambda array: layout.like(array, array)

    def declare(kernel: Callable) -> Callable:
        def on_copy(self: Any, *args: Any, **kwargs: Any) -> Any:
            fresh = make(self)
            if fresh.__class__ is np.ndarray:
                kernel(fresh, *args, **kwargs)
            return fresh

        on_copy.__wrapped__ = kernel  # for its signature
        on_copy.__name__, on_copy.__doc__ = kernel.__name__, kernel.__doc__
        on_copy.__module__ = kernel.__module__
        function = op(kind="same", layout="kernel", inplace=False, **facts)(on_copy)
        made: Op = function.op

        def call_(*args: Any, **kwargs: Any) -> Tensor:
            return write_into(made, kernel, made.signature.bind(args, kwargs), expanded)

        if inplace:
            present_inplace(call_, kernel, made)
        function.write = call_
        return function

    return declare


def contiguous(array: Any) -> Any:
    """A row-major copy."""
    if isinstance(array, np.generic):
        return np.asarray(array)
    if array.__class__ is not np.ndarray:
        return array.copy()
    fresh = layout.empty(array.shape, array.dtype)
    fresh[...] = array
    return fresh


def write_into(
    made: Op, kernel: Callable, values: dict[str, Any], expanded: str | None = ""
) -> Tensor:
    """Run `kernel` on the memory of the first value; returns that tensor, its history rebased."""
    self = next(iter(values.values()))
    tracked = bool(made.formulas) and wants_grad(made, tuple(values.values()))
    recorded = tracked and self._dtype.category >= dtypes.FLOATING
    check_inplace(self, recorded)
    for name in made.operands:
        value = values[name]
        if value is not None and not isinstance(value, (Tensor, *kinds.NUMBERS)):
            raise TypeError(errors.argument_type(made, name, value).replace("(", "_(", 1))
    if made.check is not None:
        made.check(*values.values())
    check_sharing(made, values, expanded)
    mixed = any(isinstance(v, Tensor) and v._dtype is not self._dtype for v in values.values())
    node = record_write(made, values, mixed) if recorded else None

    def change(memory: Any) -> None:
        arrays = {n: v._array if isinstance(v, Tensor) else v for n, v in values.items()}
        kernel(**arrays)

    return write(self, change, node)


def check_sharing(made: Op, values: dict[str, Any], expanded: str | None) -> None:
    """Warn or raise if elements share memory, so that the order of writing decides the result."""
    self, *others = (value for name, value in values.items() if name != "value")
    array = self._array
    if expanded and array.__class__ is np.ndarray and layout.overlaps_itself(array):
        errors.warn(expanded)
    elif expanded is not None:
        # Where an index says what is written, PyTorch refuses also what overlaps entirely.
        by_index = not {"index", "indices"}.isdisjoint(made.saves)
        indices = others[0] if others and isinstance(others[0], tuple) else ()
        check_memory(self, (*others, *indices), apart=by_index)


# ---- a number, or a tensor -----------------------------------------------------------------------


def fits(value: Any, dtype: dtypes.dtype) -> Any:
    """A Python number, checked; RuntimeError if it lies outside of what `dtype` holds."""
    number = kinds.number(value)
    if not in_range(number, dtype):
        raise RuntimeError(errors.number_overflow(dtype))
    return number


def in_range(number: Any, dtype: dtypes.dtype) -> bool:
    """Whether PyTorch accepts a number for `dtype`; negative ones wrap around in unsigned types."""
    if dtype.category == dtypes.BOOL:
        return True
    if isinstance(number, complex):
        if dtype.category == dtypes.COMPLEX:
            return True
        if number.imag != 0:
            return False
        number = number.real
    if dtype.category == dtypes.INTEGER:
        bits = 8 * dtype.itemsize - dtype.is_signed
        high = 2**bits - 1
        low = -high - 1 if dtype.is_signed else 0 if isinstance(number, float) else -high
        return low <= number <= high  # False for nan
    if number.__class__ is not complex and number - number == 0 and dtype.is_floating_point:
        return abs(number) <= LARGEST.get(dtype.name, float("inf"))
    return True


LARGEST = {
    "float16": 65504.0,
    "bfloat16": 3.3895313892515355e38,
    "float32": 3.4028234663852886e38,
}


def scalar_value(value: Any) -> None:
    """A check: the value to fill with is a 0-dim tensor or a number."""
    if isinstance(value, Tensor) and value._array.ndim:
        raise RuntimeError(errors.fill_value_dims(value._array.ndim))


def scalar_like(value: Any, array: Any) -> Any:
    """A number or a 0-dim array in the dtype of `array`."""
    if isinstance(value, (bool, int, float, complex)):
        return kinds.scalar(value, array.dtype)
    return np.asarray(value).astype(array.dtype)


def fill_kernel(self: Any, value: Any) -> None:
    if isinstance(value, (bool, int, float, complex)):
        value = fits(value, dtypes.of_numpy(self.dtype))
    self[...] = scalar_like(value, self)


def filling(node: str, **formulas: Any) -> Callable:
    """`fill_` with a number or with a tensor of no dimensions."""
    return written(
        inplace=False,
        expanded=None,
        method=False,
        name="fill",
        node=node,
        operands=("self", "value"),
        self=lambda grad: blank(grad),
        **formulas,
    )(fill_kernel)


fill_number_ = filling("FillBackward2")
fill_tensor_ = filling(
    "FillBackward3", value=lambda grad: grad, refuses=lambda self, value: scalar_value(value)
)


def fill_(input: Tensor, value: Any) -> Tensor:
    """Write `value` (a number or a 0-dim tensor) into every element; returns the tensor itself.

    >>> torch.zeros(3).fill_(7)
    tensor([7., 7., 7.])
    """
    if isinstance(value, Tensor):
        return put_tensor(input, value)
    if not isinstance(value, kinds.NUMBERS):
        raise TypeError("fill_")
    return fill_number_.write(input, value)


def fill_with_tensor(input: Tensor, value: Tensor) -> Tensor:
    """`fill_` with a 0-dim tensor as the value."""
    check_inplace(input, modes.grad and (input.requires_grad or value.requires_grad))
    check_memory(input, ())  # PyTorch copies the value, and a copy refuses overlapping memory
    return fill_tensor_.write(input, value)


put_tensor = writing(fill_tensor_.op, fill_with_tensor, lambda memory, array: not array.shape)


def zero_kernel(self: Any) -> None:
    self[...] = 0


zeroed = written(
    inplace=False,
    expanded=None,
    method=False,
    name="zero",
    node="ZeroBackward0",
    self=lambda grad: blank(grad),
)(zero_kernel)


def zero_(input: Tensor) -> Tensor:
    """Write 0 into every element; returns the tensor itself.

    >>> torch.ones(3).zero_()
    tensor([0., 0., 0.])
    """
    return put_zero(input, 0)


put_zero = writing(zeroed.op, lambda input, zero: zeroed.write(input), alone=True)


def copy_kernel(self: Any, src: Any, non_blocking: bool = False) -> None:
    np.copyto(self, src, casting="unsafe")


def copying(expanded: str | None = "") -> Any:
    """The operation behind `copy_`."""
    function = written(
        inplace=False,
        expanded=expanded,
        method=False,
        name="copy",
        node="CopyBackwards",
        operands=("self", "src"),
        self=lambda grad: blank(grad),
        src=lambda grad: grad,
    )(copy_kernel)
    node = function.op.Node
    node.name = lambda node: "torch::autograd::CopyBackwards"
    return function


copied, copied_onto_itself = copying(), copying(expanded=None)


def copy_(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """Write the elements of `src`, broadcast and cast, into this tensor; returns the tensor itself.

    >>> torch.zeros(2, 2).copy_(torch.tensor([1, 2]))
    tensor([[1., 2.],
            [1., 2.]])
    """
    if not isinstance(src, Tensor):
        if not isinstance(src, kinds.NUMBERS):
            raise TypeError(errors.copy_argument(src))
        dtype = dtypes.of_number(kinds.number(src))
        src = Tensor._make(kinds.scalar(src, dtype.numpy), dtype)
    array = src._array
    check_inplace(self, modes.grad and (self.requires_grad or src.requires_grad))
    if src is self:
        return copied_onto_itself.write(self, src)
    check_memory(self, (src,))
    if array.shape != self._array.shape:
        errors.check_broadcast([self._array, array])
        wide = np.broadcast_shapes(self._array.shape, array.shape)
        if wide != self._array.shape:
            raise RuntimeError(errors.inplace_shape(self._array.shape, wide))
    if src._dtype.is_complex and not self._dtype.is_complex and self._dtype is not dtypes.bool_:
        errors.warn_once(errors.COMPLEX_TO_REAL)
        if src.requires_grad:
            src = src.real
        else:
            src = Tensor._make(array.real, src._dtype.to_real())
    return copied.write(self, src)


_common = writing(copied.op, copy_, lambda memory, array: memory.shape == array.shape)
copy_ = common_first(_common, 2, copy_)
attach_as("fill_", fill_)
attach_as("zero_", zero_)
attach_as("copy_", copy_)
for _name in ("fill", "zero", "copy"):
    TABLE.pop(_name)  # each stands for several forms
