"""PyTorch's place of `Module`, which `torch.nn` has too."""

from course_lib.nn.module import Module

__all__ = ["Module"]
