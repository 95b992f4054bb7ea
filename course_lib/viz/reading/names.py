"""What the reader calls a tensor: given names, then parameters, then the caller's variables."""

import itertools
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from course_lib.viz.reading.arguments import in_order, name_parameters
from course_lib.viz.reading.code import arguments_of
from course_lib.viz.reading.models import tensors_of
from course_lib.viz.reading.values import is_tensor


class Names:
    """Names of tensors, found by identity.

    The tensors are kept, in the order met, because the ones that are results of a function are
    later looked up by that function. `is_one` says what counts as one, and `who` asks. Where
    `things` are drawn, a list of words names them in their order.

    >>> Names(None, None, None).of(object())
    ''
    """

    def __init__(
        self, given: Any, params: Any, frame: FrameType | None,
        is_one: Callable[[Any], bool] = is_tensor, who: str = "a picture",
        things: tuple[Any, ...] = (),
    ) -> None:  # fmt: skip
        self._names: dict[int, dict[str, None]] = {}
        self._frame = frame
        given = in_order(who, given, things) if things else given
        pairs = list(_pairs(name_parameters(who, "names", given), is_one))
        chosen = {id(tensor) for _, tensor in pairs}  # what has a given name has no other
        others = itertools.chain(
            _pairs(name_parameters(who, "params", params), is_one),
            tensors_of(params, "_buffers") if hasattr(type(params), "named_parameters") else (),
            _variables(frame, is_one),
        )
        pairs += [pair for pair in others if id(pair[1]) not in chosen]
        self.tensors = list({id(tensor): tensor for _, tensor in pairs}.values())
        for name, tensor in pairs:
            self._names.setdefault(id(tensor), {})[name] = None

    def of(self, tensor: Any) -> str:
        """All names of that very tensor, `""` when it has none: `x`, or `x, alias`.

        A parameter that is known as `weight` is not told as `model.weight` once more, nor as
        `known['weight']`.
        """
        names = list(self._names.get(id(tensor), ()))
        told = [n for k, n in enumerate(names) if not any(_ends(n, m) for m in names[:k])]
        return ", ".join(told[:3])

    def each(self, drawn: tuple[Any, ...]) -> list[str]:
        """What each of the tensors that a picture was called with is called there.

        One of several that has no name is called as it is written in the call, such as `a[1]`.
        """
        called = [self.of(one) for one in drawn]
        if len(drawn) == 1 or all(called):
            return [name or "tensor" for name in called]
        written = arguments_of(self._frame) or [""] * len(drawn)
        alone = [word if written.count(word) == 1 else "" for word in written]
        told = enumerate(zip(called, alone, strict=True))
        return [name or word or f"tensor {i}" for i, (name, word) in told]


def _ends(name: str, known: str) -> bool:
    """Whether a name only tells where a known one is kept."""
    return name.endswith((f".{known}", f"[{known!r}]"))


def _pairs(
    pairs: list[tuple[Any, Any]], is_one: Callable[[Any], bool]
) -> Iterator[tuple[str, Any]]:
    """The pairs that name a tensor; `{tensor: "its name"}` reads naturally too."""
    for name, thing in pairs:
        if is_one(thing):
            yield str(name), thing
        elif is_one(name):
            yield str(thing), name


def _variables(frame: FrameType | None, is_one: Callable[[Any], bool]) -> Any:
    """Tensors among the variables of a frame; in lists and modules, one level down.

    Names that begin with an underscore are left out: IPython keeps past outputs under such names,
    and a picture must not depend on what was displayed before.
    """
    if frame is None:
        return
    for name, thing in [*frame.f_locals.items(), *frame.f_globals.items()]:
        if name.startswith("_") or name in ("In", "Out") or not name.isidentifier():
            continue
        if is_one(thing):
            yield name, thing
        elif type(thing) in (list, tuple, dict):
            named = type(thing) is dict
            for key, item in itertools.islice(thing.items() if named else enumerate(thing), 100):
                if is_one(item) and (isinstance(key, str) or not named):
                    yield f"{name}[{key!r}]", item
        elif hasattr(type(thing), "named_parameters"):
            for key, tensor in (*tensors_of(thing), *tensors_of(thing, "_buffers")):
                yield f"{name}.{key}", tensor
