"""`nn.DataParallel`, which shares a batch among GPUs; without GPUs it calls the module."""

from __future__ import annotations

from typing import Any

from course_lib.nn.module import Module

__all__ = ["DataParallel"]


class DataParallel(Module):
    """A module around another one, which PyTorch copies to each GPU; here it is called as it is.

    The names of its parameters start with ``module.``, as in files that were saved from it.

    >>> net = torch.nn.DataParallel(torch.nn.Linear(2, 1))
    >>> list(net.state_dict()), net.device_ids
    (['module.weight', 'module.bias'], [])
    """

    def __init__(
        self, module: Any, device_ids: Any = None, output_device: Any = None, dim: int = 0
    ):
        super().__init__()
        self.module = module
        self.device_ids: list[int] = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """The output of the module."""
        return self.module(*inputs, **kwargs)
