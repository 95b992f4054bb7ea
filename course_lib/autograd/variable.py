"""`Variable`: the class of tracked tensors until 2018, kept for old code."""

from typing import Any

from course_lib.calls.rules import refuse, refuse_type
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.words import errors


class _VariableMeta(type):
    def __instancecheck__(cls, other: Any) -> bool:
        return isinstance(other, Tensor)


class Variable(metaclass=_VariableMeta):
    """``Variable(data, requires_grad)``: a plain tensor over the memory of `data`.

    Every tensor passes `isinstance(t, Variable)`; no object of this class exists.

    >>> torch.autograd.Variable(torch.ones(2), requires_grad=True)
    tensor([1., 1.], requires_grad=True)
    """

    def __new__(cls, data: Any = None, requires_grad: bool = False, volatile: Any = None) -> Any:
        if volatile:
            errors.warn(errors.VOLATILE_ARGUMENT)
        if data is None:
            dtype = dtypes.default_dtype()
            data = Tensor._make(layout.empty((0,), dtype.numpy), dtype)
        refuse_type(not isinstance(data, Tensor), errors.data_must_be_tensor, data)
        out = data.detach()
        if requires_grad:
            refuse(data._dtype.category < dtypes.FLOATING, errors.ONLY_FLOATING_FACTORY)
            out.requires_grad_()
        return out


def volatile(self: Tensor) -> bool:
    """Always False, with a warning: the attribute was removed in PyTorch 0.4."""
    errors.warn(errors.VOLATILE_ATTRIBUTE)
    return False


def set_volatile(self: Tensor, value: Any) -> None:
    """Does nothing but warn."""
    errors.warn(errors.VOLATILE_ARGUMENT)


attach_as("volatile", property(volatile, set_volatile))
