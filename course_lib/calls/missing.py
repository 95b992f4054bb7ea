"""Missing names: Python's own message for a typo, and the course's for what only PyTorch has.

Which names PyTorch has is recorded: `calls/overloads.py: names`.

Note [No __getattr__]: in CPython 3.11, `__getattr__` in a class makes every attribute lookup on its
objects slow, even for attributes that exist (a slot: 40 ns instead of 4).  So neither tensors nor
nodes have one.  For each attribute that PyTorch's Tensor has and ours leaves out, there is a
`LeftOut` in the class; other names get Python's own AttributeError.
"""

import sys
from collections.abc import Callable
from typing import Any

from course_lib import lazy as later
from course_lib.homes import LEFT_OUT
from course_lib.words import errors


class LeftOut:
    """An attribute that PyTorch's tensors have and ours do not: reading it raises an error."""

    def __init__(self, name: str):
        self.name = name

    def __get__(self, tensor: Any, owner: type) -> Any:
        raise AttributeError(errors.absent(f"torch.Tensor.{self.name}"), name=self.name)


def leave_out(cls: Any) -> None:
    """Put a `LeftOut` into the class for each name of `LEFT_OUT`; `dir` does not list them."""
    for name in LEFT_OUT.split():
        setattr(cls, name, LeftOut(name))
    cls.__dir__ = list_attributes


def list_attributes(tensor: Any) -> list[str]:
    """The result of `dir` for a tensor; completion calls it and then reads each attribute."""
    later.read_all()
    return sorted(set(object.__dir__(tensor)).difference(LEFT_OUT.split()))


def only_in_pytorch(place: str, name: str) -> bool:
    """Whether PyTorch has a public name in a place, say "torch.nn"."""
    from course_lib.calls import overloads  # needs NumPy, which `import course_lib` does not

    return not name.startswith("_") and name in overloads.names(place.removeprefix("torch."))


def no_name(place: str, name: str, kind: str = "") -> AttributeError:
    """The error for a name that a module (or an object of `kind`) lacks.

    >>> str(no_name("torch", "foo"))
    "module 'torch' has no attribute 'foo'"
    >>> str(no_name("torch", "lu_solve"))
    'PyTorch has torch.lu_solve; the course does not. Use PyTorch itself for it.'
    """
    if only_in_pytorch(place, name):
        return AttributeError(errors.absent(f"{place}.{name}"), name=name)
    says = errors.no_attribute if kind else errors.no_module_attribute
    return AttributeError(says(kind or place, name))


def complete_module(names: dict[str, Any], module: str) -> tuple[Callable, Callable]:
    """The ``__getattr__`` and ``__dir__`` of a public module.

    `names` are the module's ``globals()``, `module` its name below ``torch``.
    """

    def get(name: str) -> Any:
        if name == "__all__":
            return [known for known in names if not known.startswith("_")]
        if name == "__path__":  # `from … import` asks each module whether it is a package
            raise AttributeError(name)
        raise no_name(f"torch.{module}", name)

    return get, lambda: sorted(names)


class Finder:
    """Says the same for ``import course_lib.jit`` and ``from course_lib import jit``.

    For the second, Python hides the AttributeError and looks for a file.  So this is asked when
    there is none.
    """

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: Any = None) -> None:
        """None for a name that PyTorch does not have either; an error for one that it has."""
        package, _, name = fullname.rpartition(".")
        root, _, below = package.partition(".")
        place = f"torch.{below}".rstrip(".")
        if root == "course_lib" and only_in_pytorch(place, name):
            raise ModuleNotFoundError(errors.absent(f"{place}.{name}"))


def install() -> None:
    """Answer imports too: after all that finds files."""
    sys.meta_path.append(Finder)
