"""What all distributions share: shapes, checks of parameters and values, and what they show."""

from __future__ import annotations

from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.beyond.distributions.constraints import is_dependent
from course_lib.beyond.distributions.parameters import lazy_property
from course_lib.core.tensor import Tensor
from course_lib.memory.size import Size
from course_lib.words import errors

__all__ = ["Distribution"]


class Distribution:
    """A probability distribution, or a batch of them.

    A sample has the shape ``sample_shape + batch_shape + event_shape``: how many samples were asked
    for, how many distributions there are, and what one value looks like.

    >>> d = torch.distributions.Normal(torch.zeros(3), 1.0)
    >>> d.batch_shape, d.event_shape
    (torch.Size([3]), torch.Size([]))
    >>> d.sample((2,)).shape
    torch.Size([2, 3])
    """

    has_rsample: Any = False
    has_enumerate_support: Any = False
    _validate_args = __debug__

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Say whether parameters and values are checked, unless a distribution says otherwise."""
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(
        self,
        batch_shape: Any = Size(),  # noqa: B008  it never changes
        event_shape: Any = Size(),  # noqa: B008
        validate_args: bool | None = None,
    ):
        self._batch_shape, self._event_shape = batch_shape, event_shape
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._validate_parameters()

    # ---- what a kind of distribution defines ----------------------------------------------------

    @property
    def arg_constraints(self) -> dict[str, Any]:
        """The set in which each parameter has to lie."""
        raise NotImplementedError

    @property
    def support(self) -> Any:
        """The set of possible values."""
        raise NotImplementedError

    @property
    def mean(self) -> Tensor:
        """The mean."""
        raise NotImplementedError

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        raise NotImplementedError(errors.no_mode(type(self)))

    @property
    def variance(self) -> Tensor:
        """The variance."""
        raise NotImplementedError

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with a larger batch shape; its parameters are views."""
        raise NotImplementedError

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Samples through which gradients reach the parameters."""
        raise NotImplementedError

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density at `value`, or of its probability."""
        raise NotImplementedError

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of at most `value`."""
        raise NotImplementedError

    def icdf(self, value: Tensor) -> Tensor:
        """The inverse of `cdf`: the quantiles."""
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All possible values, along dimension 0."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        raise NotImplementedError

    # ---- what follows from it -------------------------------------------------------------------

    @property
    def batch_shape(self) -> Any:
        """The shape of the batch of distributions."""
        return self._batch_shape

    @property
    def event_shape(self) -> Any:
        """The shape of one value."""
        return self._event_shape

    @property
    def stddev(self) -> Tensor:
        """The standard deviation."""
        return self.variance.sqrt()

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Samples, without gradients."""
        with no_grad():
            return self.rsample(sample_shape)

    def sample_n(self, n: int) -> Tensor:
        """The older form of ``sample((n,))``."""
        errors.warn(errors.SAMPLE_N, FutureWarning)
        return self.sample(Size((n,)))

    def perplexity(self) -> Tensor:
        """The exponential of the entropy."""
        return self.entropy().exp()

    def _extended_shape(self, sample_shape: Any = ()) -> Any:
        """The shape of samples."""
        return Size((*Size(sample_shape), *self._batch_shape, *self._event_shape))

    def _get_checked_instance(self, cls: type, _instance: Any = None) -> Any:
        """The distribution that `expand` fills: `_instance`, or a new one."""
        if _instance is not None:
            return _instance
        if type(self).__init__ is not cls.__init__:  # type: ignore[misc]
            raise NotImplementedError(errors.own_init(type(self), cls))
        return type(self).__new__(type(self))

    def _expanded(self, cls: type, batch_shape: Any, instance: Any, **events: Any) -> Any:
        """This distribution as `instance`, or a new one, with a larger batch shape.

        `events` are the names of its parameters, each with the dimensions that do not grow.
        """
        new = self._get_checked_instance(cls, instance)
        shape = Size(batch_shape)
        for name, event in events.items():
            if name in vars(self):
                setattr(new, name, vars(self)[name].expand((*shape, *event)))
        Distribution.__init__(new, shape, self._event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    # ---- checks ---------------------------------------------------------------------------------

    def _validate_parameters(self) -> None:
        try:
            constraints = self.arg_constraints
        except NotImplementedError:
            errors.warn(errors.no_arg_constraints(type(self)))
            return
        for name, constraint in constraints.items():
            later = isinstance(getattr(type(self), name, None), lazy_property)
            if is_dependent(constraint) or (later and name not in vars(self)):
                continue
            value = getattr(self, name)
            if not constraint.check(value).all():
                raise ValueError(errors.invalid_parameter(name, value, self, constraint))

    def _validate_sample(self, value: Any) -> None:
        """Raise unless `value` fits the shapes of the distribution and lies in its support."""
        if not isinstance(value, Tensor):
            raise ValueError(errors.VALUE_NO_TENSOR)
        size, event = value.size(), self._event_shape
        if size[len(size) - len(event) :] != event:
            raise ValueError(errors.event_size(size, event))
        expected = self._batch_shape + event
        for given, wanted in zip(reversed(size), reversed(expected), strict=False):
            if given != wanted and 1 not in (given, wanted):
                raise ValueError(errors.value_shape(size, expected))
        try:
            support = self.support
        except NotImplementedError:
            errors.warn(errors.no_support(type(self)))
            return
        if not support.check(value).all():
            raise ValueError(errors.outside_support(value, support, self))

    def __repr__(self) -> str:
        own = {name: vars(self)[name] for name in self.arg_constraints if name in vars(self)}
        shown = [f"{n}: {v if v.numel() == 1 else v.size()}" for n, v in own.items()]
        return f"{type(self).__name__}({', '.join(shown)})"
