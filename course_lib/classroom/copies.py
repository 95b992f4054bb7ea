"""What a reader's copy of a notebook holds, and when it counts as changed.

Note [What counts as changed]
A file is the student's as soon as it differs from what was copied, and from then on it is never
written again; deleting it brings a fresh copy. Running a notebook changes it, opening it does too
(JupyterLab stores the version of Python and its own JSON spacing), and so does a typed guess. None
of them may cut a reader off from a newer text. So a notebook is compared by the words in its cells:
outputs, counts and metadata are left out, and a cell with a guess counts by the guess's name, as
whatever was typed goes along into the new copy. So does a part of a lesson that the reader builds:
it counts by the stub that was handed out, of which a digest stays in the cell's metadata. A part
nobody has typed into gets the newer stub. Every other file is compared byte by byte.
"""

import hashlib
import json
import re
from typing import Any

from course_lib.classroom.source import BEGIN, stub_of

STUB = "course_stub"  # in a cell's metadata: the digest of the stub that was handed out

_PART = re.compile(r"# Your part: (\w+-\w+)$", re.MULTILINE)  # how a cell to be built begins
_GUESS = re.compile(r'\s*guess\("([\w-]+)"')  # how a cell that waits for a guess begins


def readers_copy(name: str, original: bytes, before: bytes = b"") -> bytes:
    """The bytes that a reader gets: a notebook without what it showed, so nothing is given away.

    Where the lesson has a solution, the reader gets a stub. `before` is the reader's older copy;
    the guesses and the parts typed there stay.

    >>> lesson = b'{"cells": [{"cell_type": "code", "source": "1 + 1", "outputs": [2]}]}'
    >>> json.loads(readers_copy("x.ipynb", lesson))["cells"][0]["outputs"]
    []
    """
    if not name.endswith(".ipynb"):
        return original
    notebook = json.loads(original)
    typed, built = _guesses(before), _parts(before)
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        cell |= {"outputs": [], "execution_count": None}
        if (guess := guess_in(cell)) in typed:
            cell["source"] = typed[guess]
        if part := part_in(cell):
            stub = stub_of(text_of(cell))
            cell["metadata"] = {**cell.get("metadata", {}), STUB: _digest(stub)}
            cell["source"] = built.get(part, stub)
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def guess_in(cell: dict[str, Any]) -> str:
    """The name of the guess that a cell waits for; "" for every other cell.

    >>> guess_in({"cell_type": "code", "source": 'guess("welcome-list", ...)'})
    'welcome-list'
    """
    return _named(_GUESS, cell)


def part_in(cell: dict[str, Any]) -> str:
    """The name of the part of a lesson that is built in a cell; "" for every other cell.

    >>> part_in({"cell_type": "code", "source": "# Your part: own_autograd-run\\nx = 1"})
    'own_autograd-run'
    """
    return _named(_PART, cell)


def _named(begins: re.Pattern[str], cell: dict[str, Any]) -> str:
    found = begins.match(text_of(cell)) if cell["cell_type"] == "code" else None
    return found[1] if found else ""


def text_of(cell: dict[str, Any]) -> str:
    """The words of a cell: Jupyter stores them as one string or as a list of lines."""
    return "".join(cell["source"])


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
    name = guess_in(cell) or part_in(cell) and f"{part_in(cell)} {_stub_digest(cell)}"
    return [cell["cell_type"], name or text_of(cell), cell.get("attachments", {})]


def _stub_digest(cell: dict[str, Any]) -> str:
    """The digest of the stub of a part: noted in a reader's copy, made from the lesson's own."""
    text = text_of(cell)
    noted = "" if BEGIN in text else cell.get("metadata", {}).get(STUB, "")
    return noted or _digest(stub_of(text))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _guesses(notebook: bytes) -> dict[str, str]:
    """The cells with guesses, by the guess's name."""
    return {guess_in(cell): text_of(cell) for cell in _cells(notebook) if guess_in(cell)}


def _parts(notebook: bytes) -> dict[str, str]:
    """The cells with parts that somebody has typed into, by the part's name."""
    cells = [cell for cell in _cells(notebook) if part_in(cell)]
    built = [cell for cell in cells if _digest(text_of(cell)) != _stub_digest(cell)]
    return {part_in(cell): text_of(cell) for cell in built}


def _cells(notebook: bytes) -> list[dict[str, Any]]:
    """The code cells; none where the bytes are no notebook."""
    try:
        cells = json.loads(notebook)["cells"]
        return [cell for cell in cells if cell["cell_type"] == "code" and text_of(cell)]
    except (ValueError, KeyError, TypeError, AttributeError):
        return []
