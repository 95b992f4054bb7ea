"""Writing into a tensor: one number everywhere, another tensor's elements, a kernel's results."""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.calls.rules import Rule, refuse
from course_lib.core.careful import wants_grad
from course_lib.core.op import Op
from course_lib.core.tensor import Tensor
from course_lib.core.writes import check_inplace, check_memory, record_write, write, writing
from course_lib.declare.fronts import present
from course_lib.declare.methods import attach_as
from course_lib.declare.op import TABLE, op, present_inplace
from course_lib.dtypes import dtypes, kinds
from course_lib.dtypes.limits import LARGEST
from course_lib.memory import dims, layout
from course_lib.modes import modes
from course_lib.ops.elementwise.zeroing import blank
from course_lib.words import errors

__all__ = ["fill_", "zero_"]

# ---- kernels that write into what they are given -------------------------------------------------


def declare_filling(
    inplace: bool = True, expanded: str | None = "", copy: str = "like", **facts: Any
) -> Callable:
    """Declare an operation whose kernel writes into its first argument, and returns nothing.

    The trailing-underscore form runs the kernel on the tensor's own memory; the other form runs
    it on a copy.  A kernel checks its arguments before it writes.  `expanded` says what happens
    if several indices share an element: nothing special (None), a warning with this text, or by
    default an error.  `copy` names the strides of the copy: "contiguous",
    or by default those of a dense tensor whose dimensions are in the same order.
    """

    def declare(kernel: Callable) -> Callable:
        @functools.wraps(kernel)
        def on_copy(self: Any, *args: Any, **kwargs: Any) -> Any:
            fresh = layout.like(self, None if copy == "contiguous" else self)
            if fresh.__class__ is np.ndarray:
                kernel(fresh, *args, **kwargs)
            return fresh

        function = op(kind="same", layout="kernel", inplace=False, **facts)(on_copy)
        made: Op = function.op

        def call_(*args: Any, **kwargs: Any) -> Tensor:
            return write_into(made, kernel, made.signature.bind(args, kwargs), expanded)

        if inplace:
            present_inplace(call_, made)
        function.write = call_
        return function

    return declare


def write_into(made: Op, kernel: Callable, values: dict[str, Any], expanded: str | None) -> Tensor:
    """Run `kernel` on the memory of the first value; returns that tensor, its history rebased."""
    self = next(iter(values.values()))
    tracked = bool(made.formulas) and wants_grad(made, tuple(values.values()))
    recorded = tracked and self._dtype.category >= dtypes.FLOATING
    check_inplace(self, recorded)
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
    if expanded and isinstance(self._array, np.ndarray) and layout.overlaps_itself(self._array):
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
    refuse(not in_range(number, dtype), errors.number_overflow, dtype)
    return number


def in_range(number: Any, dtype: dtypes.dtype) -> bool:
    """Whether PyTorch accepts a number for `dtype`; negative ones wrap around in unsigned types."""
    if dtype.category in (dtypes.BOOL, dtypes.COMPLEX):
        return True
    if isinstance(number, complex) and number.imag != 0:
        return False
    number = number.real
    if dtype.category == dtypes.INTEGER:
        high = 2 ** (8 * dtype.itemsize - dtype.is_signed) - 1
        low = -high - 1 if dtype.is_signed else 0 if isinstance(number, float) else -high
        return low <= number <= high  # False for nan
    return not math.isfinite(number) or abs(number) <= LARGEST[dtype.name]


def number_in(value: Any, dtype: dtypes.dtype) -> Any:
    """A number as an element of a dtype; of 16 bits by way of float32, as in C++."""
    number = fits(value, dtype)
    if dtype.reduced:
        number = kinds.scalar(number, dtypes.float32.numpy)
    return kinds.scalar(number, dtype.numpy)


def scalar_like(value: Any, array: Any) -> Any:
    """A number or a 0-dim array in the dtype of `array`."""
    if isinstance(value, (bool, int, float, complex)):
        return kinds.scalar(value, array.dtype)
    return np.asarray(value).astype(array.dtype)


def fill_kernel(self: Any, value: Any) -> None:
    if not hasattr(value, "shape"):
        value = fits(value, dtypes.of_numpy(self.dtype))
    self[...] = scalar_like(value, self)


filling = functools.partial(declare_filling, inplace=False, method=False)
filled = functools.partial(
    filling, name="fill", operands=("self", "value"), self=lambda grad: blank(grad)
)
fill_number = filled(node="FillBackward2", expanded=None)(fill_kernel)
fill_tensor = filled(
    node="FillBackward3",
    value=lambda grad: grad,
    refuses=Rule(lambda value: value._array.ndim, errors.fill_value_dims),
)(fill_kernel)


def fill_(input: Tensor, value: Any) -> Tensor:
    """Write `value` (a number or a 0-dim tensor) into every element; returns the tensor itself.

    >>> torch.zeros(3).fill_(7)
    tensor([7., 7., 7.])
    """
    if isinstance(value, Tensor):
        return put_tensor(input, value)
    return fill_number.write(input, value)


put_tensor = writing(fill_tensor.op, fill_tensor.write, lambda memory, array: not array.shape)


@filling(expanded=None, name="zero", self=lambda grad: blank(grad))
def zeroed(self: Any) -> None:
    self[...] = 0


def zero_(input: Tensor) -> Tensor:
    """Write 0 into every element; returns the tensor itself.

    >>> torch.ones(3).zero_()
    tensor([0., 0., 0.])
    """
    return put_zero(input, 0)


put_zero = writing(zeroed.op, lambda input, zero: zeroed.write(input), alone=True)


@filling(
    expanded=None,
    name="copy",
    node="CopyBackwards",
    self=lambda grad: blank(grad),
    src=lambda grad: grad,
)
def copied(self: Any, src: Any, non_blocking: bool = False) -> None:
    np.copyto(self, src, casting="unsafe")


copied.op.Node.name = lambda node: "torch::autograd::CopyBackwards"


def copy_(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """Write the elements of `src`, broadcast and cast, into this tensor; returns the tensor itself.

    >>> torch.zeros(2, 2).copy_(torch.tensor([1, 2]))
    tensor([[1., 2.],
            [1., 2.]])
    """
    if not isinstance(src, Tensor):
        dtype = dtypes.of_number(kinds.number(src))
        src = Tensor._make(kinds.scalar(src, dtype.numpy), dtype)
    array = src._array
    check_inplace(self, modes.grad and (self.requires_grad or src.requires_grad))
    if src is not self:
        check_memory(self, (src,))
    if array.shape != self._array.shape:
        wide = dims.broadcast(self._array.shape, array.shape)
        refuse(wide != self._array.shape, errors.inplace_shape, self._array.shape, wide)
    if src._dtype.is_complex and not self._dtype.is_complex and self._dtype is not dtypes.bool_:
        errors.warn_once(errors.COMPLEX_TO_REAL)
        src = src.real if src.requires_grad else Tensor._make(array.real, src._dtype.to_real())
    return copied.write(self, src)


copy_ = present(writing(copied.op, copy_, lambda one, other: one.shape == other.shape), copy_)
for _name, _method in {"fill_": fill_, "zero_": zero_, "copy_": copy_}.items():
    attach_as(_name, _method)
    TABLE.pop(_name[:-1])  # each stands for several forms
