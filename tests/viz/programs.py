"""Programs and what is to be said of them, written as a text."""

import linecache

import numpy as np
import pytest

from course_lib import viz

# A function of the reader's, whose input is written into after it was saved.
SQUARE = """
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad
y = x * 1
z = Square.apply(y)
y.add_(1)
"""


def programs(text):
    """Pairs of a program and its words, from a text of titles, programs and words.

    >>> programs("# a title\\nx = 1\\nx + 1\\n> two\\\\nlines\\n> 2")[0].values
    ('x = 1\\nx + 1', ['two\\nlines', '2'])
    """
    found = []
    for part in text.strip().removeprefix("# ").split("\n# "):
        title, *lines = part.splitlines()
        code = "\n".join(line for line in lines if line[:2] != "> ")
        words = [line[2:].replace("\\n", "\n") for line in lines if line[:2] == "> "]
        found.append(pytest.param(code, words, id=title))
    return found


def names_after(lib, code, file=None, **names):
    """The names that a program leaves, which runs as if it stood in a file."""
    file = file or f"<program {code}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    found = {"__name__": "__main__", "torch": lib, "np": np}
    found |= {name: getattr(viz, name) for name in viz.__all__} | names
    exec(compile(code, file, "exec"), found)
    return found


def picture_after(lib, code, **names):
    """The picture in the last line of a program."""
    *before, last = code.splitlines()
    return names_after(lib, "\n".join([*before, f"picture = {last}"]), **names)["picture"]
