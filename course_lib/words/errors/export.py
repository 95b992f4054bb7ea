"""Errors of conversions from a tensor to other objects, and back."""

from __future__ import annotations

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


ambiguous_truth = Sentence("Boolean value of Tensor with {count} is ambiguous")
python_overflow = Sentence("value cannot be converted to type {kind} without overflow")


contains = Sentence(
    "Tensor.__contains__ only supports Tensor or scalar, but you passed in a {element.__class__}."
)

# ---- NumPy and other libraries -------------------------------------------------------------------


numpy_of = Sentence("Got unsupported ScalarType {dtype:word}")
