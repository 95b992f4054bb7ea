"""Losses: layers that measure how far a prediction is from its target.

`reduction` is "mean" (default), "sum", or "none" for one number per element; `size_average` and
`reduce` are its old names.
"""

from collections.abc import Callable
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.module import Module
from course_lib.ops.layers.losses import reduction_of

__all__ = ["BCELoss", "BCEWithLogitsLoss", "CrossEntropyLoss", "L1Loss", "MSELoss", "NLLLoss"]


class Loss(Module):
    """The base of losses, with their `reduction`: a function of input and target.

    `_options` are the names of what the function is called with.
    """

    _function: Callable
    _options: tuple[str, ...] = ("reduction",)

    def __init__(self, size_average: Any = None, reduce: Any = None, reduction: str = "mean"):
        super().__init__()
        self.reduction = reduction_of(size_average, reduce, reduction)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        given = {name: getattr(self, name) for name in self._options}
        return self._function(input, target, **given)


class WeightedLoss(Loss):
    """The base of losses that weight classes or elements, by a buffer `weight`."""

    _options: tuple[str, ...] = ("weight", "reduction")
    weight: Tensor | None

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
    ):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


# ---- distances -----------------------------------------------------------------------------------


class MSELoss(Loss):
    """The squared difference: by default, its mean over all elements.

    >>> torch.nn.MSELoss()(torch.tensor([1., 2.]), torch.tensor([1., 4.]))
    tensor(2.)
    """

    _function = staticmethod(F.mse_loss)


class L1Loss(Loss):
    """The absolute difference: by default, its mean over all elements."""

    _function = staticmethod(F.l1_loss)


# ---- classes and chances -------------------------------------------------------------------------


class CrossEntropyLoss(WeightedLoss):
    """The cross entropy between the softmax of the input, which holds logits, and the target.

    The target is a class index per sample, or a probability per class.

    >>> torch.nn.CrossEntropyLoss()(torch.zeros(1, 2), torch.tensor([1]))
    tensor(0.6931)
    """

    _function = staticmethod(F.cross_entropy)
    _options = ("weight", "ignore_index", "reduction", "label_smoothing")

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Any = None,
        ignore_index: int = -100,
        reduce: Any = None,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ):
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing


class NLLLoss(WeightedLoss):
    """The negative log-probability of the right class; takes log-probabilities."""

    _function = staticmethod(F.nll_loss)
    _options = ("weight", "ignore_index", "reduction")

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Any = None,
        ignore_index: int = -100,
        reduce: Any = None,
        reduction: str = "mean",
    ):
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index


class BCELoss(WeightedLoss):
    """The binary cross entropy between probabilities and targets from 0 (no) to 1 (yes)."""

    _function = staticmethod(F.binary_cross_entropy)


class BCEWithLogitsLoss(WeightedLoss):
    """`BCELoss` of the sigmoid of the input, accurate even for large numbers."""

    _function = staticmethod(F.binary_cross_entropy_with_logits)
    _options = ("weight", "pos_weight", "reduction")
    pos_weight: Tensor | None

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ):
        super().__init__(weight, size_average, reduce, reduction)
        self.register_buffer("pos_weight", pos_weight)
