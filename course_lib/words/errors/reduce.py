"""Errors of reductions, scans and sorting."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

BINCOUNT_INPUT = "bincount only supports 1-d non-negative integral inputs."
BINCOUNT_LENGTH = "minlength should be >= 0"
BINCOUNT_WEIGHTS = "weights should be 1-d and have the same length as input"
DIFF_OF_SCALAR = "diff expects input to be at least one-dimensional"
COMPLEX_INPUT = Sentence("{name}(): does not support complex input")
BOOL_INPUT = Sentence("{name}(): does not support bool input")

SPREAD_OF_INTEGERS = "std and var only support floating point and complex dtypes"
too_few_degrees = Sentence(
    "{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction "
    "factor (input numel divided by output numel)."
)
empty_reduction = Sentence("{name}(): Expected reduction dim {dim} to have non-zero size.")
empty_argument = Sentence(
    "{name}(): Expected reduction dim to be specified for input.numel() == 0."
)
empty_without_dim = Sentence(
    "{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
    "reduction dim with the 'dim' argument."
)
negative_order = Sentence("order must be non-negative but got {n}")
not_expandable = Sentence("size {{{size:list}}} is not expandable to size {{{shape:list}}}.")
# A number as C++ prints it.
shown = Sentence("{number:g}")

# ---- checks that a declaration names -------------------------------------------------------------
