"""Errors of conversions from a tensor to other objects, and back."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.sentence import Sentence

NUMPY_OF_TRACKED = (
    "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
)
NUMPY_OF_META = (
    "can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host "
    "memory first."
)
META_ITEM = "Tensor.item() cannot be called on meta tensors"
META_COPY = "Cannot copy out of meta tensor; no data!"
ONE_ELEMENT = "only one element tensors can be converted to Python scalars"
INDEX = "only integer tensors of a single element can be converted to an index"
SCALAR_OF_TRACKED = (
    "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
    "Consider using tensor.detach() first."
)
LEN_OF_SCALAR = "len() of a 0-d tensor"
ITERATE_SCALAR = "iteration over a 0-d tensor"
DEEPCOPY_OF_RESULT = (
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
    "the moment.  If you were attempting to deepcopy a module, this may be because of a "
    "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
)

# ---- numbers -------------------------------------------------------------------------------------

not_one_element = Sentence("a Tensor with {size} elements cannot be converted to Scalar")


def ambiguous_truth(size: int) -> str:
    values = "more than one value" if size else "no values"
    return f"Boolean value of Tensor with {values} is ambiguous"


python_overflow = Sentence("value cannot be converted to type {kind} without overflow")


def contains(element: Any) -> str:
    return (
        f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}."
    )


# ---- NumPy and other libraries -------------------------------------------------------------------


def numpy_of(dtype: Any) -> str:
    return f"Got unsupported ScalarType {dtype.legacy.removesuffix('Tensor')}"


flag_not_bool = Sentence("{op}(): argument '{name}' must be bool, not {value:type}")
