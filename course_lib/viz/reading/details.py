"""What a box tells when a reader points at it: shape, dtype, values, and the line that made it."""

import re
from typing import Any

from course_lib.viz.reading.values import dtype_of, shape_of, told

_LINE = re.compile(r'File "([^"]*)", line (\d+)')


def details_of_tensor(tensor: Any) -> tuple[str, ...]:
    """The shape and dtype of a tensor, and its values when they are few.

    >>> import course_lib as torch
    >>> details_of_tensor(torch.tensor([1., 2.]))
    ('shape (2,), float32', '[1., 2.]')
    """
    values = told(tensor)
    return (_shape(tensor), *(() if values == (shape_of(tensor),) else values))


def details_of_function(node: Any) -> tuple[str, ...]:
    """The shape and dtype of each result, and where anomaly mode saw the call.

    >>> class Node:
    ...     metadata = {"traceback_": ['  File "train.py", line 7, in step\\n    x * w\\n']}
    >>> details_of_function(Node())
    ('called in line 7 of train.py: x * w',)
    """
    shapes = tuple(f"result: {_shape(one)}" for one in getattr(node, "_input_metadata", ()))
    return shapes + _called(getattr(node, "metadata", {}).get("traceback_") or [])


def _shape(thing: Any) -> str:
    dtype = dtype_of(thing)
    return f"shape {tuple(thing.shape)}" + f", {dtype}" * bool(dtype)


def _called(stack: list[str]) -> tuple[str, ...]:
    """The innermost line of a stack, as PyTorch keeps it."""
    found = _LINE.search(stack[-1]) if stack else None
    if found is None:
        return ()
    code = stack[-1].strip().partition("\n")[2].strip().partition("\n")[0]
    file = re.split(r"[/\\]", found[1])[-1]
    return (f"called in line {found[2]} of {file}" + f": {code}" * bool(code),)
