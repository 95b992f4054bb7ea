"""Errors of joining, repeating and rearranging."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

EMPTY_CAT = "torch.cat(): expected a non-empty list of Tensors"
REPEAT_RANK = (
    "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
)
NEGATIVE_REPEATS = "Repeats must be non-negative"
NEGATIVE_REPEAT = "repeats can not be negative"
REPEATS_RANK = "repeats must be 0-dim or 1-dim tensor"
MESHGRID_DTYPE = "meshgrid expects all tensors to have the same dtype"
REPEATS_META = "cannot repeat_interleave a meta tensor without output_size"
MESHGRID_DEVICE = "meshgrid expects all tensors to have the same device"
MESHGRID_EMPTY = "meshgrid expects a non-empty TensorList"
MESHGRID_INDEXING = (
    "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument."
)
ROLL = "`shifts` required"

empty_list = Sentence("{name} expects a non-empty TensorList")
element_type = Sentence("expected Tensor as element {at} in argument 0, but got {value:type}")
cat_scalar = Sentence("zero-dimensional tensor (at position {at}) cannot be concatenated")
cat_dims = Sentence("Tensors must have same number of dimensions: got {one} and {other}")
cat_sizes = Sentence(
    "Sizes of tensors must match except in dimension {dim}. Expected size {expected} but got "
    "size {size} for tensor number {at} in the list."
)
stack_sizes = Sentence(
    "stack expects each tensor to be equal size, but got {first:list} at entry 0 and "
    "{other:list} at entry {at}"
)
repeats_size = Sentence(
    "repeats must have the same size as input along dim, but got repeats.size(0) = {repeats} and "
    "input.size({dim}) = {size}"
)
roll_align = Sentence("shifts and dimensions must align. shifts: {shifts}, dims:{dims}")
triangle_rank = Sentence("{name}: input tensor must have at least 2 dimensions")
meshgrid_rank = Sentence(
    "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {ndim}"
)
meshgrid_unknown = Sentence(
    'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}'
)
REPEATS_ONE_DIM = "repeat_interleave only accept 1D vector as repeat"
