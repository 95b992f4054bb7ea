"""PyTorch's place of `Module`, which `torch.nn` has too.

Type checkers and pickles of programs name it so.

>>> torch.nn.modules.module.Module is torch.nn.Module
True
"""

from course_lib.nn.module import Module

__all__ = ["Module"]
