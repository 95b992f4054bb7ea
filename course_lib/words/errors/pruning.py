"""Sentences of `torch.nn.utils.prune`."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

PARAMETERS_NO_ITERABLE = "global_unstructured(): parameters is not an Iterable"
SCORES_NO_DICT = "global_unstructured(): importance_scores must be of type dict"
STRUCTURED_WITHOUT_DIM = (
    'Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.'
)


def check_amount(amount: Any) -> None:
    """Raise for what is neither a number of elements nor a share of them."""
    if not isinstance(amount, Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if amount < 0 or (amount > 1 and not isinstance(amount, Integral)):
        raise ValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a non-negative "
            "integer"
        )


def check_fewer(amount: Any, size: int) -> None:
    """Raise if there are fewer elements than shall be pruned."""
    if amount > size:
        raise ValueError(
            f"amount={amount} should be smaller than the number of parameters to prune={size}"
        )


def check_structured(t: Any, dim: int) -> None:
    """Raise for a tensor without channels along `dim`."""
    if t.dim() <= 1:
        raise ValueError(
            "Structured pruning can only be applied to multidimensional tensors. Found tensor of "
            f"shape {t.shape} with {t.dim()} dims"
        )
    if dim >= t.dim():
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")


def check_scores(what: str, scores: Any, pruned: Any) -> None:
    """Raise for scores of another shape."""
    if scores.shape != pruned.shape:
        raise AssertionError(
            f"importance_scores should have the same shape as {what}, got {scores.shape} vs "
            f"{pruned.shape}"
        )


def check_mask(default: Any, mask: Any) -> None:
    """Raise for a mask of another shape."""
    if default.shape != mask.shape:
        raise AssertionError(
            f"default_mask shape {default.shape} must match self.mask shape {mask.shape}"
        )


def no_pruning_method(method: Any) -> str:
    return f"{type(method)} is not a BasePruningMethod subclass"


def other_parameter(container: Any, name: str, other: str) -> str:
    return (
        f"Can only add pruning methods acting on the parameter named '{name}' to PruningContainer "
        f"{container}. Found '{other}'"
    )


def pruning_type(kind: str) -> str:
    return f"Unrecognized PRUNING_TYPE {kind}"


def only_unstructured(method: Any, kind: str) -> str:
    return (
        'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method '
        f"{method} of type {kind}"
    )


def not_pruned(name: str, module: Any) -> str:
    return f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed"
