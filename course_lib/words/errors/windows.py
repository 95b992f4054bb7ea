"""Errors of convolution, padding and resampling."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

# ---- convolution ---------------------------------------------------------------------------------

SAME_PADDING_STRIDED = "padding='same' is not supported for strided convolutions"
ODD_MARGIN = (
    "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy "
    "of the input be created"
)
TRANSPOSED_PADDING = "conv_transpose2d(): argument 'padding' must be tuple of ints, not str"
WEIGHT_DIMS = "weight should have at least three dimensions"
NEGATIVE_DILATION = "dilation should be greater than zero"

padding_word = Sentence("Invalid padding string: '{padding}'")
other_count_of_sizes = Sentence(
    "expected {name} to be a single integer value or a list of {n} values to match the "
    "convolution dimensions, but got {name}={found:list}"
)
batch_or_not = Sentence(
    "Expected {single}D (unbatched) or {batch}D (batched) input to {name}, but got input of size: "
    "{shape:list}"
)
input_of_weight = Sentence(
    "Expected {weight:dims}-dimensional input for {weight:dims}-dimensional weight{gap}"
    "{weight:list}, but got {input:dims}-dimensional input of size {input:list} instead"
)
conv_bias_dtype = Sentence("Input type ({input:c}) and bias type ({bias:c}) should be the same")
conv_weight_dtype = Sentence(
    "Input type ({input:string}) and weight type ({weight:string}) should be the same"
)
conv_unsupported = Sentence("{what} is not supported")
zero_dilation = (
    Sentence("dilation should be greater than zero, but got {dilation:list}"),
    Sentence(  # of a transposed convolution
        "dilation should be greater than zero, but got dilation_height: {dilation[0]}, "
        "dilation_width: {dilation[1]}"
    ),
)
wide_kernel = Sentence(
    "Calculated padded input size per channel: ({padded:by}). Kernel size: ({kernel:by}). Kernel "
    "size can't be greater than actual input size"
)
weight_at_least = Sentence(
    "Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got "
    "weight of size {weight:list} instead"
)
weight_divisible = Sentence(
    "Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got "
    "weight of size [{weight:list}] instead"
)
conv_channels = Sentence(
    "Given {start}weight of size {weight:list}, expected input{input:list} to have {channels} "
    "channels, but got {found} channels instead"
)
conv_bias = Sentence(
    "Given {start}weight of size {weight:list}, expected bias to be 1-dimensional with {made} "
    "elements, but got bias of size {bias:list} instead"
)
large_output_padding = Sentence(
    "output padding must be smaller than either stride or dilation, but got "
    "output_padding_height: {height} output_padding_width: {width} stride_height: {down} "
    "stride_width: {right} dilation_height: {below} dilation_width: {beside}"
)
small_output = Sentence(
    "Given input size per channel: ({input:by}). Calculated output size per channel: ({made:by}). "
    "Output size is too small"
)

# ---- padding -------------------------------------------------------------------------------------

ODD_PADDING = "Padding length must be divisible by 2"

long_padding = Sentence(
    "Padding length should be less than or equal to two times the input dimension but got padding "
    "length {pad:dims} and input of dimension {self:dims}"
)
unknown_padding = Sentence("Unrecognised padding mode {mode}")
padding_value = Sentence('Padding mode "{mode}" doesn\'t take in value argument')

# ---- resampling ----------------------------------------------------------------------------------

RESAMPLING_SIZE = "either size or scale_factor should be defined"
RESAMPLING_BOTH = "only one of size or scale_factor should be defined"
RESAMPLING_CORNERS = (
    "align_corners option can only be set with the interpolating modes: "
    "linear | bilinear | bicubic | trilinear"
)

resampling_mode_dims = Sentence("Got {ndim}D input, but {mode} mode needs {needed}D input")
resampling_dims = Sentence(
    "Input Error: Only 3D, 4D and 5D input Tensors supported (got {ndim}D) for the modes: "
    "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got "
    "{mode})"
)
resampling_count = {
    "output": Sentence(
        "Input and output must have the same number of spatial dimensions, but got input with "
        "spatial dimensions of {spatial:list} and output size of {found}. Please provide input "
        "tensor in (N, C, d1, d2, ...,dK) format and output size in (o1, o2, ...,oK) format."
    ),
    "scale_factor": Sentence(
        "Input and scale_factor must have the same number of spatial dimensions, but got input "
        "with spatial dimensions of {spatial:list} and scale_factor of shape {found}. Please "
        "provide input tensor in (N, C, d1, d2, ...,dK) format and scale_factor in "
        "(s1, s2, ...,sK) format."
    ),
}
resampled_series = Sentence(
    "Input and output sizes should be greater than 0, but got input (W: {old[0]}) and output "
    "(W: {new[0]})"
)
resampled_images = Sentence(
    "Input and output sizes should be greater than 0, but got input (H: {old[0]}, W: {old[1]}) "
    "output (H: {new[0]}, W: {new[1]})"
)
resampled_empty = Sentence(
    "Non-empty {shape:dims}D data tensor expected but got a tensor with sizes {shape:list}"
)
