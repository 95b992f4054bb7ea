"""Out of the tensor: text, Python numbers, NumPy arrays, and facts about the memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import dtypes, errors
from course_lib.facts.modes import modes
from course_lib.facts.printing import tensor_text

__all__ = []


def as_text(self: Tensor, *, tensor_contents: Any = None) -> str:
    """The text that `repr` and `print` show."""
    node = self.grad_fn
    text = tensor_text(
        self._array,
        self._dtype,
        default_dtype=dtypes.default_dtype(),
        device=self.device,
        requires_grad=self.requires_grad,
        grad_fn=None if node is None else type(node).__name__,
        contents=tensor_contents,
    )
    return text


def item(self: Tensor) -> Any:
    """The one element as a Python number.

    >>> torch.tensor([[2.5]]).item()
    2.5
    """
    if self._array.size != 1:
        raise RuntimeError(errors.not_one_element(self._array.size))
    return self._array.item()


def tolist(self: Tensor) -> Any:
    """The elements as nested lists of Python numbers, or as one number if 0-dim.

    >>> torch.tensor([[1, 2]]).tolist()
    [[1, 2]]
    """
    return self._array.tolist()


def numpy(self: Tensor, *, force: bool = False) -> np.ndarray:
    """The same memory as a NumPy array: writes show on both sides.

    Raises RuntimeError for a tensor that requires grad, unless `force` or inside `no_grad`.

    >>> torch.tensor([1, 2]).numpy()
    array([1, 2])
    """
    if self.requires_grad and modes.grad and not force:
        raise RuntimeError(errors.NUMPY_OF_TRACKED)
    self._share()
    return self._array


Tensor.__repr__ = as_text  # type: ignore[method-assign,assignment]
Tensor.item = item  # type: ignore[attr-defined]
Tensor.tolist = tolist  # type: ignore[attr-defined]
Tensor.numpy = numpy  # type: ignore[attr-defined]
