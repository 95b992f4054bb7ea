"""Wrong arguments and attributes."""

from __future__ import annotations

from typing import Any


def no_attribute(kind: str, name: str) -> str:
    return f"'{kind}' object has no attribute '{name}'"


def data_must_be_tensor(value: Any) -> str:
    return f"Variable data has to be a tensor, but got {type(value).__name__}"


def grad_must_be_tensor(value: Any) -> str:
    kind = type(value).__name__
    return f"assigned grad expected to be a Tensor or None but got grad of type {kind}"


def grad_of_other_size(value: Any, tensor: Any) -> str:
    return (
        f"attempting to assign a gradient of size '{list(value._array.shape)}' to a tensor of "
        f"size '{list(tensor._array.shape)}'. Please ensure that the gradient and the tensor are "
        "the same size"
    )


def grad_of_other_dtype(value: Any, tensor: Any) -> str:
    word = {"float32": "float", "float64": "double", "float16": "c10::Half"}
    return (
        f"attempting to assign a gradient with dtype '{word.get(value._dtype.name, value._dtype.name)}' "
        f"to a tensor with grad_dtype '{tensor._dtype.legacy.removesuffix('Tensor')}'. The "
        "gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). You can "
        "set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. "
        "Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break "
        "downstream systems that assume they match."
    )


def grad_on_other_device(value: Any, tensor: Any) -> str:
    return f"assigned grad has data located on a different device: {value.device}"


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
