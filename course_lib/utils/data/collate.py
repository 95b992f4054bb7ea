"""Collating: a list of samples becomes a batch of the same structure."""

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from course_lib.calls.rules import refuse, refuse_type
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
    if isinstance(data, (np.ndarray, np.number, np.bool_)):
        return data if data.dtype.kind in "SUO" else as_tensor(data)
    if isinstance(data, Mapping):
        return with_values(data, {key: default_convert(data[key]) for key in data})
    if isinstance(data, (tuple, list)):
        return in_columns(data, [default_convert(one) for one in data])
    return data


def default_collate(batch: Any) -> Any:
    """The samples as one batch: tensors are stacked, numbers become a tensor; the rest goes along.

    >>> torch.utils.data.default_collate([(1, "a"), (2, "b")])
    [tensor([1, 2]), ('a', 'b')]
    """
    first = batch[0]
    for kind, leaves in LEAVES:
        if isinstance(first, kind):
            return leaves(batch)
    if isinstance(first, Mapping):
        parts = {key: default_collate([one[key] for one in batch]) for key in first}
        return with_values(first, parts)
    if isinstance(first, Sequence):
        refuse(any(len(one) != len(first) for one in batch), errors.BATCH_SIZES)
        return in_columns(first, [default_collate(column) for column in zip(*batch, strict=True)])
    raise TypeError(errors.uncollatable(type(first)))


def with_values(model: Any, parts: dict[Any, Any]) -> Any:
    """`parts` in a mapping like `model`."""
    clone = copy.copy(model)
    clone.update(parts)
    return clone


def in_columns(model: Any, parts: list[Any]) -> Any:
    """`parts` in a named tuple like `model`, or as a list."""
    return type(model)(*parts) if hasattr(model, "_fields") else parts


def stack_arrays(batch: Any) -> Tensor:
    """NumPy arrays of one shape, as rows of a tensor."""
    refuse_type(batch[0].dtype.kind in "SUO", errors.uncollatable, batch[0].dtype)
    return stack([as_tensor(one) for one in batch], 0)


LEAVES: list[tuple[Any, Callable[[Any], Any]]] = [
    (Tensor, lambda batch: stack(batch, 0)),
    (np.ndarray, stack_arrays),
    (float, lambda batch: tensor(batch, dtype=dtypes.float64)),
    ((np.bool_, np.number), as_tensor),
    (int, tensor),
    ((str, bytes), lambda batch: batch),
]
