"""What a linear layer computes: ``input @ weight.T + bias``, in as few operations as PyTorch."""

import math
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.memory import layout
from course_lib.ops.linalg.matmul import addmm, multiply_by_rank
from course_lib.words import errors


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    """The product of `input` with the transposed `weight`, plus `bias`.

    With a bias, it is one operation (`AddmmBackward0`); leading dimensions become rows first.

    >>> weight, bias = torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([10., 20.])
    >>> torch.nn.functional.linear(torch.tensor([1., 1.]), weight, bias)
    tensor([13., 27.])
    """
    array = input._array
    if not array.ndim or not weight._array.ndim:
        raise RuntimeError(errors.product_scalar("linear", array.ndim, weight._array.ndim))
    turned = weight.t()
    if bias is not None and weight._array.ndim == 2:
        if array.ndim == 2:
            return addmm(bias, input, turned)
        if layout.lies_in_rows(array):
            *lead, inner = array.shape
            rows = input.view(math.prod(lead), inner)
            return addmm(bias, rows, turned).view((*lead, turned._array.shape[-1]))
    elif bias is not None and as_rows(array, bias._array.ndim):
        raise RuntimeError(errors.addmm_rank("mat2", weight))
    result = multiply_by_rank(input, turned)
    return result if bias is None else result + bias


def as_rows(array: Any, bias_dims: int) -> bool:
    """Whether PyTorch adds the bias within the product, which takes no vector as a weight."""
    rows = array.ndim == 2 or (array.ndim == 3 and array.flags.c_contiguous)
    return bool(rows or (array.ndim == 1 and bias_dims))
