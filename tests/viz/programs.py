"""Programs and what is to be said of them, written as a text."""

import pytest


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
