"""Errors of joining, repeating and rearranging."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

EMPTY_CAT = "torch.cat(): expected a non-empty list of Tensors"
REPEAT_RANK = (
    "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
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
roll_align = Sentence("shifts and dimensions must align. shifts: {shifts}, dims:{dims}")
triangle_rank = Sentence("{name}: input tensor must have at least 2 dimensions")
