"""Errors of pooling."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

NO_STRIDE = "stride should not be zero"
POOL_EMPTY = "non-empty 3D or 4D (batch mode) tensor expected for input"

series_number = Sentence("max_pool1d() {word} must be greater than zero, but got {found}")
series_padding = Sentence("max_pool1d() padding must be non-negative, but got {padding}")
series_wide_padding = Sentence(
    "max_pool1d() padding should be at most half of kernel size, but got padding={padding} and "
    "kernel_size={kernel}"
)
pool_padding = Sentence("pad must be non-negative, but got pad: {padding}")
pool_wide_padding = Sentence(
    "pad should be at most half of effective kernel size, but got pad={padding}, "
    "kernel_size={kernel} and dilation={dilation}"
)
pool_number = Sentence(
    "{word} should be greater than zero, but got {letter}H: {sizes[0]} {letter}W: {sizes[1]}"
)
pool_dims = Sentence(
    "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but "
    "got:{shape:list}"
)
max_series_dims = Sentence(
    "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, "
    "but got:{shape:list}"
)
max_series_size = Sentence("max_pool1d() Invalid computed output size: {size}")
series_dims = Sentence(
    "Expected 2 to 3 dimensions, but got {shape:dims}-dimensional tensor for argument #1 'self' "
    "(while checking arguments for {name})"
)
no_windows = Sentence(
    "Given input size: ({planes}x{height}x{width}). Calculated output size: "
    "({planes}x{down}x{right}). Output size is too small"
)
SERIES = {
    "kernel_size": "an int, list of ints or tuple",
    "stride": "None, an int, list of ints, or tuple",
    "padding": "an int, list of ints, or tuple",
    "dilation": "an int, list of ints or tuple",
}


def pool_numbers(name: str, word: str, n: int, found: int) -> str:
    if name == "max_pool1d":
        return f"{name}() {word} must be {SERIES[word]} of ints of size 1 but got size {found}"
    if n == 1:
        return f"{name}() argument '{word}' should contain one int (got {found})"
    verb = "must be either" if word == "dilation" else "must either be"
    kinds = "omitted, a single int, or a" if word == "stride" else "a single int, or a"
    return f"{name}: {word} {verb} {kinds} tuple of two ints"


# ---- to a given number of windows ----------------------------------------------------------------

adaptive_sizes = Sentence("Input dimension should be at least {dims}")
adaptive_dims = Sentence("{name}(): Expected 3D or 4D tensor, but {got}{shape:list}")
adaptive_count = {
    "adaptive_max_pool2d": "adaptive_max_pool2d(): internal error: output_size.size() must be 2",
    "adaptive_avg_pool2d": "adaptive_avg_pool2d: output_size must be 2",
}
adaptive_gradient = Sentence(
    "adaptive_{kind}_pool2d_backward(): Expected grad_output to have non-zero size for non-batch "
    "dimensions, but grad_output has sizes {shape:list} with dimension {dim} being empty"
)
adaptive_empty = Sentence(
    "{name}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes "
    "{shape:list} with dimension {dim} being empty"
)
negative_sizes = Sentence(
    "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but received "
    "{{{sizes[0]}, {sizes[1]}}}"
)
