"""Embeddings (rows of a table, looked up by number) and one-hot rows."""

from typing import Any

import numpy as np

from course_lib.calls.overloads import overloads
from course_lib.calls.rules import refuse
from course_lib.core.graph import Version
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.memory.meta import MetaArray
from course_lib.ops.elementwise.zeroing import keep_at
from course_lib.ops.layers import layer_op
from course_lib.ops.pick.index_put import add_elements
from course_lib.words import errors


def check_rows(weight: Any, indices: Any, padding_idx: int) -> None:
    """Raise unless every index is a row of the weight."""
    if not isinstance(indices, Tensor):
        raise TypeError(errors.other_argument("embedding", "indices", 2, "Tensor", indices))
    refuse(weight._array.ndim != 2, errors.EMBEDDING_WEIGHT)
    refuse(indices._dtype not in (dtypes.int64, dtypes.int32), errors.embedding_indices, indices)
    places, count = indices._array, weight._array.shape[0]
    if places.__class__ is not MetaArray and ((places < 0) | (places >= count)).any():
        raise IndexError(errors.INDEX_RANGE)


@layer_op(
    name="embedding",
    saves=("indices",),
    refuses=check_rows,
    shows={"weight_sym_sizes": ..., "scale_grad_by_freq": False, "sparse": False}
    | {"weight_sym_argsize_0": lambda node: node.weight_shape_[0]},
    weight=lambda grad, weight_shape, indices, padding_idx: rows_added(
        grad, indices, weight_shape, padding_idx
    ),
)
def rows(weight, indices, padding_idx):
    """The rows of `weight` at `indices`."""
    return weight.take(indices, axis=0)


@layer_op(
    node="EmbeddingDenseBackwardBackward0",
    saves=("indices",),
    self=lambda grad, indices, padding_idx: take_rows(grad, indices, padding_idx),
)
def rows_added(self, indices, shape, padding_idx):
    """The adjoint of looking up rows: each row but the padding is added where it came from."""
    flat, places = self.reshape(indices.size, shape[1]), indices.ravel()
    grad = np.zeros_like(self, shape=shape, order="C")
    add_elements(grad, places, flat)
    if padding_idx >= 0:
        grad[padding_idx] = 0
    return grad


def take_rows(grad: Any, indices: Any, padding_idx: int) -> Any:
    """The adjoint of `rows_added`."""
    found = rows(grad, indices, padding_idx)
    return found if padding_idx < 0 else keep_at(found, (indices != padding_idx)[..., None])


def embedding(input: Tensor, weight: Any, padding_idx: int | None = None) -> Tensor:
    """The rows of `weight` at the indices `input`.

    >>> table = torch.tensor([[1., 2.], [3., 4.]])
    >>> torch.nn.functional.embedding(torch.tensor([1, 0, 1]), table)
    tensor([[3., 4.],
            [1., 2.],
            [3., 4.]])
    """
    overloads("torch", "embedding").examine((weight, input), {})
    count = weight._array.shape[0] if weight._array.ndim else 0
    if padding_idx is not None and not -count <= padding_idx < max(count, padding_idx == 0):
        raise AssertionError(errors.PADDING_IDX)
    padding = -1 if padding_idx is None else padding_idx % count if count else padding_idx
    return rows(weight, input, padding)


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """For each number, a row of zeros with a one at that place; int64.

    >>> torch.nn.functional.one_hot(torch.tensor([2, 0]))
    tensor([[0, 0, 1],
            [1, 0, 0]])
    """
    refuse(tensor._dtype is not dtypes.int64, errors.ONE_HOT_TYPE)
    if tensor.is_meta and num_classes > 0:
        return tensor.new_empty((*tensor.shape, num_classes))
    array = np.asarray(tensor._array)
    refuse(not array.size and num_classes <= 0, errors.NO_CLASSES)
    refuse(np.min(array, initial=0) < 0, errors.NEGATIVE_CLASS)
    last = int(np.max(array, initial=-1))
    classes = last + 1 if num_classes == -1 else num_classes
    refuse(last >= classes, errors.LARGE_CLASS)
    rows = (array[..., None] == np.arange(classes)).astype(np.int64)
    made = Tensor._make(rows, dtypes.int64)
    made._cell = Version(2) if array.size else None  # PyTorch writes zeros first, then the ones
    return made
