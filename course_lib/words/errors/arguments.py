"""Wrong arguments: what PyTorch says depends on all that was given, and on all that is accepted."""

import inspect
from collections.abc import Callable
from typing import Any

from course_lib.words.errors.sentence import kind_of


def argument_type(op: Any, name: str, value: Any) -> str:
    position = op.params.index(name) + 1 if name in op.params else 1
    shown = "input" if name == "self" else name
    wanted = "tuple of Tensors" if name in op.lists else "Tensor"
    place = f"{op.name}(): argument '{shown}' (position {position})"
    return f"{place} must be {wanted}, not {kind_of(value)}"


def no_tensor_to_call(name: str, args: tuple) -> str:
    """The error for a method called as a function, without a tensor: ``Tensor.add(1, 2)``."""
    if not args:
        return f"unbound method TensorBase.{name}() needs an argument"
    return (
        f"descriptor '{name}' for 'torch._C.TensorBase' objects doesn't apply to a "
        f"'{kind_of(args[0])}' object"
    )


def type_name_of(value: Any) -> str:
    """The name of a value's type as C prints it: with its module, unless built in."""
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def class_name(value: Any) -> str:
    """The name of a class in PyTorch's messages."""
    module = getattr(value, "__module__", "builtins")
    if module.startswith("course_lib"):
        module = "torch"
    name = getattr(value, "__name__", type(value).__name__)
    return name if module == "builtins" else f"{module}.{name}"


# ---- the sentences of PyTorch's argument parser (calls/signature.py) -----------------------------


def other_count(signature: Any, given: int) -> str:
    """The error for too many positional arguments."""
    least, most = signature.required, signature.positional
    if least != most:
        return (
            f"{signature.name}() takes from {least} to {most} positional arguments but "
            f"{given} were given"
        )
    places = f"{most} positional argument{'' if most == 1 else 's'}"
    return f"{signature.name}() takes {places} but {given} {'was' if given == 1 else 'were'} given"


def lacks_arguments(name: str, lacking: list[str]) -> str:
    plural = "s" if len(lacking) == 1 else ""  # the wrong way round, as in PyTorch
    listed = ", ".join(f'"{one}"' for one in lacking)
    return f"{name}() missing {len(lacking)} required positional argument{plural}: {listed}"


def unfit_keyword(signature: Any, kwargs: dict[str, Any], positional: int) -> str:
    """The error for the first keyword that is unknown or was also given by position."""
    names = [p.name for p in signature.params]
    for key in kwargs:
        if key not in names:
            return f"{signature.name}() got an unexpected keyword argument '{key}'"
        if names.index(key) < positional:
            return f"{signature.name}() got multiple values for argument '{key}'"
    return "invalid keyword arguments"


def other_type(name: str, param: Any, place: int | None, value: Any, bad: str) -> str:
    """The error for an argument of the wrong type."""
    where = "" if place is None else f" (position {place})"
    start = f"{name}(): argument '{param.name}'{where} must be {param.word}"
    if bad == "element" and place is not None and isinstance(value, (tuple, list)):
        return f"{start}, but found element of type {kind_of(value[0])} at pos 0"
    return f"{start}, not {kind_of(value)}"


def takes_nothing(name: str, given: int, kwargs: dict[str, Any]) -> str:
    if kwargs:
        return f"TensorBase.{name}() takes no keyword arguments"
    return f"TensorBase.{name}() takes no arguments ({given} given)"


def deprecated_overload(signature: Any, signatures: list[Any]) -> str:
    """The warning for a call that fits only a signature that PyTorch keeps for old programs."""
    lines = [f"This overload of {signature.name} is deprecated:", f"\t{signature.name}{signature}"]
    lines += ["Consider using one of the following signatures instead:"]
    lines += [f"\t{other.name}{other}" for other in signatures if not other.hidden]
    return "\n".join(lines)


def no_signature_fits(name: str, signatures: list[Any], args: tuple, kwargs: dict) -> str:
    """The error that lists the given arguments, the signatures, and why each did not match.

    The reason is given only if the number of arguments fits.  Keyword arguments are listed in
    reverse, which is the order of PyTorch's hash table.
    """
    named = dict(reversed(kwargs.items()))
    given = list_of([*map(kind_of, args)], [f"{k}={kind_of(v)}" for k, v in named.items()])
    start = f"{name}() received an invalid combination of arguments - "
    if len(signatures) == 1:
        text = str(signatures[0])
        words = words_of(text)
        unknown = unknown_names(words, named)
        if unknown:
            return f"{start}got unrecognized keyword arguments: {', '.join(unknown)}"
        if len(words) == len(args) + len(named):
            given = mark_types(words, args, named)
        return f"{start}got {given}, but expected {text}"
    lines = [f"{start}got {given}, but expected one of:\n"]
    for signature in signatures:
        text = str(signature)
        words = words_of(text)
        lines.append(f" * {text}\n")
        if len(words) != len(args) + len(named):
            continue
        unknown = unknown_names(words, named)
        why = "keywords were incorrect" if unknown else "arguments have invalid types"
        shown = ", ".join(unknown) if unknown else mark_types(words, args, named)
        lines.append(f"      didn't match because some of the {why}: {shown}\n")
    return "".join(lines)


def list_of(positional: list[str], named: list[str]) -> str:
    """The words in parentheses; PyTorch drops the last comma only if some are positional."""
    text = "".join(f"{word}, " for word in (*positional, *named))
    return f"({text[:-2] if positional else text})"


def words_of(text: str) -> list[tuple[str, str]]:
    """The type and name of each parameter, as PyTorch parses its own text.

    It takes the last word as the name and counts `*` as a parameter, so a parameter with a default
    never matches.  The number of parameters and the marks in its messages follow from that.
    """
    parts = text[1:-1].split(", ")
    return [(kind, name) for kind, _, name in (part.rpartition(" ") for part in parts)]


def unknown_names(words: list[tuple[str, str]], named: dict[str, Any]) -> list[str]:
    """The keyword arguments that are not among the last parameters."""
    last = [name for _, name in words[max(len(words) - len(named), 0) :]]
    return [name for name in named if name not in last]


def mark_types(words: list[tuple[str, str]], args: tuple, named: dict[str, Any]) -> str:
    """The types of the arguments, with exclamation marks around those that do not fit."""
    given = [("", value) for value in args]
    given += [(f"{name}=", named[name]) for _, name in words[len(args) :]]
    shown = []
    for (wanted, _), (label, value) in zip(words, given, strict=True):
        kinds = {"float": ("float", "int"), "int": ("int",)}.get(wanted, (wanted,))
        mark = "" if kind_of(value) in kinds else "!"
        shown.append(f"{mark}{label}{with_elements(value)}{mark}")
    return list_of(shown[: len(args)], shown[len(args) :])


def with_elements(value: Any) -> str:
    """The type of a value; for a tuple or list, also the types of its elements."""
    if not isinstance(value, (tuple, list)):
        return kind_of(value)
    inside = ", ".join(map(kind_of, value))
    if isinstance(value, list):
        return f"list of [{inside}]"
    return f"{kind_of(value)} of ({inside}{',' if len(value) == 1 else ''})"


# ---- a list, a number, an array or None instead of a tensor --------------------------------------


# PyTorch writes these functions in Python: the attribute that they read first is missing.
READ_FIRST = {
    "size": "mse_loss l1_loss binary_cross_entropy "
    "binary_cross_entropy_with_logits adaptive_avg_pool2d batch_norm",
    "dim": "dropout2d interpolate group_norm",
    "softmax": "softmax",
    "log_softmax": "log_softmax",
    "norm": "normalize",
    "sigmoid": "sigmoid",
    "tanh": "tanh",
    "layout": "norm",
    "split": "split",
}

# The others pass their arguments to a kernel, which may have another name.
KERNELS = {
    "cross_entropy": "cross_entropy_loss",
    "nll_loss": "nll_loss_nd",
    "logsigmoid": "log_sigmoid",
}


def untensored(
    function: Callable, name: str, args: tuple, kwargs: dict[str, Any], error: AttributeError
) -> Exception:
    """PyTorch's error, if this one is about an argument that should be a tensor; else this one."""
    given = inspect.signature(function).bind_partial(*args, **kwargs).arguments
    for place, (parameter, value) in enumerate(given.items(), 1):
        if value is error.obj and not hasattr(value, "_array"):
            kind = type_name_of(value)
            for attribute, names in READ_FIRST.items():
                if name in names.split():
                    if attribute.endswith("softmax") and given.get("dim") is None:
                        attribute = "dim"  # it is needed to choose a dimension
                    if hasattr(value, attribute):  # an array has a size, which is a number
                        return TypeError("'int' object is not callable")
                    return AttributeError(f"'{kind}' object has no attribute '{attribute}'")
            return TypeError(
                f"{KERNELS.get(name, name)}(): argument '{parameter}' (position {place}) "
                f"must be Tensor, not {kind}"
            )
    return error
