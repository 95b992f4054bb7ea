"""Modules that hold parameters: in a list, in a dictionary."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn.module import Module
from course_lib.nn.parameter import Parameter
from course_lib.words import errors

__all__ = [
    "ParameterDict",
]


def as_parameter(value: Any) -> Any:
    """A tensor as a parameter; anything else as it is."""
    plain = isinstance(value, Tensor) and not isinstance(value, Parameter)
    return Parameter(value) if plain else value


def described(entries: Iterable[tuple[Any, Any]]) -> str:
    """One line per entry: what it is and how large."""
    lines = []
    for key, value in entries:
        if isinstance(value, Tensor):
            kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
            size = "x".join(map(str, value.shape))
            lines.append(
                f"  ({key}): {kind} containing: [torch.{value._dtype.legacy} of size {size}]"
            )
        else:
            lines.append(f"  ({key}): Object of type: {type(value).__name__}")
    return "\n".join(lines)


class ParameterDict(Module):
    """Parameters in a dictionary that a module knows of; tensors put in become parameters.

    >>> torch.nn.ParameterDict({"scale": torch.ones(2)})
    ParameterDict(  (scale): Parameter containing: [torch.FloatTensor of size 2])
    """

    def __init__(self, parameters: Any = None):
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def _attribute(self, key: Any) -> str:
        if not isinstance(key, str):
            raise TypeError(errors.parameter_key(key))
        return key

    def __getitem__(self, key: str) -> Any:
        return getattr(self, self._attribute(key))

    def __setitem__(self, key: str, value: Any) -> None:
        name = self._attribute(key)
        self._keys[key] = None
        setattr(self, name, as_parameter(value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def keys(self) -> Any:
        """The keys."""
        return self._keys.keys()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Keys and values."""
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Iterable[Any]:
        """The values."""
        return (self[key] for key in self._keys)

    def update(self, parameters: Any) -> None:
        """Put in what a dictionary (sorted by key) or an iterable of pairs has."""
        found = dict(parameters).items()
        plain = isinstance(parameters, Mapping) and not isinstance(parameters, OrderedDict)
        for key, value in sorted(found) if plain else found:
            self[key] = value

    def extra_repr(self) -> str:
        """One line per value."""
        return described(self.items())

    def __call__(self, input: Any) -> Any:
        raise RuntimeError("ParameterDict should not be called.")
