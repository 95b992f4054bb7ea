"""`torch.autograd.graph`: the nodes of the graph, and hooks for what they save."""

from collections.abc import Callable
from typing import Any

from course_lib.autograd.node import Node
from course_lib.autograd.saving import list_saved
from course_lib.calls.missing import complete_module as _completed
from course_lib.modes import modes

__all__ = ["Node", "save_on_cpu", "saved_tensors_hooks"]


class saved_tensors_hooks:
    """Inside, ``pack(tensor)`` is saved instead of a tensor; backward gets ``unpack`` of that.

    >>> x = torch.ones(2, requires_grad=True)
    >>> with torch.autograd.graph.saved_tensors_hooks(lambda t: t.tolist(), torch.tensor):
    ...     y = x.exp()
    >>> y.sum().backward()
    >>> x.grad
    tensor([2.7183, 2.7183])
    """

    def __init__(self, pack_hook: Callable, unpack_hook: Callable):
        self.pack, self.unpack = pack_hook, unpack_hook

    def replace_saved(self, node: Any) -> None:
        """Replace every tensor that `node` saved by ``pack(tensor)``."""
        for saved in list_saved(node):
            saved._pack(self.pack, self.unpack)

    def __enter__(self) -> None:
        modes.exchange({"packing": (*modes.packing, self.replace_saved)})

    def __exit__(self, *error: Any) -> None:
        modes.exchange({"packing": modes.packing[:-1]})


class save_on_cpu(saved_tensors_hooks):
    """Keep saved tensors in the CPU's memory; with `pin_memory`, always as copies."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda"):
        super().__init__(
            lambda t: (t.device, t.detach().clone() if pin_memory else t.cpu()),
            lambda packed: packed[1].to(packed[0]),
        )


__getattr__, __dir__ = _completed(globals(), "autograd.graph")
