"""The reader's prompt: how to type a command of the course there."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

from course_lib.classroom import content

STARTED_WITH = "COURSE_PYTHON"  # start.py puts there how the reader calls Python
WINDOWS = os.name == "nt"


def typed(words: str = "") -> str:
    """The command as the reader can type it here, such as `python3 start.py update`.

    `course` alone if the reader's PATH has it. That of start.py's programs always has it, so
    start.py sets STARTED_WITH where the reader's own has not.

    >>> typed("hint welcome-3").endswith(" hint welcome-3")
    True
    """
    return f"{_program()} {words}".rstrip()


def _program() -> str:
    home, python = content.checkout(), os.environ.get(STARTED_WITH)
    if python is None and shutil.which("course"):
        return "course"
    if home is None or not (home / "start.py").is_file():  # installed from a wheel
        return f"{quoted(sys.executable)} -m course_lib.cli"
    usual = "py" if WINDOWS else "python3"
    return f"{quoted(python or usual)} {quoted(_from_here(home / 'start.py'))}"


def _from_here(path: Path) -> str:
    """The path as it is typed in the current folder: whole, unless it is near."""
    try:
        near = os.path.relpath(path)
    except ValueError:  # on Windows: another drive
        return str(path)
    return near if near in (path.name, os.path.join(os.pardir, path.name)) else str(path)


def pip_install(*packages: str) -> str:
    """The command that brings packages into this very Python, whichever `pip` the PATH has.

    >>> pip_install("psutil>=6").endswith('-m pip install "psutil>=6"')
    True
    """
    return " ".join([quoted(sys.executable), "-m pip install", *map(quoted, packages)])


def quoted(word: str) -> str:
    """`word` as it is typed at a prompt: in quotes if it needs them.

    >>> print(quoted("/my files/python"), quoted("python3"))
    "/my files/python" python3
    """
    return word if re.fullmatch(r"[\w./\\:+-]+", word) else f'"{word}"'
