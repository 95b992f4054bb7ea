"""Lazy loading: a file is read when one of its names is first used.

Note [Later]: most programs need few of the library's files, and reading a file takes as long as a
hundred operations.  So `import course_lib` reads no tensors, operations or messages.  `homes.py`
says which file has which name, and the file is read when the name is first used:

*  a module with names in other files has a `__getattr__`, which Python calls for a missing name;
*  Tensor has a `Later` under the name of each method and property.  Using it reads the file, whose
   declarations replace it by the real method or property (`declare/methods.py`).

Inside the library, a file imports the operations that it uses, as usual.  It may also use an
operation of another file as a method, as in ``x.sum()``.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from course_lib.homes import FUNCTIONS, METHODS, PROPERTIES

ATTACHED: dict[str, Any] = {}  # what the library has given to Tensor so far, by its name


class Later:
    """A placeholder in Tensor for a method whose file has not been read."""

    def __init__(self, name: str):
        self.name = name

    def __get__(self, tensor: Any, owner: type | None = None) -> Any:
        return own_attribute(self.name).__get__(tensor, owner)


class LaterProperty(Later):
    """The same for a property: a data descriptor, which Python uses before the object's dict."""

    def __set__(self, tensor: Any, value: Any) -> None:
        own_attribute(self.name).__set__(tensor, value)

    def __delete__(self, tensor: Any) -> None:
        own_attribute(self.name).__delete__(tensor)


def own_attribute(name: str) -> Any:
    """The library's own attribute of Tensor, even if a user has replaced it there."""
    if name not in ATTACHED:
        import_module((by_name(METHODS) | by_name(PROPERTIES))[name])
    return ATTACHED[name]


def stand_in(cls: type) -> None:
    """Put a `Later` into Tensor for every method and property."""
    for homes, kind in ((METHODS, Later), (PROPERTIES, LaterProperty)):
        for names in homes.values():
            for name in names.split():
                setattr(cls, name, kind(name))


def by_name(homes: Mapping[str, str]) -> dict[str, str]:
    """The module of each name, given the names of each module.

    >>> by_name({"ops.layers.losses": "l1_loss mse_loss"})
    {'l1_loss': 'course_lib.ops.layers.losses', 'mse_loss': 'course_lib.ops.layers.losses'}
    """
    return {
        name: f"course_lib.{module}" for module, names in homes.items() for name in names.split()
    }


def read_all() -> None:
    """Read every file that has operations, for code that needs all of them."""
    for module in (*METHODS, *PROPERTIES, *FUNCTIONS):
        import_module(f"course_lib.{module}")
