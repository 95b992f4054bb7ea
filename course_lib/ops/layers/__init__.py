"""What the layers of a network compute."""

from collections.abc import Callable
from typing import Any

from course_lib.declare.op import op


def layer_op(kind: str = "promote", **facts: Any) -> Callable:
    """Declare an operation that is no method, and whose results lie row by row in memory."""
    return op(kind, method=False, **{"layout": "contiguous", **facts})
