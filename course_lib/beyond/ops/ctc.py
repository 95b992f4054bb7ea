"""Connectionist temporal classification: how likely a sequence of labels is, at any pace.

    log_probs  5 steps      a a - b b     each step says one label or a blank (-);
    target     "ab"         a - - b -     all ways that say the target count, added up
               ...          - a b - -

Forwards, `alpha[t, n, s]` is the logarithm of the sum over all ways that are at place `s` of the
target (with blanks between the labels) after step `t`; `beta` is the same from the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.declare.op import op
from course_lib.ops.reduce.adjoints import refused
from course_lib.words import errors

__all__: list[str] = []

Array = Any


def places(targets: Array, blank: int) -> tuple[Array, Array]:
    """The labels with blanks around each; and where a way may jump over the blank before."""
    batch, longest = targets.shape
    labels = np.full((batch, 2 * longest + 1), blank, np.int64)
    labels[:, 1::2] = targets
    jumps = np.zeros(labels.shape, bool)
    jumps[:, 2:] = (labels[:, 2:] != blank) & (labels[:, 2:] != labels[:, :-2])
    return labels, jumps


def shifted(row: Array, by: int) -> Array:
    """Each place's value `by` places further on, minus infinity where nothing comes from."""
    found = np.full_like(row, -np.inf)
    found[:, by:] = row[:, : row.shape[1] - by]
    return found


def ways(said: Array, jumps: Array, start: Array, begins: Array) -> Array:
    """`alpha`: for all steps, how likely each place is; sample n begins at step ``begins[n]``."""
    found = np.full(said.shape, -np.inf, said.dtype)
    row = np.full(said.shape[1:], -np.inf, said.dtype)
    for t, step in enumerate(said):
        further = np.where(jumps, shifted(row, 2), -np.inf)
        row = np.logaddexp(np.logaddexp(row, shifted(row, 1)), further) + step
        row = np.where((begins == t)[:, None], np.where(start, step, -np.inf), row)
        found[t] = row
    return found


def spoken(log_probs: Array, labels: Array) -> Array:
    """The logarithm of the probability of each place's label at each step."""
    index = np.broadcast_to(labels, (len(log_probs), *labels.shape))
    return np.take_along_axis(log_probs, index, axis=2)


def forwards(log_probs: Array, targets: Array, lengths: Array, blank: int) -> tuple:
    """Labels, the chance of all ways up to each place, and the loss of each sample."""
    labels, jumps = places(targets, blank)
    place = np.arange(labels.shape[1])
    start = (place < 2) & (place <= 2 * lengths[1][:, None])
    alpha = ways(spoken(log_probs, labels), jumps, start, np.zeros(len(labels), int))
    sample = np.arange(len(labels))
    at, last = np.maximum(lengths[0] - 1, 0), 2 * lengths[1]
    final = alpha[at, sample, last]
    before = np.where(last > 0, alpha[at, sample, np.maximum(last - 1, 0)], -np.inf)
    loss = -np.logaddexp(final, before)
    empty = np.where(lengths[1] > 0, np.inf, 0.0)
    return labels, alpha, np.where(lengths[0] > 0, loss, empty).astype(log_probs.dtype)


@op(
    kind="same",
    layout="contiguous",
    method=False,
    inplace=False,
    name="_ctc_loss",
    node="CtcLossBackward0",
    operands=("self",),
    saves=("targets", "input_lengths", "target_lengths"),
    self=lambda grad, self, targets, input_lengths, target_lengths, blank, zero_infinity: ctc_back(
        grad, self, targets, input_lengths, target_lengths, blank, zero_infinity
    ),
)
def ctc(
    self,
    targets,
    input_lengths,
    target_lengths,
    blank,
    zero_infinity,
):
    with np.errstate(invalid="ignore"):
        return forwards(self, targets, (input_lengths, target_lengths), blank)[2]


@op(
    kind="same",
    layout="contiguous",
    method=False,
    inplace=False,
    operands=("self", "log_probs"),
    self=refused("_ctc_loss_backward"),
    log_probs=refused("_ctc_loss_backward"),
)
def ctc_back(
    self,
    log_probs,
    targets,
    input_lengths,
    target_lengths,
    blank,
    zero_infinity,
):
    """The gradient of the logarithms: what is said, less what the ways of the target say."""
    lengths = (input_lengths, target_lengths)
    with np.errstate(invalid="ignore"):
        labels, alpha, loss = forwards(log_probs, targets, lengths, blank)
        steps, batch, _ = log_probs.shape
        place = np.arange(labels.shape[1])
        last = 2 * target_lengths[:, None]
        end = (place <= last) & (place >= last - 1)
        back, turned = labels[:, ::-1], end[:, ::-1]
        jumps = np.zeros(labels.shape, bool)
        jumps[:, 2:] = (back[:, 2:] != blank) & (back[:, 2:] != back[:, :-2])
        said = spoken(log_probs, back)[::-1]
        beta = ways(said, jumps, turned, steps - input_lengths)[::-1, :, ::-1]
        shares = np.full(log_probs.shape, -np.inf, log_probs.dtype)
        at = (np.arange(steps)[:, None, None], np.arange(batch)[:, None], labels)
        np.logaddexp.at(shares, at, alpha + beta)
        found = np.exp(log_probs) - np.exp(shares + loss[:, None] - log_probs)
        found *= self[:, None]
    quiet = np.arange(steps)[:, None] >= input_lengths
    if zero_infinity:
        quiet = quiet | (loss == np.inf)
    found[quiet] = 0
    return found


def padded(targets: Array, lengths: Array, blank: int) -> Array:
    """One row of labels for each sample, from rows or from labels one after the other."""
    longest = int(lengths.max(initial=0))
    if targets.ndim == 1:
        rows = np.full((len(lengths), longest), blank, np.int64)
        rows[np.arange(longest) < lengths[:, None]] = targets
        return rows
    here = np.arange(targets.shape[1]) < lengths[:, None]
    return np.where(here, targets, blank).astype(np.int64)[:, :longest]


def ctc_losses(
    log_probs: Any, targets: Any, lengths: tuple[Any, Any], blank: int, zero_infinity: bool
) -> Any:
    """One loss for each sample, after all is checked; the lengths are tensors or integers."""
    inputs, labels = (
        np.atleast_1d(np.asarray(length.numpy() if hasattr(length, "numpy") else length))
        for length in lengths
    )
    errors.check_ctc(log_probs, targets, inputs, labels, blank)
    rows = padded(targets.numpy(), labels, blank)
    return ctc(log_probs, rows, inputs, labels, blank, zero_infinity)
