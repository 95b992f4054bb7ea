"""The numbers in described values, and whether they are equal up to rounding."""

from __future__ import annotations

import math
from typing import Any

from course_lib.classroom.probe import Data

# How far two floats may be apart, relative to the larger: wider where a dtype keeps fewer digits.
CLOSE = {"torch.float16": 2e-3, "torch.bfloat16": 2e-2, "float16": 2e-3}
CLOSE_TO_ANY = 1e-5
CLOSE_TO_ZERO = 1e-6

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


def agreed(said: list[str]) -> str:
    """What is said of every pair, if it is one and the same."""
    return said[0] if said and len(set(said)) == 1 else ""
