"""Errors of losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.modes import modes
from course_lib.words.errors.elementwise import BOTH_BOOL, no_kernel
from course_lib.words.errors.sentence import Sentence, type_word
from course_lib.words.errors.shapes import check_broadcast, inplace_shape
from course_lib.words.errors.types import cannot_cast

PROBABILITIES = "all elements of {} should be between 0 and 1"
ELEMENTWISE_MEAN = (
    "reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead."
)
SMOOTH_L1_BETA = "smooth_l1_loss does not support negative values for beta."

not_a_reduction = Sentence("{value} is not a valid value for reduction")
other_target_size = Sentence(
    "Target size ({target:size}) must be the same as input size ({input:size})"
)
torch_size = Sentence("torch.Size({shape:list})")
bce_sizes = Sentence(
    "Using a target size ({target:size}) that is different to the input size ({input:size}) is "
    "deprecated. Please ensure they have the same size."
)
broadcast_loss = Sentence(
    "Using a target size ({target:size}) that is different to the input size ({input:size}). "
    "This will likely lead to incorrect results due to broadcasting. Please ensure they have the "
    "same size."
)
target_out_of_bounds = Sentence("Target {value} is out of bounds.")
target_batch = Sentence(
    "Expected input batch_size ({input}) to match target batch_size ({target})."
)
target_shape = Sentence("Expected target size {expected:list}, got {found:list}")
class_weights = Sentence(
    "weight tensor should be defined either for all {classes} classes or no classes but got "
    "weight tensor of shape: {shape:list}"
)
smoothing_range = Sentence("label_smoothing must be between 0.0 and 1.0. Got: {value:g}")


def check_loss(kernel: str) -> Any:
    """A check that refuses dtypes for which PyTorch has no kernel of this name."""

    def check(self: Any, target: Any, **numbers: Any) -> None:
        found = self._dtype
        if target._dtype is not found:
            from course_lib.dtypes import kinds

            found = kinds.folded([self, target])
        check_broadcast([self._array, target._array])
        if found.category != 2:
            raise NotImplementedError(no_kernel(kernel, found))

    return check


def check_probabilities(self: Any, target: Any, weight: Any, reduction: str) -> None:
    """Raise unless every element of `self` and of `target` is a probability."""
    if target._dtype is not self._dtype:
        raise RuntimeError(
            f"Found dtype {type_word(target._dtype)} but expected {type_word(self._dtype)}"
        )
    if self._dtype.category != 2:
        raise NotImplementedError(no_kernel("binary_cross_entropy", self._dtype))
    for name, array in (("input", self._array), ("target", target._array)):
        if not hasattr(array, "restride") and not bool(np.all((array >= 0) & (array <= 1))):
            raise RuntimeError(PROBABILITIES.format(name))
    check_not_wider(self, weight)


def check_not_wider(values: Any, *factors: Any) -> None:
    """Raise if a factor would make the losses wider than they are."""
    shape = values._array.shape
    for factor in factors:
        if factor is not None:
            check_broadcast([factor._array, values._array])
            wide = np.broadcast_shapes(shape, factor._array.shape)
            if wide != shape:
                raise RuntimeError(inplace_shape(shape, wide))


def check_logits(
    self: Any, target: Any, weight: Any, pos_weight: Any, reduction: str, dtype: Any
) -> None:
    """Raise unless the losses have a place among the targets, where PyTorch computes them."""
    if not target._dtype.category:
        raise RuntimeError(BOTH_BOOL)
    if self._dtype.category != 2:
        raise NotImplementedError(no_kernel("log_sigmoid_cpu", self._dtype))
    if target._dtype.category != 2:
        raise RuntimeError(cannot_cast(self._dtype, target._dtype))
    check_not_wider(target, pos_weight, weight)


not_differentiable = Sentence(
    "The function '{function}' is not differentiable with respect to argument '{argument}'. This "
    "input cannot have requires_grad True."
)


def check_nll(self: Any, target: Any, weight: Any, reduction: str, ignore_index: int) -> None:
    """Raise unless every target is a valid class, and the dtypes and class weights fit."""
    if weight is not None and weight.requires_grad and modes.grad:
        name = "nll_loss2d_forward" if self._array.ndim == 4 else "nll_loss_forward"
        raise RuntimeError(not_differentiable(name, "weight"))
    if target._dtype.name not in ("int64", "uint8"):
        found = type_word(target._dtype)
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {found}")
    if self._dtype.category != 2:
        raise NotImplementedError(no_kernel("nll_loss_out_frame", self._dtype))
    shape, labels = self._array.shape, target._array
    classes = shape[0] if len(shape) == 1 else shape[1]
    if weight is not None:
        if weight._array.shape != (classes,):
            raise RuntimeError(class_weights(classes, weight._array.shape))
        if weight._dtype is not self._dtype:
            one, other = type_word(self._dtype), type_word(weight._dtype)
            raise RuntimeError(f"expected scalar type {one} but found {other}")
    if not hasattr(labels, "restride") and may_miss(labels, classes):
        wrong = (labels != ignore_index) & ((labels < 0) | (labels >= classes))
        if np.any(wrong):
            raise IndexError(target_out_of_bounds(int(np.asarray(labels)[wrong].flat[0])))


def may_miss(labels: Any, classes: int) -> bool:
    """Whether some label is not a class; labels to ignore count too, and are sorted out later."""
    if labels.dtype == np.int64:
        labels = labels.view(np.uint64)  # this turns negative numbers into large ones
    return bool(labels.size and np.maximum.reduce(labels, axis=None) >= classes)


target_of_one = Sentence("size mismatch (got input: {shape:list}, target: {target:list})")


def check_nll_shapes(shape: tuple, target: tuple) -> None:
    """Raise unless there is one target for each vector of scores."""
    if not shape:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    if len(shape) > 1 and (not target or shape[0] != target[0]):
        raise ValueError(target_batch(shape[0], target[0] if target else 0))
    if len(shape) < 3:
        if len(target) > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    elif len(shape) == 4:
        if len(target) != 3:
            raise RuntimeError(
                "only batches of spatial targets supported (3D tensors) but got targets of "
                f"dimension: {len(target)}"
            )
        if target[1:] != shape[2:]:
            raise RuntimeError(f"size mismatch (got input: {list(shape)} , target: {list(target)}")
    elif target[1:] != shape[2:]:
        raise RuntimeError(target_shape((shape[0], *shape[2:]), target))


def check_class_probabilities(target: Any, ignore_index: int) -> None:
    """Raise unless `target` is of a dtype for class probabilities and `ignore_index` is unused."""
    if target._dtype.category != 2:
        found = type_word(target._dtype)
        raise RuntimeError(
            f"Expected floating point type for target with class probabilities, got {found}"
        )
    if ignore_index >= 0:
        raise RuntimeError("ignore_index is not supported for floating point target")


def cosine_of_integers(dtype: Any) -> str:
    return "expected common dtype to be floating point, yet common dtype is " + type_word(dtype)


def check_loss_weight(shape: tuple, wide: tuple) -> None:
    """Raise unless weights of this shape broadcast to the losses."""
    for at, (n, m) in enumerate(zip(reversed(shape), reversed(wide)), 1):
        if n not in (1, m):
            raise RuntimeError(
                f"Attempting to broadcast a dimension of length {n} at -{at}! Mismatching argument "
                f"at index 1 had {torch_size(shape)}; but expected shape should be broadcastable "
                f"to {list(wide)}"
            )
