"""Says which of ops, nn, optim and utils the course does not run, and what of beyond/ it does.

    python tools/beyond.py          run all lessons, solutions, and tests of glossary and pictures
    python tools/beyond.py --check  the same; exit status 1 if a file in beyond/ is run

A file is run if one of its functions is called, its own import aside.  It takes ten minutes.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "course_lib"
# Python reads this file first in every process, kernels included, and notes what is called.
NOTE = """\
import atexit, os, sys, threading
seen = set()
def note(frame, event, _):
    if event == "call":
        seen.add(frame.f_code)
sys.setprofile(note)
threading.setprofile(note)
def write():
    sys.setprofile(None)
    with open(os.path.join(os.environ["COURSE_CALLS"], f"{os.getpid()}.txt"), "w") as file:
        for code in list(seen):
            file.write(f"{code.co_filename}\\t{code.co_firstlineno}\\n")
atexit.register(write)
"""
LOAD = """\
import importlib, pkgutil, course_lib
for file in pkgutil.walk_packages(course_lib.__path__, "course_lib."):
    if not file.name.startswith(("course_lib.classroom", "course_lib.viz")):
        importlib.import_module(file.name)
"""
NOTEBOOK = """\
import pathlib, sys, nbformat
from nbclient import NotebookClient
for path in map(pathlib.Path, sys.argv[1:]):
    print(path.name, flush=True)
    place = {"metadata": {"path": str(path.parent)}}
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=600, allow_errors=True, resources=place).execute()
"""
NOTEBOOKS = [str(p) for part in ("notebooks", "solutions") for p in (ROOT / part).glob("*.ipynb")]
TESTS = ["tests/test_glossary.py", "tests/viz"]
USES = [
    ["-c", NOTEBOOK, *NOTEBOOKS],  # whose kernels end in peace, so that they write what they saw
    ["-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS],
]
Place = tuple[str, int]


def called(command: list[str]) -> set[Place]:
    """File and first line of every function that a command calls."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(NOTE, encoding="utf-8")
        paths = {"COURSE_CALLS": folder, "PYTHONPATH": os.pathsep.join([folder, str(ROOT)])}
        subprocess.run(
            [sys.executable, *command], cwd=ROOT, env={**os.environ, **paths}, check=True
        )
        lines = [
            line for file in Path(folder).glob("*.txt") for line in file.open(encoding="utf-8")
        ]
    places = (line.rstrip("\n").rsplit("\t", 1) for line in lines)
    return {(file, int(number)) for file, number in places if file.startswith(str(LIBRARY))}


def functions(path: Path) -> set[Place]:
    """Where each function of a file begins, its decorators included."""
    kinds = (ast.FunctionDef, ast.Lambda)
    found = [
        n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, kinds)
    ]
    starts = [
        min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        for node in found
    ]
    return {(str(path), line) for line in starts}


def main(words: list[str]) -> int:
    """Print the files on either side of the fence that belong on the other."""
    used = set().union(*map(called, USES)) - called(["-c", LOAD])
    parts = ("ops", "nn", "optim", "utils", "beyond")
    files = sorted(path for part in parts for path in (LIBRARY / part).rglob("*.py"))
    wrong = 0
    for path in files:
        places = functions(path)
        name, runs = path.relative_to(LIBRARY).as_posix(), bool(places & used)
        if name.startswith("beyond/") and runs:
            print(f"{name}: the course runs it, so it does not belong in beyond/")
            wrong += 1
        elif not name.startswith("beyond/") and places and not runs:
            print(f"{name}: the course does not run it; in beyond/, unless other files need it")
    return int("--check" in words and wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
