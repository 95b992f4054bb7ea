"""What leads from the expected numbers to a student's: a size, a factor, a sign."""

from __future__ import annotations

import math
import operator
from typing import Any

from course_lib.classroom.equal_values import Pair, agreed, all_equal, all_numbers, equal

NEARLY = 0.02
ENDLESS = ("nan", "inf", "-inf")


def shape(pairs: list[Pair]) -> str:
    return agreed([_reshaped(*ours, *yours) for ours, yours in all_numbers(pairs)])


def _reshaped(ours: list[int], our: list[Any], yours: list[int], your: list[Any]) -> str:
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
    if all_equal(yours, [-one for one in ours]):
        return f"{each} the expected one with the other sign."
    apart, ratio = yours[0] - ours[0], _ratio(ours, yours)
    steady = all_equal(
        [your - our for our, your in zip(ours, yours, strict=True)], [apart] * len(ours)
    )
    if steady and (len(set(ours)) > 1 or abs(apart) == 1):
        return f"{each} {abs(apart):.5g} too {'large' if apart > 0 else 'small'}."
    if ratio:
        return f"{each} {ratio} the expected one. Is there a factor too many or too few?"
    for told, change in CHANGES.items():
        if all(
            our and equal(float(your), change(our)) for our, your in zip(ours, yours, strict=True)
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
            return f"{each} too {told}{_nearly(ours, yours)}."
    off = _nearly(ours, yours)
    return f"{each} close to the expected one{off}." if off else ""


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
