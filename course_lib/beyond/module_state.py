"""Modules made ready for `vmap`: several as one stack of tensors, batch norm without statistics."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn.normalization import BatchNorm1d, BatchNorm2d, BatchNorm3d
from course_lib.ops.shape.join import stack
from course_lib.words import errors

__all__ = ["replace_all_batch_norm_modules_", "stack_module_state"]


def stack_module_state(models: Any) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """The parameters of several modules of one class, stacked name by name; and the buffers.

    With `vmap` and `functional_call` all of them are called at once.

    >>> models = [torch.nn.Linear(3, 1) for _ in range(4)]
    >>> parameters, buffers = torch.func.stack_module_state(models)
    >>> parameters["weight"].shape
    torch.Size([4, 1, 3])
    """
    if not len(models):
        raise RuntimeError(errors.STACK_EMPTY)
    if len({model.training for model in models}) > 1:
        raise RuntimeError(errors.STACK_MODES)
    if len({type(model) for model in models}) > 1:
        raise RuntimeError(errors.STACK_CLASSES)
    parameters = [dict(model.named_parameters()) for model in models]
    buffers = [dict(model.named_buffers()) for model in models]
    return _stacked(parameters), _stacked(buffers)


def _stacked(states: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    """The tensors of each name, stacked: leaves, which track if they did."""
    found = {}
    for name in states[0]:
        tensors = [state[name] for state in states]
        if len({tensor.requires_grad for tensor in tensors}) > 1:
            raise RuntimeError(errors.STACK_GRAD.format(name))
        found[name] = stack(tensors).detach().requires_grad_(tensors[0].requires_grad)
    return found


def replace_all_batch_norm_modules_(root: Any) -> Any:
    """The module itself, in which no batch norm keeps running statistics any more.

    Inside `vmap` they would be tensors that all examples share and write into.

    >>> norm = torch.func.replace_all_batch_norm_modules_(torch.nn.BatchNorm1d(2))
    >>> norm.running_mean is None
    True
    """
    for module in root.modules():
        if isinstance(module, (BatchNorm1d, BatchNorm2d, BatchNorm3d)):
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root
