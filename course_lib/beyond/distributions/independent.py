"""A batch of distributions, seen as one distribution of blocks."""

from __future__ import annotations

from typing import Any

from course_lib.beyond.distributions import constraints
from course_lib.beyond.distributions.distribution import Distribution
from course_lib.beyond.distributions.parameters import sum_rightmost
from course_lib.core.tensor import Tensor
from course_lib.memory.size import Size
from course_lib.words import errors

__all__ = ["Independent"]


class Independent(Distribution):
    """The last batch dimensions of a distribution become dimensions of one value.

    >>> three = torch.distributions.Normal(torch.zeros(3), torch.ones(3))
    >>> three.log_prob(torch.zeros(3))
    tensor([-0.9189, -0.9189, -0.9189])
    >>> torch.distributions.Independent(three, 1).log_prob(torch.zeros(3))
    tensor(-2.7568)
    """

    arg_constraints: Any = {}

    def __init__(
        self,
        base_distribution: Any,
        reinterpreted_batch_ndims: int,
        validate_args: bool | None = None,
    ):
        batch, dims = base_distribution.batch_shape, reinterpreted_batch_ndims
        if dims > len(batch):
            raise ValueError(errors.too_many_event_dims(dims, len(batch)))
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, dims
        outer = len(batch) - dims
        event = batch[outer:] + base_distribution.event_shape
        super().__init__(batch[:outer], event, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._get_checked_instance(Independent, _instance)
        dims = self.reinterpreted_batch_ndims
        new.base_dist = self.base_dist.expand(Size(batch_shape) + self._event_shape[:dims])
        new.reinterpreted_batch_ndims = dims
        return self._expanded(Independent, batch_shape, new)

    @property
    def has_rsample(self) -> bool:
        return self.base_dist.has_rsample

    @property
    def has_enumerate_support(self) -> bool:
        return not self.reinterpreted_batch_ndims and self.base_dist.has_enumerate_support

    @constraints.dependent_property
    def support(self) -> Any:
        inner, dims = self.base_dist.support, self.reinterpreted_batch_ndims
        return constraints.independent(inner, dims) if dims else inner

    @property
    def mean(self) -> Tensor:
        return self.base_dist.mean

    @property
    def mode(self) -> Tensor:
        return self.base_dist.mode

    @property
    def variance(self) -> Tensor:
        return self.base_dist.variance

    def sample(self, sample_shape: Any = ()) -> Tensor:
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Tensor) -> Tensor:
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Tensor:
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError(errors.CARTESIAN)
        return self.base_dist.enumerate_support(expand=expand)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_dist}, {self.reinterpreted_batch_ndims})"
