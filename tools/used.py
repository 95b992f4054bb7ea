"""Says by whom each function of the library is run, and which public names nothing runs.

    python tools/used.py               run everything that the course runs; a table, then the names
    python tools/used.py --check       the same; exit status 1 for a name not in tools/keep.txt
    python tools/used.py --calls FILE  keep the calls in FILE, or read them there
    python tools/used.py --functions   every function that nothing runs, one a line

A function is run if it is called; so is a class if one of its functions is.  What has no code of
its own (a class that only names another, a second name of a function) is used if its name stands in
a cell of a lesson or an exercise.  What stays though nothing runs it is listed in tools/keep.txt,
with the reason.  All of it takes about twenty minutes.
"""

import argparse
import ast
import importlib
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
LIBRARY = ROOT / "course_lib"
KEEP = ROOT / "tools" / "keep.txt"
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
NOTEBOOK = """\
import pathlib, sys, nbformat
from nbclient import NotebookClient
for path in map(pathlib.Path, sys.argv[1:]):
    print(" ", path.name, flush=True)
    place = {"metadata": {"path": str(path.parent)}}
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=900, allow_errors=True, resources=place).execute()
"""
EXAMPLES = """\
import doctest, importlib, inspect, sys
import course_lib as torch
runner = doctest.DocTestRunner(verbose=False)
for line in sys.stdin.read().split():
    place, _, name = line.rpartition(".")
    thing = inspect.getattr_static(torch.Tensor, name) if place == "torch.Tensor" else getattr(
        importlib.import_module(place.replace("torch", "course_lib", 1)), name)
    for test in doctest.DocTestFinder(recurse=False).find(thing, name, globs={"torch": torch}):
        runner.run(test, out=lambda text: None)
"""
TESTS = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
USES: dict[str, list[list[str]]] = {
    "lessons": [
        ["-c", NOTEBOOK, *map(str, sorted((ROOT / "notebooks").glob("*.ipynb")))],
        [*TESTS, "tests/test_guesses.py"],
    ],
    "exercises": [
        ["-c", NOTEBOOK, *map(str, sorted((ROOT / "solutions").glob("*.ipynb")))],
        [*TESTS, "tests/test_solutions.py", "tests/classroom/test_judgement.py"],
    ],
    "pictures": [
        [*TESTS, "tests/test_gallery.py", "tests/test_glossary.py", "tests/test_cheat_sheet.py"]
    ],
    "commands": [[*TESTS, "tests/classroom/test_commands.py", "tests/grading"]],
}
PUBLIC = (
    "torch torch.autograd torch.autograd.graph torch.linalg torch.nn "
    "torch.nn.functional torch.nn.init torch.nn.parameter torch.nn.utils torch.nn.utils.rnn "
    "torch.optim torch.optim.lr_scheduler torch.random torch.cuda torch.accelerator torch.backends "
    "torch.utils.checkpoint torch.utils.data"
).split()
Place = tuple[str, int]  # a file below course_lib/ and the line where a function begins
Calls = dict[str, set[Place]]  # of each use


# ---- what is called -----------------------------------------------------------------------------


def called(command: list[str], said: str | None = None) -> set[Place]:
    """Where every function begins that a command calls."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(NOTE, encoding="utf-8")
        paths = {"COURSE_CALLS": folder, "PYTHONPATH": os.pathsep.join([folder, str(ROOT)])}
        subprocess.run(
            [sys.executable, *command], cwd=ROOT, env={**os.environ, **paths}, input=said, text=True
        )
        lines = [line for f in Path(folder).glob("*.txt") for line in f.open(encoding="utf-8")]
    places = (line.rstrip("\n").rsplit("\t", 1) for line in lines)
    inside = f"{LIBRARY}{os.sep}"
    return {(f.removeprefix(inside), int(n)) for f, n in places if f.startswith(inside)}


def measure() -> Calls:
    """What each use calls; the examples in docstrings last, those of the names that stay."""
    at_import = called(["-c", "import course_lib; course_lib.lazy.read_all()"])
    calls = {}
    for use, commands in USES.items():
        print(use, flush=True)
        calls[use] = set().union(*map(called, commands)) - at_import
    staying = sorted(set(names()) - unused(calls) | kept().keys())
    calls["docstrings"] = called(["-c", EXAMPLES], "\n".join(staying)) - at_import
    return calls


# ---- what there is ------------------------------------------------------------------------------


def functions(path: Path) -> dict[int, tuple[str, int]]:
    """Name and number of lines of each function by its first line, inner functions apart."""
    found: dict[int, tuple[str, int]] = {}

    def visit(node: ast.AST, prefix: str) -> int:
        """The lines of the functions inside `node`."""
        inside = 0
        for child in ast.iter_child_nodes(node):
            name = getattr(child, "name", "")
            below = f"{prefix}{name}." if isinstance(name, str) and name else prefix
            lines = visit(child, below)
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                whole = (child.end_lineno or first) - first + 1
                found[first] = below[:-1], whole - lines
                lines = whole
            inside += lines
        return inside

    visit(ast.parse(path.read_text(encoding="utf-8")), "")
    return found


def names() -> dict[str, Any]:
    """Each public name, as its user writes it, with what it stands for."""
    from course_lib import Tensor
    from course_lib.calls import overloads
    from course_lib.calls.missing import LeftOut

    found: dict[str, Any] = {}
    for place in PUBLIC:
        module = importlib.import_module(place.replace("torch", "course_lib", 1))
        for name in set(dir(module)) & set(
            overloads.names(place.removeprefix("torch").lstrip(".") or "torch")
        ):
            value = getattr(module, name)
            ours = getattr(value, "__module__", None) or ""
            if callable(value) and ours.startswith(("torch", "course_lib")):
                found[f"{place}.{name}"] = value
    for name in filter(lambda name: name[0] != "_", dir(Tensor)):
        value = inspect.getattr_static(Tensor, name)
        if not isinstance(value, LeftOut):
            found[f"torch.Tensor.{name}"] = value
    return found


def places(value: Any) -> set[Place]:
    """Where the functions begin that are the code of a public name."""
    if inspect.isclass(value):
        own = [inspect.getattr_static(value, name) for name in vars(value)]
        return set().union(*(places(one) for one in own if not inspect.isclass(one)))
    value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
    code = getattr(inspect.unwrap(value), "__code__", None) if callable(value) else None
    if code is None or not code.co_filename.startswith(f"{LIBRARY}{os.sep}"):
        return set()
    return {(code.co_filename.removeprefix(f"{LIBRARY}{os.sep}"), code.co_firstlineno)}


def written() -> set[str]:
    """Every word in a code cell of a lesson or an exercise."""
    text = []
    for folder in ("notebooks", "solutions"):
        for path in (ROOT / folder).glob("*.ipynb"):
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            text += ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return set(re.findall(r"\w+", " ".join(text)))


def unused(calls: Calls) -> set[str]:
    """The public names that nothing runs."""
    run, words, idle = set().union(*calls.values()), written(), set()
    for name, value in names().items():
        own, short = places(value), name.rpartition(".")[2]
        plain = inspect.unwrap(value).__name__.strip("<>") if callable(value) else short
        second = bool(own) and short.rstrip("_") != plain.rstrip("_") and not plain.startswith("_")
        if not (own & run and not second) and short not in words:
            idle.add(name)
    return idle


def kept() -> dict[str, str]:
    """The names in tools/keep.txt with their reasons."""
    lines = KEEP.read_text(encoding="utf-8").splitlines()
    reason, found = "", {}
    for line in lines:
        if line.startswith("#"):
            reason = line.lstrip("# ")
        for name in () if line.startswith("#") else line.split():
            found[name] = reason
    return found


# ---- what is printed ----------------------------------------------------------------------------


def table(calls: Calls) -> str:
    """Lines of functions in each drawer and file, by the first use that runs them."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for path in sorted(LIBRARY.rglob("*.py")):
        file = path.relative_to(LIBRARY).as_posix()
        drawer = f"{file.partition('/')[0]}/" if "/" in file else "beside them"
        for row in (drawer, f"  {file}"):
            rows[row]["lines"] += len(path.read_text(encoding="utf-8").splitlines())
        for first, (_, lines) in functions(path).items():
            by = next((use for use, run in calls.items() if (file, first) in run), "nothing")
            for row in (drawer, f"  {file}"):
                rows[row][by] += lines
    heads = ["lines", *calls, "nothing"]
    width = max(map(len, rows))
    out = [" " * width + "".join(f"{head:>11}" for head in heads)]
    for row, counts in sorted(
        rows.items(), key=lambda r: (r[0].strip().partition("/")[0], r[0][0] == " ", r[0])
    ):
        out.append(row.ljust(width) + "".join(f"{counts[head] or '':>11}" for head in heads))
    return "\n".join(out)


def main(words: list[str]) -> int:
    """Print what is run by whom, and what by nobody."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="status 1 for names to take away")
    parser.add_argument("--calls", type=Path, metavar="FILE", help="keep the calls in FILE")
    parser.add_argument("--functions", action="store_true", help="list functions instead of names")
    asked = parser.parse_args(words)
    if asked.calls and asked.calls.exists():
        read = json.loads(asked.calls.read_text(encoding="utf-8"))
        calls = {use: {(file, line) for file, line in run} for use, run in read.items()}
    else:
        calls = measure()
        if asked.calls:
            as_lists = {use: sorted(run) for use, run in calls.items()}
            asked.calls.write_text(json.dumps(as_lists), encoding="utf-8")
    if asked.functions:
        run = set().union(*calls.values())
        for path in sorted(LIBRARY.rglob("*.py")):
            file = path.relative_to(LIBRARY).as_posix()
            for first, (name, lines) in functions(path).items():
                if (file, first) not in run:
                    print(f"{file}:{first}\t{name}\t{lines}")
        return 0
    idle = sorted(unused(calls) - kept().keys())
    print(table(calls))
    print(f"\n{len(idle)} public names that nothing runs and tools/keep.txt does not list:")
    print(" ".join(idle))
    return int(asked.check and bool(idle))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
