"""Every error message that a student can meet, in PyTorch's words: `errors.NAME`.

The text files beside this one have the sentences by subject, as ``name: sentence``, with gaps for
what varies (`Sentence`).  A line with four spaces before it goes on with the sentence, one with
``|`` is a new line of it, and ``\\s`` is a space at an end.  Sentences whose words depend on
the case are functions of the modules beside them; `warn` and `warn_once` are in `writing.py`.
"""

import functools
import os
import re
from importlib import import_module
from typing import Any

from course_lib.words.errors.sentence import OfTorch, Sentence

HERE = os.path.dirname(__file__)


@functools.cache
def sentences() -> dict[str, str]:
    """The sentences of the text files by name, as they are written there."""
    found: dict[str, str] = {}
    for file in os.listdir(HERE):
        if file.endswith(".txt"):
            with open(os.path.join(HERE, file), encoding="utf-8") as text:
                found.update(re.findall(r"^(\w+): (.*(?:\n    .*)*)", text.read(), re.MULTILINE))
    return found


def read(text: str) -> str:
    """A sentence as it is said: a `Sentence` if it has gaps.

    >>> read("the first\\n    line\\n    |and the second")
    'the first line\\nand the second'
    """
    text = re.sub(r"\n    (\|?)", lambda found: "\n" if found[1] else " ", text)
    text = text.replace(r"\s", " ")
    return Sentence(text) if "{" in text else text


def __getattr__(name: str) -> Any:
    if name in sentences():
        globals()[name] = value = read(sentences()[name])
        return value
    for module in ("arguments", "autograd", "cases", "only_pytorch", "writing"):
        known = vars(import_module(f"{__name__}.{module}"))
        if name in known and not name.startswith("__"):
            globals()[name] = known[name]
            return known[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
