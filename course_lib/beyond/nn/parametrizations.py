"""`torch.nn.utils.parametrizations`: `weight_norm` and `spectral_norm`, computed on every read."""

from __future__ import annotations

from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.beyond.nn.parametrize import register_parametrization
from course_lib.beyond.nn.spectral_norm import TURNED
from course_lib.beyond.ops.weight_norm import norm_except_dim
from course_lib.beyond.ops.weight_norm import weight_norm as joined
from course_lib.nn import functional as F
from course_lib.nn.module import Module
from course_lib.ops.linalg.matmul import mv, vdot
from course_lib.words import errors

__all__ = ["spectral_norm", "weight_norm"]


class _WeightNorm(Module):
    """A weight from its length and its direction."""

    def __init__(self, dim: int | None = 0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Any, weight_v: Any) -> Any:
        return joined(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Any) -> tuple[Any, Any]:
        """The length and the direction of a weight."""
        return norm_except_dim(weight, 2, self.dim), weight


class OldNames:
    """The hook that loads states which the older `torch.nn.utils.weight_norm` has written."""

    def __init__(self, name: str):
        self.name = name

    def __call__(self, state: dict[str, Any], prefix: str, *_: Any) -> None:
        old = [f"{prefix}{self.name}_{part}" for part in "gv"]
        if all(key in state for key in old):
            for i, key in enumerate(old):
                state[f"{prefix}parametrizations.{self.name}.original{i}"] = state.pop(key)


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """The module itself, its weight computed from a length and a direction.

    ``original0`` is the length (for each slice along `dim`), ``original1`` the direction.

    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 3))
    >>> [tuple(original.shape) for original in layer.parametrizations.weight.parameters()]
    [(3, 1), (3, 2)]
    """
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)
    module._register_load_state_dict_pre_hook(OldNames(name))
    return module


class _SpectralNorm(Module):
    """A weight divided by its largest singular value: see `beyond/nn/spectral_norm.py`."""

    _u: Any
    _v: Any

    def __init__(self, weight: Any, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12):
        super().__init__()
        ndim = weight.ndim
        errors.check_norm_dim(dim, ndim)
        if n_power_iterations <= 0:
            raise ValueError(errors.power_iterations(n_power_iterations))
        self.dim, self.eps = dim % ndim, eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self.as_matrix(weight)
            rows, columns = matrix.size()
            u, v = matrix.new_empty(rows).normal_(0, 1), matrix.new_empty(columns).normal_(0, 1)
            self.register_buffer("_u", F.normalize(u, dim=0, eps=eps))
            self.register_buffer("_v", F.normalize(v, dim=0, eps=eps))
            self.iterate(matrix, 15)

    def as_matrix(self, weight: Any) -> Any:
        """The weight with one row for each output."""
        if self.dim:
            rest = [d for d in range(weight.dim()) if d != self.dim]
            weight = weight.permute(self.dim, *rest)
        return weight.flatten(1)

    def iterate(self, matrix: Any, steps: int) -> None:
        """Bring `_u` and `_v` nearer to the first pair of singular vectors."""
        with no_grad():
            for _ in range(steps):
                self._u = F.normalize(mv(matrix, self._v), dim=0, eps=self.eps, out=self._u)
                self._v = F.normalize(mv(matrix.H, self._u), dim=0, eps=self.eps, out=self._v)

    def forward(self, weight: Any) -> Any:
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self.as_matrix(weight)
        if self.training:
            self.iterate(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()  # the next step writes into the buffers
        return weight / vdot(u, mv(matrix, v))

    def right_inverse(self, value: Any) -> Any:
        """The weight itself: it has the right direction, and is divided again when it is read."""
        return value


def spectral_norm(
    module: Any,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Any:
    """The module itself, its weight divided by its largest singular value when it is read.

    >>> layer = torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(2, 3))
    >>> list(layer.parametrizations.weight.state_dict())
    ['original', '0._u', '0._v']
    """
    weight = getattr(module, name, None)
    if not hasattr(weight, "_requires_grad"):
        raise ValueError(errors.no_parameter_or_buffer(module, name))
    dim = int(isinstance(module, TURNED)) if dim is None else dim
    divided = _SpectralNorm(weight, n_power_iterations, dim, eps)
    register_parametrization(module, name, divided)
    return module
