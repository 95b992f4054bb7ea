"""Python's view of a tensor: numbers, truth, length, iteration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach
from course_lib.dtypes.dtypes import FLOATING
from course_lib.dtypes.kinds import NUMBERS
from course_lib.memory.meta import MetaArray
from course_lib.words import errors

__all__: list[str] = []

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


def only_number(self: Tensor, warn: bool) -> Any:
    """The only element, for `int`, `float` and `complex`."""
    if warn and self.requires_grad:
        errors.warn_once(errors.SCALAR_OF_TRACKED)
    if self._array.size != 1:
        raise ValueError(errors.ONE_ELEMENT)
    return item(self)


def real(value: Any, kind: str) -> Any:
    """A number without an imaginary part, which must be 0."""
    if isinstance(value, complex):
        if value.imag:
            raise RuntimeError(errors.python_overflow(kind))
        return value.real
    return value


def as_int(self: Tensor) -> int:
    """``int(x)``: the one element, rounded towards zero.

    >>> int(torch.tensor(2.7))
    2
    """
    return int(real(only_number(self, warn=False), "int64_t"))


def as_float(self: Tensor) -> float:
    """``float(x)``: the one element.

    >>> float(torch.tensor([2]))
    2.0
    """
    return float(real(only_number(self, warn=True), "double"))


def as_index(self: Tensor) -> int:
    """The only element as an integer, where Python needs an index.

    >>> [10, 20, 30][torch.tensor(1)]
    20
    """
    if self._array.size != 1 or self._dtype.category >= FLOATING:
        raise TypeError(errors.INDEX)
    return int(item(self))


def as_bool(self: Tensor) -> bool:
    """``bool(x)``: whether the only element is not zero; RuntimeError if there are several.

    >>> bool(torch.tensor(0.5))
    True
    """
    size = self._array.size
    if size != 1:
        raise RuntimeError(errors.ambiguous_truth(size))
    return bool(item(self))


# ---- many numbers --------------------------------------------------------------------------------


def tolist(self: Tensor) -> Any:
    """The elements as nested lists of Python numbers, or as one number if 0-dim.

    >>> torch.tensor([[1, 2]]).tolist()
    [[1, 2]]
    """
    if self._array.__class__ is MetaArray:
        raise NotImplementedError(errors.META_COPY)
    return self._array.tolist()


def length(self: Tensor) -> int:
    """``len(x)``: the size of the first dimension.

    >>> len(torch.zeros(3, 2))
    3
    """
    if not self._array.shape:
        raise TypeError(errors.LEN_OF_SCALAR)
    return int(self._array.shape[0])


def rows(self: Tensor) -> Iterator[Tensor]:
    """An iterator over the views that `unbind(0)` returns.

    >>> [row.tolist() for row in torch.tensor([[1, 2], [3, 4]])]
    [[1, 2], [3, 4]]
    """
    if not self._array.shape:
        raise TypeError(errors.ITERATE_SCALAR)
    return iter(self.unbind(0))


def backwards(self: Tensor) -> Tensor:
    """``reversed(x)``: a copy with the first dimension reversed.

    >>> reversed(torch.tensor([1, 2]))
    tensor([2, 1])
    """
    return self.flip(0) if self._array.shape else self


def contains(self: Tensor, element: Any) -> bool:
    """``element in x``: whether any element is equal to it.

    >>> 3 in torch.tensor([1, 2, 3])
    True
    """
    if not isinstance(element, (Tensor, *NUMBERS)):
        raise RuntimeError(errors.contains(element))
    return bool(item((self == element).any()))


attach(
    {
        "item": item,
        "tolist": tolist,
        "__int__": as_int,
        "__float__": as_float,
        "__index__": as_index,
        "__bool__": as_bool,
        "__len__": length,
        "__iter__": rows,
        "__reversed__": backwards,
        "__contains__": contains,
    }
)
