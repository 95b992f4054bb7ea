"""What a reader's copy of a notebook holds, and when it counts as changed.

Note [What counts as changed]
A file is the student's as soon as it differs from what was copied, and from then on it is never
written again; deleting it brings a fresh copy. Running a notebook changes it, opening it does too
(JupyterLab stores the version of Python and its own JSON spacing), and so does a typed guess. None
of them may cut a reader off from a newer text. So a notebook is compared by the words in its cells:
outputs, counts and metadata are left out, and a cell with a guess counts by the guess's name, as
whatever was typed goes along into the new copy. Every other file is compared byte by byte.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

_GUESS = re.compile(r'\s*guess\("([\w-]+)"')  # how a cell that waits for a guess begins


def readers_copy(name: str, original: bytes, before: bytes = b"") -> bytes:
    """The bytes that a reader gets: a notebook without what it showed, so nothing is given away.

    `before` is the reader's older copy; the guesses typed there stay.

    >>> lesson = b'{"cells": [{"cell_type": "code", "source": "1 + 1", "outputs": [2]}]}'
    >>> json.loads(readers_copy("x.ipynb", lesson))["cells"][0]["outputs"]
    []
    """
    if not name.endswith(".ipynb"):
        return original
    notebook = json.loads(original)
    typed = _guesses(before)
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        cell |= {"outputs": [], "execution_count": None}
        if (guess := guess_in(cell)) in typed:
            cell["source"] = typed[guess]
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def guess_in(cell: dict[str, Any]) -> str:
    """The name of the guess that a cell waits for; "" for every other cell.

    >>> guess_in({"cell_type": "code", "source": 'guess("welcome-list", ...)'})
    'welcome-list'
    """
    found = _GUESS.match(text_of(cell)) if cell["cell_type"] == "code" else None
    return found[1] if found else ""


def text_of(cell: dict[str, Any]) -> str:
    """The words of a cell: Jupyter stores them as one string or as a list of lines."""
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def fingerprint(name: str, data: bytes) -> str:
    """A digest that stays the same while nobody changes the words (see the Note).

    >>> fingerprint("notes.txt", b"a") == fingerprint("notes.txt", b"b")
    False
    >>> spaced, tight = b'{"cells": []}', b'{"cells":[],"metadata":{"language_info":{}}}'
    >>> fingerprint("x.ipynb", spaced) == fingerprint("x.ipynb", tight)
    True
    """
    if name.endswith(".ipynb"):
        try:
            words = [_words(cell) for cell in json.loads(data)["cells"]]
            data = json.dumps(words, sort_keys=True).encode()
        except (ValueError, KeyError, TypeError, AttributeError):
            pass  # not a notebook after all: compare its bytes
    return hashlib.sha256(data).hexdigest()


def _words(cell: dict[str, Any]) -> list[Any]:
    return [cell["cell_type"], guess_in(cell) or text_of(cell), cell.get("attachments", {})]


def _guesses(notebook: bytes) -> dict[str, str]:
    """The cells with guesses, by the guess's name; none where the bytes are no notebook."""
    try:
        cells = json.loads(notebook)["cells"]
        return {guess_in(cell): text_of(cell) for cell in cells if guess_in(cell)}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}
