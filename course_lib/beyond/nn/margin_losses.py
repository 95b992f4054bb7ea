"""Losses of margins, of pairs and triples, and of distributions other than classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course_lib.beyond.nn.distance import PairwiseDistance
from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.loss import Loss, WeightedLoss
from course_lib.nn.module import Module
from course_lib.words import errors

__all__ = [
    "CTCLoss",
    "GaussianNLLLoss",
    "MarginRankingLoss",
    "MultiLabelMarginLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "PoissonNLLLoss",
    "SoftMarginLoss",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]

Flag = bool | None

# ---- distributions -------------------------------------------------------------------------------


class CTCLoss(Loss):
    """How unlikely a sequence of labels is, whenever in the input each of them is said."""

    __constants__ = ["blank", "reduction"]

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False):
        super().__init__(reduction=reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def forward(
        self, log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any
    ) -> Tensor:
        """The loss."""
        choices = (self.blank, self.reduction, self.zero_infinity)
        return F.ctc_loss(log_probs, targets, input_lengths, target_lengths, *choices)


class PoissonNLLLoss(Loss):
    """How surprising counts are, given the logarithms of their means (or the means)."""

    __constants__ = ["log_input", "full", "eps", "reduction"]

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        size_average: Flag = None,
        eps: float = 1e-8,
        reduce: Flag = None,
        reduction: str = "mean",
    ):
        super().__init__(size_average, reduce, reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.poisson_nll_loss(
            log_input,
            target,
            log_input=self.log_input,
            full=self.full,
            eps=self.eps,
            reduction=self.reduction,
        )


class GaussianNLLLoss(Loss):
    """How surprising numbers are, for normal ones with a mean and a variance for each."""

    __constants__ = ["full", "eps", "reduction"]

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean"):
        super().__init__(None, None, reduction)
        self.full, self.eps = full, eps

    def forward(self, input: Tensor, target: Tensor, var: Any) -> Tensor:
        """The loss."""
        given = {"full": self.full, "eps": self.eps, "reduction": self.reduction}
        return F.gaussian_nll_loss(input, target, var, **given)


# ---- classes -------------------------------------------------------------------------------------


class SoftMarginLoss(Loss):
    """``log(1 + exp(-target * input))`` for targets of 1 and -1."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class MultiLabelMarginLoss(Loss):
    """What other scores lack to be below those of the right classes by 1."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(WeightedLoss):
    """The mean over the classes of how surprising each yes or no is."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        weight, way = self.weight, self.reduction
        return F.multilabel_soft_margin_loss(input, target, weight=weight, reduction=way)


class MultiMarginLoss(WeightedLoss):
    """What the other scores lack to be below the right one's by `margin`.

    >>> torch.nn.MultiMarginLoss()(torch.tensor([[0.5, 1., 0.]]), torch.tensor([1]))
    tensor(0.1667)
    """

    __constants__ = ["p", "margin", "reduction"]

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Tensor | None = None,
        size_average: Flag = None,
        reduce: Flag = None,
        reduction: str = "mean",
    ):
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise ValueError(errors.MULTI_MARGIN_P)
        if weight is not None and len(weight.shape) != 1:
            raise ValueError(errors.multi_margin_weight(len(weight.shape)))
        self.p, self.margin = p, margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.multi_margin_loss(
            input,
            target,
            p=self.p,
            margin=self.margin,
            weight=self.weight,
            reduction=self.reduction,
        )


# ---- pairs and triples ---------------------------------------------------------------------------


class MarginRankingLoss(Loss):
    """What one input lacks to be above the other (target 1) or below it (target -1)."""

    __constants__ = ["margin", "reduction"]

    def __init__(
        self,
        margin: float = 0.0,
        size_average: Flag = None,
        reduce: Flag = None,
        reduction: str = "mean",
    ):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        margin, way = self.margin, self.reduction
        return F.margin_ranking_loss(input1, input2, target, margin=margin, reduction=way)


class TripletMarginLoss(Loss):
    """By how much a like example is not nearer to the anchor than an unlike one, by a margin."""

    __constants__ = ["margin", "p", "eps", "swap", "reduction"]

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-6,
        swap: bool = False,
        size_average: Flag = None,
        reduce: Flag = None,
        reduction: str = "mean",
    ):
        super().__init__(size_average, reduce, reduction)
        if margin <= 0:
            raise ValueError(errors.layer_margin("TripletMarginLoss", margin))
        self.margin, self.p, self.eps, self.swap = margin, p, eps, swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """The loss."""
        return F.triplet_margin_loss(
            anchor,
            positive,
            negative,
            margin=self.margin,
            p=self.p,
            eps=self.eps,
            swap=self.swap,
            reduction=self.reduction,
        )


class TripletMarginWithDistanceLoss(Loss):
    """`TripletMarginLoss` with any measure of distance."""

    __constants__ = ["margin", "swap", "reduction"]
    distance_function: Callable | Module

    def __init__(
        self,
        *,
        distance_function: Callable | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ):
        super().__init__(reduction=reduction)
        if margin <= 0:
            raise ValueError(errors.layer_margin("TripletMarginWithDistanceLoss", margin))
        chosen = PairwiseDistance() if distance_function is None else distance_function
        self.distance_function = chosen
        self.margin, self.swap = margin, swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """The loss."""
        return F.triplet_margin_with_distance_loss(
            anchor,
            positive,
            negative,
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )
