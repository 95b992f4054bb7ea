"""The reader's prompt: how to type a command of the course there, and what it takes."""

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from course_lib.classroom import content

STARTED_WITH = "COURSE_PYTHON"  # start.py puts there how the reader calls Python
WINDOWS = os.name == "nt"


def command_line(words: str = "") -> str:
    """The command as the reader can type it here, such as `python3 start.py update`.

    `course` alone if the reader's PATH has it. That of start.py's programs always has it, so
    start.py sets STARTED_WITH where the reader's own has not.

    >>> command_line("hint welcome-3").endswith(" hint welcome-3")
    True
    """
    return f"{_program()} {words}".rstrip()


def _program() -> str:
    home, python = content.checkout(), os.environ.get(STARTED_WITH)
    if python is None and shutil.which("course"):
        return "course"
    if home is None or not (home / "start.py").is_file():  # installed from a wheel
        return f"{quote_word(sys.executable)} -m course_lib.cli"
    usual = "py" if WINDOWS else "python3"
    return f"{quote_word(python or usual)} {quote_word(_shorten_path(home / 'start.py'))}"


def _shorten_path(path: Path) -> str:
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
    return " ".join([quote_word(sys.executable), "-m pip install", *map(quote_word, packages)])


def quote_word(word: str) -> str:
    """`word` as it is typed at a prompt: in quotes if it needs them.

    >>> print(quote_word("/my files/python"), quote_word("python3"))
    "/my files/python" python3
    """
    return word if re.fullmatch(r"[\w./\\:+-]+", word) else f'"{word}"'


VALUES = {"N": int, "S": float}  # what is typed there; all other values are text, and these:
VALUES |= dict.fromkeys(("FILE", "FOLDER", "RESULTS", "SUBMISSIONS"), Path)


def add_options(
    parser: Any, options: Mapping[str, str], values: Mapping[str, Any] = VALUES
) -> None:
    """Declare words and options by what is typed, each with what it says.

    An option without a value is a switch; one with `…` behind its value may be given again, and
    `{a,b}` are values to choose from. A word with `?` may be left out, one with `…` be many.

    >>> import argparse
    >>> parser = argparse.ArgumentParser()
    >>> add_options(parser, {"SET?": "its name", "--jobs N": "at once", "--json": "print JSON"})
    >>> parser.parse_args(["--jobs", "2"])
    Namespace(set=None, jobs=2, json=False)
    """
    for words, says in options.items():
        name, *value = words.split()
        kind: dict[str, Any] = {"action": "store_true"}
        if not name.startswith("-"):
            metavar, many = name.rstrip("?…"), {"?": "?", "…": "+"}.get(name[-1])
            name = metavar.lower()
            kind = {"type": values.get(metavar, str), "metavar": metavar, "nargs": many}
        elif value and value[0].startswith("{"):
            kind = {"choices": value[0].strip("{}").split(",")}
        elif value:
            kind = {"type": values.get(value[0], str), "metavar": value[0]}
            kind |= {"action": "append", "default": []} if value[1:] else {}
        parser.add_argument(name, help=says, **kind)
