"""Errors of `torch.optim`."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.sentence import Sentence

EMPTY_PARAMETERS = "optimizer got an empty parameter list"
UNORDERED_PARAMETERS = (
    "optimizer parameters need to be organized in ordered collections, but the ordering of tensors "
    "in sets will change between runs. Please use a list instead."
)
NON_LEAF_PARAMETER = "can't optimize a non-leaf Tensor"
PARAMETER_IN_TWO_GROUPS = "some parameters appear in more than one parameter group"
DUPLICATE_PARAMETERS = (
    "optimizer contains a parameter group with duplicate parameters; in future, this will cause an "
    "error; see github.com/pytorch/pytorch/issues/40967 for more information"
)
OTHER_NUMBER_OF_GROUPS = "loaded state dict has a different number of parameter groups"
OTHER_SIZE_OF_GROUP = (
    "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
)
NESTEROV = "Nesterov momentum requires a momentum and zero dampening"


def type_name(value: Any) -> str:
    """A value's type as PyTorch's messages about optimizers spell it.

    >>> type_name(1.5)
    'float'
    """
    if hasattr(value, "type") and hasattr(value, "grad_fn"):
        return str(value.type())
    kind = type(value)
    if kind.__module__ in ("builtins", "__builtin__", "", None):
        return kind.__qualname__
    return f"{kind.__module__}.{kind.__qualname__}"


def no_iterable_of_parameters(value: Any) -> str:
    return (
        "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
        + type_name(value)
    )


def no_group(value: Any) -> str:
    return f"param_group must be a dict, but got {type(value)}"


def no_parameter(value: Any) -> str:
    return "optimizer can only optimize Tensors, but one of the params is " + type_name(value)


# >>> invalid_option("learning rate", -1)
invalid_option = Sentence("Invalid {spoken}: {value}")
one_element = Sentence("Tensor {name} must be 1-element")
