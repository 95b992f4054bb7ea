"""Modules that hold modules: one after the other, in a list, in a dictionary."""

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from course_lib.calls.rules import refuse, refuse_index, refuse_type, refuse_value
from course_lib.nn.module import Module, own_copy
from course_lib.words import errors

__all__ = ["ModuleDict", "ModuleList", "Sequential"]


class Listed(Module):
    """The base of `Sequential` and `ModuleList`: children named "0", "1", … in order."""

    def _key(self, index: Any) -> str:
        """The name of the child at a position, which may count from the end."""
        position = operator.index(index)
        refuse_index(not -len(self) <= position < len(self), errors.out_of_range, position)
        return list(self._modules)[position]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._key(index), module)

    def __delitem__(self, index: Any) -> None:
        keys = list(self._modules)[index] if isinstance(index, slice) else [self._key(index)]
        for key in keys:
            delattr(self, key)
        self._modules = {str(i): module for i, module in enumerate(self._modules.values())}

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def append(self, module: Module) -> Any:
        """Add a module at the end; returns the container itself."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Any:
        """Add several modules at the end; returns the container itself."""
        for module in list(modules):
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> Any:
        """Put a module before the one at `index`."""
        for i in range(len(self), index, -1):
            self._modules[str(i)] = self._modules[str(i - 1)]
        self._modules[str(index)] = module

    def pop(self, key: Any) -> Any:
        """Remove the module at a position and return it."""
        module = self[key]  # type: ignore[index]
        del self[key]
        return module


class Sequential(Listed):
    """Modules in a chain: each gets the output of the one before.

    >>> torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.ReLU())
    Sequential(
      (0): Linear(in_features=2, out_features=1, bias=True)
      (1): ReLU()
    )
    """

    def __init__(self, *args: Any):
        super().__init__()
        single = len(args) == 1 and isinstance(args[0], OrderedDict)
        for name, module in args[0].items() if single else enumerate(args):
            self.add_module(str(name) if isinstance(name, int) else name, module)

    def forward(self, input: Any) -> Any:
        """The output of the last module."""
        for module in self._modules.values():
            input = module(input)  # type: ignore[misc]
        return input

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._modules.items())[index]))
        return self._modules[self._key(index)]

    def insert(self, index: int, module: Module) -> Any:
        """Put a module before the one at `index`; returns the container itself."""
        refuse(not isinstance(module, Module), errors.NOT_OF_MODULE, error=AssertionError)
        refuse_index(not -len(self) <= index <= len(self), errors.insert_range, index)
        super().insert(index + len(self) * (index < 0), module)
        return self

    def __iadd__(self, other: Any) -> Any:
        refuse_value(not isinstance(other, Sequential), errors.add_sequential, type(other))
        return self.extend(other)

    def __add__(self, other: Any) -> Any:
        return Sequential(*self).__iadd__(other)

    def _copies(self, other: Any) -> list[Any]:
        """The modules, as often as a number says."""
        refuse_type(not isinstance(other, int), errors.times_sequential, type(self), type(other))
        refuse_value(other <= 0, errors.times_positive, other, type(self))
        return list(self) * other

    def __imul__(self, other: Any) -> Any:
        return self.extend(self._copies(other)[len(self) :])

    def __mul__(self, other: Any) -> Any:
        return Sequential(*self._copies(other))

    __rmul__ = __mul__


class ModuleList(Listed):
    """A list of modules that registers them with its parent, as a Python list would not.

    >>> torch.nn.ModuleList([torch.nn.Linear(2, 2) for _ in range(3)])
    ModuleList(
      (0-2): 3 x Linear(in_features=2, out_features=2, bias=True)
    )
    """

    def __init__(self, modules: Iterable[Module] | None = None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        return self._modules[self._key(index)]

    def extend(self, modules: Iterable[Module]) -> Any:
        """Add several modules at the end; returns the list itself."""
        if not isinstance(modules, Iterable):
            raise TypeError(errors.not_iterable("ModuleList.extend", "iterable", modules))
        return super().extend(modules)

    __iadd__ = extend

    def __add__(self, other: Iterable[Module]) -> Any:
        return ModuleList(list(self) + list(other))

    def __repr__(self) -> str:
        """Equal neighbours are shown once."""
        lines, start = [], 0
        for text, same in groupby(map(repr, self)):
            end = start + len(list(same))
            several = end - start > 1
            place = f"({start}-{end - 1}): {end - start} x" if several else f"({start}):"
            lines += f"{place} {text}".split("\n")
            start = end
        inside = "".join(f"\n  {line}" for line in lines)
        return f"{self._get_name()}({inside}\n)" if lines else f"{self._get_name()}()"


class ModuleDict(Module):
    """A dictionary of modules that registers them with its parent.

    >>> torch.nn.ModuleDict({"relu": torch.nn.ReLU()})
    ModuleDict(
      (relu): ReLU()
    )
    """

    def __init__(self, modules: Any = None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def pop(self, key: str) -> Any:
        """Remove the module `key` and return it."""
        return self._modules.pop(key)

    def keys(self) -> Any:
        """The names."""
        return self._modules.keys()

    def items(self) -> Any:
        """Names and modules."""
        return self._modules.items()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()

    def update(self, modules: Any) -> None:
        """Add or replace modules from a dictionary or an iterable of pairs."""
        if not isinstance(modules, Iterable):
            what = "iterable of key/value pairs"
            raise TypeError(errors.not_iterable("ModuleDict.update", what, modules))
        pairs = modules.items() if isinstance(modules, (Mapping, ModuleDict)) else modules
        for at, pair in enumerate(pairs):
            refuse_type(not isinstance(pair, Iterable), errors.no_pair, at, pair)
            refuse_value(len(pair) != 2, errors.pair_length, at, len(pair))
            self[pair[0]] = pair[1]


for _name in ("append", "extend", "pop"):  # Python's messages name the class
    own_copy(Sequential, _name)
    own_copy(ModuleList, _name)
