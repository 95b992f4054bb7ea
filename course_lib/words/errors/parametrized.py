"""Sentences of `torch.nn.utils.parametrize`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from course_lib.words.errors.gathering import is_tensor

NO_PARAMETRIZATION = "ParametrizationList requires one or more modules."
PARAMETRIZED_STATE = (
    "Serialization of parametrized modules is only supported through state_dict(). See:\n"
    "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
    "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training"
)
SEVERAL_ORIGINALS = (
    "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in "
    "terms of a sequence of tensors."
)
CANNOT_LEAVE_PARAMETRIZED = (
    "Calling remove_parametrizations() with leave_parametrized=True for a parameter that is an "
    "instance of a tensor subclass requires set_() to be implemented correctly for the tensor "
    "subclass.Alternatively, one can opt into the swap_tensors pathEither set "
    "leave_parametrized=False or provide a working implementationfor set_() in the tensor subclass "
    "or set torch.__future__.set_swap_module_params_on_conversion(True)."
)
SEQUENCE = "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...)."


def _kind(value: Any) -> str:
    return type(value).__name__


def inverse_type(value: Any) -> str:
    return f"{SEQUENCE} Got {_kind(value)}"


def inverse_element(i: int, value: Any) -> str:
    return f"{SEQUENCE} Got element {i} of the sequence with type {_kind(value)}."


def no_inverse(module: Any) -> str:
    return f"parametrization {_kind(module)} does not implement right_inverse."


def nothing_to_parametrize(module: Any, name: str) -> str:
    return (
        f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with "
        f"name '{name}'"
    )


def not_parametrized(module: Any, name: str) -> str:
    return f"Module {module} does not have a parametrization on {name}"


def check_inverse_dtype(original: Any, found: Any) -> None:
    """Raise if the inverse of a parametrization has another dtype."""
    if original != found:
        raise ValueError(
            "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
            f"original.dtype: {original}\nright_inverse(original).dtype: {found}"
        )


def must_be_tensor_result(value: Any) -> None:
    if not is_tensor(value):
        raise ValueError(f"A parametrization must return a tensor. Got {_kind(value)}.")


def check_parametrized(value: Any, dtype: Any, shape: Any) -> None:
    """Raise if a parametrization has changed the dtype or the shape of a tensor."""
    must_be_tensor_result(value)
    for what, before, after in (("dtype", dtype, value.dtype), ("shape", shape, value.shape)):
        if before != after:
            raise ValueError(
                f"Registering a parametrization may not change the {what} of the tensor, unless "
                f"`unsafe` flag is enabled.\nunparametrized {what}: {before}\n"
                f"parametrized {what}: {after}"
            )


def check_next(name: str, before: Any, after: Any) -> None:
    """Raise if one more parametrization changes the dtype or the shape of a tensor."""
    must_be_tensor_result(after)
    for what in ("dtype", "shape"):
        old, new = getattr(before, what), getattr(after, what)
        if old != new:
            raise ValueError(
                f"Registering a parametrization may not change the {what} of the tensor, unless "
                f"the `unsafe` flag is enabled.\nmodule.{name}.{what}: {old}\n"
                f"parametrization(module.{name}).{what}: {new}"
            )


def check_next_inverse(name: str, before: Any, value: Any) -> None:
    """Raise if the inverse of one more parametrization does not fit the tensor."""
    if not is_tensor(value):
        raise ValueError(f"parametrization.right_inverse must return a tensor. Got: {_kind(value)}")
    for what in ("dtype", "shape"):
        old, new = getattr(before, what), getattr(value, what)
        if old != new:
            raise ValueError(
                f"The tensor returned by parametrization.right_inverse must have the same {what} "
                f"as module.{name}, unless the `unsafe` flag is enabled.\n"
                f"module.{name}.{what}: {old}\nreturned {what}: {new}"
            )


def check_value(value: Any, original: Any) -> None:
    """Raise if what `right_inverse` returned cannot be the original."""
    if not is_tensor(value):
        raise ValueError(f"`right_inverse` should return a tensor. Got {_kind(value)}")
    if value.dtype != original.dtype:
        raise ValueError(
            f"The tensor returned by `right_inverse` has dtype {value.dtype} while `original` has "
            f"dtype {original.dtype}"
        )


def check_values(values: Any, originals: list[Any]) -> None:
    """Raise if what `right_inverse` returned cannot be the originals."""
    if not isinstance(values, Sequence):
        raise ValueError(f"'right_inverse' must return a sequence of tensors. Got {_kind(values)}.")
    if len(values) != len(originals):
        raise ValueError(
            f"'right_inverse' must return a sequence of tensors of length {len(originals)}. Got a "
            f"sequence of length {len(values)}."
        )
    for i, (value, original) in enumerate(zip(values, originals, strict=True)):
        if not is_tensor(value):
            raise ValueError(
                "'right_inverse' must return a sequence of tensors or reference-type opaques. Got "
                f"element {i} of type {_kind(value)}."
            )
        if value.dtype != original.dtype:
            raise ValueError(
                f"Tensor {i} returned by `right_inverse` has dtype {value.dtype} while "
                f"`original{i}` has dtype {original.dtype}"
            )


def no_parameter_or_buffer(module: Any, name: str) -> str:
    return f"Module '{module}' has no parameter or buffer with name '{name}'"


def check_norm_dim(dim: int, ndim: int) -> None:
    """Raise for a dimension that the weight does not have."""
    if not -ndim <= dim < ndim:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but got "
            f"{dim})"
        )
