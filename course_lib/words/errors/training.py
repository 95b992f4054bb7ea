"""Errors of `torch.optim`."""

from __future__ import annotations

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

no_iterable_of_parameters = Sentence(
    "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
    "{value:typename}"
)
no_group = Sentence("param_group must be a dict, but got {kind}")
no_parameter = Sentence(
    "optimizer can only optimize Tensors, but one of the params is {value:typename}"
)
invalid_option = Sentence("Invalid {spoken}: {value}")
one_element = Sentence("Tensor {name} must be 1-element")
