"""The normal distribution of vectors."""

from __future__ import annotations

import math
from typing import Any

from course_lib.beyond.distributions import constraints
from course_lib.beyond.distributions.distribution import Distribution
from course_lib.beyond.distributions.parameters import lazy_property
from course_lib.core.tensor import Tensor
from course_lib.memory.size import Size
from course_lib.ops.linalg.solve import solve
from course_lib.ops.linalg.triangular import cholesky
from course_lib.ops.make.creation import empty, eye
from course_lib.ops.shape.expand import broadcast_shapes
from course_lib.words import errors

__all__ = ["MultivariateNormal"]


def solve_lower(lower: Tensor, right: Tensor) -> Tensor:
    """The solution X of L @ X = B, for a lower triangular L."""
    return solve(lower.tril(), right)  # tril, so that the gradient is triangular as well


def squared_distance(lower: Tensor, difference: Tensor) -> Tensor:
    """The squared Mahalanobis distance xᵀ (L Lᵀ)⁻¹ x of each vector."""
    if lower.dim() == 2:  # one matrix for all vectors: solved for all of them at once
        columns = difference.reshape(-1, difference.shape[-1]).T
        return solve_lower(lower, columns).pow(2).sum(0).reshape(difference.shape[:-1])
    batch = broadcast_shapes(lower.shape[:-2], difference.shape[:-1])
    lower = lower.expand((*batch, *lower.shape[-2:]))
    columns = difference.expand((*batch, difference.shape[-1])).unsqueeze(-1)
    return solve_lower(lower, columns).pow(2).sum((-2, -1))


def log_diagonal(lower: Tensor) -> Tensor:
    """Half the logarithm of the determinant of L Lᵀ."""
    return lower.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def factor_of_inverse(precision: Tensor) -> Tensor:
    """The lower triangular L for which L Lᵀ is the inverse of `precision`.

    Read from the last row and column to the first, the factor of `precision` is upper triangular,
    and its transpose has the inverse L.
    """
    flipped = cholesky(precision.flip((-2, -1)))
    inverse = flipped.flip((-2, -1)).transpose(-2, -1)
    return solve_lower(inverse, eye(precision.shape[-1], dtype=precision.dtype))


class MultivariateNormal(Distribution):
    """Normally distributed vectors with mean `loc`, given one of three matrices.

    They are the `covariance_matrix`, its inverse `precision_matrix`, and the lower triangular
    factor `scale_tril` of the covariance matrix, with which all is computed.

    >>> d = torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2))
    >>> d.log_prob(torch.zeros(2))
    tensor(-1.8379)
    >>> d.variance
    tensor([1., 1.])
    """

    arg_constraints: Any = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support: Any = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        loc: Tensor,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ):
        if loc.dim() < 1:
            raise ValueError(errors.LOC_RANK)
        matrices = {
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
            "scale_tril": scale_tril,
        }
        given = [(name, matrix) for name, matrix in matrices.items() if matrix is not None]
        if len(given) != 1:
            raise ValueError(errors.ONE_MATRIX)
        [(name, matrix)] = given
        if matrix.dim() < 2:
            raise ValueError(errors.matrix_rank_least(name))
        batch = broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand((*batch, -1, -1)))
        self.loc = loc.expand((*batch, -1))
        super().__init__(Size(batch), self.loc.shape[-1:], validate_args=validate_args)
        factor = {"covariance_matrix": cholesky, "precision_matrix": factor_of_inverse}.get(name)
        self._unbroadcasted_scale_tril = matrix if factor is None else factor(matrix)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        event = self._event_shape
        matrices = dict.fromkeys(
            ["covariance_matrix", "scale_tril", "precision_matrix"], event + event
        )
        new = self._get_checked_instance(MultivariateNormal, _instance)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril
        return self._expanded(MultivariateNormal, batch_shape, new, loc=event, **matrices)

    def _for_each(self, matrix: Tensor) -> Tensor:
        """The matrix, repeated for every distribution of the batch."""
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The lower triangular factor of the covariance matrix."""
        return self._for_each(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance matrix."""
        lower = self._unbroadcasted_scale_tril
        return self._for_each(lower @ lower.mT)

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance matrix."""
        lower = self._unbroadcasted_scale_tril
        inverse = solve_lower(lower, eye(lower.shape[-1], dtype=lower.dtype))
        return self._for_each(inverse.mT @ inverse)

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        squares = self._unbroadcasted_scale_tril.pow(2).sum(-1)
        return squares.expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        noise = empty(shape, dtype=self.loc.dtype, device=self.loc.device).normal_()
        return self.loc + (self._unbroadcasted_scale_tril @ noise.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        lower = self._unbroadcasted_scale_tril
        squares = squared_distance(lower, value - self.loc)
        constant = self._event_shape[0] * math.log(2 * math.pi)
        return -0.5 * (constant + squares) - log_diagonal(lower)

    def entropy(self) -> Tensor:
        constant = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi))
        entropy = constant + log_diagonal(self._unbroadcasted_scale_tril)
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy
