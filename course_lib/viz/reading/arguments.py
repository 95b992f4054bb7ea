"""What a picture is asked for: whatever else comes is answered by a sentence that says what to do.

`who` is always the function that was called. All of these raise `TypeError`, or `ValueError` for a
thing of the right kind with an impossible value; where nothing is wrong they give back nothing.
"""

import math
import operator
import reprlib
from collections.abc import Callable, Iterable, Mapping
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from course_lib.viz.reading.models import tensors_of
from course_lib.viz.reading.values import is_tensor

IN_WORDS = ("draw_axes", "draw_storage", "draw_strides", "draw_versions")  # tell every layout
SPARSE = ("draw_backward", "draw_broadcast", "draw_graph", "draw_image", "draw_sharing")
FUNCTIONS = (BuiltinFunctionType, FunctionType, MethodType)
LOSS = ": give it the loss, as in {who}(loss)."
SINGLE = "Draw each by itself and put them side by side: compare({who}(a), {who}(b))."


def came(thing: Any) -> str:
    """What came, by its type; a type and None by their own name.

    >>> came(3), came(int), came(None)
    ('int', 'the type int', 'None')
    """
    if isinstance(thing, type):
        return f"the type {thing.__name__}"
    return "None" if thing is None else type(thing).__name__


def tensors(who: str, things: tuple[Any, ...], is_one: Callable[[Any], bool] = is_tensor) -> None:
    """Any number of tensors, from one on; `is_one` says what counts as one.

    >>> tensors("draw_storage", ([1, 2],))
    Traceback (most recent call last):
    TypeError: draw_storage wants tensors, not list. Make a tensor of it first: torch.tensor(...).
    """
    if not things:
        raise TypeError(f"{who} wants at least one tensor. Give it one: {who}(x).")
    for thing in things:
        tensor(who, thing, "tensors", "Give them one by one: {who}(a, b).", is_one)


def tensor(
    who: str, thing: Any, wants: str = "a tensor", several: str = SINGLE,
    is_one: Callable[[Any], bool] = is_tensor,
) -> None:  # fmt: skip
    """One tensor."""
    if not is_one(thing):
        instead = _instead(who, thing, several.format(who=who), is_one)
        raise TypeError(f"{who} wants {wants}, not {came(thing)}. {instead}")
    dense(who, thing, who in SPARSE)


def dense(who: str, thing: Any, sparse: bool = False) -> None:
    """Refuse a nested tensor, and one without strides unless `sparse`; anything else passes."""
    nested, layout = getattr(thing, "is_nested", False), str(getattr(thing, "layout", "strided"))
    if who not in IN_WORDS and (nested or not sparse and not layout.endswith("strided")):
        kind = "a nested one" if nested else f"one with the layout {layout}"
        instead = "x.to_padded_tensor(0.0)" if nested else "x.to_dense()"
        raise TypeError(f"{who} wants dense tensors, not {kind}. Make it dense first: {instead}.")


def require_made(who: str, thing: Any, name: str, instead: str = LOSS) -> None:
    """A tensor that functions made."""
    if thing.grad_fn is None:
        what = f"a tensor that functions made, and {name} has no graph"
        raise ValueError(f"{who} wants {what}{instead.format(who=who)}")


def _instead(who: str, thing: Any, several: str, is_one: Callable[[Any], bool]) -> str:
    """What to write instead of a thing that is no tensor: the words of the first that it is."""
    cls = type(thing)
    cases = (
        (thing is None, "Look whether the line that made it gives something back."),
        (isinstance(thing, (type, *FUNCTIONS)),
         f"Call it, and give what comes out: {who}(f(x))."),
        (hasattr(cls, "named_parameters"),
         "Give what the model makes of an input, or draw the model: draw_module(model, x)."),
        (hasattr(cls, "next_functions"), "Give the tensor whose grad_fn it is."),
        (hasattr(cls, "_repr_mimebundle_"), "It is a picture already."),
        (isinstance(thing, str), "Give the tensor itself, without quotation marks."),
        (isinstance(thing, Mapping), f"Give its values: {who}(*tensors.values())."),
        (isinstance(thing, (list, tuple)) and any(map(is_one, thing)), several),
        (getattr(getattr(thing, "dtype", None), "kind", "") in ("O", "S", "U", "V"),
         "A tensor holds numbers, and these are none."),
        (cls.__module__.partition(".")[0] == "numpy",
         "Make a tensor of it first: torch.from_numpy(array)."),
        (True, "Make a tensor of it first: torch.tensor(...)."),
    )  # fmt: skip
    return next(words for it_is, words in cases if it_is)


def exactly(who: str, more: tuple[Any, ...], wants: str, instead: str) -> None:
    """No more things than a function takes by position."""
    if more:
        raise TypeError(f"{who} wants {wants}, and {len(more)} more came. {instead}")


def module(who: str, thing: Any) -> None:
    """A module."""
    if isinstance(thing, type) or not hasattr(type(thing), "named_modules"):
        made = isinstance(thing, type) and hasattr(thing, "named_modules")
        instead = "Make one first" if made else "Give the model itself, then its input"
        raise TypeError(f"{who} wants a module, not {came(thing)}. {instead}: {who}(model, x).")


def function(who: str, wants: str, thing: Any, example: str) -> None:
    """Something that can be called."""
    if not callable(thing):
        raise TypeError(f"{who} wants {wants}, not {came(thing)}. For example: {example}.")


def one_of(who: str, option: str, value: Any, choices: Iterable[str]) -> None:
    """One of some words.

    >>> one_of("draw_graph", "show", "value", ["values", "shapes"])
    Traceback (most recent call last):
    ValueError: draw_graph: show wants one of 'values', 'shapes', not 'value'.
    """
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        listed = ", ".join(map(repr, known))
        raise ValueError(f"{who}: {option} wants one of {listed}, not {reprlib.repr(value)}.")


def count(who: str, option: str, value: Any, least: int = 1) -> None:
    """A whole number, not below `least`."""
    try:
        whole = operator.index(value)
    except TypeError:
        whole = least - 1
    if whole < least:
        told = f"a whole number from {least} on, such as {max(60, least)}"
        raise (ValueError if isinstance(value, int) else TypeError)(
            f"{who}: {option} wants {told}, not {reprlib.repr(value)}."
        )


def number(who: str, what: str, value: Any) -> float:
    """A number, or a tensor of one element, as a number."""
    dense(who, value, sparse=True)
    try:
        return float(value.detach().item() if is_tensor(value) else value)
    except (TypeError, ValueError, RuntimeError):
        told = reprlib.repr(value) if isinstance(value, str) else came(value)
        size = f" of shape {tuple(value.shape)}" if is_tensor(value) else ""
        raise TypeError(
            f"{who} wants {what} as a number or a tensor of one element, not {told}{size}."
        ) from None


def column(who: str, what: str, given: Any) -> list[Any]:
    """The numbers of a tensor of shape (n,) or (n, 1), or of a list.

    >>> column("draw_fit", "x", [[1.0], 2]), column("draw_fit", "x", "12")
    Traceback (most recent call last):
    TypeError: draw_fit wants x as a tensor or a list of numbers, one for each point, not str.
    """
    dense(who, given)
    listed = given.detach().tolist() if is_tensor(given) else given
    parts = listed if isinstance(listed, (list, tuple)) else []
    plain = [part.tolist() if is_tensor(part) else part for part in parts]
    found = [v[0] if isinstance(v, list) and len(v) == 1 else v for v in plain]
    odd = [v for v in found if not isinstance(v, (int, float))]
    if found and not odd:
        return found
    told = f"{came(given)} with {reprlib.repr(odd[0])} in it" if odd else came(given)
    if is_tensor(given):
        told = f"a {given.dtype} tensor of shape {tuple(given.shape)}"
    elif isinstance(given, (list, tuple)) and not given:
        told = f"an empty {came(given)}"
    raise TypeError(
        f"{who} wants {what} as a tensor or a list of numbers, one for each point, not {told}."
    )


def two_words(who: str, given: Any) -> tuple[str, str]:
    """What the two directions of a plot are called."""
    if isinstance(given, (tuple, list)) and len(given) == 2:
        if all(isinstance(word, str) for word in given):
            return given[0], given[1]
    raise TypeError(
        f'{who}: axes wants two words, such as ("length", "depth"), not {reprlib.repr(given)}.'
    )


def limits(who: str, given: Any, count: int, example: str) -> list[tuple[float, float]]:
    """For each of some directions two numbers, the smaller one first; one may come by itself.

    >>> limits("draw_fit", (0, 5), 1, "(0, 20)"), limits("draw_fit", [(0, 5)], 1, "(0, 20)")
    ([(0.0, 5.0)], [(0.0, 5.0)])
    """
    try:
        bare = count == 1 and not isinstance(given[0], (list, tuple))
        found = [(float(low), float(high)) for low, high in ([given] if bare else given)]
    except (TypeError, ValueError, LookupError, RuntimeError):
        found = []
    if len(found) != count or not all(-math.inf < low < high < math.inf for low, high in found):
        raise ValueError(
            f"{who}: limits wants the smaller number before the larger one, as in {example}, "
            f"not {reprlib.repr(given)}."
        )
    return found


def in_order(who: str, names: Any, things: tuple[Any, ...]) -> Any:
    """The names as pairs, where they came as a list of words in the order of the things.

    >>> in_order("draw_image", ["left", "right"], (1, 2))
    [('left', 1), ('right', 2)]
    """
    words = isinstance(names, (list, tuple)) and all(isinstance(name, str) for name in names)
    if not words or not names:
        return names
    if len(names) != len(things):
        raise ValueError(
            f"{who}: names wants one name for each of the {len(things)} things drawn, "
            f"not {len(names)}."
        )
    return list(zip(names, things, strict=True))


def name_parameters(who: str, option: str, source: Any) -> list[tuple[Any, Any]]:
    """Pairs of name and tensor: of a module, of a dict, or such pairs themselves.

    >>> name_parameters("draw_graph", "params", iter([("weight", 1)]))
    [('weight', 1)]
    """
    if source is None:
        return []
    if hasattr(type(source), "named_parameters"):
        source = tensors_of(source, names=3)
    pairs = source.items() if isinstance(source, Mapping) else source
    if isinstance(pairs, Iterable) and not is_tensor(pairs):
        listed = list(pairs)
        if all(isinstance(one, tuple) and len(one) == 2 for one in listed):
            return listed
    raise TypeError(
        f'{who}: {option} wants a dict such as {{"x": x}}, a module, or pairs such as '
        f"model.named_parameters(), not {came(source)}."
    )
