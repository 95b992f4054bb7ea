"""The dictionaries in which a module keeps its parameters, buffers and children.

Note [Attributes of modules]: ``module.weight`` is a parameter, kept in ``module._parameters``.
Python finds nothing under that name in the module itself and would ask `Module.__getattr__`, a
function call for each read.  So each entry is also in the module's ``__dict__``, where Python
looks first; the registry keeps the two equal, however they are written.
"""

from __future__ import annotations

import weakref
from typing import Any


class Registry(dict):
    """A dictionary whose entries are also attributes of the module that owns it.

    It holds its module weakly: a reference cycle would keep an unused model in memory.
    """

    __slots__ = ("_owner",)

    def __init__(self, owner: Any, entries: Any = ()):
        super().__init__(entries)
        self._owner = weakref.ref(owner)
        owner.__dict__.update(self)

    def attributes(self) -> dict[str, Any]:
        """The `__dict__` of the module; an empty dictionary if the module is gone."""
        owner = self._owner()
        return {} if owner is None else owner.__dict__

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, value)
        self.attributes()[name] = value

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        self.attributes().pop(name, None)

    def pop(self, name: str, *default: Any) -> Any:
        value = super().pop(name, *default)
        self.attributes().pop(name, None)
        return value

    def popitem(self) -> tuple[str, Any]:
        name, value = super().popitem()
        self.attributes().pop(name, None)
        return name, value

    def clear(self) -> None:
        for name in list(self):
            del self[name]

    def __reduce__(self) -> Any:
        return dict, (dict(self),)  # the module that is copied or loaded makes its own registry
