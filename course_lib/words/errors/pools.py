"""Errors of pooling."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

NO_STRIDE = "stride should not be zero"
POOL_EMPTY = "non-empty 3D or 4D (batch mode) tensor expected for input"

pool_padding = Sentence("pad must be non-negative, but got pad: {padding}")
pool_wide_padding = Sentence(
    "pad should be at most half of effective kernel size, but got pad={padding}, "
    "kernel_size={kernel} and dilation=1"
)
pool_number = Sentence(
    "{word} should be greater than zero, but got {letter}H: {sizes[0]} {letter}W: {sizes[1]}"
)
pool_dims = Sentence(
    "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but "
    "got:{shape:list}"
)
no_windows = Sentence(
    "Given input size: ({planes}x{height}x{width}). Calculated output size: "
    "({planes}x{down}x{right}). Output size is too small"
)


def pool_numbers(name: str, word: str) -> str:
    verb = "must be either" if word == "dilation" else "must either be"
    kinds = "omitted, a single int, or a" if word == "stride" else "a single int, or a"
    return f"{name}: {word} {verb} {kinds} tuple of two ints"


# ---- to a given number of windows ----------------------------------------------------------------

adaptive_sizes = Sentence("Input dimension should be at least {dims}")
ADAPTIVE_COUNT = "adaptive_avg_pool2d: output_size must be 2"
adaptive_dims = Sentence("adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got {shape:list}")
adaptive_empty = Sentence(
    "adaptive_avg_pool2d(): Expected input to have non-zero size for non-batch dimensions, but "
    "input has sizes {shape:list} with dimension {dim} being empty"
)
negative_sizes = Sentence(
    "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but received "
    "{{{sizes[0]}, {sizes[1]}}}"
)
