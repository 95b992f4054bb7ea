"""Weights split in two parameters: a direction, and a length.

Before each call of the module its weight is computed anew from the two.
"""

from __future__ import annotations

from typing import Any

from course_lib.beyond.ops.weight_norm import norm_except_dim
from course_lib.beyond.ops.weight_norm import weight_norm as joined
from course_lib.nn.module import Module
from course_lib.nn.parameter import Parameter
from course_lib.words import errors

__all__ = ["remove_weight_norm", "weight_norm"]


class WeightNorm:
    """The hook that puts the weight of a module together before it is called."""

    def __init__(self, name: str, dim: int):
        self.name, self.dim = name, dim

    def compute_weight(self, module: Any) -> Any:
        """The weight: the direction, with the length."""
        direction = getattr(module, f"{self.name}_v")
        return joined(direction, getattr(module, f"{self.name}_g"), self.dim)

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))

    def remove(self, module: Any) -> None:
        """Make the weight a parameter again."""
        weight = self.compute_weight(module)
        delattr(module, self.name)
        for part in ("g", "v"):
            del module._parameters[f"{self.name}_{part}"]
        setattr(module, self.name, Parameter(weight.data))


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """The module itself, its weight made of a length ``weight_g`` and a direction ``weight_v``.

    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # there is a newer way in PyTorch
    ...     layer = torch.nn.utils.weight_norm(torch.nn.Linear(2, 3))
    >>> sorted(name for name, _ in layer.named_parameters())
    ['bias', 'weight_g', 'weight_v']
    """
    errors.warn(errors.WEIGHT_NORM, FutureWarning)
    for hook in module._forward_pre_hooks.values():
        if isinstance(hook, WeightNorm) and hook.name == name:
            raise RuntimeError(errors.hooked_twice("weight_norm", name))
    hook = WeightNorm(name, -1 if dim is None else dim)
    weight = getattr(module, name)
    del module._parameters[name]
    module.register_parameter(f"{name}_g", Parameter(norm_except_dim(weight, 2, hook.dim).data))
    module.register_parameter(f"{name}_v", Parameter(weight.data))
    hook(module, ())
    module.register_forward_pre_hook(hook)
    return module


def remove_weight_norm(module: Module, name: str = "weight") -> Module:
    """The module itself, its weight a parameter again."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(errors.not_hooked("weight_norm", name, module))
