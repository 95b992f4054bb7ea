"""Where the course's own lessons and exercises are, whichever way the course was installed.

In a checkout they lie beside the package; a wheel carries them inside it, in `_content/`.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from course_lib.classroom.trouble import Trouble

PACKAGE = Path(__file__).resolve().parents[1]
FOLDERS = ("notebooks", "exercises")
LOOK_UP = "docs"  # of it a reader gets these pages and folders
PAGES = {
    "lessons.md": "All lessons, and what you can do afterwards",
    "glossary.md": "Glossary",
    "cheat_sheet.md": "View or copy?",
    "gallery.md": "Gallery of pictures",
}
BESIDE = ("gallery", "errors")
ERRORS = f"{LOOK_UP}/errors"  # a page for each error, and an index of them
WELCOME = "notebooks/00_welcome.ipynb"


def checkout(package: Path = PACKAGE) -> Path | None:
    """The checkout that `package` lies in, or None when it was installed from a wheel."""
    folder = package.parent
    return folder if (folder / "pyproject.toml").is_file() and _carries(folder) else None


def root(package: Path = PACKAGE) -> Path:
    """The folder that holds `notebooks/` and `exercises/`; they are read there, never written."""
    for folder in (checkout(package), package / "_content"):
        if folder is not None and _carries(folder):
            return folder
    raise Trouble(
        f"the lessons are missing from this installation ({package}); "
        "install the course again, from the folder or the .whl file it came as"
    )


def read(pattern: str) -> list[Any]:
    """The course's own files of JSON, as `notebooks/*.ipynb`; none where they cannot be read.

    A lesson of an instructor's own may be all that there is.
    """
    try:
        paths = sorted(root().glob(pattern))
        return [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    except (Trouble, OSError, ValueError):
        return []


def cells(pattern: str) -> list[dict[str, Any]]:
    """The cells of the course's own notebooks; a file that is none any more, as `{}`, has none."""
    books = [book for book in read(pattern) if isinstance(book, dict)]
    return [cell for book in books for cell in book.get("cells", ()) if _CELL <= cell.keys()]


_CELL = {"cell_type", "metadata", "source"}  # what every cell of a notebook has


def _carries(folder: Path) -> bool:
    return (folder / FOLDERS[0]).is_dir()


def strip_number(stem: str) -> str:
    """What a lesson or a set is called wherever it stands: its file's name without the number.

    >>> strip_number("05_views"), strip_number("ex05_views"), strip_number("exams")
    ('views', 'views', 'exams')
    """
    return re.sub(r"^(ex)?\d+_", "", stem)


def number(stem: str) -> int | None:
    """The number of a lesson, or of the lesson that a set is about; None if there is none.

    >>> number("05_views"), number("ex05_views"), number("homework")
    (5, 5, None)
    """
    found = re.match(r"(?:ex)?(\d+)_", stem)
    return int(found[1]) if found else None


def lesson_file(exercises: str) -> str:
    """The file name of the lesson that a file of exercises is about.

    The letters at the front tell the two apart, in a tab as in a download.

    >>> lesson_file("ex05_views.ipynb")
    '05_views.ipynb'
    """
    return re.sub(r"^ex(?=\d+_)", "", exercises)


def label(file: str) -> str:
    """What a reader calls a file of lessons or exercises.

    >>> label("ex05_two_words.ipynb")
    '05 two words'
    """
    return lesson_file(file).removesuffix(".ipynb").replace("_", " ")


def cell_place(cell_id: str) -> str:
    """What a link to a notebook ends with to lead to this cell; "" for a cell without an id.

    JupyterLab finds a heading only in a notebook that is open already: it looks among the cells
    that are drawn. A cell it finds in any.

    >>> cell_place("numpy-2-prompt")
    '#cell-id=numpy-2-prompt'
    """
    return f"#cell-id={cell_id}" if cell_id else ""


def is_own(folder: Path, home: Path | None = None) -> bool:
    """True when `folder` holds the course's own lessons and exercises, or is one of theirs."""
    try:
        home = (home or root()).resolve()
    except Trouble:
        return False
    here = folder.resolve()
    return here == home or any((home / top).resolve() in (here, *here.parents) for top in FOLDERS)


def names(folder: Path) -> Iterator[str]:
    """Every file of the course below `folder`, in order, as `notebooks/00_welcome.ipynb`.

    Hidden files, caches and the engine that lesson 21 writes are left behind by running things.
    """
    for top in (*FOLDERS, *(f"{LOOK_UP}/{name}" for name in BESIDE)):
        for place, below, files in os.walk(folder / top):
            below[:] = sorted(name for name in below if _is_content(name))
            for name in sorted(filter(_is_content, files)):
                yield (Path(place) / name).relative_to(folder).as_posix()
    yield from (f"{LOOK_UP}/{name}" for name in PAGES if (folder / LOOK_UP / name).is_file())


def _is_content(name: str) -> bool:
    return not name.startswith((".", "__pycache__", "my_autograd"))
