"""Odd names of students, which are names of folders, and odd names of files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from classroom.grading.hostile.injecting import INJECTED
from classroom.grading.hostile.kinds import (
    ALL,
    FILE,
    WRONG,
    Kind,
    Place,
    as_bytes,
    folder_of,
    notebook,
)

LONGEST = "ä" * 127  # 254 bytes: as long as a name may be on most systems

STUDENTS = {
    "name-with-spaces": " Ada  Lovelace ",
    "name-composed": "Zo\u00eb",
    "name-decomposed": "Zoe\u0308",
    "name-in-small-letters": "twin",
    "name-in-capitals": "TWIN",
    "name-with-a-line-end": "first\nsecond",
    "name-with-a-tab": "first\tsecond",
    "name-with-a-carriage-return": "first\rsecond",
    "name-with-quotes": 'O\'Brien "Bob"',
    "name-with-a-backslash": "back\\slash\\..\\up",
    "name-with-a-command": "$(touch course-hostile-trace)`id`;ls|cat&",
    "name-like-an-option": "--help",
    "name-like-a-dangerous-option": "-rf",
    "name-very-long": LONGEST,
    "name-very-long-too": LONGEST[:-1] + "ö",
    "name-of-dots": "...",
    "name-that-goes-up": "..up",
    "name-with-a-dot-at-the-end": "dot.",
    "name-with-a-space-at-the-end": "dot ",
    "name-of-a-device": "CON",
    "name-of-a-device-with-an-end": "nul.txt",
    "name-like-a-notebook": "folder.ipynb",
    "name-like-a-page": "index.html",
    "name-like-the-results": "grades.json",
    "name-like-the-overview": "overview",
    "name-like-nothing": "null",
    "name-like-a-number": "007",
    "name-like-a-power": "1e5",
    "name-like-a-date": "3-4",
    "name-with-a-formula": f"=HYPERLINK({INJECTED})",
    "name-with-a-plus": "+1",
    "name-with-an-at": "@SUM(1)",
    "name-with-markup": f"<img src=x onerror=alert({INJECTED})>".replace("/", ""),
    "name-with-a-script": f"<script>{INJECTED}<!--",
    "name-with-an-entity": "&lt;b&gt;",
    "name-with-commas": "a,b;c",
    "name-with-signs": "%s %d {0} {x} #1 ?q=1",
    "name-with-colours": "\x1b[31mred\x1b[0m",
    "name-from-the-right": "\u202eevil\u202c",
    "name-of-invisible-letters": "\u200b\u2060",
    "name-of-pictures": "🎉👩\u200d💻",
    "name-of-no-letters": os.fsdecode(b"caf\xe9 \xff\xfe"),
    "name-of-other-no-letters": os.fsdecode(b"caf\xe8 \xff\xfe"),
    "name-with-other-colours": "\x1c[31mred\x1c[0m",
    "name-with-every-sign": "!#$%&()+,-.;=@[]^_{}~",
}

FILES = {
    "file-downloaded-again": "ex00_welcome (1).ipynb",
    "file-copied-by-jupyter": "ex00_welcome-Copy1.ipynb",
    "file-named-at-will": "homework final FINAL.ipynb",
    "file-in-capitals": "00_WELCOME.IPYNB",
    "file-with-two-ends": "ex00_welcome.ipynb.ipynb",
    "file-with-a-line-end": "ex00_welcome\n.ipynb",
    "file-like-an-option": "--timeout=0.ipynb",
    "file-with-quotes": "00_'welcome\".ipynb",
    "file-with-markup": f"<img src=x onerror={INJECTED}>.ipynb",
    "file-of-no-letters": os.fsdecode(b"ex00_welcome\xff.ipynb"),
    "file-very-long": "x" * 240 + ".ipynb",
    "file-numbered-otherwise": "ex07_welcome.ipynb",
}

Write = Callable[[Path, bytes, bytes], object]  # the folder, a right and a wrong notebook


def _in_a_folder(folder: Path, right: bytes, _: bytes) -> None:
    (folder / "exercises").mkdir()
    (folder / "exercises" / FILE).write_bytes(right)


def _deep_in_folders(folder: Path, right: bytes, _: bytes) -> None:
    deep = folder.joinpath(*["a"] * 60)
    deep.mkdir(parents=True)
    (deep / FILE).write_bytes(right)


def _checkpoint(folder: Path, right: bytes, wrong: bytes) -> None:
    (folder / FILE).write_bytes(right)
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "ex00_welcome-checkpoint.ipynb").write_bytes(wrong)


def _only_a_checkpoint(folder: Path, right: bytes, _: bytes) -> None:
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "ex00_welcome-checkpoint.ipynb").write_bytes(right)


def _of_a_mac(folder: Path, right: bytes, _: bytes) -> None:
    (folder / FILE).write_bytes(right)
    (folder / ".DS_Store").write_bytes(bytes(100))
    (folder / f"._{FILE}").write_bytes(b"\0\5\x16\7" + bytes(50))
    (folder / "__MACOSX").mkdir()
    (folder / "__MACOSX" / f"._{FILE}").write_bytes(b"\0\5\x16\7" + bytes(50))


def _twice(folder: Path, right: bytes, wrong: bytes) -> None:
    (folder / FILE).write_bytes(right)
    (folder / "ex00_welcome (1).ipynb").write_bytes(wrong)


def _linked_folder(folder: Path, right: bytes, _: bytes) -> None:
    (folder / FILE).write_bytes(right)
    (folder / "again").symlink_to(folder)  # a walk that follows it never ends


def _code_beside(folder: Path, right: bytes, _: bytes) -> None:
    """Modules of Python's own name: whoever adds the folder to the path imports them."""
    (folder / FILE).write_bytes(right)
    for name in ("json", "random", "numpy", "course_lib", "sitecustomize", "IPython", "conftest"):
        (folder / f"{name}.py").write_text("raise SystemExit(0)\n")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    (folder / ".env").write_text("PYTHONSTARTUP=mine.py\n")


def _only_other_files(folder: Path, _: bytes, __: bytes) -> None:
    (folder / "homework.pdf").write_bytes(b"%PDF-1.4")
    (folder / "ex00_welcome.ipynb.txt").write_text("{}")


def _own_records(folder: Path, right: bytes, wrong: bytes) -> None:
    """A record of the student's own beside wrong answers, which it calls right."""
    (folder / FILE).write_bytes(wrong)
    (folder / ".records").mkdir()
    (folder / ".records" / "welcome.json").write_text('{"schema": 1, "questions": {}}')


FOLDERS: dict[str, tuple[Write, str, str]] = {
    # name: what is written, the questions that keep their marks, those that must not
    "file-in-a-folder": (_in_a_folder, "", ""),
    "file-deep-in-folders": (_deep_in_folders, "", ""),
    "file-with-a-checkpoint": (_checkpoint, ALL, ""),
    "file-only-as-a-checkpoint": (_only_a_checkpoint, "", ""),
    "file-from-a-mac": (_of_a_mac, ALL, ""),
    "file-twice": (_twice, "t1245", ""),
    "folder-linked-into-itself": (_linked_folder, ALL, ""),
    "code-beside-the-notebook": (_code_beside, ALL, ""),
    "records-beside-the-notebook": (_own_records, "t1245", "3"),
    "only-other-files": (_only_other_files, "", ALL),
}


# One file for each student, beside the folders of the others.
def _at_the_top(file: str, make: Callable[[Path], object]) -> Callable[[Place, str], None]:
    def plant(place: Place, _: str) -> None:
        place.submissions.mkdir(parents=True, exist_ok=True)
        make(place.submissions / file)

    return plant


def _right(path: Path) -> None:
    path.write_bytes(as_bytes(notebook()))


TOP: dict[str, tuple[str, Callable[[Path], object], str]] = {
    # name of the student: the file, what it is, and the questions that keep their marks
    "one-file": ("one-file.ipynb", _right, ALL),
    "one-file-of-a-set": ("one-file-of-a-set_ex00_welcome.ipynb", _right, ALL),
    "one-file-in-capitals": ("one-file-in-capitals.IPYNB", _right, ALL),
    "one-file-that-is-empty": ("one-file-that-is-empty.ipynb", Path.touch, ""),
    "one-file-that-is-a-pipe": ("one-file-that-is-a-pipe.ipynb", os.mkfifo, ""),
    "one-file-that-is-a-link": (
        "one-file-that-is-a-link.ipynb",
        lambda path: path.symlink_to("/etc/passwd"),
        "",
    ),
}


def _in_folder(write: Write) -> Callable[[Place, str], None]:
    def plant(place: Place, student: str) -> None:
        wrong = as_bytes(notebook({"3": WRONG["3"]}))
        write(folder_of(place, student), as_bytes(notebook()), wrong)

    return plant


def _under(file: str) -> Callable[[Place, str], None]:
    return _in_folder(lambda folder, right, _: (folder / file).write_bytes(right))


KINDS: list[Kind] = [
    *[Kind(name, _under(FILE), keep=ALL, student=student) for name, student in STUDENTS.items()],
    *[Kind(name, _under(file), keep=ALL) for name, file in FILES.items()],
    *[
        Kind(
            name, _at_the_top(file, make), keep=keep, lose="" if keep else ALL, readable=bool(keep)
        )
        for name, (file, make, keep) in TOP.items()
    ],
    *[
        Kind(name, _in_folder(write), keep=keep, lose=lose, readable=name != "only-other-files")
        for name, (write, keep, lose) in FOLDERS.items()
    ],
]
