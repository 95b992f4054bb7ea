"""Errors of `ctc_loss`."""

from __future__ import annotations

from typing import Any

CHECKING = "(while checking arguments for ctc_loss_allocate_outputs)"


def check_ctc(log_probs: Any, targets: Any, inputs: Any, labels: Any, blank: int) -> None:
    """Raise unless lengths and targets fit `log_probs`, of shape (time, batch, class)."""
    steps, batch, classes = log_probs.shape
    for name, lengths in (("input_lengths", inputs), ("target_lengths", labels)):
        if lengths.dtype.kind not in "iu":
            raise RuntimeError(f"{name} must be integral")
        if len(lengths) != batch:
            raise RuntimeError(f"{name} must be of size batch_size")
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    if targets.dim() not in (1, 2):
        raise RuntimeError(
            f"Expected 1 to 2 dimensions, but got {targets.dim()}-dimensional tensor for argument "
            f"#2 'targets' {CHECKING}"
        )
    check_not_negative("target_lengths", labels)
    wanted, given = int(labels.sum()), targets.shape[0]
    if targets.dim() == 1 and given != wanted:
        raise RuntimeError(
            f"Expected tensor to have size {wanted} at dimension 0, but got size {given} for "
            f"argument #2 'targets' {CHECKING}"
        )
    if targets.dim() == 2 and targets.shape[1] < max(labels, default=0):
        raise RuntimeError(
            f"Expected tensor to have size at least {max(labels)} at dimension 1, but got size "
            f"{targets.shape[1]} for argument #2 'targets' {CHECKING}"
        )
    check_not_negative("input_lengths", inputs)
    if (inputs > steps).any():
        raise RuntimeError(
            f"Expected input_lengths to have value at most {steps}, but got value "
            f"{inputs[inputs > steps][0]} {CHECKING}"
        )


def check_not_negative(name: str, lengths: Any) -> None:
    """Raise if one of the lengths is below 0."""
    if (lengths < 0).any():
        value = lengths[lengths < 0][0]
        raise RuntimeError(
            f"Expected {name} to have value at least 0, but got value {value} {CHECKING}"
        )
