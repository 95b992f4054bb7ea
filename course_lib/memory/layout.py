"""Shapes, strides and memory: PyTorch's rules, on NumPy arrays.

Strides count bytes here, as NumPy's do; `Tensor.stride()` divides by the item size.

Note [Owner]: every array of a tensor is either an *owner* (C-contiguous, its ``base`` is None) or a
window on one, made by `restride` (its ``base`` is that owner).  The owner is the storage.
"""

from operator import gt
from typing import Any

import numpy as np

Shape = tuple[int, ...]
ndarray = np.ndarray


def contiguous_strides(shape: Shape, itemsize: int) -> Shape:
    """Row-major strides in bytes; a dimension of size 0 counts as 1, as in PyTorch.

    >>> contiguous_strides((2, 0, 3), 4)
    (12, 12, 4)
    """
    strides = []
    step = itemsize
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def lies_in_rows(array: Any) -> bool:
    """Whether elements are row-major without gaps; dimensions of size 1 do not matter."""
    if array.__class__ is ndarray:
        return bool(array.flags.c_contiguous)
    wanted = contiguous_strides(array.shape, array.itemsize)
    pairs = zip(array.shape, array.strides, wanted, strict=True)
    return 0 in array.shape or all(n == 1 or step == row for n, step, row in pairs)


def restride(
    array: Any, shape: Shape, strides: Shape, offset: int, dtype: np.dtype | None = None
) -> Any:
    """A window on the memory of `array`: `offset` bytes from the start of its owner.

    With `dtype`, the memory is read as elements of that type.
    """
    if array.__class__ is not ndarray:
        return array.restride(shape, strides, offset, dtype)
    owner = array.base
    if owner.__class__ is not ndarray:  # None, or a `_Window`: then it is an owner itself
        owner = array
    wanted = dtype or array.dtype
    if 0 in shape:
        offset = min(offset, owner.nbytes)  # NumPy refuses an offset past the end
    if owner.dtype.kind == "V":  # bfloat16 has no buffer protocol: go through its bits
        owner = owner.view(np.uint16)
    if wanted.kind == "V":
        return ndarray(shape, np.uint16, owner, offset, strides).view(wanted)
    return ndarray(shape, wanted, owner, offset, strides)


def sharable(array: Any) -> Any:
    """`array` if it obeys Note [Owner], else one that does: in formulas, NumPy makes arrays too."""
    if array.__class__ is not ndarray:
        return array
    if owner(array).__class__ is ndarray and owner(array).flags.c_contiguous:
        return array
    return adopt(array) if min(array.strides, default=0) >= 0 else array.copy("C")


def owner(array: Any) -> Any:
    """The storage of an array: see Note [Owner]."""
    return array if array.base is None else array.base


def offset_of(array: Any) -> int:
    """Bytes from the start of the owner's memory to the first element of `array`."""
    if array.__class__ is not ndarray:
        return getattr(array, "offset", 0)
    owner = array.base
    if owner.__class__ is not ndarray or (array.nbytes == owner.nbytes and array.flags.forc):
        return 0  # all of the memory, without gaps; comparing addresses takes much longer
    return address(array) - address(owner)


def address(array: ndarray) -> int:
    """The memory address of the first element."""
    return array.__array_interface__["data"][0]


class _Window:
    """Memory that another array owns, offered to NumPy as one flat array."""

    def __init__(self, start: int, count: int, array: ndarray):
        self.keep = array  # the memory lives as long as the tensor
        self.__array_interface__ = {
            "data": (start, False),
            "shape": (count,),
            "typestr": array.dtype.str,
            "version": 3,
        }


def adopt(array: ndarray) -> ndarray:
    """An array over the same memory that obeys Note [Owner], whatever the base of `array` is."""
    span = extent(array.shape, array.strides, array.itemsize) // array.itemsize
    bits = array.view(np.uint16) if array.dtype.kind == "V" else array
    flat = np.asarray(_Window(address(array), span, bits)).view(array.dtype)
    return restride(flat, array.shape, array.strides, 0)


def extent(shape: Shape, strides: Shape, itemsize: int) -> int:
    """Bytes from the first element to the end of the last; 0 if there is none."""
    if 0 in shape:
        return 0
    return itemsize + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))


def own_array(array: Any) -> Any:
    """`array` if it can be an owner, else a row-major copy, since a kernel may return a view."""
    if array.__class__ is not ndarray:
        return array
    if array.size == 0:
        return empty(array.shape, array.dtype)
    if array.base is not None or not array.flags.c_contiguous:
        return array.copy("C")
    if 1 in array.shape and array.ndim > 1:  # NumPy's strides of size-1 dimensions are arbitrary
        strides = contiguous_strides(array.shape, array.itemsize)
        return array if array.strides == strides else restride(array, array.shape, strides, 0)
    return array


def keep_strides(array: Any) -> Any:
    """`array` with the strides its kernel gave it, as an owner or a window on one."""
    if array.size == 0 and array.base is None:
        return own_array(array)
    if array.__class__ is ndarray and array.base is None and not array.flags.c_contiguous:
        return like(array, array)
    return array


def like(value: Any, array: Any) -> Any:
    """A copy of `value` with the strides of `array` if that is dense, else in the same order."""
    if value.__class__ is not ndarray:
        return np.asarray(value) if isinstance(value, np.generic) else value.copy()
    rows = array.__class__ is not ndarray or array.ndim < 2
    if rows or array.strides == contiguous_strides(array.shape, array.itemsize):
        return value.copy("C") if value.base is None and value.size else own_array(value)
    copy = strided(array.shape, strides_like(array, value.itemsize), value.dtype)
    copy[...] = value
    return copy


def strides_like(array: Any, itemsize: int) -> Shape:
    """The strides of a dense array, or else dense ones in the order of its dimensions."""
    if 0 in array.shape or is_dense(array):
        return tuple([step // array.itemsize * itemsize for step in array.strides])
    return dense_strides(array.shape, itemsize, [array.strides])


def has_leaf_layout(grad: Any, array: Any) -> bool:
    """Whether a gradient has the layout of its leaf (row-major if the leaf is not dense)."""
    if grad.__class__ is not array.__class__:
        return isinstance(grad, np.generic)
    if not is_dense(array):
        return bool(grad.flags.c_contiguous)
    if grad.ndim > max(array.ndim, 1):  # the leaf's data has been replaced since
        return False
    pairs = zip(grad.shape, grad.strides, array.strides, strict=False)
    return all(n == 1 or s == t for n, s, t in pairs) and 0 not in grad.shape


def strided(shape: Shape, strides: Shape, numpy_dtype: np.dtype, make: Any = np.empty) -> ndarray:
    """New memory for exactly these sizes and strides, made by `empty` or `zeros` of NumPy's."""
    span = extent(shape, strides, numpy_dtype.itemsize) // numpy_dtype.itemsize
    return restride(make(span, numpy_dtype), shape, strides, 0)


def empty(shape: Shape, numpy_dtype: np.dtype) -> ndarray:
    """Uninitialised row-major memory with PyTorch's strides, even if a size is 0."""
    if 0 in shape:
        flat = np.empty(0, numpy_dtype)
        if flat.dtype.kind == "V":
            return empty(shape, np.dtype(np.uint16)).view(numpy_dtype)
        return ndarray(shape, numpy_dtype, flat, 0, contiguous_strides(shape, flat.itemsize))
    return np.empty(shape, numpy_dtype)


# ---- the layout of elementwise results -----------------------------------------------------------


def elementwise(result: Any, inputs: list[Any]) -> Any:
    """An elementwise result with PyTorch's strides; most results have them already."""
    if result.__class__ is not ndarray:
        return result
    if result.size == 0 or result.base is not None:
        return follow(result, inputs)
    if result.ndim > 1:
        if 1 in result.shape:
            for array in inputs:  # if all inputs have the result's strides, there is nothing to do
                if array.__class__ is ndarray and array.strides != result.strides:
                    return follow(result, inputs)
            return result if result.flags.c_contiguous else follow(result, inputs)
        for array in inputs:  # NumPy resolves a tie for the row-major input, PyTorch for the first
            if array.__class__ is ndarray and not array.flags.c_contiguous:
                if not (result.flags.c_contiguous and row_by_row(array, result.shape)):
                    return follow(result, inputs)
    return result  # row-major, as results of row-major arrays are


def row_by_row(array: ndarray, shape: Shape) -> bool:
    """Whether an array of that shape lies row by row, perhaps with gaps between the rows."""
    strides = array.strides
    return array.shape == shape and strides[-1] > 0 and all(map(gt, strides, strides[1:]))


def follow(result: Any, inputs: list[Any]) -> Any:
    """The `result` of an elementwise kernel, laid out as PyTorch does it for these inputs.

    Note [Layout of results]: suppose that every input has the result's shape.  If all are
    row-major, so is the result; if all have the same strides and are dense, so is the result.
    Otherwise the dimensions are sorted by the inputs' strides (a stride of 0 does not count), and
    the result is dense in that order.
    """
    shape, first = result.shape, inputs[0]
    if first.__class__ is ndarray and first.shape == shape and first.flags.c_contiguous:
        if 1 not in shape and 0 not in shape:  # the first input decides, and it is row-major
            return own_array(result)
    given = [a for a in inputs if a is not None]
    arrays = [a for a in given if isinstance(a, ndarray) and a.ndim]
    wanted = None
    if len(arrays) == len(given) and all(a.shape == shape for a in arrays):
        steps = [tuple(s // a.itemsize for s in a.strides) for a in arrays]
        if all(a.flags.c_contiguous for a in arrays):
            wanted = contiguous_strides(shape, result.itemsize)
        elif is_dense(arrays[0]) and all(one == steps[0] for one in steps):
            wanted = tuple(s * result.itemsize for s in steps[0])
    if wanted is None:
        wanted = dense_strides(shape, result.itemsize, [_align(a, shape) for a in arrays])
    if result.base is None and result.strides == wanted and result.flags.c_contiguous:
        return result
    laid = strided(shape, wanted, result.dtype)
    laid[...] = result
    return laid


def dense_strides(shape: Shape, itemsize: int, operands: list) -> Shape:
    """Strides of a dense result whose dimensions are sorted by the strides of its operands."""
    ndim = len(shape)
    order = list(range(ndim - 1, -1, -1))  # from the fastest dimension to the slowest

    def should_swap(one: int, two: int) -> int:
        for strides in operands:
            s1, s2 = strides[one], strides[two]
            if s1 == 0 or s2 == 0:
                continue
            if s1 < s2:
                return -1
            if s1 > s2:
                return 1
            if shape[one] > shape[two]:
                return 1
        return 0

    for i in range(1, ndim):
        j = i
        for k in range(i - 1, -1, -1):
            verdict = should_swap(order[k], order[j])
            if verdict > 0:
                order[k], order[j] = order[j], order[k]
                j = k
            elif verdict < 0:
                break
    if 0 in shape and order == list(range(ndim - 1, -1, -1)):
        return contiguous_strides(shape, itemsize)
    strides = [0] * ndim
    step = itemsize
    for dim in order:
        strides[dim] = step
        step *= shape[dim]  # NB: after a size of 0 all strides are 0, unless the order is row-major
    return tuple(strides)


def _align(array: ndarray, shape: Shape) -> list[int]:
    """Byte strides of `array` broadcast to `shape`; a broadcast dimension has stride 0."""
    missing = len(shape) - array.ndim
    strides = [0] * missing
    for dim, (size, stride) in enumerate(zip(array.shape, array.strides, strict=True)):
        strides.append(0 if size == 1 and shape[missing + dim] != 1 else stride)
    return strides


def is_dense(array: ndarray) -> bool:
    """Whether the elements fill a block of memory without gaps or overlap."""
    if array.__class__ is not ndarray:
        return True
    expected = array.itemsize
    for stride, size in sorted(zip(array.strides, array.shape, strict=True)):
        if size < 2:
            continue
        if stride != expected:
            return False
        expected *= size
    return True


# ---- geometry of views ---------------------------------------------------------------------------


def view_strides(shape: Shape, strides: Shape, new_shape: Shape, itemsize: int) -> Shape | None:
    """Strides with which `new_shape` shows the same memory, or None if it would need a copy.

    Walks from the last dimension; a run of dimensions without gaps is one chunk, and the new sizes
    must split each chunk exactly.
    """
    if 0 in shape:
        if shape == new_shape:
            return strides
        return contiguous_strides(new_shape, itemsize)
    if shape == new_shape and 1 not in shape:
        return strides
    if not shape or (1 not in shape and strides == contiguous_strides(shape, itemsize)):
        return contiguous_strides(new_shape, itemsize)  # the walk would find the same
    result = [0] * len(new_shape)
    view_d = len(new_shape) - 1
    chunk_base = strides[-1]
    tensor_numel = view_numel = 1
    for d in range(len(shape) - 1, -1, -1):
        tensor_numel *= shape[d]
        ends = d == 0 or (shape[d - 1] != 1 and strides[d - 1] != tensor_numel * chunk_base)
        if ends:
            while view_d >= 0 and (view_numel < tensor_numel or new_shape[view_d] == 1):
                result[view_d] = view_numel * chunk_base
                view_numel *= new_shape[view_d]
                view_d -= 1
            if view_numel != tensor_numel:
                return None
            if d > 0:
                chunk_base = strides[d - 1]
                tensor_numel = view_numel = 1
    return tuple(result) if view_d == -1 else None


def sum_to(array: Any, shape: Shape) -> Any:
    """The adjoint of broadcasting `shape` to the shape of `array`: sum over the copies (a view)."""
    if array.shape == shape:
        return array
    lead = array.ndim - len(shape)
    if shape and array.shape[lead:] == shape and array.__class__ is ndarray:
        return np.add.reduce(array, axis=tuple(range(lead)) if lead > 1 else 0).reshape(shape)
    axes = [*range(lead), *(d for d in range(lead, array.ndim) if shape[d - lead] == 1)]
    return array.sum(tuple(axes), keepdims=True).reshape(shape)


def overlaps_itself(array: ndarray) -> bool:
    """Whether two indices may refer to the same memory (as after `expand`)."""
    if 0 not in array.strides or not array.size:
        return False
    return any(stride == 0 and size > 1 for stride, size in zip(array.strides, array.shape))


def overlap(written: Any, read: Any, apart: bool) -> bool:
    """Whether two arrays overlap in part, or at all if they have to lie `apart`."""
    if written.__class__ is not ndarray or read.__class__ is not ndarray:
        return False
    if written is read:
        return apart and bool(read.size)
    if (written.base is None and read.base is None) or not np.may_share_memory(written, read):
        return False
    if not (is_dense(written) and is_dense(read)):
        return False  # PyTorch does not check this case
    if written.strides == read.strides and written.size == read.size and not apart:
        if address(written) == address(read):
            return False
    return np.shares_memory(written, read)


def expandable(shape: tuple, wide: tuple) -> bool:
    """Whether `shape` broadcasts to `wide`."""
    lead = len(wide) - len(shape)
    tail = wide[lead:]
    return lead >= 0 and (tail == shape or all([n in (1, w) for n, w in zip(shape, tail)]))
