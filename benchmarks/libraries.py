"""The libraries that are compared, and the Python in which each is installed."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]

THREADS = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
SECONDS = 300  # after which a process is taken for stuck


@dataclass(frozen=True)
class Library:
    """A library as the table knows it."""

    name: str  # also of the module to be imported
    title: str
    package: str  # whose version is told
    module: str

    def imported(self) -> Any:
        """The module that the workloads are written for."""
        from importlib import import_module

        return import_module(self.module)


LIBRARIES = {
    library.name: library
    for library in (
        Library("numpy", "by hand", "numpy", "numpy"),
        Library("torch", "PyTorch", "torch", "torch"),
        Library("course_lib", "course_lib", "course_lib", "course_lib"),
        Library("mygrad", "MyGrad", "mygrad", "mygrad"),
        Library("autograd", "autograd", "autograd", "autograd"),
        Library("micrograd", "micrograd", "micrograd", "micrograd.engine"),
    )
}
OURS, REFERENCE, BY_HAND = "course_lib", "torch", "numpy"
COMPILED_HERE = (OURS, BY_HAND)  # from a folder into which no installer has put compiled code

FACTS = """
import importlib.metadata, importlib.util, json, platform, sys
name = sys.argv[1]
if importlib.util.find_spec(name) is None:
    sys.exit(1)
try:
    version = importlib.metadata.version(sys.argv[2])
except importlib.metadata.PackageNotFoundError:  # not installed, but in the current folder
    version = importlib.import_module(name).__version__
print(json.dumps({"version": version, "numpy": importlib.metadata.version("numpy"),
                  "python": platform.python_version()}))
"""


@dataclass(frozen=True)
class Place:
    """Where the processes of a library run."""

    python: str
    environment: dict[str, str]


def place(library: str, python: str, folder: Path) -> Place:
    """A library's Python, and its variables: one thread, compiled code at hand.

    Where Python is told not to write what it compiles, that of our own source goes into `folder`:
    so only the first process of a run compiles.
    """
    variables = {**os.environ, **dict.fromkeys(THREADS, "1"), "PYTHONPATH": str(ROOT)}
    variables["PYTHONHASHSEED"] = "0"
    if library in COMPILED_HERE and variables.pop("PYTHONDONTWRITEBYTECODE", ""):
        variables["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")
    return Place(python, variables)


def installed(library: Library, python: str) -> dict[str, str] | None:
    """Versions of the library and of what it stands on; None if that Python does not have it."""
    words = [python, "-c", FACTS, library.module.partition(".")[0], library.package]
    try:
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS)
    except FileNotFoundError:
        return None
    if done.returncode:
        return None
    facts: dict[str, str] = json.loads(done.stdout)
    return facts


def pythons(words: list[str]) -> dict[str, str]:
    """What ``--python NAME=PATH …`` says, this Python for all others.

    >>> pythons(["torch=/usr/bin/python3"])["torch"]
    '/usr/bin/python3'
    """
    chosen = dict.fromkeys(LIBRARIES, sys.executable)
    for word in words:
        names, _, path = word.partition("=")
        for name in names.split(","):
            if name not in LIBRARIES or not path:
                raise ValueError(f"--python wants NAME=PATH, a name out of {', '.join(LIBRARIES)}")
            chosen[name] = path
    return chosen
