"""Errors of functions that make tensors, and of random numbers."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

DEFAULT_COMPLEX = "invalid default scalar type for complex"
LONG_OVERFLOW = "Overflow when unpacking long long"
PIN_MEMORY = (
    "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is "
    "available on this system."
)
NEGATIVE_STEPS = "number of steps must be non-negative"
STEP_ZERO = "step must be nonzero"
STEP_SIGN = "upper bound and lower bound inconsistent with step sign"
TOO_LONG = "invalid size, possible overflow?"
BYTE_ORDER = (
    "given numpy array has byte order different from the native byte order. Conversion between "
    "byte orders is currently not supported."
)
NEGATIVE_STRIDES = (
    "At least one stride in the given numpy array is negative, and tensors with negative strides "
    "are not currently supported. (You can probably work around this by making a copy of your "
    "array  with array.copy().) "
)
ODD_STRIDES = (
    "given numpy array strides not a multiple of the element byte size. Copy the numpy array to "
    "reallocate the memory."
)
NOT_WRITABLE = (
    "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. "
    "This means writing to this tensor will result in undefined behavior. You may want to copy "
    "the array to protect its data or make it writable before converting it to a tensor. This "
    "type of warning will be suppressed for the rest of this program."
)
ARRAYS_IN_LIST = (
    "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider "
    "converting the list to a single numpy.ndarray with numpy.array() before converting to a "
    "tensor."
)

copy_construct = Sentence(
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
    "sourceTensor.detach().clone().requires_grad_(True), rather than {function}(sourceTensor)."
)


could_not_infer = Sentence("Could not infer dtype of {value:kind}")
invalid_data = Sentence("new(): invalid data type '{value:kind}'")
not_a_sequence = Sentence("new(): data must be a sequence (got {value:kind})")
too_many_dimensions = Sentence("too many dimensions '{value:kind}'")
ragged = Sentence("expected sequence of length {expected} at dim {dim} (got {found})")
value_overflow = Sentence("value cannot be converted to type {dtype.name} without overflow")


expected_array = Sentence("expected np.ndarray (got {value:kind})")
NO_KEYWORDS = "torch._VariableFunctionsClass.from_numpy() takes no keyword arguments"
one_argument = Sentence(
    "torch._VariableFunctionsClass.from_numpy() takes exactly one argument ({given} given)"
)
negative_dimension = Sentence(
    "Trying to create tensor with negative dimension {size}: {shape:list}"
)
NEGATIVE_ZEROS = "zeros: Dimension size must be non-negative."
negative_count = Sentence("{name} must be greater or equal to 0, got {value}")
too_large = Sentence("Storage size calculation overflowed with sizes={shape:list}")
strides_rank = Sentence(
    "dimensionality of sizes ({sizes:dims}) must match dimensionality of strides ({strides:dims})"
)
unsupported_range = Sentence("unsupported range: {start:g} -> {end:g}")


out_dtype = Sentence("dtype {wanted:word} does not match dtype of out parameter ({out:word})")
out_device = Sentence("device type {wanted} does not match device type of out parameter ({out})")


ASARRAY_TRACKED = (
    "torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of False. "
    "Pass requires_grad=False explicitly to get the old behavior and silence this warning."
)


# ---- random numbers ------------------------------------------------------------------------------

CUDA_GENERATOR = (
    "Cannot get CUDA generator without ATen_cuda library. PyTorch splits its backend into two "
    "shared libraries: a CPU library and a CUDA library; this error has occurred because you are "
    "trying to use some CUDA functionality, but the CUDA library has not been loaded by the "
    "dynamic linker for some reason.  The CUDA library MUST be loaded, EVEN IF you don't directly "
    "use any symbols from the CUDA library! One common culprit is a lack of -Wl,--no-as-needed in "
    "your link arguments; many dynamic linkers will delete dynamic library dependencies if you "
    "don't depend on any of their symbols.  You can check if this has occurred by using ldd on "
    "your binary to see if there is a dependency on *_cuda.so library."
)
no_generator = Sentence("{kind} device type not an accelerator.")
byte_tensor_expected = Sentence("expected a torch.ByteTensor, but got {value:kind}")
