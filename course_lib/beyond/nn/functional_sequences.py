"""The loss of sequences whose labels have no given times."""

from __future__ import annotations

from typing import Any

from course_lib.beyond.ops.ctc import ctc_losses
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.ops.make.tensor import as_tensor
from course_lib.ops.pick.masking import where
from course_lib.words import errors

__all__ = ["ctc_loss"]


def ctc_loss(
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """How unlikely the labels `targets` are, whenever in the sequence each of them is said.

    `log_probs` is (time, batch, class); `targets` is one row of labels for each sample, or all
    labels one after the other.  The mean is over labels, then over samples.

    >>> says = torch.zeros(2, 1, 2).log_softmax(2)
    >>> torch.nn.functional.ctc_loss(says, torch.tensor([[1]]), (2,), (1,))
    tensor(0.2877)
    """
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(errors.not_a_reduction(reduction))
    alone = log_probs.dim() == 2
    scores = log_probs.unsqueeze(1) if alone else log_probs
    labels = targets.unsqueeze(0) if alone and targets.dim() == 1 else targets
    if scores.dtype not in (dtypes.float32, dtypes.float64):
        raise errors.not_implemented("ctc_loss_cpu", scores.dtype)
    lengths = (input_lengths, target_lengths)
    losses = ctc_losses(scores, labels, lengths, blank, zero_infinity)
    if zero_infinity:
        losses = where(losses == float("inf"), losses.new_zeros(()), losses)
    if reduction == "mean":
        counts = as_tensor(target_lengths).clamp_min(1).to(losses.dtype)
        return (losses / counts).mean()
    if reduction == "sum":
        return losses.sum()
    return losses.squeeze(0) if alone else losses
