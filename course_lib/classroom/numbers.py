"""The numbers in described values: equal up to rounding, or what leads from one to the other.

Each `if` is a fact with its sentence, as in `near.py`.
"""

import itertools
import math
import operator
from collections.abc import Iterator
from typing import Any

from course_lib.classroom.probe import Data

# How far two floats may be apart, relative to the larger: wider where a dtype keeps fewer digits.
CLOSE = {"torch.float16": 2e-3, "torch.bfloat16": 2e-2, "float16": 2e-3}
CLOSE_TO_ANY = 1e-5
CLOSE_TO_ZERO = 1e-6
NEARLY = 0.02
ENDLESS = ("nan", "inf", "-inf")

Pair = tuple[Data, Data]  # an expected value and the student's
Numbers = tuple[list[int], list[Any]]  # a shape, and what fills it


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


def numbers(data: Data) -> Numbers | None:
    """Shape and numbers, None where there are other things than real numbers, or not all."""
    shape, filled = data.get("shape", []), data.get("values", [data.get("value")])
    if data["kind"] in ("list", "tuple"):
        parts = [numbers(item) for item in data["items"]]
        if None in parts or len({str(part[0]) for part in parts if part}) > 1:
            return None
        shape = [len(parts), *(parts[0][0] if parts and parts[0] else [])]
        filled = [number for part in parts if part for number in part[1]]
    elif data["kind"] not in ("int", "float", "bool", "tensor", "array"):
        return None
    if data.get("dtype") in CLOSE or len(filled) != math.prod(shape):
        return None  # few digits are never certain, and part of the numbers is no order
    fine = all(type(one) in (int, float, bool, str) for one in filled)  # else complex, or sealed
    return (shape, filled) if fine else None


def all_numbers(pairs: list[Pair]) -> list[tuple[Numbers, Numbers]]:
    """The numbers of all pairs, [] where one of them has none."""
    found = [(ours, yours) for one, other in pairs
             if (ours := numbers(one)) and (yours := numbers(other))]  # fmt: skip
    return found if len(found) == len(pairs) else []


def all_equal(ours: list[Any], yours: list[Any]) -> bool:
    return len(ours) == len(yours) and all(map(equal, ours, yours))


def equal(our: Any, your: Any) -> bool:
    if type(our) is type(your) or str in (type(our), type(your)):
        return close(our, your)
    return math.isclose(our, your, rel_tol=CLOSE_TO_ANY, abs_tol=CLOSE_TO_ZERO)


def common_value(said: list[str]) -> str:
    """What is said of every pair, if it is one and the same."""
    return said[0] if said and len(set(said)) == 1 else ""


# ---- what leads from one to the other ------------------------------------------------------------


def shape(pairs: list[Pair]) -> str:
    return common_value([_reshape_back(*ours, *yours) for ours, yours in all_numbers(pairs)])


def _reshape_back(ours: list[int], our: list[Any], yours: list[int], your: list[Any]) -> str:
    short, long = sorted((our, your), key=len)
    if len(ours) == len(yours) == 1 and 0 < len(short) < len(long):
        for end, part in (("end", long[: len(short)]), ("beginning", long[-len(short) :])):
            if all_equal(short, part):
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


def relation(pairs: list[Pair]) -> str:
    """What leads from each expected number to the student's, if it is the same everywhere."""
    found = all_numbers(pairs)
    if not found or any(len(ours[1]) != len(yours[1]) for ours, yours in found):
        return ""
    ours, yours = ([one for pair in found for one in pair[side][1]] for side in (0, 1))
    if all(set(your[1]).difference(our[1]).intersection(ENDLESS) for our, your in found):
        return "There is a `nan` or an `inf`. Is something divided by 0, or is there a log of 0?"
    kinds = {type(one) for one in ours + yours}
    lists = any(pair[0][0] for pair in found)  # single truth values are told row by row
    if kinds == {bool} and lists and len(ours) > 1 and not any(map(operator.eq, ours, yours)):
        return "Each truth value is the opposite of the expected one."
    if not kinds <= {int, float} or all_equal(ours, yours):
        return ""
    each = "Each number is" if len(ours) > 1 else "The number is"
    ratios = [_ratio(our[1], your[1]) for our, your in found]
    facts = itertools.chain(_say_change(ours, yours), _say_factors(ratios), _say_ratio(ours, yours))
    return next((f"{each} {told}" for told in facts), "")


def _say_change(ours: list[Any], yours: list[Any]) -> Iterator[str]:
    """The ends of sentences that say by which calculation all numbers were changed."""
    pairs, apart = list(zip(ours, yours, strict=True)), yours[0] - ours[0]
    if all_equal(yours, [-one for one in ours]):
        yield "the expected one with the other sign."
    steady = all_equal([your - our for our, your in pairs], [apart] * len(ours))
    if steady and (len(set(ours)) > 1 or abs(apart) == 1):
        yield f"{abs(apart):.5g} too {'large' if apart > 0 else 'small'}."
    if ratio := _ratio(ours, yours):
        yield f"{ratio} the expected one. Is there a factor too many or too few?"
    for told, change in CHANGES.items():
        if all(our and equal(float(your), change(our)) for our, your in pairs):
            yield f"{told} the expected one."


def _say_factors(ratios: list[str]) -> Iterator[str]:
    """One such end where each row was multiplied by a number of its own."""
    if len(ratios) > 1 and all(ratios):
        said = ", ".join(dict.fromkeys(ratios))
        yield f"a multiple or a part of the expected one: {said}. Is it the size of something?"


def _say_ratio(ours: list[Any], yours: list[Any]) -> Iterator[str]:
    """The ends of sentences that say how far off all numbers are."""
    pairs = list(zip(ours, yours, strict=True))
    if all(type(our) is float and your in (math.floor(our), math.ceil(our)) for our, your in pairs):
        yield "the expected one, rounded to a whole number."
    if not any(yours):
        yield "0."
    off = _nearly(ours, yours)
    for told, compare in (("large", operator.gt), ("small", operator.lt)):
        if len(ours) > 1 and all(map(compare, yours, ours)):
            yield f"too {told}{off}."
    if off:
        yield f"close to the expected one{off}."


def _nearly(ours: list[Any], yours: list[Any]) -> str:
    """How far off floats are that are nearly right, as the end of a sentence; else ""."""
    if not all(type(one) is float for one in ours + yours) or not all(ours):
        return ""
    most = max(abs(your / our - 1) for our, your in zip(ours, yours, strict=True))
    if not 0 < most <= NEARLY:
        return ""
    digit = 10.0 ** math.floor(math.log10(100 * most))
    return f", off by no more than {math.ceil(100 * most / digit) * digit:.4g} %"


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
    if not 1 < abs(whole) <= 100:
        return ""
    large, small = (yours, ours) if abs(first) > 1 else (ours, yours)
    if not all_equal(large, [whole * one for one in small]):
        return ""
    return f"{whole} times" if large is yours else f"1/{whole} of"
