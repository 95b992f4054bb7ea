"""Errors of `nn.utils.weight_norm` and `spectral_norm`."""

from __future__ import annotations

from typing import Any

WEIGHT_NORM = (
    "`torch.nn.utils.weight_norm` is deprecated in favor of "
    "`torch.nn.utils.parametrizations.weight_norm`."
)


def hooked_twice(kind: str, name: str) -> str:
    return f"Cannot register two {kind} hooks on the same parameter {name}"


def not_hooked(kind: str, name: str, module: Any) -> str:
    return f"{kind} of '{name}' not found in {module}"


def power_iterations(count: int) -> str:
    return f"Expected n_power_iterations to be positive, but got n_power_iterations={count}"


def spectral_without_weight(name: str) -> str:
    return f"`SpectralNorm` cannot be applied as parameter `{name}` is None"
