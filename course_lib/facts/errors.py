"""Every sentence a student can meet: PyTorch's wording, in one place."""

from __future__ import annotations

import traceback
import warnings
from typing import Any

import numpy as np

# fmt: off
DEVICE_TYPES = (
    "cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia",
    "xla", "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone",
)
# fmt: on

# ---- gradients -----------------------------------------------------------------------------------

BACKWARD_TWICE = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you "
    "call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward "
    "through the graph a second time or if you need to access saved tensors after calling "
    "backward."
)
LEAF_INPLACE = "a leaf Variable that requires grad is being used in an in-place operation."
VIEW_OF_LEAF = (
    "a view of a leaf Variable that requires grad is being used in an in-place operation."
)
NOT_SCALAR = "grad can be implicitly created only for scalar outputs"
NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
    "attribute won't be populated during autograd.backward(). If you indeed want the .grad field "
    "to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you "
    "access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more informations."
)
ONLY_FLOATING_FACTORY = "Only Tensors of floating point and complex dtype can require gradients"
ONLY_FLOATING_ATTRIBUTE = "only Tensors of floating point and complex dtype can require gradients"
ONLY_FLOATING_METHOD = "only Tensors of floating point dtype can require gradients"
REQUIRES_GRAD_BOOL = "requires_grad must be a bool"
SWITCH_OFF_NON_LEAF = (
    "you can only change requires_grad flags of leaf variables. If you want to use a computed "
    "variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
)
HOOK_WITHOUT_GRAD = "cannot register a hook on a tensor that doesn't require gradient"
POST_HOOK_NON_LEAF = "post accumulate grad hooks cannot be registered on non-leaf tensors"
RETAIN_WITHOUT_GRAD = "can't retain_grad on Tensor that has requires_grad=False"
GRAD_IS_SELF = "can't assign Variable as its own grad"
GRAD_OF_OTHER_SIZE = "assigned grad has data of a different size"
DETACH_VIEW = (
    "Can't detach views in-place. Use detach() instead. If you are using "
    "DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, "
    "gradients are views of DDP buckets, and hence detach_() cannot be called on these "
    "gradients. To fix this error, please refer to the Optimizer.zero_grad() function in "
    "torch/optim/optimizer.py as a solution."
)
INCOMPATIBLE_DATA = (
    "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have "
    "incompatible tensor type."
)
DATA_INTEGER_REQUIRES_GRAD = (
    "data set to a tensor that requires gradients must be floating point or complex dtype"
)
INFERENCE_VERSION = "Inference tensors do not track version counter."
INFERENCE_REQUIRES_GRAD = (
    "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
)
INFERENCE_INPLACE = (
    "Inplace update to inference tensor outside InferenceMode is not allowed."
    "You can make a clone to get a normal tensor before doing inplace update."
    "See https://github.com/pytorch/rfcs/pull/17 for more details."
)
OVERLAP_SELF = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)
OVERLAP_PARTIAL = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to "
    "a single memory location. Please clone() the tensor before performing the operation."
)
NO_GRAD_VIEW = (
    "A view was created in no_grad mode and is being modified inplace with grad mode enabled. "
    "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify "
    "your code by moving both the view and the inplace either both inside the no_grad block (if "
    "you don't want the inplace to be tracked) or both outside (if you want the inplace to be "
    "tracked)."
)


def stale_value(
    legacy: str,
    shape: tuple,
    maker: str | None,
    number: int,
    version: int,
    expected: int,
    anomaly: bool,
) -> str:
    """A saved value was overwritten before backward needed it."""
    made = ""
    if maker is not None:
        made = f", which is output {number} of {maker.partition('Backward')[0]},"
    hint = (
        "the backtrace further above shows the operation that failed to compute its gradient. "
        "The variable in question was changed in there or anywhere later. Good luck!"
        if anomaly
        else "enable anomaly detection to find the operation that failed to compute its "
        "gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    comma = "" if made else ""
    return (
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: [torch.{legacy} {list(shape)}]{made or comma} is at version {version}; "
        f"expected version {expected} instead. Hint: {hint}"
    )


def no_grad_fn(index: int) -> str:
    return f"element {index} of tensors does not require grad and does not have a grad_fn"


def mismatched_gradient(index: int, grad: tuple, output: tuple) -> str:
    return (
        f"Mismatch in shape: grad_output[{index}] has a shape of torch.Size({list(grad)}) and "
        f"output[{index}] has a shape of torch.Size({list(output)})."
    )


def invalid_gradient(source: Any, number: int, grad: Any, shape: tuple) -> str:
    return (
        f"Function {source.name()} returned an invalid gradient at index {number} - got "
        f"{list(grad._array.shape)} but expected shape compatible with {list(shape)}"
    )


def forbidden_view(view: Any, tensor: Any) -> str:
    if view.origin == "no_grad":
        return NO_GRAD_VIEW
    maker = tensor.grad_fn.name().partition("Backward")[0] if tensor.grad_fn else ""
    return (
        f"Output {tensor._output_nr} of {maker} is a view and is being modified inplace. This "
        "view is the output of a function that returns multiple views. Such functions do not "
        "allow the output views to be modified inplace. You should replace the inplace operation "
        "by an out-of-place one."
    )


def check_hook(new: Any, old: Any) -> Any:
    """What a hook returned, if it can stand for the gradient it got."""
    from course_lib.core.tensor import Tensor

    if not isinstance(new, Tensor):
        raise TypeError(f"expected Tensor, but hook returned '{type(new).__name__}'")
    if new._array.shape != old._array.shape:
        raise RuntimeError("hook has changed the size of value")
    return new


def forward_stack() -> str:
    """The stack of the current call, for anomaly mode."""
    return "".join(traceback.format_stack()[:-3])


# ---- attributes ----------------------------------------------------------------------------------


def no_attribute(kind: str, name: str) -> str:
    return f"'{kind}' object has no attribute '{name}'"


def data_must_be_tensor(value: Any) -> str:
    return f"Variable data has to be a tensor, but got {type(value).__name__}"


def grad_must_be_tensor(value: Any) -> str:
    return f"assigned grad expected to be a Tensor or None but got grad of type {type(value)}"


def grad_of_other_dtype(value: Any, tensor: Any) -> str:
    return (
        f"assigned grad has data of a different type: expected torch.{tensor._dtype.legacy} "
        f"but got torch.{value._dtype.legacy}"
    )


def grad_on_other_device(value: Any, tensor: Any) -> str:
    return f"assigned grad has data located on a different device: {value.device}"


# ---- arguments -----------------------------------------------------------------------------------


def kind_of(value: Any) -> str:
    """The name that PyTorch's messages have for the type of an argument."""
    return type(value).__name__


def argument_type(op: Any, name: str, value: Any) -> str:
    position = op.params.index(name) + 1 if name in op.params else 1
    shown = "input" if name == "self" else name
    return (
        f"{op.name}(): argument '{shown}' (position {position}) must be Tensor, "
        f"not {kind_of(value)}"
    )


def too_many_arguments(op: Any, args: tuple) -> str:
    return f"{op.name}() takes {op.positional} positional arguments but {len(args)} were given"


def unexpected_argument(op: Any, name: str, twice: bool) -> str:
    if twice:
        return f"{op.name}() got multiple values for argument '{name}'"
    return f"{op.name}() got an unexpected keyword argument '{name}'"


def missing_argument(op: Any, name: str, args: tuple) -> str:
    shown = "input" if name == "self" else name
    return f'{op.name}() missing 1 required positional arguments: "{shown}"'


# ---- shapes --------------------------------------------------------------------------------------


def broadcast(a: tuple, b: tuple) -> str | None:
    """PyTorch's sentence if two shapes do not broadcast, else None."""
    ndim = max(len(a), len(b))
    wide_a, wide_b = (1,) * (ndim - len(a)) + a, (1,) * (ndim - len(b)) + b
    for dim in range(ndim - 1, -1, -1):
        m, n = wide_a[dim], wide_b[dim]
        if m != n and 1 not in (m, n):
            return (
                f"The size of tensor a ({m}) must match the size of tensor b ({n}) at "
                f"non-singleton dimension {dim}"
            )
    return None


def inplace_shape(shape: tuple, wide: tuple) -> str:
    return f"output with shape {list(shape)} doesn't match the broadcast shape {list(wide)}"


def dim_range(dim: int, ndim: int) -> str:
    low, high = (-ndim, ndim - 1) if ndim else (-1, 0)
    return f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})"


# ---- dtypes and devices --------------------------------------------------------------------------


def type_word(dtype: Any) -> str:
    """The bare type name in messages: Float, Long, Bool …"""
    return dtype.legacy.removesuffix("Tensor")


def cannot_cast(made: Any, wanted: Any) -> str:
    return (
        f"result type {type_word(made)} can't be cast to the desired output type "
        f"{type_word(wanted)}"
    )


def numpy_dtype_unsupported(numpy_dtype: Any) -> str:
    return (
        f"can't convert np.ndarray of type {numpy_dtype}. The only supported types are: float64, "
        "float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, "
        "uint16, uint8, and bool."
    )


def promotion_unsupported(a: Any, b: Any) -> str:
    return (
        "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote "
        f"{type_word(a)} and {type_word(b)}"
    )


def mean_of_integers(op: Any, dtype: Any, given: bool) -> str:
    what = "dtype" if given else "Input dtype"
    start = "could not infer output dtype. " if not given else ""
    tail = f"Got: {type_word(dtype)}"
    return f"{op.name}(): {start}{what} must be either a floating point or complex dtype. {tail}"


def two_devices(one: str, two: str) -> str:
    return (
        "Expected all tensors to be on the same device, but found at least two devices, "
        f"{one} and {two}!"
    )


def unknown_device(name: str) -> str:
    return (
        "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, "
        "xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device "
        f"string: {name}"
    )


def invalid_device(text: str) -> str:
    return f"Invalid device string: '{text}'"


def device_index_twice(text: str) -> str:
    return "type (string) must not include an index because index was passed explicitly: " + text


# ---- writing -------------------------------------------------------------------------------------


def check_overlap(written: Any, read: Any) -> None:
    """Raise if two windows overlap in part: the order of writing would decide the result."""
    if written is read or not isinstance(read, np.ndarray) or not isinstance(written, np.ndarray):
        return
    if written.base is None and read.base is None:
        return
    if written.strides == read.strides and written.shape == read.shape:
        if written.__array_interface__["data"] == read.__array_interface__["data"]:
            return
    if np.may_share_memory(written, read):
        if np.shares_memory(written, read):
            raise RuntimeError(OVERLAP_PARTIAL)


def out_with_grad(op: Any) -> str:
    return (
        f"{op.name}(): functions with out=... arguments don't support automatic differentiation, "
        "but one of the arguments requires grad."
    )


def resized_out(old: tuple, new: tuple) -> str:
    return (
        f"An output with one or more elements was resized since it had shape {list(old)}, which "
        f"does not match the required output shape {list(new)}. This behavior is deprecated, and "
        "in a future PyTorch release outputs will not be resized unless they have zero elements. "
        "You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with "
        "t.resize_(0)."
    )


def warn(text: str) -> None:
    """Warn at the line of the reader's code, not at one of ours."""
    import sys

    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("course_lib"):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, UserWarning, stacklevel=level)
