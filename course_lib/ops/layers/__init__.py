"""What the layers of a network compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course_lib.declare.op import FACTS, op


def layer_op(kind: str = "promote", **facts: Any) -> Callable:
    """Declare an operation that is no method, and whose results lie row by row in memory.

    Its operands are the arguments that have formulas.
    """
    operands = tuple(name for name in facts if name not in FACTS)
    return op(kind, method=False, **{"layout": "contiguous", "operands": operands, **facts})
