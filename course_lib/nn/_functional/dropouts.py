"""Dropout as functions: of single elements, or of whole channels."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.ops.layers import dropout as dropping
from course_lib.words import errors


def check_probability(p: float) -> None:
    """Raise unless `p` is a probability."""
    if p < 0.0 or p > 1.0:
        raise ValueError(errors.dropout_probability(p))


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Elements set to 0 with probability `p`, the others divided by ``1 - p``.

    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.dropout(torch.ones(4))
    tensor([0., 0., 2., 0.])
    """
    check_probability(p)
    return dropping.dropped(input, p, training, inplace)


def by_channel(input: Tensor, p: float, training: bool) -> tuple[int, ...]:
    """The shape of a mask that treats the elements of a channel alike."""
    shape = input._array.shape
    if len(shape) < 2 and training and 0 < p < 1:
        raise RuntimeError(errors.DROPOUT_FEATURES)
    return (*shape[:2], *(1 for _ in shape[2:]))


def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """`dropout` of whole channels of series.

    >>> torch.nn.functional.dropout1d(torch.ones(1, 2, 3), training=False)
    tensor([[[1., 1., 1.],
             [1., 1., 1.]]])
    """
    check_probability(p)
    if input._array.ndim not in (2, 3):
        raise RuntimeError(errors.dropout1d_dims(input._array.ndim))
    return of_channels(input, p, training, inplace, 3)


def dropout3d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """`dropout` of whole channels of volumes.

    >>> torch.nn.functional.dropout3d(torch.ones(1, 1, 1, 1, 2), 1.).flatten()
    tensor([0., 0.])
    """
    check_probability(p)
    if input._array.ndim not in (4, 5):
        errors.warn(errors.dropout_dims("dropout3d", input._array.ndim))
    return of_channels(input, p, training, inplace, 5)


def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """`dropout` of whole channels of images.

    >>> torch.nn.functional.dropout2d(torch.ones(1, 1, 1, 2), 1.)
    tensor([[[[0., 0.]]]])
    """
    check_probability(p)
    if input._array.ndim not in (3, 4):
        errors.warn(errors.dropout_dims("dropout2d", input._array.ndim))
    if input._array.ndim == 3:
        errors.warn(errors.DROPOUT2D_SERIES)
    return of_channels(input, p, training, inplace, 0)


def of_channels(input: Any, p: float, training: bool, inplace: bool, batched: int) -> Tensor:
    """Dropout of channels; an input that has not `batched` dimensions is one without a batch."""
    if batched and input._array.ndim != batched:
        found = of_channels(input.unsqueeze(0), p, training, inplace, 0)
        return found.squeeze(0)
    return dropping.dropped(input, p, training, inplace, by_channel(input, p, training))


def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Dropout for `selu`: mean and variance stay what they were.

    >>> torch.nn.functional.alpha_dropout(torch.ones(2))
    tensor([1., 1.])
    """
    check_probability(p)
    return dropping.alpha_dropped(input, p, training, inplace)


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """`alpha_dropout` of whole channels.

    >>> torch.nn.functional.feature_alpha_dropout(torch.ones(1, 2, 2))
    tensor([[[1., 1.],
             [1., 1.]]])
    """
    check_probability(p)
    return dropping.alpha_dropped(input, p, training, inplace, by_channel(input, p, training))
