"""A signature of PyTorch's: its parameters, and whether and how arguments fit them.

sum = Signature("sum(Tensor input, int64_t dim, bool keepdim=False)")
sum.bind((x, 1), {})           gives    {"input": x, "dim": 1}
sum.bind((x, True), {})        gives    "sum(): argument 'dim' (position 2) must be int, not bool"
"""

import re
from typing import Any, NamedTuple

from course_lib.calls.arguments import NUMPY_NAMES
from course_lib.calls.values import KINDS, NUMBERS, Kind, is_index, is_number, is_size, is_tensor
from course_lib.words import errors

NUMBERS_AS_TENSORS = set("add sub mul div true_divide floor_divide copy to".split())
MISSING = object()


class Param(NamedTuple):
    """One parameter of one signature."""

    name: str
    kind: Kind
    size: int  # 1 for `IntArrayRef[1]`, where a single integer is allowed; 0 if there is none
    default: str | None  # its text; None if the argument is required
    allows_none: bool
    keyword_only: bool
    allows_numbers: bool

    @property
    def word(self) -> str:
        """The name of the type in messages."""
        return self.kind.word

    def refuses(self, value: Any, index: int) -> str | None:
        """None if the value may be given, else "type", or "element" if its first element is wrong.

        The parameter is the `index`-th of its signature.
        """
        if self.word == "tuple of ints":
            if isinstance(value, (tuple, list)):
                return None if is_size(value) else "element"
            return None if self.size and is_index(value) else "type"
        if self.word == "Tensor" and self.allows_numbers and is_number(value):
            return None
        if not self.kind.accepts(value):
            return "type"
        for at, one in enumerate(value if self.word == "tuple of Tensors" else ()):
            if not is_tensor(one):
                raise TypeError(errors.element_no_tensor(at, index, one))
        return None


class Signature:
    """One way to call a function."""

    def __init__(self, text: str):
        self.name, _, rest = text.partition("(")
        listed, _, flag = rest.rpartition(")")
        self.hidden, self.last = bool(flag), flag == "|deprecated"
        self.params: list[Param] = []
        keyword_only = False
        for part in re.split(r", (?![^{]*\})", listed) if listed else ():
            if part == "*":
                keyword_only = True
            else:
                self.params.append(self.param(part, keyword_only))
        self.by_name = {p.name: p for p in self.params}
        self.converts = {p.name: p.kind.convert for p in self.params}
        self.positional = sum(not p.keyword_only for p in self.params)
        self.required = sum(p.default is None for p in self.params)
        self.spreads = self.positional == 1 and self.params[0].word == "tuple of ints"

    def param(self, text: str, keyword_only: bool) -> Param:
        """The parameter that a text describes, say ``int64_t? dim=None``."""
        declared, equals, given = text.partition("=")
        kind, _, name = declared.rpartition(" ")
        default = given if equals else None
        allows_none = kind.endswith("?") or default == "None"
        kind, _, size = kind.rstrip("?").rstrip("]").partition("[")
        numbers = kind == "Tensor" and self.name.removesuffix("_") in NUMBERS_AS_TENSORS
        return Param(name, KINDS[kind], int(size or 0), default, allows_none, keyword_only, numbers)

    def __str__(self) -> str:
        words = []
        for param in self.params:
            if param.keyword_only and "*" not in words:
                words.append("*")
            default = "" if param.default is None else f" = {param.default}"
            words.append(f"{param.word} {param.name}{default}")
        return f"({', '.join(words)})"

    def bind(self, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any] | str:
        """The arguments by parameter name, or the message that says why they do not fit."""
        if len(args) > self.positional:
            if not self.spreads or self.params[0].refuses(args, 0):
                return errors.other_count(self, len(args))
        values: dict[str, Any] = {}
        at, unused = 0, len(kwargs)
        for index, param in enumerate(self.params):
            named = at >= len(args)
            if not named and param.keyword_only:
                return errors.other_count(self, len(args))
            value = look_up(param.name, kwargs) if named else args[at]
            if value is MISSING and param.default is not None:
                continue
            if value is MISSING:
                lacking = [p.name for p in self.params[index:] if p.default is None]
                return errors.lacks_arguments(self.name, lacking)
            if not (value is None and param.allows_none):
                bad = param.refuses(value, index)
                if bad and self.spreads and at == 0 and not named:
                    if param.refuses(args, index) is None:
                        values[param.name], at = args, len(args)
                        continue
                    bad = "element"
                if bad:
                    place = None if named else at + 1
                    return errors.other_type(self.name, param, place, value, bad)
            values[param.name] = value
            at, unused = (at, unused - 1) if named else (at + 1, unused)
        if unused:
            return errors.unfit_keyword(self, kwargs, len(args))
        return values

    def convert(self, values: dict[str, Any]) -> dict[str, Any]:
        """The bound values, as what they stand for; each element of a tuple is checked."""
        out = {}
        for name, value in values.items():
            param = self.by_name[name]
            if value is None and param.allows_none:
                pass
            elif param.word == "tuple of ints" and isinstance(value, (tuple, list)):
                value = self.sizes(name, value)
            elif param.kind.convert is not None:
                value = param.kind.convert(value)
            out[name] = value
        return out

    def sizes(self, name: str, value: Any) -> tuple[int, ...]:
        """A tuple of integers; so far only the first of them has been checked."""
        for at, one in enumerate(value):
            if not is_index(one) and not isinstance(one, bool):
                raise TypeError(errors.not_unpacked(self.name, name, at + 1, one))
            if not -(2**63) <= one.__index__() < 2**63:
                raise TypeError(errors.size_overflow(self.name, name, at + 1))
        return tuple([one.__index__() for one in value])

    def given(self, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments by name, converted, of a call whose classes fit; TypeError if it does not.

        Those that are None, and so mean the default, are left out.
        """
        out = {}
        for name, value in self.pairs(args, kwargs):
            if value is None and self.by_name[name].allows_none:
                continue
            convert = self.converts[name]
            out[name] = value if convert is None else convert(value)
        return out

    def hesitates(self, args: tuple, kwargs: dict[str, Any]) -> bool:
        """Whether arguments that do not fit would, with other values of the same classes."""
        given = dict(self.pairs(args, kwargs))
        if any(p.default is None and p.name not in given for p in self.params):
            return False
        if len(given) < len(args) + len(kwargs) and not self.spreads:
            return False
        listed = [name for name, value in given.items() if isinstance(value, (tuple, list))]
        return self.takes_for_numbers(given) or any(
            self.by_name[name].word == "tuple of ints" for name in listed
        )

    def takes_for_numbers(self, values: dict[str, Any]) -> bool:
        """Whether tensors are among the values that may stand for numbers."""
        return any(is_tensor(v) and self.by_name[n].word in NUMBERS for n, v in values.items())

    def pairs(self, args: tuple, kwargs: dict[str, Any]) -> list[tuple[str, Any]]:
        """The name of its parameter and the value of each argument, as far as there is one."""
        gathers = self.spreads and args and args[0].__class__ is int
        pairs = list(zip(self.by_name, (args,) if gathers else args))
        for name, value in kwargs.items():
            name = name if name in self.by_name else NUMPY_NAMES.get(name, "")
            if name in self.by_name:
                pairs.append((name, value))
        return pairs


def look_up(name: str, kwargs: dict[str, Any]) -> Any:
    """A keyword argument, also under NumPy's name for it; MISSING if it was not given."""
    if name in kwargs:
        return kwargs[name]
    return next((kwargs[n] for n in kwargs if NUMPY_NAMES.get(n) == name), MISSING)
