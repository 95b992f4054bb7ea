"""The setters of `requires_grad`, `grad` and `data`, with `detach_`, and the rules for them.

`core/tensor.py` has the getters.
"""

import numpy as np

from course_lib.calls.rules import refuse, refuse_type
from course_lib.core.graph import Version, Window
from course_lib.core.tensor import Tensor
from course_lib.core.writes import seems_leaf
from course_lib.declare.methods import attach_as, guard_property
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.modes import modes
from course_lib.words import errors


def set_requires_grad(self: Tensor, value: bool) -> None:
    """Start or stop recording operations on a leaf: ``t.requires_grad = value``."""
    refuse(not isinstance(value, bool), errors.REQUIRES_GRAD_BOOL)
    if not seems_leaf(self):
        raise RuntimeError(errors.SWITCH_NON_LEAF if value else errors.SWITCH_OFF_NON_LEAF)
    refuse(value and self._dtype.category < dtypes.FLOATING, errors.ONLY_FLOATING_ATTRIBUTE)
    _switch(self, value)


def _switch(self: Tensor, value: bool) -> None:
    refuse(value and self.is_inference() and not modes.inference, errors.INFERENCE_REQUIRES_GRAD)
    self._requires_grad = value
    if self._view is not None and self._view.base is not None:
        self._view.leaf = value


def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Start (or stop) recording operations on this leaf; returns the tensor itself."""
    refuse(requires_grad and self._dtype.category < dtypes.FLOATING, errors.ONLY_FLOATING_METHOD)
    refuse(not seems_leaf(self) and not requires_grad, errors.SWITCH_OFF_NON_LEAF)
    if seems_leaf(self):
        _switch(self, bool(requires_grad))
    return self


def set_grad(self: Tensor, value: Tensor | None) -> None:
    """Replace the gradient: ``t.grad = value``; it must fit the tensor."""
    if value is None:
        if self._extras is not None:
            self._extras.grad = None
        return
    refuse_type(not isinstance(value, Tensor), errors.grad_must_be_tensor, value)
    refuse(value is self, errors.GRAD_IS_SELF)
    refuse(value._dtype is not self._dtype, errors.grad_of_other_dtype, value, self)
    refuse(value.device.type != self.device.type, errors.grad_on_other_device, value, self)
    refuse(value._array.shape != self._array.shape, errors.grad_of_other_size, value, self)
    self._more().grad = value


def clear_grad(param: Tensor, set_to_none: bool) -> None:
    """Set the gradient of a parameter to None, or to zeros without a history."""
    if param.grad is None or set_to_none:
        param.grad = None
        return
    if param.grad.grad_fn is not None:
        param.grad.detach_()
    else:
        param.grad.requires_grad_(False)
    param.grad.zero_()


def delete_grad(self: Tensor) -> None:
    """Forget the gradient: ``del t.grad``."""
    self.grad = None


def set_data(self: Tensor, value: Tensor) -> None:
    """Give the tensor other memory: ``t.data = value``; its history and identity stay."""
    refuse_type(not isinstance(value, Tensor), errors.data_must_be_tensor, value)
    refuse(value.device.type != self.device.type, errors.INCOMPATIBLE_DATA)
    if self._requires_grad and value._dtype.category < dtypes.FLOATING:
        raise RuntimeError(errors.DATA_INTEGER_REQUIRES_GRAD)
    value._share()
    self._share()
    if self._extras is not None and value._dtype is not self._dtype:
        self._extras.accumulator = None  # existing graphs keep the old one and its dtype
    self._array, self._dtype = value._array, value._dtype
    offset = value._offset()
    if self._view is not None and self._view.base is not None:
        self._view.offset = offset  # for its history, it is still a view
    elif self._view is not None or offset:
        self._view = Window(offset)


class Detached(Version):
    """The cell of a tensor that lost its history: a node that saved it has to check for that."""

    __slots__ = ()
    detached = True


def detach_(self: Tensor) -> Tensor:
    """Drop this tensor's own history, in place; returns the tensor itself."""
    refuse(self._view is not None and self._view.base is not None, errors.DETACH_VIEW)
    cell = self._share()  # the node may have saved this result and has to notice later writes
    if self._node is not None:
        cell.__class__ = Detached
        extras = self._node.extras
        if extras is not None and (hooks := extras.tensor.get(self._output_nr)):
            self._more().hooks = hooks  # they are the tensor's own, and stay if it gets a gradient
    self._node, self._output_nr, self._requires_grad = None, 0, False
    return self


def _clone_for(self: Tensor, leaf: Tensor) -> Tensor:
    """A copy of a gradient with history, in the layout of `leaf`, for its `.grad`."""
    if not layout.is_dense(leaf._array):
        return self.contiguous().clone()
    array = leaf._array if isinstance(leaf._array, np.ndarray) else np.asarray(leaf._array)
    out = Tensor._make(layout.strided(array.shape, array.strides, array.dtype), leaf._dtype)
    return out.copy_(self)


attach_as("_clone_for", _clone_for)
Tensor.requires_grad = Tensor.requires_grad.setter(set_requires_grad)
Tensor.grad = Tensor.grad.setter(set_grad).deleter(delete_grad)
Tensor.data = Tensor.data.setter(set_data)
attach_as("requires_grad_", requires_grad_)
attach_as("detach_", detach_)
for _name, _value in list(vars(Tensor).items()):
    if isinstance(_value, property):
        setattr(Tensor, _name, guard_property(_name, _value))
