"""Dropout: in training, random numbers become zero, so that the model relies on no single one."""

from course_lib.calls.rules import refuse_value
from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.module import Module
from course_lib.words import errors

__all__ = ["Dropout", "Dropout2d"]


class Dropout(Module):
    """Numbers become zero with probability `p`; the rest are scaled up to keep the mean.

    This happens only in training; in `eval` mode, the input is returned as it is.

    >>> torch.nn.Dropout(1.0)(torch.ones(3))
    tensor([0., 0., 0.])
    """

    _function = staticmethod(F.dropout)
    _shown = "p={0.p}, inplace={0.inplace}"

    def __init__(self, p: float = 0.5, inplace: bool = False):
        super().__init__()
        refuse_value(p < 0 or p > 1, errors.dropout_probability, p)
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Tensor:
        """What is left of the input."""
        return self._function(input, self.p, self.training, self.inplace)


class Dropout2d(Dropout):
    """Whole channels of images, set to zero at random."""

    _function = staticmethod(F.dropout2d)
