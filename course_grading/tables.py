"""Tables: those that people write, and how a table of ours is written for a spreadsheet.

Each wrong line of theirs is answered with its file, its number and what to do. A table is a CSV
file with a line of names at its top. Excel's semicolons and its mark at the beginning are
understood, and so is a table that was saved as UTF-16 or in Windows' old encoding.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course_lib.classroom.trouble import Trouble

LARGEST = 20_000_000  # bytes


@dataclass(frozen=True)
class Line:
    """One line of a table, by the names of its columns in lower case."""

    path: Path
    number: int  # of the file, counted from 1
    cells: dict[str, str] = field(hash=False)

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def wrong(self, problem: str) -> Trouble:
        """The `Trouble` that names this line.

        >>> print(Line(Path("roster.csv"), 3, {}).wrong("no student"))
        roster.csv, line 3: no student
        """
        return Trouble(f"{self.path}, line {self.number}: {problem}", 2)

    def needed(self, column: str) -> str:
        """What is in that column. Raises `Trouble` where it is empty."""
        if self[column]:
            return self[column]
        raise self.wrong(f"the column {column} is empty; fill it in, or delete the line")


def text(path: Path) -> str:
    """The text of a file, in whichever encoding a spreadsheet has left it. Raises `Trouble`."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise Trouble(f"there is no file {path}; is its name spelled right?", 2) from None
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror}; check its rights", 2) from None
    if len(data) > LARGEST:
        raise Trouble(f"{path} has {len(data) / 1e6:.0f} MB; expected a table, of 20 MB at most", 2)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def rows(path: Path, strip: bool = True) -> list[tuple[int, list[str]]]:
    """Every line of a table with its number, as a list of cells, empty lines left out.

    Blanks around cells are taken off unless `strip` is false.
    """
    written = text(path)
    first, _, rest = written.partition("\n")
    before = 0
    if first.strip().lower() in ("sep=,", "sep=;", "sep=\t", "sep="):  # for Excel alone
        written, before = rest, 1
        first = written.partition("\n")[0]
    above = before
    mark = max(",;\t", key=first.count)
    found = []
    reader = csv.reader(io.StringIO(written, newline=""), delimiter=mark)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                found.append((before + 1, [cell.strip() if strip else cell for cell in cells]))
            before = above + reader.line_num
    except csv.Error as error:
        raise Trouble(f"{path}, line {before + 1}: it cannot be read as CSV ({error})", 2) from None
    return found


def read(path: Path, needs: Sequence[str], may: Sequence[str] | None = ()) -> Iterator[Line]:
    """The lines of a table that has the columns `needs`, and others only out of `may`, if given.

    Lines whose first cell begins with # are comments. Raises `Trouble`.
    """
    any_other, may = may is None, [name for name in may or () if name not in needs]
    found = rows(path)
    columns = ", ".join([*needs, *(f"{name} (if you like)" for name in may)])
    if not found:
        raise Trouble(f"{path} is empty; its first line should name the columns {columns}", 2)
    heads = [head.lower().replace(" ", "_") for head in found[0][1]]
    top = Line(path, found[0][0], {})
    for name in needs:
        if name not in heads:
            raise top.wrong(f"there is no column {name}; expected {columns}")
    for head in heads:
        if head and head not in (*needs, *may) and not any_other:
            raise top.wrong(f"there is no use for a column {head}; expected {columns}")
        if head and heads.count(head) > 1:
            raise top.wrong(f"two columns are named {head}; keep one")
    for number, cells in found[1:]:
        if cells[0].startswith("#"):
            continue
        cells = [unguard(cell) for cell in cells]
        line = Line(path, number, dict(zip(heads, cells, strict=False)))
        if len(cells) > len(heads) and any(cells[len(heads) :]):
            much = f"{len(cells)} cells, more than the {len(heads)} columns"
            raise line.wrong(f"{much}; put quotes around a cell that has a comma in it")
        yield line


# ---- written -------------------------------------------------------------------------------------


def as_text(lines: Iterable[Iterable[Any]]) -> str:
    """A table as CSV, in which no cell is a formula."""
    text = io.StringIO(newline="")
    sheet = csv.writer(text)
    for line in lines:
        sheet.writerow([plain(cell) for cell in line])
    return text.getvalue()


_SIGNS = "=+-@|%\u2212"  # the last is a minus; NFKC makes these of full-width and raised ones
_NUMBER = re.compile(r"[+-]?[\d.,]*")


def plain(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula, whatever it does with blanks before one.

    Where people write numbers with commas, a spreadsheet divides a line at semicolons instead.

    >>> plain("=1+1"), plain("\\t\uff1d1"), plain("-"), plain("-1.5"), plain(3), plain("a; =1")
    ("'=1+1", "' \uff1d1", '-', '-1.5', 3, "a;' =1")
    """
    if not isinstance(cell, str):
        return cell
    return ";".join(map(_plain, re.sub(r"[\t\r\n]", " ", cell).split(";")))


def unguard(cell: str) -> str:
    """A cell as it was before `plain` guarded it.

    >>> unguard(plain("=1+1; -a")), unguard("'tis")
    ('=1+1; -a', "'tis")
    """
    parts = cell.split(";")
    return ";".join(
        part[1:] if part[:1] == "'" and _plain(part[1:]) == part else part for part in parts
    )


def _plain(text: str) -> str:
    seen = unicodedata.normalize("NFKC", text)
    first = next((letter for letter in seen if letter.isprintable() and letter != " "), "")
    formula = first and first in _SIGNS and not _NUMBER.fullmatch(text.strip())
    return f"'{text}" if formula else text
