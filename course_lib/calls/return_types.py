"""Results with names: `torch.max(x, 0)` returns a tuple ``(values, indices)``."""

import functools
from typing import Any


class Named(tuple):
    """A tuple whose items also have names; see `return_type`."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Any:
        if name in self._fields:
            return self[self._fields.index(name)]
        raise AttributeError(f"'{self.full_name()}' object has no attribute '{name}'")

    @classmethod
    def full_name(cls) -> str:
        """The type's name as PyTorch writes it: ``torch.return_types.max``."""
        return f"torch.return_types.{cls.__name__}"

    def __repr__(self) -> str:
        items = ",\n".join(f"{n}={v!r}" for n, v in zip(self._fields, self, strict=True))
        return f"{self.full_name()}(\n{items})"

    def __reduce__(self) -> Any:
        return rebuilt, (type(self).__name__, self._fields, tuple(self))


@functools.cache
def return_type(name: str, fields: tuple[str, ...]) -> type[Named]:
    """The type of the results of the operation `name`.

    >>> return_type("max", ("values", "indices"))((3, 0))
    torch.return_types.max(
    values=3,
    indices=0)
    """
    return type(name, (Named,), {"__slots__": (), "_fields": fields})


def rebuilt(name: str, fields: tuple[str, ...], items: tuple) -> Named:
    """A named result from its parts, for copying and unpickling."""
    return return_type(name, fields)(items)
