"""What values a parameter or a sample may have: `constraints.positive`, `constraints.simplex`, …

>>> from course_lib.distributions import constraints
>>> constraints.positive
GreaterThan(lower_bound=0.0)
>>> constraints.positive.check(torch.tensor([-1., 1.]))
tensor([False,  True])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.ops.elementwise.compare import isclose
from course_lib.ops.make.creation import full
from course_lib.ops.shape.join import stack
from course_lib.words import errors
from course_lib.words.errors.matrices import _LinAlgError as LinAlgError

__all__ = [
    "Constraint",
    "boolean",
    "dependent",
    "dependent_property",
    "greater_than",
    "greater_than_eq",
    "half_open_interval",
    "independent",
    "integer_interval",
    "interval",
    "is_dependent",
    "less_than",
    "lower_cholesky",
    "lower_triangular",
    "multinomial",
    "nonnegative",
    "nonnegative_integer",
    "one_hot",
    "positive",
    "positive_definite",
    "positive_integer",
    "positive_semidefinite",
    "real",
    "real_vector",
    "simplex",
    "square",
    "symmetric",
    "unit_interval",
]


class Constraint:
    """A set of values; `event_dim` is the number of last dimensions that form one value."""

    is_discrete: Any = False
    event_dim: Any = 0

    def check(self, value: Tensor) -> Tensor:
        """Which of the values lie in the set, as booleans."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__.lstrip('_')}()"


# ---- sets that depend on other parameters --------------------------------------------------------


class _Dependent(Constraint):
    """A set that is not known before there is a distribution."""

    def __init__(self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented):
        self._is_discrete, self._event_dim = is_discrete, event_dim

    @property
    def is_discrete(self) -> bool:
        return self._known("is_discrete")

    @property
    def event_dim(self) -> int:
        return self._known("event_dim")

    def _known(self, name: str) -> Any:
        value = getattr(self, f"_{name}")
        if value is NotImplemented:
            raise NotImplementedError(f".{name}{errors.NOT_STATIC}")
        return value

    def __call__(self, **facts: Any) -> Any:
        known = {"is_discrete": self._is_discrete, "event_dim": self._event_dim}
        return _Dependent(**{**known, **facts})

    def check(self, value: Tensor) -> Tensor:
        raise ValueError(errors.DEPENDENT)


class _DependentProperty(property, _Dependent):
    """A property of a distribution, and for its class a set that is not known yet."""

    def __init__(self, function: Callable | None = None, **facts: Any):
        property.__init__(self, function)
        _Dependent.__init__(self, **facts)

    def __call__(self, function: Callable) -> Any:
        return _DependentProperty(
            function, is_discrete=self._is_discrete, event_dim=self._event_dim
        )


def is_dependent(constraint: Any) -> bool:
    """Whether a set depends on the parameters of its distribution.

    >>> from course_lib.distributions import constraints
    >>> constraints.is_dependent(constraints.dependent)
    True
    """
    return isinstance(constraint, _Dependent)


class _IndependentConstraint(Constraint):
    """A set for blocks of values: every value of the block has to lie in the base's set."""

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int):
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @property
    def is_discrete(self) -> bool:
        return self.base_constraint.is_discrete

    @property
    def event_dim(self) -> int:
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

    def check(self, value: Tensor) -> Tensor:
        valid = self.base_constraint.check(value)
        outer = valid.dim() - self.reinterpreted_batch_ndims
        if outer < 0:
            raise ValueError(errors.least_dims(self.event_dim, value.dim()))
        return valid.reshape((*valid.shape[:outer], -1)).all(-1)

    def __repr__(self) -> str:
        name = type(self).__name__.lstrip("_")
        return f"{name}({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


# ---- sets with bounds ----------------------------------------------------------------------------


class _Bounded(Constraint):
    """What sets with bounds share: they show them."""

    def __repr__(self) -> str:
        bounds = ", ".join(f"{name}={value}" for name, value in vars(self).items())
        return f"{type(self).__name__.lstrip('_')}({bounds})"


class _Lower(_Bounded):
    def __init__(self, lower_bound: Any):
        self.lower_bound = lower_bound


class _Upper(_Bounded):
    def __init__(self, upper_bound: Any):
        self.upper_bound = upper_bound


class _Both(_Bounded):
    def __init__(self, lower_bound: Any, upper_bound: Any):
        self.lower_bound, self.upper_bound = lower_bound, upper_bound


class _GreaterThan(_Lower):
    """Numbers above `lower_bound`."""

    def check(self, value: Tensor) -> Tensor:
        return self.lower_bound < value


class _GreaterThanEq(_Lower):
    """Numbers that are at least `lower_bound`."""

    def check(self, value: Tensor) -> Tensor:
        return self.lower_bound <= value


class _LessThan(_Upper):
    """Numbers below `upper_bound`."""

    def check(self, value: Tensor) -> Tensor:
        return value < self.upper_bound


class _Interval(_Both):
    """Numbers from `lower_bound` to `upper_bound`, both included."""

    def check(self, value: Tensor) -> Tensor:
        return (self.lower_bound <= value) & (value <= self.upper_bound)


class _HalfOpenInterval(_Both):
    """Numbers from `lower_bound`, which is included, to below `upper_bound`."""

    def check(self, value: Tensor) -> Tensor:
        return (self.lower_bound <= value) & (value < self.upper_bound)


def is_whole(value: Tensor) -> bool:
    """Whether the dtype alone says that these are whole numbers."""
    return value.dtype.category == dtypes.INTEGER


class _IntegerInterval(_Both):
    """Whole numbers from `lower_bound` to `upper_bound`, both included."""

    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        inside = (self.lower_bound <= value) & (value <= self.upper_bound)
        return inside if is_whole(value) else (value % 1 == 0) & inside


class _IntegerGreaterThan(_Lower):
    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        inside = value >= self.lower_bound
        return inside if is_whole(value) else (value % 1 == 0) & inside


# ---- sets of numbers and of vectors --------------------------------------------------------------


class _Real(Constraint):
    def check(self, value: Tensor) -> Tensor:
        return value == value  # not true of nan


class _Boolean(Constraint):
    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        return (value == 0) | (value == 1)


class _OneHot(Constraint):
    is_discrete, event_dim = True, 1

    def check(self, value: Tensor) -> Tensor:
        return ((value == 0) | (value == 1)).all(-1) & value.sum(-1).eq(1)


class _Simplex(Constraint):
    event_dim = 1

    def check(self, value: Tensor) -> Tensor:
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _Multinomial(Constraint):
    """Vectors of counts, none below zero, that add up to at most `upper_bound`."""

    is_discrete, event_dim = True, 1

    def __init__(self, upper_bound: Any):
        self.upper_bound = upper_bound

    def check(self, value: Tensor) -> Tensor:
        return (value >= 0).all(-1) & (value.sum(-1) <= self.upper_bound)


# ---- sets of matrices ----------------------------------------------------------------------------


class _LowerTriangular(Constraint):
    event_dim = 2

    def check(self, value: Tensor) -> Tensor:
        return (value.tril() == value).flatten(-2).all(-1)


class _LowerCholesky(_LowerTriangular):
    def check(self, value: Tensor) -> Tensor:
        return super().check(value) & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _Square(Constraint):
    event_dim = 2

    def check(self, value: Tensor) -> Tensor:
        rows, columns = value.shape[-2:]
        return full(value.shape[:-2], rows == columns, dtype=dtypes.bool_)


class _Symmetric(_Square):
    def check(self, value: Tensor) -> Tensor:
        square = super().check(value)
        if not square.all():
            return square
        return isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


class _PositiveSemidefinite(_Symmetric):
    def check(self, value: Tensor) -> Tensor:
        symmetric = super().check(value)
        return self._definite(value) if symmetric.all() else symmetric

    def _definite(self, value: Tensor) -> Tensor:
        from course_lib.linalg import eigvalsh

        return eigvalsh(value).ge(0).all(-1)


class _PositiveDefinite(_PositiveSemidefinite):
    def _definite(self, value: Tensor) -> Tensor:
        if value.dim() == 2:
            return full((), factors(value), dtype=dtypes.bool_)
        return stack([self._definite(matrix) for matrix in value])


def factors(matrix: Tensor) -> bool:
    """Whether a matrix has a Cholesky factor."""
    from course_lib.linalg import cholesky

    try:
        cholesky(matrix.detach())
    except LinAlgError:
        return False
    return True


dependent = _Dependent()
dependent_property = _DependentProperty
independent = _IndependentConstraint
boolean, one_hot = _Boolean(), _OneHot()
nonnegative_integer, positive_integer = _IntegerGreaterThan(0), _IntegerGreaterThan(1)
integer_interval = _IntegerInterval
real = _Real()
real_vector = independent(real, 1)
positive, nonnegative = _GreaterThan(0.0), _GreaterThanEq(0.0)
greater_than, greater_than_eq, less_than = _GreaterThan, _GreaterThanEq, _LessThan
unit_interval = _Interval(0.0, 1.0)
interval, half_open_interval = _Interval, _HalfOpenInterval
simplex, multinomial = _Simplex(), _Multinomial
lower_triangular, lower_cholesky = _LowerTriangular(), _LowerCholesky()
square, symmetric = _Square(), _Symmetric()
positive_semidefinite, positive_definite = _PositiveSemidefinite(), _PositiveDefinite()
