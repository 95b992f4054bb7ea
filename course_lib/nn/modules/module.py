"""`Module`, and the hooks of all modules at once: for looking, not for programs.

>>> seen = lambda module, args, output: print(type(module).__name__)
>>> handle = torch.nn.modules.module.register_module_forward_hook(seen)
>>> _ = torch.nn.Identity()(1)
Identity
>>> handle.remove()
"""

from course_lib.nn.hooks import (
    register_module_backward_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
)
from course_lib.nn.module import Module

__all__ = [
    "Module",
    "register_module_backward_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
]
