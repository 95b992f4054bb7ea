"""Odd names of students, which are names of folders, and odd names of files."""

import os
from collections.abc import Callable
from pathlib import Path

from grading.hostile.injecting import INJECTED
from grading.hostile.kinds import ALL, FILE, WRONG, Kind, Place, as_bytes, folder_of, notebook

LONGEST = "ä" * 127  # 254 bytes: as long as a name may be on most systems

STUDENTS = {
    "name-with-spaces": " Ada  Lovelace ",
    "name-composed": "Zo\u00eb",
    "name-decomposed": "Zoe\u0308",
    "name-in-small-letters": "twin",
    "name-in-capitals": "TWIN",
    "name-with-a-line-end": "first\nsecond",
    "name-with-a-tab": "first\tsecond",
    "name-with-quotes": 'O\'Brien "Bob"',
    "name-with-a-backslash": "back\\slash\\..\\up",
    "name-with-a-command": "$(touch course-hostile-trace)`id`;ls|cat&",
    "name-like-an-option": "--help",
    "name-very-long": LONGEST,
    "name-very-long-too": LONGEST[:-1] + "ö",
    "name-of-dots": "...",
    "name-that-goes-up": "..up",
    "name-with-a-dot-at-the-end": "dot.",
    "name-with-a-space-at-the-end": "dot ",
    "name-of-a-device": "CON",
    "name-like-a-notebook": "folder.ipynb",
    "name-like-a-page": "index.html",
    "name-like-the-results": "grades.json",
    "name-like-nothing": "null",
    "name-like-a-number": "007",
    "name-like-a-date": "3-4",
    "name-with-a-formula": f"=HYPERLINK({INJECTED})",
    "name-with-markup": f"<img src=x onerror=alert({INJECTED})>".replace("/", ""),
    "name-with-commas": "a,b;c",
    "name-with-signs": "%s %d {0} {x} #1 ?q=1",
    "name-with-colours": "\x1b[31mred\x1b[0m",
    "name-from-the-right": "\u202eevil\u202c",
    "name-of-invisible-letters": "\u200b\u2060",
    "name-of-pictures": "🎉👩\u200d💻",
    "name-of-no-letters": os.fsdecode(b"caf\xe9 \xff\xfe"),
    "name-of-other-no-letters": os.fsdecode(b"caf\xe8 \xff\xfe"),
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

# What is in a file: bytes, or the answers in which a notebook of right ones differs.
Content = bytes | dict[str, str]
RIGHT: Content = {}
MISTAKEN: Content = {"3": WRONG["3"]}
ONE = {FILE: RIGHT}
CHECKPOINT = ".ipynb_checkpoints/ex00_welcome-checkpoint.ipynb"
OF_A_MAC = b"\0\5\x16\7" + bytes(50)
# Modules of Python's own name: whoever adds the folder to the path imports them.
MODULES = ("json", "random", "numpy", "course_lib", "sitecustomize", "IPython", "conftest")
CODE: dict[str, Content] = {f"{name}.py": b"raise SystemExit(0)\n" for name in MODULES}
CODE |= {"pytest.ini": b"[pytest]\naddopts = --no-such-option\n"}
CODE |= {".env": b"PYTHONSTARTUP=mine.py\n"}
NOTES: dict[str, Content] = {"notes.txt": b"my notes", "mean_square.py": b"answer = 1"}
OTHERS = ALL.replace("3", "")
NO_QUESTIONS = b'{"schema": 1, "questions": {}}'
OWN_RECORD = {".records/welcome.json": NO_QUESTIONS}  # which calls every answer right
MAC = {".DS_Store": bytes(100), f"._{FILE}": OF_A_MAC, f"__MACOSX/._{FILE}": OF_A_MAC}

FOLDERS: dict[str, tuple[dict[str, Content], str, str]] = {
    # name: what is written, the questions that keep their marks, those that must not
    "file-in-a-folder": ({f"exercises/{FILE}": RIGHT}, "", ""),
    "file-deep-in-folders": ({"a/" * 60 + FILE: RIGHT}, "", ""),
    "file-with-a-checkpoint": ({FILE: RIGHT, CHECKPOINT: MISTAKEN}, ALL, ""),
    "file-only-as-a-checkpoint": ({CHECKPOINT: RIGHT}, "", ""),
    "file-from-a-mac": ({FILE: RIGHT, **MAC}, ALL, ""),
    "file-twice": ({FILE: RIGHT, "ex00_welcome (1).ipynb": MISTAKEN}, "t1245", ""),
    "code-beside-the-notebook": ({FILE: RIGHT, **CODE}, ALL, ""),
    "records-beside-the-notebook": ({FILE: MISTAKEN, **OWN_RECORD}, OTHERS, "3"),
    "other-files-beside": ({FILE: MISTAKEN, **NOTES}, OTHERS, "3"),
    "only-other-files": ({"homework.pdf": b"%PDF-1.4", f"{FILE}.txt": b"{}"}, "", ALL),
}


# One file for each student, beside the folders of the others.
def _at_the_top(end: str, make: Callable[[Path], object]) -> Callable[[Place, str], None]:
    def plant(place: Place, student: str) -> None:
        place.submissions.mkdir(parents=True, exist_ok=True)
        make(place.submissions / f"{student}{end}")

    return plant


def _right(path: Path) -> None:
    path.write_bytes(as_bytes(notebook()))


TOP: dict[str, tuple[str, Callable[[Path], object], str]] = {
    # name of the student: how the file's name goes on, what it is, the questions that keep marks
    "one-file": (".ipynb", _right, ALL),
    "one-file-of-a-set": ("_ex00_welcome.ipynb", _right, ALL),
    "one-file-in-capitals": (".IPYNB", _right, ALL),
    "one-file-that-is-empty": (".ipynb", Path.touch, ""),
    "one-file-that-is-a-pipe": (".ipynb", os.mkfifo, ""),
    "one-file-that-is-a-link": (".ipynb", lambda path: path.symlink_to("/etc/passwd"), ""),
}


def _files(files: dict[str, Content]) -> Callable[[Place, str], None]:
    def plant(place: Place, student: str) -> None:
        for name, content in files.items():
            path = folder_of(place, student) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else as_bytes(notebook(content)))

    return plant


def _linked_folder(place: Place, student: str) -> None:
    _files(ONE)(place, student)
    folder = folder_of(place, student)
    (folder / "again").symlink_to(folder)  # a walk that follows it never ends


KINDS: list[Kind] = [
    *[Kind(name, _files(ONE), keep=ALL, student=student) for name, student in STUDENTS.items()],
    *[Kind(name, _files({file: RIGHT}), keep=ALL) for name, file in FILES.items()],
    *[
        Kind(name, _at_the_top(end, make), keep=keep, lose="" if keep else ALL, readable=bool(keep))
        for name, (end, make, keep) in TOP.items()
    ],
    *[
        Kind(name, _files(files), keep=keep, lose=lose, readable=name != "only-other-files")
        for name, (files, keep, lose) in FOLDERS.items()
    ],
    Kind("folder-linked-into-itself", _linked_folder, keep=ALL),
]
