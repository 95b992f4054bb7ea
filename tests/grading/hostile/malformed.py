"""Files that are no notebook, or hardly one; and things that are no files.

`readable=False`: nobody could grade it, and the row has to say why. Where a careful reader could,
`keep` says what it should find; most is left open between the two.
"""

import gzip
import json
import os
import random
import socket
import stat
from collections.abc import Callable
from pathlib import Path

from grading.downloads import packed
from grading.hostile.kinds import (
    ALL,
    FILE,
    Kind,
    Notebook,
    Place,
    as_bytes,
    cell_of,
    code_cell,
    folder_of,
    notebook,
    of_file,
    of_notebook,
)


def _good() -> bytes:
    return as_bytes(notebook())


# Those that one line tells are in `test_splice.py`.
BYTES: dict[str, Callable[[], bytes]] = {
    "only-spaces": lambda: b" \n\t\n" * 100,
    "cut-off": lambda: _good()[:-2000],
    "json-null": lambda: b"null",
    "python-script": lambda: b"import course_lib as torch\n\ny_holds = 14\n",
    "zipped": lambda: packed({FILE: _good()}),
    "compressed-zeros": lambda: gzip.compress(bytes(10**8)),
    "random-bytes": lambda: random.Random(1).randbytes(50_000),
    "deep-lists": lambda: b"[" * 100_000 + b"]" * 100_000,
    "deep-objects": lambda: b'{"cells":' * 100_000 + b"1" + b"}" * 100_000,
    "deep-unclosed": lambda: b"[" * 2_000_000,
    "huge-json-number": lambda: b'{"nbformat": ' + b"9" * 100_000 + b"}",
    "huge-json-exponent": lambda: b'{"nbformat": 1e999999999, "cells": []}',
}

# Odd, and yet a careful reader finds the notebook in it.
ODD_BYTES: dict[str, Callable[[], bytes]] = {
    "byte-order-mark": lambda: b"\xef\xbb\xbf" + _good(),
    "utf-16": lambda: _good().decode().encode("utf-16"),
    "latin-1": lambda: _good().replace(b"squares", b"sch\xf6n"),
    "zero-at-the-end": lambda: _good() + bytes(100),
    "more-after-the-end": lambda: _good() + b"\n{}\n",
    "twice": lambda: _good() + _good(),
    "json-with-comments": lambda: b"// mine\n" + _good(),
}

SAME: dict[str, Callable[[], bytes]] = {
    "windows-line-ends": lambda: _good().replace(b"\n", b"\r\n"),
    "on-one-line": lambda: json.dumps(notebook()).encode(),
    "letters-as-numbers": lambda: json.dumps(notebook(), ensure_ascii=True, indent=4).encode(),
    "keys-twice": lambda: _good().replace(b'"cells": [', b'"cells": [], "cells": [', 1),
}


def _top(**values: object) -> Callable[[Notebook], object]:
    return lambda book: book.update(values)


def _without(name: str) -> Callable[[Notebook], object]:
    return lambda book: book.pop(name)


def _cell(letter: str = "3", **values: object) -> Callable[[Notebook], object]:
    return lambda book: cell_of(book, letter).update(values)


def _cell_without(name: str, letter: str = "3") -> Callable[[Notebook], object]:
    return lambda book: cell_of(book, letter).pop(name)


def _every_cell(change: Callable[[dict], object]) -> Callable[[Notebook], object]:
    return lambda book: [change(cell) for cell in book["cells"]]


def _insert(value: object) -> Callable[[Notebook], object]:
    return lambda book: book["cells"].insert(3, value)


def _as_format_3(book: Notebook) -> None:
    cells = book.pop("cells")
    for cell in cells:
        cell.pop("id", None)
        if cell["cell_type"] == "code":
            cell["input"], cell["language"] = cell.pop("source"), "python"
            cell["prompt_number"] = cell.pop("execution_count", None)
    book |= {"nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": cells, "metadata": {}}]}
    book["metadata"] = {"name": "ex00_welcome"}


def _lines(cell: dict) -> None:
    cell["source"] = "".join(cell["source"]).splitlines(keepends=True)


def _deep_metadata(book: Notebook) -> None:
    value: object = 1
    for _ in range(100):
        value = {"a": [value]}
    book["metadata"]["deep"] = value


R = {"name": "ir", "display_name": "R", "language": "R"}
WHOLE: dict[str, tuple[Callable[[Notebook], object], str]] = {
    # name: what is changed, and the questions that keep their marks
    "no-cells": (_without("cells"), ""),
    "cells-a-dict": (_top(cells={"0": {}}), ""),
    "cells-empty": (_top(cells=[]), ""),
    "cells-of-numbers": (_top(cells=[1, 2, None, "x", []]), ""),
    "format-3": (_as_format_3, ""),
    "format-5": (_top(nbformat=5), ""),
    "format-text": (_top(nbformat="4"), ""),
    "format-missing": (_without("nbformat"), ""),
    "format-minor-missing": (_without("nbformat_minor"), ""),
    "format-minor-a-text": (_top(nbformat_minor="five"), ""),
    "format-minor-99": (_top(nbformat_minor=99), ""),
    "metadata-missing": (_without("metadata"), ""),
    "metadata-null": (_top(metadata=None), ""),
    "metadata-a-list": (_top(metadata=[]), ""),
    "metadata-deep": (_deep_metadata, ""),
    "more-keys": (_top(extra={"a": 1}, worksheets=[]), ""),
    "sources-in-lines": (_every_cell(_lines), ALL),
    "format-4-0": (lambda book: [book.update(nbformat_minor=0), _no_ids(book)], ALL),
    "ids-missing": (lambda book: _no_ids(book), ALL),
    "ids-all-the-same": (_every_cell(lambda cell: cell.update(id="same")), ALL),
    "ids-odd": (_every_cell(lambda cell: cell.update(id="ö" * 200)), ALL),
    "ids-numbers": (_every_cell(lambda cell: cell.update(id=7)), ""),
    "outputs-missing": (_every_cell(lambda cell: cell.pop("outputs", None)), ""),
    "outputs-null": (_every_cell(lambda cell: cell.update(outputs=None)), ""),
    "outputs-of-nothing": (_every_cell(lambda cell: cell.update(outputs=[{}, None, 3])), ""),
    "outputs-on-markdown": (_every_cell(lambda cell: cell.update(outputs=[])), ""),
    "counts-of-text": (_every_cell(lambda cell: cell.update(execution_count="one")), ""),
    "language-of-another": (lambda book: book["metadata"].update(kernelspec=R), ""),
}


def _no_ids(book: Notebook) -> None:
    for cell in book["cells"]:
        cell.pop("id", None)


# One cell is broken: it costs at most its own question, unless the file counts as unreadable.
ONE_CELL: dict[str, Callable[[Notebook], object]] = {
    "cell-null": _insert(None),
    "cell-text": _insert("x = 1"),
    "cell-empty": _insert({}),
    "cell-of-unknown-type": _insert({"cell_type": "video", "metadata": {}, "source": "x"}),
    "cell-type-null": _cell(cell_type=None),
    "cell-type-missing": _cell_without("cell_type"),
    "source-missing": _cell_without("source"),
    "source-number": _cell(source=12),
    "source-nested": _cell(source=["# Answer to welcome-3\n", ["x = 1"]]),
    "cell-metadata-missing": _cell_without("metadata"),
    "cell-metadata-of-numbers": _cell(metadata={"course": 3, "nbgrader": [], "tags": 7}),
    "cell-metadata-of-lists": _cell(metadata={"course": {"question": [], "role": {}}, "tags": {}}),
}


def _many_cells(book: Notebook) -> None:
    book["cells"][3:3] = [code_cell(f"x = {n}") for n in range(100_000)]


def _outputs(*outputs: object) -> Callable[[Notebook], object]:
    return lambda book: cell_of(book, "3", "check").update(outputs=[*outputs])


def _more(text: str) -> Callable[[Notebook], object]:
    """More text in the answer."""
    return lambda book: cell_of(book, "3").update(source=cell_of(book, "3")["source"] + text)


def _large_picture() -> dict[str, object]:
    data = {"image/png": "iVBORw0KGgo" * 4_600_000}
    return {"output_type": "display_data", "metadata": {}, "data": data}


PRINTED = {"name": "stdout", "output_type": "stream", "text": "x"}
LARGE: dict[str, tuple[Callable[[Notebook], object], str]] = {
    "100000-cells": (_many_cells, ""),
    "50-megabytes-of-output": (lambda book: _outputs(_large_picture())(book), ""),
    "100000-outputs": (_outputs(*[PRINTED] * 100_000), ""),
    "20-megabytes-in-one-cell": (lambda book: _more("\n# " + "x" * 20_000_000)(book), ""),
    "300000-lines-in-one-cell": (_more("\nx = 1" * 300_000), ""),
    "deep-brackets": (_more("\ny = " + "(" * 5000 + ")" * 5000), "t1245"),
    "deep-operators": (_more("\ny = " + "-" * 100_000 + "1\nz = 1" + " + 1" * 100_000), "t1245"),
}


def _special(make: Callable[[Path, Place], object]) -> Callable[[Place, str], None]:
    return lambda place, student: make(folder_of(place, student) / FILE, place) and None


def _socket(path: Path, place: Place) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # the path of a socket has room for 108 letters
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(path.name)
    finally:
        os.chdir(here)


def _forbidden(path: Path, place: Place) -> None:
    path.write_bytes(_good())
    path.chmod(0)


def _hole(path: Path, place: Place) -> None:
    with path.open("wb") as file:
        file.truncate(3 * 2**30)


def _device(path: Path, place: Place) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))  # zeros without end
    except (OSError, AttributeError):  # only root may
        path.symlink_to("/dev/zero")


SPECIAL: dict[str, Callable[[Path, Place], object]] = {
    "folder-of-that-name": lambda path, _: path.mkdir(),
    "folder-that-is-empty": lambda path, _: None,
    "link-to-a-secret": lambda path, place: path.symlink_to(place.home / "secret.txt"),
    "link-to-a-neighbour": lambda path, place: path.symlink_to(
        place.submissions / place.neighbour / FILE
    ),
    "link-to-itself": lambda path, _: path.symlink_to(path),
    "link-to-zeros": lambda path, _: path.symlink_to("/dev/zero"),
    "named-pipe": lambda path, _: os.mkfifo(path),
    "unix-socket": _socket,
    "device-of-zeros": _device,
    "three-gigabytes-of-nothing": _hole,
}

KINDS: list[Kind] = [
    *[of_file(name, make, lose=ALL, readable=False) for name, make in BYTES.items()],
    *[of_file(name, make) for name, make in ODD_BYTES.items()],
    *[of_file(name, make, keep=ALL) for name, make in SAME.items()],
    *[of_notebook(name, change, keep=keep) for name, (change, keep) in WHOLE.items()],
    *[of_notebook(name, change) for name, change in ONE_CELL.items()],
    *[of_notebook(name, change, keep=keep) for name, (change, keep) in LARGE.items()],
    *[Kind(name, _special(make), lose=ALL, readable=False) for name, make in SPECIAL.items()],
    Kind("forbidden-to-read", _special(_forbidden)),
]
