"""A tensor as Python and NumPy see it: a number, a truth value, a list, an array, a text."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from course_lib.calls.rules import lacking, refuse, refuse_type, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach
from course_lib.dtypes import dtypes
from course_lib.dtypes.kinds import NUMBERS
from course_lib.memory import layout
from course_lib.memory.meta import MetaArray
from course_lib.modes import modes
from course_lib.words import errors
from course_lib.words.printing import tensor_text

# ---- one number ----------------------------------------------------------------------------------


def item(self: Tensor) -> Any:
    """The only element of a tensor, as a Python number without history.

    >>> torch.tensor([[2.5]]).item()
    2.5
    """
    array = self._array
    if array.size != 1:
        raise RuntimeError(errors.not_one_element(array.size))
    if array.__class__ is MetaArray:
        raise RuntimeError(errors.META_ITEM)
    return array.item()


def only_number(self: Tensor, warn: bool, kind: str = "") -> Any:
    """The only element; for a C type called `kind`, without an imaginary part, which must be 0."""
    if warn and self.requires_grad:
        errors.warn_once(errors.SCALAR_OF_TRACKED)
    refuse_value(self._array.size != 1, errors.ONE_ELEMENT)
    number = item(self)
    if not kind or not isinstance(number, complex):
        return number
    refuse(number.imag, errors.python_overflow, kind)
    return number.real


def __int__(self: Tensor) -> int:
    """``int(x)``: the one element, rounded towards zero.

    >>> int(torch.tensor(2.7))
    2
    """
    return int(only_number(self, False, "int64_t"))


def __float__(self: Tensor) -> float:
    """``float(x)``: the one element.

    >>> float(torch.tensor([2]))
    2.0
    """
    return float(only_number(self, True, "double"))


def __complex__(self: Tensor) -> complex:
    """``complex(x)``: the one element."""
    return complex(only_number(self, True))


def __index__(self: Tensor) -> int:
    """The only element as an integer, where Python needs an index.

    >>> [10, 20, 30][torch.tensor(1)]
    20
    """
    if self._array.size != 1 or self._dtype.category >= dtypes.FLOATING:
        raise TypeError(errors.INDEX)
    return int(item(self))


def __bool__(self: Tensor) -> bool:
    """``bool(x)``: whether the only element is not zero; RuntimeError if there are several.

    >>> bool(torch.tensor(0.5))
    True
    """
    size = self._array.size
    if size != 1:
        values = "more than one value" if size else "no values"
        raise RuntimeError(errors.ambiguous_truth(values))
    return bool(item(self))


# ---- many numbers --------------------------------------------------------------------------------


def tolist(self: Tensor) -> Any:
    """The elements as nested lists of Python numbers, or as one number if 0-dim.

    >>> torch.tensor([[1, 2]]).tolist()
    [[1, 2]]
    """
    lacking(self._array.__class__ is MetaArray, errors.META_COPY)
    return self._array.tolist()


def __len__(self: Tensor) -> int:
    """``len(x)``: the size of the first dimension.

    >>> len(torch.zeros(3, 2))
    3
    """
    if not self._array.shape:
        raise TypeError(errors.LEN_OF_SCALAR)
    return int(self._array.shape[0])


def __iter__(self: Tensor) -> Iterator[Tensor]:
    """An iterator over the views that `unbind(0)` returns.

    >>> [row.tolist() for row in torch.tensor([[1, 2], [3, 4]])]
    [[1, 2], [3, 4]]
    """
    refuse_type(not self._array.shape, errors.ITERATE_SCALAR)
    return iter(self.unbind(0))


def __reversed__(self: Tensor) -> Tensor:
    """``reversed(x)``: a copy with the first dimension reversed.

    >>> reversed(torch.tensor([1, 2]))
    tensor([2, 1])
    """
    return self.flip(0) if self._array.shape else self


def __contains__(self: Tensor, element: Any) -> bool:
    """``element in x``: whether any element is equal to it.

    >>> 3 in torch.tensor([1, 2, 3])
    True
    """
    refuse(not isinstance(element, (Tensor, *NUMBERS)), errors.contains, element)
    return bool(item((self == element).any()))


# ---- NumPy: one memory, two names ----------------------------------------------------------------


def numpy(self: Tensor, *, force: bool = False) -> np.ndarray:
    """A NumPy array over the same memory: a write to one changes the other.

    Raises RuntimeError for a tensor that requires grad, unless `force` or inside `no_grad`.

    >>> torch.tensor([1, 2]).numpy()
    array([1, 2])
    """
    if self._array.__class__ is MetaArray:
        lacking(force, errors.META_COPY)
        raise TypeError(errors.NUMPY_OF_META)
    refuse(self.requires_grad and modes.grad and not force, errors.NUMPY_OF_TRACKED)
    refuse_type(self._dtype is dtypes.bfloat16, errors.numpy_of, self._dtype)
    self._share()
    array = self._array
    if not array.size:  # as in PyTorch, an empty tensor has strides of 0
        return np.ndarray(array.shape, array.dtype, array, 0, (0,) * array.ndim)
    return array.view()  # a new array object: reshaping it does not affect the tensor


# NumPy calls the next two.  Their parameters are PyTorch's and lack those that NumPy 2 added, so
# NumPy warns of deprecation, with either library.


def __array__(self: Tensor, dtype: Any = None) -> np.ndarray:
    """The array that `np.asarray` gets: the same memory, or a copy of another dtype.

    >>> import numpy as np
    >>> np.asarray(torch.tensor([1., 2.]))
    array([1., 2.], dtype=float32)
    """
    array = numpy(self)
    return array if dtype is None else array.astype(dtype, copy=False)


def __array_wrap__(self: Tensor, array: np.ndarray) -> Tensor:
    """The result of a NumPy function of a tensor, as a tensor again."""
    return over(array.astype(np.uint8) if array.dtype == np.bool_ else array)


def over(array: np.ndarray) -> Tensor:
    """A tensor over the memory of `array`."""
    return Tensor._make(layout.sharable(array), dtypes.of_numpy(array.dtype))


# ---- text ----------------------------------------------------------------------------------------


def __repr__(self: Tensor, *, tensor_contents: str | None = None) -> str:
    """The text that `repr` and `print` show; `tensor_contents` replaces the text of the elements.

    >>> repr(torch.tensor([1., 2.]))
    'tensor([1., 2.])'
    """
    try:
        node = self.grad_fn
        grad_fn = None if node is None else type(node).__name__
    except RuntimeError:  # a view whose history cannot be rebuilt still has its elements
        grad_fn = "Invalid"
    kind = type(self)
    plain = kind is Tensor or kind.__name__ == "Parameter"
    return tensor_text(
        self._array,
        self._dtype,
        default_dtype=dtypes.default_dtype(),
        device=self.device,
        requires_grad=self._requires_grad,
        grad_fn=grad_fn,
        name="tensor" if plain else kind.__name__,
        contents=tensor_contents,
    )


def __format__(self: Tensor, format_spec: str) -> str:
    """A 0-dim tensor formats as its number; any other only without a `format_spec`.

    >>> f"{torch.tensor(1.5):.2f}"
    '1.50'
    """
    if not self._array.shape and type(self) is Tensor and self.device.type != "meta":
        return format(self._array.item(), format_spec)
    return object.__format__(self, format_spec)


NUMBER = (item, __int__, __float__, __complex__, __index__, __bool__)
SEVERAL = (tolist, __len__, __iter__, __reversed__, __contains__)
OTHERS = (numpy, __array__, __array_wrap__, __repr__, __format__)
attach({method.__name__: method for method in (*NUMBER, *SEVERAL, *OTHERS)})
