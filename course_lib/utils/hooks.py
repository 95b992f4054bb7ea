"""`torch.utils.hooks`: the name under which PyTorch keeps its handles."""

from course_lib.autograd.handles import RemovableHandle

__all__ = ["RemovableHandle"]
