"""Arguments that fit no signature: the sentences of PyTorch's argument parser."""

from __future__ import annotations

from typing import Any

import numpy as np

OURS = {
    "dtype": "torch.dtype",
    "device": "torch.device",
    "Size": "torch.Size",
    "Generator": "torch._C.Generator",
    "memory_format": "torch.memory_format",
    "layout": "torch.layout",
}


def type_name(value: Any) -> str:
    """The name of a value's type as PyTorch's messages have it."""
    kind = type(value)
    if kind.__module__.startswith("course_lib"):
        return OURS.get(kind.__name__, kind.__name__)
    if isinstance(value, (np.ndarray, np.generic)):
        return f"numpy.{kind.__name__}"
    return kind.__name__


def missing(function: str, names: list[str]) -> str:
    plural = "s" if len(names) == 1 else ""  # PyTorch has it the wrong way round
    listed = ", ".join(f'"{n}"' for n in names)
    return f"{function}() missing {len(names)} required positional argument{plural}: {listed}"


def too_many(function: str, required: int, positional: int, given: int) -> str:
    if required < positional:
        takes, were = f"from {required} to {positional} positional arguments", "were"
    else:
        takes = f"{positional} positional argument{'' if positional == 1 else 's'}"
        were = "was" if given == 1 else "were"
    return f"{function}() takes {takes} but {given} {were} given"


def unexpected(function: str, name: str) -> str:
    return f"{function}() got an unexpected keyword argument '{name}'"


def given_twice(function: str, name: str) -> str:
    return f"{function}() got multiple values for argument '{name}'"


def wrong_type(function: str, name: str, place: int | None, wanted: str, value: Any) -> str:
    where = "" if place is None else f" (position {place})"
    start = f"{function}(): argument '{name}'{where} must be {wanted}"
    if wanted == "tuple of ints" and isinstance(value, (tuple, list)) and place is not None:
        return f"{start}, but found element of type {type_name(value[0])} at pos 0"
    return f"{start}, not {type_name(value)}"


def bad_element(function: str, name: str, place: int, value: Any) -> str:
    return (
        f"{function}(): argument '{name}' failed to unpack the object at pos {place} with error "
        f'"type must be tuple of ints,but got {type_name(value)}"'
    )


def no_overload(function: str, overloads: Any, args: tuple, kwargs: dict) -> str:
    """What was given, and all signatures; for those with as many parameters, what is wrong."""
    words = [f"{type_name(v)}, " for v in args]
    words += [f"{name}={type_name(v)}, " for name, v in kwargs.items()]
    given = "".join(words)
    if args:
        given = given[:-2]
    text = f"{function}() received an invalid combination of arguments - got ({given}), "
    text += "but expected one of:\n"
    for overload in overloads:
        text += f" * ({overload.text})\n"
        params = overload.params
        expected = max(len(params), 1) - ("out" in overload.by_name and "out" not in kwargs)
        if len(args) + len(kwargs) != expected:
            continue
        unknown = [name for name in kwargs if name not in overload.by_name]
        if unknown:
            text += "      didn't match because some of the keywords were incorrect: "
            text += ", ".join(unknown) + "\n"
        else:
            text += "      didn't match because some of the arguments have invalid types: "
            text += judged(params, args, kwargs) + "\n"
    return text


def judged(params: Any, args: tuple, kwargs: dict) -> str:
    """The given arguments, those of a wrong type between exclamation marks."""
    words = []
    for number in range(len(args) + len(kwargs)):
        if number >= len(params):
            words.append(f"!{described(args[number])}!, ")
            continue
        param = params[number]
        if number < len(args):
            value, label = args[number], ""
        elif param.name in kwargs:
            value, label = kwargs[param.name], f"{param.name}="
        else:
            continue
        mark = "" if fits(param, value) else "!"
        words.append(f"{mark}{label}{described(value)}{mark}, ")
    joined = "".join(words)
    return f"({joined[:-2] if args else joined})"


def fits(param: Any, value: Any) -> bool:
    """Whether the name of the type says so: the message is stricter than the parser."""
    names = {"float": ("float", "int"), "int": ("int",)}.get(param.type, (param.type,))
    return type_name(value) in names or (value is None and param.allows_none)


def described(value: Any) -> str:
    """The type of a value, of a tuple or list with those of its elements."""
    name = type_name(value)
    if not isinstance(value, (tuple, list)):
        return name
    inside = ", ".join(type_name(v) for v in value)
    if isinstance(value, list):
        return f"{name} of [{inside}]"
    return f"{name} of ({inside}{',' if len(value) == 1 else ''})"
