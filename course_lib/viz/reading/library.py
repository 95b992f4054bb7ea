"""The library of a tensor or module: this one, or PyTorch. Nothing is imported for it.

What a module consists of is read from its tables: an attribute such as `self.modules = [...]` may
hide the method of that name, and some of those methods call others.
"""

import sys
from collections import Counter
from typing import Any


def library_of(thing: Any) -> Any:
    """The library of a tensor, dtype or module; None for anything else.

    >>> import course_lib as torch
    >>> library_of(torch.ones(2)) is torch, library_of(3)
    (True, None)
    """
    roots = [sys.modules.get(cls.__module__.partition(".")[0]) for cls in type(thing).__mro__]
    return next((root for root in roots if hasattr(root, "from_numpy")), None)


def modules_of(model: Any, names: int = 1) -> list[tuple[str, Any]]:
    """A module and all inside it, with their names, as `named_modules` gives them; of one that is
    there several times so many `names`.

    >>> from course_lib import nn
    >>> [name for name, _ in modules_of(nn.Sequential(nn.Tanh(), nn.Sequential(nn.Tanh())))]
    ['', '0', '1', '1.0']
    """
    found, met, waiting = [], Counter[int](), [("", model)]
    while waiting:
        name, module = waiting.pop()
        if module is None or met[id(module)] >= names:
            continue
        met[id(module)] += 1
        found.append((name, module))
        inner = [(f"{name}.{key}".lstrip("."), part) for key, part in module._modules.items()]
        waiting += inner[::-1]
    return found


def tensors_of(model: Any, table: str = "_parameters") -> list[tuple[str, Any]]:
    """The parameters of a module, or its "_buffers", with their names; each of them once.

    >>> from course_lib import nn
    >>> [name for name, _ in tensors_of(nn.Sequential(nn.Linear(1, 1)))]
    ['0.weight', '0.bias']
    """
    found: dict[int, tuple[str, Any]] = {}
    for name, module in modules_of(model):
        for key, tensor in getattr(module, table).items():
            if tensor is not None:
                found.setdefault(id(tensor), (f"{name}.{key}".lstrip("."), tensor))
    return list(found.values())
