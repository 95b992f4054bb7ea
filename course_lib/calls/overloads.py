"""The signatures of one function: a call uses the first that fits, or fails in PyTorch's words.

    overloads("Tensor", "sum").fit((1,), {})    gives     {"dim": 1}
    overloads("torch", "sin").fit((1,), {})     raises    sin(): argument 'input' (position 1) must…

The signatures are PyTorch's own (`signatures.txt`), and so are the rules that match arguments to
them.  The file is read at the first call that needs it, and of a line what that call needs.
"""

import functools
import os
import re
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from course_lib.calls.signature import Signature
from course_lib.calls.values import is_tensor
from course_lib.words import errors

F = TypeVar("F", bound=Callable)

# ---- the file ------------------------------------------------------------------------------------


@functools.cache
def text() -> str:
    """The text of `signatures.txt`."""
    with open(os.path.join(os.path.dirname(__file__), "signatures.txt"), encoding="utf-8") as file:
        return file.read()


@functools.cache
def names(place: str) -> frozenset[str]:
    """All public names that PyTorch has in a module (say "torch"), or as attributes of Tensor."""
    return frozenset(" ".join(re.findall(rf"\nnames {place}: (.*)", text())).split())


@functools.cache
def table() -> dict[tuple[str, str], list[str]]:
    """The lines by place and name, such as ``("Tensor", "sin")`` or ``("F", "relu")``."""
    known: dict[tuple[str, str], list[str]] = {}
    for line, place, name in re.findall(r"\n((?:def )?(\w+)\.(?:\2_)?(\w+)\(.*)", text()):
        known.setdefault((place, name), []).append(line)
    return known


# ---- calls ---------------------------------------------------------------------------------------


@functools.cache
def overloads(place: str, name: str) -> "Overloads":
    """The signatures of a function ("torch", "F", …) or method ("Tensor") of PyTorch's."""
    return Overloads(place, name)


class Overloads:
    """The signatures of one name, and what is known of calls so far.

    Note [Calls that would pass]: not every wrong call fails.  True passes for the dimension 1, and
    1 for True.  So the first call with arguments of some classes is compared with PyTorch's
    signatures, and those classes are remembered: a later call pays 0.3 µs to be looked up.
    """

    def __init__(self, place: str, name: str):
        self.place, self.name = place, name
        # By the classes of positional arguments, then keywords likewise: the signature that fits,
        # whatever their values are; None if that was not asked, or if it hangs on the values.
        self.seen: dict[tuple, Signature | None] = {}

    @functools.cached_property
    def lines(self) -> list[str]:
        """The lines of the file; if PyTorch has the function in Python, only that one."""
        places = ("F", "nn", "torch") if self.place == "F" else (self.place,)
        found = next(filter(None, [table().get((place, self.name)) for place in places]), [])
        return [line for line in found if line.startswith("def ")] or found

    @functools.cached_property
    def signatures(self) -> list[Signature]:
        """The signatures, as PyTorch tries them; none if PyTorch has the function in Python."""
        compiled = [line for line in self.lines if not line.startswith("def ")]
        found = [Signature(line.partition(".")[2]) for line in compiled]
        return sorted(found, key=lambda signature: signature.last)

    @functools.cached_property
    def bare(self) -> bool:
        """Whether a call needs no arguments."""
        return self.signatures[0].required == 0

    def fit(self, args: tuple, kwargs: dict[str, Any], quiet: bool = False) -> dict | None:
        """The arguments by name, converted, by the first signature that fits.

        None if no signature is known, or if PyTorch has the function in Python.  The arguments of
        a method come without the tensor itself.  Raises TypeError with PyTorch's message if no
        signature fits; warns, unless `quiet`, if only a deprecated one does.
        """
        if not self.signatures:
            call_shell(self, args, kwargs)
            return None
        if self.lines == [f"Tensor.{self.name}()"] and (args or kwargs):
            raise TypeError(errors.takes_nothing(self.name, len(args), kwargs))
        signature, values = choose(self.signatures, args, kwargs, quiet)
        return signature.convert(values)

    def examine(self, args: tuple, kwargs: dict[str, Any]) -> None:
        """Raise TypeError if PyTorch refuses this call, which comes as to a function."""
        kinds = (*map(type, args), *kwargs, *map(type, kwargs.values()))
        if kinds not in self.seen:
            self.fit(args[self.place == "Tensor" :], kwargs, quiet=True)
            self.seen[kinds] = None

    def parse(self, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
        """The given arguments by name, converted to the values that the function computes with.

        An argument is left out if it is None and that means the default.
        """
        if not args and not kwargs and self.bare:
            return {}
        kinds = (*map(type, args),)
        if kwargs:
            kinds += (*kwargs, *map(type, kwargs.values()))
        known = self.seen.get(kinds)
        if known is not None:
            try:
                return known.given(args, kwargs)
            except TypeError:  # this value of that class does not fit
                pass
        signature, values = choose(self.signatures, args, kwargs)
        if kinds not in self.seen:
            before = self.signatures[: self.signatures.index(signature)]
            hangs = any(isinstance(value, type) for value in values.values())
            hangs = hangs or any(one.hesitates(args, kwargs) for one in before)
            self.seen[kinds] = None if hangs or signature.takes_for_numbers(values) else signature
        params = signature.by_name
        converted = signature.convert(values).items()
        return {n: v for n, v in converted if v is not None or not params[n].allows_none}


def choose(
    signatures: list[Signature], args: tuple, kwargs: dict[str, Any], quiet: bool = False
) -> tuple[Signature, dict[str, Any]]:
    """The first signature that the arguments fit, and these by name; else TypeError."""
    for signature in signatures:
        found = signature.bind(args, kwargs)
        if isinstance(found, dict):
            if signature.last and not quiet:
                errors.warn_once(
                    errors.deprecated_overload(signature, signatures), key="deprecated overload"
                )
            return signature, found
    raise TypeError(refusal(signatures, args, kwargs))


def refusal(signatures: list[Signature], args: tuple, kwargs: dict[str, Any]) -> str:
    """The message for arguments that fit none of these signatures."""
    count = len(args) + len(kwargs)
    shown = [s for s in signatures if not s.hidden]
    plausible = [s for s in shown if s.required <= count <= len(s.params)]
    if len(signatures) == 1:
        plausible = signatures
    if len(plausible) == 1:
        return str(plausible[0].bind(args, kwargs))
    return errors.no_signature_fits(signatures[0].name, shown, args, kwargs)


def call_shell(own: Overloads, args: tuple, kwargs: dict[str, Any]) -> None:
    """Raise Python's error for a wrong call of a function that PyTorch has in Python."""
    place, name, lines = own.place, own.name, own.lines
    alone = f"{place}.{name}(Tensor input)" in table().get((place, name), ())
    if alone and len(args) == 1 and not kwargs:
        choose([Signature(f"{name}(Tensor input)")], args, kwargs)
        return
    match = re.fullmatch(r"(\w+)\.(\w+)(\(.*\))(?: = (\S+))?", lines[0][4:]) if lines else None
    if match is None:
        return
    _, _, params, qualname = match.groups()
    made: dict[str, Any] = {}
    exec(f"def {name}{params}: pass", made)
    shell: FunctionType = made[name]
    shell.__qualname__ = qualname or (f"Tensor.{name}" if place == "Tensor" else name)
    if place == "Tensor":
        args = (None, *args)
    shell(*args, **kwargs)
    if params.startswith(("(*tensors", "(*matrices")):
        listed = name == "meshgrid" and len(args) == 1 and isinstance(args[0], (tuple, list))
        for at, one in enumerate(args[0] if listed else args):
            if not is_tensor(one):
                raise TypeError(errors.element_no_tensor(at, 0, one))


def accepts(place: str = "torch", name: str = "") -> Callable[[F], F]:
    """A decorator that parses the arguments of each call by PyTorch's signatures of this name.

    The function gets the parameters by keyword; if it has a parameter `*size`, that one takes the
    sizes.  A method gets the tensor itself before them.
    """

    def decorate(function: F) -> F:
        own = overloads(place, name or function.__name__)
        code = function.__code__
        spread = (
            code.co_flags & 0x04 and code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
        )
        parse = own.parse

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            if spread:
                if not kwargs and {*map(type, args)} == {int} and max(args) < 2**63:
                    return function(*args)
                given = parse(args, kwargs)
                return function(*given.pop(spread), **given)
            return function(**parse(args, kwargs))

        @functools.wraps(function)
        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            return function(self, **parse(args, kwargs))

        decorated: Any = method if place == "Tensor" else checked
        decorated.overloads = own
        return decorated

    return decorate
