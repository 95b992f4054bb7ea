"""Complex tensors seen as pairs of real numbers, and back."""

from typing import Any

import numpy as np

from course_lib.calls.rules import refuse
from course_lib.core.slices import AsStridedBackward0
from course_lib.core.views import View
from course_lib.declare.composite import composite
from course_lib.declare.methods import attach_as
from course_lib.declare.op import view_op
from course_lib.dtypes import dtypes
from course_lib.ops.elementwise.zeroing import is_complex
from course_lib.ops.make.clone import clone_in_rows
from course_lib.ops.pick.slices import select
from course_lib.words import errors

__all__ = ["imag", "real", "view_as_complex", "view_as_real"]


@view_op(method=False, self=lambda grad: view_as_complex(clone_in_rows(grad)))
def view_as_real(self):
    """A real view of a complex tensor: a last dimension of size 2 holds real and imaginary part.

    >>> torch.view_as_real(torch.tensor([1 + 2j]))
    tensor([[1., 2.]])
    """
    refuse(self.dtype.kind != "c", errors.REAL_VIEW_OF_REAL)
    half = self.itemsize // 2
    return (*self.shape, 2), (*self.strides, half), 0, np.dtype(f"f{half}")


@view_op(method=False, self=lambda grad: view_as_real(clone_in_rows(grad)))
def view_as_complex(self):
    """A complex view of a real tensor whose last dimension, of size 2, holds the two parts.

    >>> torch.view_as_complex(torch.tensor([[1., 2.]]))
    tensor([1.+2.j])
    """
    if self.dtype.name not in ("float32", "float64"):
        raise RuntimeError(errors.complex_dtype(dtypes.of_numpy(self.dtype)))
    refuse(not self.ndim, errors.COMPLEX_SCALAR)
    refuse(self.shape[-1] != 2, errors.COMPLEX_LAST)
    *steps, last = (stride // self.itemsize for stride in self.strides)
    refuse(last != 1, errors.COMPLEX_STRIDE)
    refuse(any(step % 2 for step in steps), errors.COMPLEX_STRIDES)
    return self.shape[:-1], self.strides[:-1], 0, np.dtype(f"c{2 * self.itemsize}")


@composite(method=False)
def real(self: Any) -> Any:
    """A view of the real parts; for a real tensor, the tensor itself.

    >>> torch.tensor([1 + 2j]).real
    tensor([1.])
    """
    return select(view_as_real(self), self.ndim, 0) if is_complex(self) else self


@composite(method=False)
def imag(self: Any) -> Any:
    """A view of the imaginary parts.

    >>> torch.tensor([1 + 2j]).imag
    tensor([2.])
    """
    refuse(not is_complex(self), errors.IMAG_OF_REAL)
    return select(view_as_real(self), self.ndim, 1)


attach_as("real", property(real, lambda self, value: real(self).copy_(value)))
attach_as("imag", property(imag, lambda self, value: imag(self).copy_(value)))


def rebuilt(base: Any, tensor: Any) -> Any:
    """The history of a stale view: Note [Rebuilding a stale view].

    A view that reads the memory as another dtype is more than a window; the course refuses it.
    """
    if base._dtype is not tensor._dtype:
        raise NotImplementedError(errors.absent("a history of x.real after a write to x"))
    return AsStridedBackward0(base, tensor)


View.rebuilt = staticmethod(rebuilt)
