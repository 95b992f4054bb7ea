"""What the reader calls a tensor: given names, then parameters, then the caller's variables."""

import itertools
from collections.abc import Callable
from types import FrameType
from typing import Any

from course_lib.viz.reading.values import is_tensor


class Names:
    """Names of tensors, found by identity.

    The tensors are kept, in the order met, because the ones that are results of a function are
    later looked up by that function. `wanted` says what counts as one.

    >>> Names(None, None, None).of(object())
    ''
    """

    def __init__(
        self,
        given: Any,
        params: Any,
        frame: FrameType | None,
        wanted: Callable[[Any], bool] = is_tensor,
    ) -> None:
        self.tensors: list[Any] = []
        self._names: dict[int, list[str]] = {}
        sources = (_pairs(given, wanted), _pairs(params, wanted), _variables(frame, wanted))
        for name, tensor in itertools.chain(*sources):
            if id(tensor) not in self._names:
                self.tensors.append(tensor)
                self._names[id(tensor)] = []
            known = self._names[id(tensor)]
            if name not in known:
                known.append(name)

    def of(self, tensor: Any) -> str:
        """All names of that very tensor, `""` when it has none: `x`, or `x, alias`.

        A parameter that is known as `weight` is not told as `model.weight` once more.
        """
        names = self._names.get(id(tensor), [])
        told = [n for k, n in enumerate(names) if not any(n.endswith(f".{m}") for m in names[:k])]
        return ", ".join(told[:3])


def _pairs(source: Any, wanted: Callable[[Any], bool]) -> Any:
    """`(name, tensor)` pairs of a dictionary or of a module."""
    if source is None:
        return
    if hasattr(source, "named_parameters"):
        yield from source.named_parameters()
        return
    if not hasattr(source, "items"):
        raise TypeError(f"names and params want a dict or a module, not {type(source).__name__}")
    for name, thing in source.items():
        if wanted(thing):
            yield str(name), thing
        elif wanted(name):  # {tensor: "its name"} reads naturally too
            yield str(thing), name


def _variables(frame: FrameType | None, wanted: Callable[[Any], bool]) -> Any:
    """Tensors among the variables of a frame; in lists and modules, one level down.

    Names that begin with an underscore are left out: IPython keeps past outputs under such names,
    and a picture must not depend on what was displayed before.
    """
    if frame is None:
        return
    scopes = [frame.f_locals]
    if frame.f_globals is not frame.f_locals:
        scopes.append(frame.f_globals)
    for name, thing in [pair for scope in scopes for pair in list(scope.items())]:
        if name.startswith("_") or name in ("In", "Out") or not name.isidentifier():
            continue
        if wanted(thing):
            yield name, thing
        elif type(thing) in (list, tuple):
            for i, item in enumerate(thing[:100]):
                if wanted(item):
                    yield f"{name}[{i}]", item
        elif type(thing) is dict:
            for key, item in itertools.islice(thing.items(), 100):
                if isinstance(key, str) and wanted(item):
                    yield f"{name}[{key!r}]", item
        elif hasattr(type(thing), "named_parameters"):
            for parameter, tensor in thing.named_parameters():
                yield f"{name}.{parameter}", tensor
