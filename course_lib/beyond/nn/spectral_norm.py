"""Weights divided by their largest singular value, which a few steps of iteration find.

    v ← Wᵀu / ‖Wᵀu‖        u ← Wv / ‖Wv‖        the value is then uᵀWv

One step before each call in training is enough: weights change little from call to call.
"""

from __future__ import annotations

from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.nn import functional as F
from course_lib.nn.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from course_lib.nn.module import Module
from course_lib.nn.parameter import Parameter
from course_lib.words import errors

__all__ = ["remove_spectral_norm", "spectral_norm"]

TURNED = (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)


class SpectralNorm:
    """The hook that divides the weight of a module before it is called."""

    _version = 1

    def __init__(self, name: str, n_power_iterations: int, dim: int, eps: float):
        if n_power_iterations <= 0:
            raise ValueError(errors.power_iterations(n_power_iterations))
        self.name, self.dim = name, dim
        self.n_power_iterations, self.eps = n_power_iterations, eps

    def as_matrix(self, weight: Any) -> Any:
        """The weight with one row for each output."""
        if self.dim:
            rest = [d for d in range(weight.dim()) if d != self.dim]
            weight = weight.permute(self.dim, *rest)
        return weight.reshape(weight.size(0), -1)

    def compute_weight(self, module: Any, iterate: bool) -> Any:
        """The weight, divided by its largest singular value as far as it is known."""
        weight, u, v = (getattr(module, f"{self.name}_{part}") for part in ("orig", "u", "v"))
        matrix = self.as_matrix(weight)
        if iterate:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v = F.normalize(matrix.t().mv(u), dim=0, eps=self.eps, out=v)
                    u = F.normalize(matrix.mv(v), dim=0, eps=self.eps, out=u)
                u, v = u.clone(), v.clone()
        return weight / u.dot(matrix.mv(v))

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, module.training))

    def remove(self, module: Any) -> None:
        """Make the divided weight a parameter."""
        with no_grad():
            weight = self.compute_weight(module, False)
        for name in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + name)
        module.register_parameter(self.name, Parameter(weight.detach()))


class StateVersion:
    """The hook that writes into the state of a module which version its norm has."""

    def __init__(self, norm: SpectralNorm):
        self.norm = norm

    def __call__(self, module: Any, state: Any, prefix: str, metadata: dict) -> None:
        metadata.setdefault("spectral_norm", {})[f"{self.norm.name}.version"] = self.norm._version


def spectral_norm(
    module: Any,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Any:
    """The module itself, its weight divided by its largest singular value before each call.

    >>> layer = torch.nn.utils.spectral_norm(torch.nn.Linear(2, 3))
    >>> list(layer.state_dict())
    ['bias', 'weight_orig', 'weight_u', 'weight_v']
    """
    for hook in module._forward_pre_hooks.values():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            raise RuntimeError(errors.hooked_twice("spectral_norm", name))
    dim = int(isinstance(module, TURNED)) if dim is None else dim
    norm = SpectralNorm(name, n_power_iterations, dim, eps)
    weight = module._parameters[name]
    if weight is None:
        raise ValueError(errors.spectral_without_weight(name))
    with no_grad():
        rows, columns = norm.as_matrix(weight).size()
        u = F.normalize(weight.new_empty(rows).normal_(0, 1), dim=0, eps=eps)
        v = F.normalize(weight.new_empty(columns).normal_(0, 1), dim=0, eps=eps)
    delattr(module, name)
    module.register_parameter(f"{name}_orig", weight)
    setattr(module, name, weight.data)
    module.register_buffer(f"{name}_u", u)
    module.register_buffer(f"{name}_v", v)
    module.register_forward_pre_hook(norm)
    module._register_state_dict_hook(StateVersion(norm))
    return module


def remove_spectral_norm(module: Module, name: str = "weight") -> Module:
    """The module itself, its divided weight a parameter again."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            break
    else:
        raise ValueError(errors.not_hooked("spectral_norm", name, module))
    for key, found in module._state_dict_hooks.items():
        if isinstance(found, StateVersion) and found.norm.name == name:
            del module._state_dict_hooks[key]
            break
    return module
