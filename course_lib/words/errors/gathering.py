"""Errors of gathering and scattering: indices, shapes and dtypes that do not fit."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

index_kind = Sentence("{name}(): Expected dtype {kinds} for index")
index_rank = Sentence("Index tensor must have the same number of dimensions as {which} tensor")
gather_sizes = Sentence(
    "Size does not match at dimension {at} expected index {index:list} to be no larger than self "
    "{shape:list} apart from dimension {dim}"
)
SCATTER_DTYPE = "scatter(): Expected self.dtype to be equal to src.dtype"
scatter_sizes = Sentence(
    "Expected index {index:list} to be no larger than self {shape:list} apart from dimension {dim}"
    " and to be no larger size than src {src:list}"
)

# ---- places along one dimension ------------------------------------------------------------------

INDEX_RANGE = "index out of range in self"
column_range = Sentence("INDICES element is out of DATA bounds, id={index} axis_dim={size}")
INDEX_SELECT_VECTOR = "index_select(): Index is supposed to be a vector"
index_of_scalar = Sentence(
    "index_select(): Index to scalar can have only 1 value, got {index._array.size} value(s)"
)
take_along_dims = Sentence(
    "torch.take_along_dim(): input and indices should have the same number of dimensions, but "
    "got {ndim} dimensions for input, and {other} dimensions for indices"
)
take_along_dtype = Sentence(
    "torch.take_along_dim(): dtype of indices should be Long but got {indices:word}"
)
index_add_vector = Sentence(
    "index_add_(): Index is supposed to be a vector, but got dim: {index.ndim} with type: "
    "{index:word} and size: {index:list}"
)
index_add_dtype = Sentence(
    "index_add_(): Expected dtype int32/int64 for index but got: {index:word}"
)
index_add_dtypes = Sentence(
    "index_add_(): self ({self:word}) and source ({source:word}) must have the same scalar type"
)
index_add_dim = Sentence("index_add_(): Indexing dim {dim} is out of bounds of the source tensor")
index_add_count = Sentence(
    "index_add_(): Number of indices ({count}) should be equal to source.size(dim): ({size}), for "
    "dim: {dim}"
)
index_add_shapes = Sentence(
    "source tensor shape must match self tensor shape, excluding the specified dimension. "
    "Got self.shape = {shape:list} source.shape = {source:list}"
)
INDEX_FILL_DTYPE = "index_fill_(): Expected dtype int64 for index."
INDEX_FILL_VECTOR = "Index has to be a vector/scalar"

# ---- order ---------------------------------------------------------------------------------------

SORT_COMPLEX = " Sort does not support complex dtypes on CPU"
TOPK_COMPLEX = " topk does not support complex dtypes on CPU"
TOPK_RANGE = "selected index k out of range"
TOPK_BOOL = "topk does not support bool dtypes on CPU"
isin_kind = Sentence("Unsupported input type encountered for isin(): {dtype:word}")
