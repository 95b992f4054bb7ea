"""Dropout: in training, random elements are set to 0 and the others scaled up to compensate."""

from typing import Any

from course_lib.calls.overloads import overloads
from course_lib.calls.rules import refuse, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.ops.elementwise.arithmetic import mul
from course_lib.ops.make.random import sample_like
from course_lib.rng.samplers import bernoulli
from course_lib.words import errors


def drop(input: Any, p: float, training: bool, inplace: bool, shape: Any = None) -> Tensor:
    """The input times a mask of 0 and ``1 / (1 - p)``; without training, the input itself.

    If `shape` is given, the mask is drawn in this shape, and broadcast; else it is drawn in the
    input's memory order.
    """
    if not training or p == 0 or not input._array.size:
        return input
    if p == 1:
        mask = input.new_zeros(())
    elif shape is None:
        mask = sample_like(input, bernoulli, (1 - p,), {}).div_(1 - p)
    else:
        mask = sample_like(input.new_empty(shape), bernoulli, (1 - p,), {}).div_(1 - p)
    return input.mul_(mask) if inplace else mul(input, mask)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Elements set to 0 with probability `p`, the others divided by ``1 - p``.

    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.dropout(torch.ones(4))
    tensor([0., 0., 2., 0.])
    """
    check_probability(p)
    overloads("torch", "dropout").examine((input, p, training), {})
    return drop(input, p, training, inplace)


def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """`dropout` of whole channels of images.

    >>> torch.nn.functional.dropout2d(torch.ones(1, 1, 1, 2), 1.)
    tensor([[[[0., 0.]]]])
    """
    check_probability(p)
    shape = input._array.shape
    if len(shape) not in (3, 4):
        errors.warn(errors.dropout_dims(shape))
    if len(shape) == 3:
        errors.warn(errors.DROPOUT2D_SERIES)
    refuse(len(shape) < 2 and training and 0 < p < 1, errors.DROPOUT_FEATURES)
    return drop(input, p, training, inplace, (*shape[:2], *(1 for _ in shape[2:])))


def check_probability(p: float) -> None:
    """Raise unless `p` is a probability."""
    refuse_value(p < 0.0 or p > 1.0, errors.dropout_probability, p)
