"""Errors of gathering and scattering: indices, shapes and dtypes that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.words.errors.indexing import index_range, type_name_of
from course_lib.words.errors.sentence import Sentence, type_word
from course_lib.words.errors.shapes import broadcast, dim_range

INTEGERS = ("int64", "int32")


def word(tensor: Any) -> str:
    """A tensor's dtype as some messages name it: Float, Long …"""
    return type_word(tensor._dtype)


def named(tensor: Any) -> str:
    """The name of a tensor's dtype: float32, int64 …"""
    return tensor._dtype.name


def shape_of(tensor: Any) -> tuple:
    return tuple(tensor._array.shape)


def is_tensor(value: Any) -> bool:
    return hasattr(value, "_array")


def check_dim(dim: int, ndim: int) -> int:
    """The dimension counted from the front."""
    limit = max(ndim, 1)
    if not -limit <= dim < limit:
        raise IndexError(dim_range(dim, ndim))
    return dim % limit


def must_be_tensor(name: str, argument: str, position: int, value: Any) -> None:
    """Raise TypeError unless `value` is a tensor: Python numbers are not accepted here."""
    if not is_tensor(value) and not isinstance(value, (np.ndarray, np.generic)):
        raise TypeError(
            f"{name}(): argument '{argument}' (position {position}) must be Tensor, "
            f"not {type_name_of(value)}"
        )


def check_broadcast_shapes(one: tuple, two: tuple) -> None:
    text = broadcast(one, two)
    if text:
        raise RuntimeError(text)


# ---- ranges --------------------------------------------------------------------------------------


def outside(index: Any, low: int, size: int) -> Any:
    """The first index that is not in ``low … size - 1``; None if there is none."""
    if not np.size(index):
        return None
    if not low and index.dtype.char == "l" and index.__class__ is np.ndarray:
        least, most = 0, np.maximum.reduce(index.view(np.uint64), axis=None)  # -1 is large there
    else:
        least, most = (kernel.reduce(index, axis=None) for kernel in (np.minimum, np.maximum))
    if low <= least and most < size:
        return None
    return np.asarray(index)[(index < low) | (index >= size)].ravel()[0]


def check_select_range(index: Any, size: int) -> None:
    if isinstance(index, np.ndarray) and outside(index, 0, size) is not None:
        raise IndexError("index out of range in self")


def check_columns(index: Any, shape: tuple[int, ...], dim: int) -> None:
    """As `check_select_range`; PyTorch has a kernel of its own for dimension 1, with its words."""
    if dim != 1:
        return check_select_range(index, shape[dim])
    if isinstance(index, np.ndarray) and (wrong := outside(index, 0, shape[1])) is not None:
        text = f"INDICES element is out of DATA bounds, id={wrong} axis_dim={shape[1]}"
        raise RuntimeError(text)


def check_along(index: Any, dim: int, size: int) -> None:
    if (wrong := outside(index, 0, size)) is not None:
        raise RuntimeError(index_range(int(wrong), dim, size))


def check_copy_range(index: Any, dim: int, size: int) -> None:
    if (wrong := outside(index, 0, size)) is not None:
        raise IndexError("index_copy_(): " + index_range(int(wrong), dim, size))


def check_fill_range(index: Any, dim: int, size: int) -> None:
    if (wrong := outside(index, -size, size)) is not None:
        raise IndexError(index_range(int(wrong), dim, size))


# ---- reading -------------------------------------------------------------------------------------


def check_index_select(self: Any, dim: int, index: Any) -> None:
    must_be_tensor("index_select", "index", 2, index)
    check_dim(dim, len(shape_of(self)))
    if len(shape_of(index)) > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if not shape_of(self) and index._array.size != 1:
        raise RuntimeError(
            "index_select(): Index to scalar can have only 1 value, got "
            f"{index._array.size} value(s)"
        )
    if named(index) not in INTEGERS:
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")


def check_gather(self: Any, dim: int, index: Any, sparse_grad: bool) -> None:
    must_be_tensor("gather", "index", 2, index)
    shape, other = shape_of(self), shape_of(index)
    at = check_dim(dim, len(shape))
    if shape == other and named(index) in INTEGERS:
        return
    if not index._array.size:
        return
    if named(index) not in INTEGERS:
        raise RuntimeError("gather(): Expected dtype int32/int64 for index")
    if max(len(shape), 1) != max(len(other), 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    for d, (n, m) in enumerate(zip(other, shape, strict=False)):
        if d != at and n > m:
            raise RuntimeError(
                f"Size does not match at dimension {d} expected index {list(other)} to be no "
                f"larger than self {list(shape)} apart from dimension {at}"
            )


def take_along_argument(value: Any) -> str:
    kind = type_name_of(value)
    return f"take_along_dim(): argument 'indices' (position 1) must be Tensor, not {kind}"


take_along_dims = Sentence(
    "torch.take_along_dim(): input and indices should have the same number of dimensions, but "
    "got {ndim} dimensions for input, and {other} dimensions for indices"
)


def check_take_along(indices: Any) -> None:
    if named(indices) != "int64":
        raise RuntimeError(
            f"torch.take_along_dim(): dtype of indices should be Long but got {word(indices)}"
        )


# ---- writing to places of one dimension ----------------------------------------------------------


def without(shape: tuple, dim: int) -> tuple:
    return (*shape[:dim], *shape[dim + 1 :])


def check_index_add(self: Any, dim: int, index: Any, source: Any, alpha: Any) -> None:
    must_be_tensor("index_add", "index", 2, index)
    must_be_tensor("index_add", "source", 3, source)
    shape, other, places = shape_of(self), shape_of(source), shape_of(index)
    at = check_dim(dim, len(shape))
    if len(places) > 1:
        raise IndexError(
            f"index_add_(): Index is supposed to be a vector, but got dim: {len(places)} with "
            f"type: {word(index)} and size: {list(places)}"
        )
    if named(index) not in INTEGERS:
        raise RuntimeError(
            f"index_add_(): Expected dtype int32/int64 for index but got: {word(index)}"
        )
    if named(self) != named(source):
        raise RuntimeError(
            f"index_add_(): self ({word(self)}) and source ({word(source)}) must have the same "
            "scalar type"
        )
    if other and at >= len(other):
        raise RuntimeError(f"index_add_(): Indexing dim {at} is out of bounds of the source tensor")
    count = index._array.size
    if count != (other[at] if other else 1):
        raise RuntimeError(
            f"index_add_(): Number of indices ({count}) should be equal to source.size(dim): "
            f"({other[at] if other else 1}), for dim: {at}"
        )
    if len(shape) != len(other) or without(shape, at) != without(other, at):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {list(shape)} source.shape = {list(other)}"
        )


def check_index_copy(self: Any, dim: int, index: Any, source: Any) -> None:
    must_be_tensor("index_copy", "index", 2, index)
    must_be_tensor("index_copy", "source", 3, source)
    shape, other = shape_of(self), shape_of(source)
    at = check_dim(dim, len(shape))
    if len(shape_of(index)) > 1:
        raise IndexError(
            f"index_copy_(): Index should have dimension 1 or 0 (got {len(shape_of(index))})"
        )
    count = index._array.size
    if not other and count != 1:
        raise IndexError(
            f"index_copy_(): When source is scalar, index should have one element (got {count})"
        )
    if len(shape) != len(other) and shape and other:
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must "
            f"match. Source dimensionality ({len(other)}), destination dimensionality "
            f"({len(shape)})"
        )
    if named(index) != "int64":
        raise RuntimeError(
            f"index_copy_(): Expected a long tensor for index, but got {word(index)}"
        )
    if named(self) != named(source):
        raise RuntimeError(
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{word(self)} and (source) {word(source)}"
        )
    if without(shape, at) != without(other, at):
        one, two = without(shape, at), without(other, at)
        raise RuntimeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination "
            f"slice shape: {' '.join(map(str, one))} at dimension {at} and source slice shape: "
            f"{' '.join(map(str, two))} at dimension 0."
        )
    if other and count != other[at]:
        raise IndexError(
            f"index_copy_(): Number of indices ({count}) should be equal to source.size(dim) "
            f"({other[at]})"
        )


def check_index_fill(self: Any, dim: int, index: Any, value: Any) -> None:
    check_dim(dim, len(shape_of(self)))
    if named(index) != "int64":
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    if len(shape_of(index)) > 1:
        raise RuntimeError("Index has to be a vector/scalar")


# ---- scattering ----------------------------------------------------------------------------------


def check_scatter(
    self: Any, dim: int, index: Any, src: Any, reduce: Any = None, name: str = "scatter"
) -> None:
    shape, places = shape_of(self), shape_of(index)
    at = check_dim(dim, len(shape))
    if index._array.size and named(index) not in INTEGERS:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    if is_tensor(src) and named(self) != named(src):
        raise RuntimeError(f"{name}(): Expected self.dtype to be equal to src.dtype")
    if not index._array.size:
        return
    if max(len(shape), 1) != max(len(places), 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as self tensor")
    wide = any(d != at and n > m for d, (n, m) in enumerate(zip(places, shape, strict=False)))
    text = (
        f"Expected index {list(places)} to be no larger than self {list(shape)} apart from "
        f"dimension {at}"
    )
    if not is_tensor(src):
        if wide:
            raise RuntimeError(text)
        return
    other = shape_of(src)
    if max(len(other), 1) != max(len(places), 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    if wide or any(n > m for n, m in zip(places, other, strict=False)):
        raise RuntimeError(f"{text} and to be no larger size than src {list(other)}")


def check_scatter_add(self: Any, dim: int, index: Any, src: Any) -> None:
    must_be_tensor("scatter_add", "index", 2, index)
    must_be_tensor("scatter_add", "src", 3, src)
    check_scatter(self, dim, index, src)


def not_implemented(kernel: str, dtype: Any) -> NotImplementedError:
    return NotImplementedError(f"\"{kernel}\" not implemented for '{type_word(dtype)}'")


# ---- replacing a part ----------------------------------------------------------------------------
