"""Errors for dtypes and devices that do not fit."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.sentence import Sentence

# fmt: off
DEVICE_TYPES = (
    "cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia",
    "xla", "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone",
)
# fmt: on


cannot_cast = Sentence(
    "result type {made:word} can't be cast to the desired output type {wanted:word}"
)
numpy_dtype_unsupported = Sentence(
    "can't convert np.ndarray of type numpy.{numpy_dtype.type.__name__}. The only supported "
    "types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, "
    "uint64, uint32, uint16, uint8, and bool."
)
promotion_unsupported = Sentence(
    "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote {a:word} "
    "and {b:word}"
)


mean_of_integers = Sentence(
    "mean(): could not infer output dtype. {what} must be either a floating point or complex "
    "dtype. Got: {dtype:word}"
)
other_device = Sentence("Tensor on device {found} is not on the expected device {expected}!")
unknown_device = Sentence(
    f"Expected one of {', '.join(DEVICE_TYPES)} device type at start of device string: {{name}}"
)
invalid_device = Sentence("Invalid device string: '{text}'")
device_index_twice = Sentence(
    "type (string) must not include an index because index was passed explicitly: {text}"
)

NO_CUDA = "Torch not compiled with CUDA enabled"
NEGATIVE_DEVICE = "Device index must not be negative"
EMPTY_DEVICE = "Device string must not be empty"

read_only_device = Sentence("attribute '{name}' of 'torch.device' objects is not writable")


def not_compiled_with(backend: str) -> str:
    return f"Torch not compiled with {backend.upper()} enabled"


def no_backend(kind: str) -> str:
    return (
        f"Could not run 'aten::empty.memory_format' with arguments from the '{kind.upper()}' "
        "backend."
    )


COMPLEX_TO_REAL = "Casting complex values to real discards the imaginary part"
CUDA_DEVICE_EXPECTED = "Invalid device, must be cuda device"
NO_ACCELERATOR = "Cannot access accelerator device when none is available."
TYPE_EXPECTED = "dtype must be a type, str, or dtype object"
CUDA_LIBRARY = (
    "Cannot initialize CUDA without ATen_cuda library. PyTorch splits its backend into two shared "
    "libraries: a CPU library and a CUDA library; this error has occurred because you are trying "
    "to use some CUDA functionality, but the CUDA library has not been loaded by the dynamic "
    "linker for some reason.  The CUDA library MUST be loaded, EVEN IF you don't directly use any "
    "symbols from the CUDA library! One common culprit is a lack of -Wl,--no-as-needed in your "
    "link arguments; many dynamic linkers will delete dynamic library dependencies if you don't "
    "depend on any of their symbols.  You can check if this has occurred by using ldd on your "
    "binary to see if there is a dependency on *_cuda.so library."
)


def class_name(value: Any) -> str:
    """The name of a class in PyTorch's messages."""
    module = getattr(value, "__module__", "builtins")
    if module.startswith("course_lib"):
        module = "torch"
    name = getattr(value, "__name__", type(value).__name__)
    return name if module == "builtins" else f"{module}.{name}"


FINFO_OF_INTEGER = (
    "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
)
IINFO_OF_FLOAT = (
    "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'"
)
IINFO_OF_BOOL = "torch.bool is not supported by torch.iinfo"
DEFAULT_NOT_FLOATING = "only floating-point types are supported as the default type"

unknown_complex = Sentence("Unknown Complex ScalarType for {dtype:word}")


invalid_default = Sentence(f"invalid {{kind}} object: {DEFAULT_NOT_FLOATING}")
NO_BFLOAT16 = (
    "torch.bfloat16 needs the package ml_dtypes, which is not installed here: use torch.float16 or "
    "torch.float32 instead."
)

SET_DEFAULT_TENSOR_TYPE = (
    "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use "
    "torch.set_default_dtype() and torch.set_default_device() as alternatives."
)
LEGACY_DEVICE = (
    "Legacy tensor constructor of the form torch.Tensor(tensor, device=device) is not supported.  "
    "Use torch.tensor(...) or torch.as_tensor(...) instead."
)

legacy_device = Sentence(
    "legacy constructor expects device type: cpu but device type: {kind} was passed"
)


OPTIONS = (
    "device=cpu, layout=Strided, requires_grad=false (default), pinned_memory=false (default), "
    "memory_format=(nullopt)"
)
legacy_dtype = Sentence(
    f"expected TensorOptions(dtype={{wanted:c}}, {OPTIONS}) (got TensorOptions(dtype={{found:c}}, "
    f"{OPTIONS}))"
)
