"""How near a wrong answer is to the right one: one fact about both that tells where to look.

Note [A fact, never a cause]
Nobody wrote down this mistake, so nothing here says what the student did. A sentence states what
holds for the data themselves, such as "the numbers are right, but in another order"; a cause is a
question after it. Each fact is first tried on all rows that differ, then on the first of them.
"""

from __future__ import annotations

import itertools
import json
import math
import operator
from collections import Counter
from collections.abc import Iterator
from typing import Any

from course_lib.classroom.probe import Data

# How far two floats may be apart, relative to the larger: wider where a dtype keeps fewer digits.
CLOSE = {"torch.float16": 2e-3, "torch.bfloat16": 2e-2, "float16": 2e-3}
CLOSE_TO_ANY = 1e-5
CLOSE_TO_ZERO = 1e-6

Pair = tuple[Data, Data]  # an expected value and the student's
Numbers = tuple[list[int], list[Any]]  # a shape, and what fills it
KINDS = {"int": "an int", "float": "a float", "bool": "a bool", "array": "an array"}


def close(ours: Any, theirs: Any, within: float = CLOSE_TO_ANY) -> bool:
    """Equal, floats up to rounding; complex numbers come as pairs.

    >>> close(1 / 3, 0.333333), close(1, 2), close([0.0, 1.0], [0.0, 1.0])
    (True, False, True)
    """
    if isinstance(ours, list) and isinstance(theirs, list):
        return all(close(*pair, within) for pair in zip(ours, theirs, strict=True))
    if isinstance(ours, float) and isinstance(theirs, float):
        return math.isclose(ours, theirs, rel_tol=within, abs_tol=CLOSE_TO_ZERO)
    return bool(ours == theirs)


def observation(expected: Data, data: Data, marks: tuple[bool, ...], hide: bool = False) -> str:
    """One fact about these data in words, or "". With `hide` it gives no value away.

    >>> def shown(*numbers):
    ...     items = [{"kind": "int", "value": number} for number in numbers]
    ...     return {"entries": [{"label": "x", "value": {"kind": "list", "items": items}}]}
    >>> observation(shown(1, 2, 3), shown(3, 2, 1), (False,))
    'The numbers are right, but in reverse order.'
    """
    ours, yours = expected["entries"], data["entries"]
    apart = [place for place, right in enumerate(marks) if not right]
    if [one["label"] for one in ours] != [one["label"] for one in yours] or not apart:
        return ""
    pairs = [(ours[place]["value"], yours[place]["value"]) for place in apart]
    facts = FACTS if not hide else (_order, _items)
    if hide and not all(_many(your) for _, your in pairs):
        return ""  # of few values, their order or the count of right ones would be the answer
    where = "" if len(ours) == 1 else f"In {'every' if apart[1:] else 'the'} row marked ✗, "
    for fact in facts:
        if said := fact(pairs):
            return _led(where, said)
    if not hide and (said := _rows(ours, yours, apart)):
        return said
    told = (fact(pairs[:1]) for fact in facts if apart[1:])
    return _led("In the first row marked ✗, ", next(filter(None, told), ""))


def _many(data: Data) -> bool:
    return len(data.get("items") or data.get("values") or ()) >= 4


def _led(where: str, said: str) -> str:
    return where + said[0].lower() + said[1:] if where and said else said


# ---- the same numbers ----------------------------------------------------------------------------


def _numbers(data: Data) -> Numbers | None:
    """Shape and numbers, None where there are other things than real numbers, or not all."""
    shape, numbers = data.get("shape", []), data.get("values", [data.get("value")])
    if data["kind"] in ("list", "tuple"):
        parts = [_numbers(item) for item in data["items"]]
        if None in parts or len({str(part[0]) for part in parts if part}) > 1:
            return None
        shape = [len(parts), *(parts[0][0] if parts and parts[0] else [])]
        numbers = [number for part in parts if part for number in part[1]]
    elif data["kind"] not in ("int", "float", "bool", "tensor", "array"):
        return None
    if data.get("dtype") in CLOSE or len(numbers) != math.prod(shape):
        return None  # few digits are never certain, and part of the numbers is no order
    fine = all(type(one) in (int, float, bool, str) for one in numbers)  # else complex, or sealed
    return (shape, numbers) if fine else None


def _all(pairs: list[Pair]) -> list[tuple[Numbers, Numbers]]:
    """The numbers of all pairs, [] where one of them has none."""
    found = [(ours, yours) for one, other in pairs
             if (ours := _numbers(one)) and (yours := _numbers(other))]  # fmt: skip
    return found if len(found) == len(pairs) else []


def _alike(ours: list[Any], yours: list[Any]) -> bool:
    return len(ours) == len(yours) and all(map(_equal, ours, yours))


def _equal(our: Any, your: Any) -> bool:
    if type(our) is type(your) or str in (type(our), type(your)):
        return close(our, your)
    return math.isclose(our, your, rel_tol=CLOSE_TO_ANY, abs_tol=CLOSE_TO_ZERO)


def _agreed(said: list[str]) -> str:
    """What is said of every pair, if it is one and the same."""
    return said[0] if said and len(set(said)) == 1 else ""


def _kind(pairs: list[Pair]) -> str:
    if all(your["kind"] == "None" for _, your in pairs):
        cause = "a function without `return` gives it, and so does a `.grad` that got no gradient"
        return f"There is `None` where a value is expected: {cause}."
    if all(our["kind"] == "None" for our, _ in pairs):
        return "`None` is expected. For a `.grad`, that means that no gradient arrives there."
    kinds = {your.get("type") for _, your in pairs}
    if kinds <= {"function", "method", "builtin_function_or_method"}:
        return "There is a function in place of its result. Are its round brackets `()` missing?"
    return ""


def _form(pairs: list[Pair]) -> str:
    """The right numbers, in their order, in another kind of value, shape or dtype."""
    found = _all(pairs)
    if not found or not all(_alike(ours[1], yours[1]) for ours, yours in found):
        return ""
    said = [_formed(*pair, *forms) for pair, forms in zip(pairs, found, strict=True)]
    return _agreed(said) or "The numbers are right, but not what holds them."


def _formed(our: Data, your: Data, ours: Numbers, yours: Numbers) -> str:
    if our["kind"] != your["kind"]:
        kinds = [KINDS.get(one["kind"], f"a {one['kind']}") for one in (our, your)]
        many = "number is" if ours[0] == [] else "numbers are"
        item = " Does `.item()` help?" if your["kind"] == "tensor" and ours[0] == [] else ""
        return f"The {many} right, but in the form of {kinds[1]}, not of {kinds[0]}.{item}"
    if our["kind"] not in ("tensor", "array"):
        return "The numbers are right, but their types or their grouping are not."
    if ours[0] != yours[0]:
        ones = yours[0].count(1) - ours[0].count(1)
        if [size for size in ours[0] if size != 1] == [size for size in yours[0] if size != 1]:
            much = {0: "a dimension of size 1 is in another place", 1: "one dimension of size 1 is "
                    "too many", -1: "one dimension of size 1 is missing"}  # fmt: skip
            told = much.get(ones, "the dimensions of size 1 differ")
            return f"The numbers are right, but {told}. Look for `keepdim` and `unsqueeze`."
        return "The numbers and their order are right, only the shape is not."
    differ = [f"`{name}`" for name in ("dtype", "device", "requires_grad")
              if our.get(name, "cpu") != your.get(name, "cpu")]  # fmt: skip
    return f"The numbers are right. What differs is {' and '.join(differ)}."


def _order(pairs: list[Pair]) -> str:
    """The right numbers or items in another order."""
    found = _all(pairs)
    if not found:
        lists = all(one["kind"] in ("list", "tuple", "dict") for pair in pairs for one in pair)
        same = lists and all(_counted(our["items"]) == _counted(your["items"])
                             for our, your in pairs)  # fmt: skip
        return "The items are right, but in another order." if same else ""
    if any(_alike(ours[1], yours[1]) for ours, yours in found):
        return ""  # these differ in something else
    for told, order in (
        ("The numbers are right, but in reverse order.", _reversed),
        ("It is the transpose of what is expected: its dimensions are in another order.", _turned),
    ):
        if all(order(*one) for one in found):
            return told
    if all(_alike(*map(_sorted, (ours[1], yours[1]))) for ours, yours in found):
        return "The numbers are right, but in another order."
    return ""


def _counted(items: list[Any]) -> Counter[str]:
    return Counter(json.dumps(item, sort_keys=True, default=id) for item in items)


def _sorted(numbers: list[Any]) -> list[Any]:
    return sorted(numbers, key=lambda one: (type(one) is str, one))


def _reversed(ours: Numbers, yours: Numbers) -> bool:
    return len(ours[0]) == 1 and ours[0] == yours[0] and _alike(ours[1], yours[1][::-1])


def _turned(ours: Numbers, yours: Numbers) -> bool:
    """Whether some order of the dimensions makes one of the other."""
    depth = len(ours[0])
    if depth not in (2, 3, 4) or sorted(ours[0]) != sorted(yours[0]) or ours == yours:
        return False
    for order in itertools.permutations(range(depth)):
        if [yours[0][one] for one in order] == ours[0]:
            steps = [math.prod(yours[0][one + 1 :]) for one in order]
            places = itertools.product(*(range(size) for size in ours[0]))
            flat = (sum(map(int.__mul__, place, steps)) for place in places)
            if _alike(ours[1], [yours[1][place] for place in flat]):
                return True
    return False


# ---- other numbers -------------------------------------------------------------------------------


def _shape(pairs: list[Pair]) -> str:
    return _agreed([_reshaped(*ours, *yours) for ours, yours in _all(pairs)])


def _reshaped(ours: list[int], our: list[Any], yours: list[int], your: list[Any]) -> str:
    short, long = sorted((our, your), key=len)
    if len(ours) == len(yours) == 1 and 0 < len(short) < len(long):
        for end, part in (("end", long[: len(short)]), ("beginning", long[-len(short) :])):
            if _alike(short, part):
                count = len(long) - len(short)
                if short is our:
                    are = "is one" if count == 1 else f"are {count}"
                    return f"The numbers are right, but at the {end} there {are} too many."
                are = "one is" if count == 1 else f"{count} are"
                return f"The numbers are right, but at the {end} {are} missing."
    if not yours and len(our) > 1:
        return "One number is there where several are expected. Is a `dim` missing?"
    if not ours and len(your) > 1:
        return "Several numbers are there where one is expected. Is a sum or a mean missing?"
    if ours in _without_one(yours):
        return "There is one dimension more than expected. Is a reduction or an index missing?"
    if yours in _without_one(ours):
        return "One dimension is missing. Did a reduction or an index remove it?"
    if ours != yours and sorted(ours) == sorted(yours):
        return "The sizes are right, but the dimensions are in another order."
    return ""


def _without_one(shape: list[int]) -> list[list[int]]:
    return [shape[:k] + shape[k + 1 :] for k in range(len(shape))]


def _relation(pairs: list[Pair]) -> str:
    """What leads from each expected number to the student's, if it is the same everywhere."""
    found = _all(pairs)
    if not found or any(len(ours[1]) != len(yours[1]) for ours, yours in found):
        return ""
    ours, yours = ([one for pair in found for one in pair[side][1]] for side in (0, 1))
    if any(word in yours and word not in ours for word in ("nan", "inf", "-inf")):
        return "There is a `nan` or an `inf`. Is something divided by 0, or is there a log of 0?"
    kinds = {type(one) for one in ours + yours}
    # Of one truth value in a row, this would say no more than that it is wrong.
    if kinds == {bool} and len(ours) > len(found) and not any(map(operator.eq, ours, yours)):
        return "Each truth value is the opposite of the expected one."
    if not kinds <= {int, float} or _alike(ours, yours):
        return ""
    each = "Each number is" if len(ours) > 1 else "The number is"
    if _alike(yours, [-one for one in ours]):
        return f"{each} the expected one with the other sign."
    apart, ratio = yours[0] - ours[0], _ratio(ours, yours)
    steady = _alike(
        [your - our for our, your in zip(ours, yours, strict=True)], [apart] * len(ours)
    )
    if steady and (len(set(ours)) > 1 or abs(apart) == 1):
        return f"{each} {abs(apart):.5g} too {'large' if apart > 0 else 'small'}."
    if ratio:
        return f"{each} {ratio} the expected one. Is there a factor too many or too few?"
    for told, change in CHANGES.items():
        if all(
            our and _equal(float(your), change(our)) for our, your in zip(ours, yours, strict=True)
        ):
            return f"{each} {told} the expected one."
    ratios = [_ratio(our[1], your[1]) for our, your in found]
    if len(ratios) > 1 and all(ratios):
        said = ", ".join(dict.fromkeys(ratios))
        return (
            f"{each} a multiple or a part of the expected one: {said}. Is it the size of something?"
        )
    if all(type(our) is float and float(your) in (math.floor(our), math.ceil(our))
           for our, your in zip(ours, yours, strict=True)):  # fmt: skip
        return f"{each} the expected one, rounded to a whole number."
    if not any(yours):
        return f"{each} 0."
    for told, compare in (("large", operator.gt), ("small", operator.lt)):
        if len(ours) > 1 and all(map(compare, yours, ours)):
            return f"{each} too {told}."
    return ""


CHANGES = {
    "the square of": lambda one: one * one,
    "the square root of": lambda one: math.sqrt(abs(one)) if one > 0 else math.nan,
    "1 divided by": lambda one: 1 / one,
}


def _ratio(ours: list[Any], yours: list[Any]) -> str:
    """The whole number below 100, or the part, that all of `ours` are multiplied by; else ""."""
    first = next((your / our for our, your in zip(ours, yours, strict=True) if our), 0)
    if not 1e-3 < abs(first) < 1e3:
        return ""
    whole = round(first) if abs(first) > 1 else round(1 / first) if first else 0
    if not 1 < abs(whole) < 100:
        return ""
    large, small = (yours, ours) if abs(first) > 1 else (ours, yours)
    if not _alike(large, [whole * one for one in small]):
        return ""
    return f"{whole} times" if large is yours else f"1/{whole} of"


# ---- right in part -------------------------------------------------------------------------------


def _rest(pairs: list[Pair]) -> str:
    return _agreed([_text(*pair) or _graph(*pair) or _places(*pair) for pair in pairs])


def _text(our: Data, your: Data) -> str:
    if our["kind"] == your["kind"] == "str":
        texts = ["".join(str(one["value"]).lower().split()) for one in (our, your)]
        return "The text is right but for capitals or spaces." if texts[0] == texts[1] else ""
    return ""


def _graph(our: Data, your: Data) -> str:
    if not our["kind"] == your["kind"] == "graph" or not our["nodes"] or not your["nodes"]:
        return ""
    ours, yours = (Counter(node[0] for node in one["nodes"]) for one in (our, your))
    many, few = (
        ", ".join(f"`{name}`" for name in (yours - ours)),
        ", ".join(f"`{name}`" for name in (ours - yours)),
    )
    if many and few:
        return f"The graph has {many} in place of {few}."
    if many or few:
        return (
            f"{many} is in the graph more often than expected."
            if many
            else f"{few} is in the graph less often than expected."
        )
    return "The nodes are the right ones, but they are connected in another way."


def _places(our: Data, your: Data) -> str:
    """Where the wrong numbers are, if some are right."""
    found = _all([(our, your)])
    if not found or found[0][0][0] != found[0][1][0]:
        return ""
    (shape, ours), (_, yours) = found[0]
    wrong = {place for place in range(len(ours)) if not _equal(ours[place], yours[place])}
    if not wrong or len(wrong) == len(ours):
        return ""
    for told, group in _groups(shape, ours):
        if wrong == group:
            return f"All numbers are right except {told}."
    return _items([(our, your)])


def _groups(shape: list[int], ours: list[Any]) -> Iterator[tuple[str, set[int]]]:
    """Sets of places that have a name."""
    size = len(ours)
    numbers = [one if type(one) in (int, float) else 0 for one in ours]
    yield "those that should be negative", {k for k in range(size) if numbers[k] < 0}
    if len(shape) == 1:
        yield "the first", {0}
        yield "the last", {size - 1}
        yield "the first and the last", {0, size - 1}
    if len(shape) == 2:
        rows, columns = shape
        for row in range(rows):
            yield f"those of row {row}", set(range(row * columns, (row + 1) * columns))
        for column in range(columns):
            yield f"those of column {column}", set(range(column, size, columns))
        if rows == columns:
            yield "those on the diagonal", set(range(0, size, columns + 1))
            yield "those off the diagonal", set(range(size)) - set(range(0, size, columns + 1))
    yield (
        "those that should be 0",
        {k for k in range(size) if type(ours[k]) is not bool and ours[k] == 0},
    )


def _items(pairs: list[Pair]) -> str:
    """How many items of a list are right, if some are."""
    said = []
    for our, your in pairs:
        if our["kind"] != your["kind"] or our["kind"] not in ("list", "tuple"):
            return ""
        lengths = {one.get("length", len(one["items"])) for one in (our, your)}
        right = sum(map(_matches, our["items"], your["items"]))
        said.append(
            f"{right} of the {len(our['items'])} items {'is' if right == 1 else 'are'} right."
            if right and len(lengths) == 1
            else ""
        )
    return _agreed(said)


def _matches(our: Data, your: Data) -> bool:
    found = _all([(our, your)])
    if found:
        return (
            our["kind"] == your["kind"]
            and _alike(found[0][0][1], found[0][1][1])
            and found[0][0][0] == found[0][1][0]
        )
    return our == your


# ---- row by row ----------------------------------------------------------------------------------


def _rows(ours: list[Data], yours: list[Data], apart: list[int]) -> str:
    """What the rows that differ have in common, beside those that are right."""
    shown = [json.dumps(yours[place]["value"], sort_keys=True) for place in apart]
    wanted = [json.dumps(ours[place]["value"], sort_keys=True) for place in apart]
    if len(apart) == 2 and shown == wanted[::-1]:
        return "The two rows marked ✗ have changed places: each shows what the other should."
    if len(apart) > 2 and len(set(shown)) == 1 and len(set(wanted)) == len(wanted):
        return "Every row marked ✗ shows the same, though each should show something else."
    return ""


FACTS = (_kind, _form, _order, _shape, _relation, _rest)
