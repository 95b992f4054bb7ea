"""Collating: a list of samples becomes a batch of the same structure."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.ops.make.tensor import as_tensor, tensor
from course_lib.ops.shape.join import stack
from course_lib.words import errors

__all__ = ["default_collate", "default_convert"]


def default_convert(data: Any) -> Any:
    """The sample with its NumPy arrays and numbers as tensors, whatever holds them.

    >>> import numpy as np
    >>> torch.utils.data.default_convert({"x": np.array([1, 2]), "name": "a"})
    {'x': tensor([1, 2]), 'name': 'a'}
    """
    if isinstance(data, (np.ndarray, np.generic)) and not isinstance(data, np.str_):
        return data if data.dtype.kind in "SUO" else as_tensor(data)
    if isinstance(data, Mapping):
        return rebuilt_mapping(data, {key: default_convert(data[key]) for key in data})
    if isinstance(data, tuple):
        parts = [default_convert(one) for one in data]
        return type(data)(*parts) if hasattr(data, "_fields") else parts
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return rebuilt_sequence(data, [default_convert(one) for one in data])
    return data


def default_collate(batch: Any) -> Any:
    """The samples as one batch: tensors are stacked, numbers become a tensor; the rest goes along.

    >>> torch.utils.data.default_collate([(1, "a"), (2, "b")])
    [tensor([1, 2]), ('a', 'b')]
    """
    return collate(batch, collate_fn_map=default_collate_fn_map)


def collate(batch: Any, *, collate_fn_map: dict[Any, Callable] | None = None) -> Any:
    """The samples as one batch, leaves collated by the functions of a table of types."""
    first = batch[0]
    table = collate_fn_map or {}
    if type(first) in table:
        return table[type(first)](batch, collate_fn_map=table)
    for kind, function in table.items():
        if isinstance(first, kind):
            return function(batch, collate_fn_map=table)
    if isinstance(first, Mapping):
        parts = {key: collate([one[key] for one in batch], collate_fn_map=table) for key in first}
        return rebuilt_mapping(first, parts)
    if isinstance(first, Sequence):
        named = hasattr(first, "_fields")
        if not named and any(len(one) != len(first) for one in batch):
            raise RuntimeError(errors.BATCH_SIZES)
        columns = [collate(column, collate_fn_map=table) for column in zip(*batch, strict=False)]
        if isinstance(first, tuple):
            return type(first)(*columns) if named else columns
        return rebuilt_sequence(first, columns)
    raise TypeError(errors.uncollatable(type(first)))


def rebuilt_mapping(model: Any, parts: dict[Any, Any]) -> Any:
    """`parts` in a mapping like `model`; in a dict, where such a mapping cannot be made."""
    try:
        if isinstance(model, MutableMapping):
            clone = copy.copy(model)
            clone.update(parts)
            return clone
        return type(model)(parts)
    except TypeError:
        return parts


def rebuilt_sequence(model: Any, parts: list[Any]) -> Any:
    """`parts` in a sequence like `model`; in a list, where such a sequence cannot be made."""
    try:
        if isinstance(model, MutableSequence):
            clone = copy.copy(model)
            for place, part in enumerate(parts):
                clone[place] = part
            return clone
        return type(model)(parts)
    except TypeError:
        return parts


# ---- leaves --------------------------------------------------------------------------------------


def stacked(batch: Any, *, collate_fn_map: Any = None) -> Tensor:
    """Tensors of one shape, as rows of a new one."""
    return stack(batch, 0)


def stacked_arrays(batch: Any, *, collate_fn_map: Any = None) -> Any:
    """NumPy arrays, the same way."""
    if batch[0].dtype.kind in "SUO":
        raise TypeError(errors.uncollatable(batch[0].dtype))
    return collate([as_tensor(one) for one in batch], collate_fn_map=collate_fn_map)


default_collate_fn_map: dict[Any, Callable] = {
    Tensor: stacked,
    np.ndarray: stacked_arrays,
    (np.bool_, np.number, np.object_): lambda batch, *, collate_fn_map=None: as_tensor(batch),
    float: lambda batch, *, collate_fn_map=None: tensor(batch, dtype=dtypes.float64),
    int: lambda batch, *, collate_fn_map=None: tensor(batch),
    str: lambda batch, *, collate_fn_map=None: batch,
    bytes: lambda batch, *, collate_fn_map=None: batch,
}
