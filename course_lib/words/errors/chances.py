"""Probability distributions: parameters, values, and what a distribution does not have."""

from __future__ import annotations

from typing import Any

NUMBERS_OR_TENSORS = (
    "Input arguments must all be instances of Number, torch.Tensor or objects implementing "
    "__torch_function__."
)
PROBS_OR_LOGITS = "Either `probs` or `logits` must be specified, but not both."
SAMPLE_N = "`sample_n(n)` will be deprecated. Use `sample((n,))` instead."
VALUE_NO_TENSOR = "The value argument to log_prob must be a Tensor"
NOT_STATIC = " cannot be determined statically"
DEPENDENT = "Cannot determine validity of dependent constraint"
CROSS_FAMILIES = (
    "The cross KL-divergence between different exponential families cannot "
    "                            be computed using Bregman divergences"
)
KL_EVENT_SHAPES = (
    "KL-divergence between two Multivariate Normals with                          different event "
    "shapes cannot be computed"
)
CARTESIAN = "Enumeration over cartesian product is not implemented"
INHOMOGENEOUS = "inhomogeneous total_count is not supported"
LOC_RANK = "loc must be at least one-dimensional."
ONE_MATRIX = "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."


def pytorchs_name(kind: type) -> str:
    """How PyTorch shows a class: ours is in the file of the same name."""
    return repr(kind).replace("'course_lib.beyond.", "'torch.")


def invalid_parameter(name: str, value: Any, distribution: Any, constraint: Any) -> str:
    return (
        f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of "
        f"distribution {distribution!r} to satisfy the constraint {constraint!r}, but found "
        f"invalid values:\n{value}"
    )


def outside_support(value: Any, support: Any, distribution: Any) -> str:
    return (
        f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be "
        f"within the support ({support!r}) of the distribution {distribution!r}, but found "
        f"invalid values:\n{value}"
    )


def no_arg_constraints(kind: type) -> str:
    return (
        f"{pytorchs_name(kind)} does not define `arg_constraints`. Please set `arg_constraints = "
        "{}` or initialize the distribution with `validate_args=False` to turn off validation."
    )


def no_support(kind: type) -> str:
    return (
        f"{pytorchs_name(kind)} does not define `support` to enable sample validation. Please "
        "initialize the distribution with `validate_args=False` to turn off validation."
    )


def no_mode(kind: type) -> str:
    return f"{pytorchs_name(kind)} does not implement mode"


def event_size(size: Any, event_shape: Any) -> str:
    return f"The right-most size of value must match event_shape: {size} vs {event_shape}."


def value_shape(size: Any, expected: Any) -> str:
    return f"Value is not broadcastable with batch_shape+event_shape: {size} vs {expected}."


def own_init(kind: type, parent: type) -> str:
    return (
        f"Subclass {kind.__name__} of {parent.__name__} that defines a custom __init__ method "
        "must also define a custom .expand() method."
    )


def parameter_rank(name: str) -> str:
    return f"`{name}` parameter must be at least one-dimensional."


def matrix_rank_least(name: str) -> str:
    return f"{name} must be at least two-dimensional, with optional leading batch dimensions"


def least_dims(expected: int, got: int) -> str:
    return f"Expected value.dim() >= {expected} but got {got}"


def too_many_event_dims(given: int, there: int) -> str:
    return (
        "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
        f"{given} vs {there}"
    )


def no_kl(p: str, q: str) -> str:
    return f"No KL(p || q) is implemented for p type {p} and q type {q}"


def ambiguous_kl(p: str, q: str, left: str, right: str) -> str:
    return f"Ambiguous kl_divergence({p}, {q}). Please register_kl({left}, {right})"


def no_sample_gradient(name: str) -> str:
    return (
        f"{name}.rsample() has no gradient for the concentration in this library. Use sample(), "
        "or a concentration that does not require a gradient."
    )
