"""A Pyodide of the course's own: runtime, wheels and a lock that names them all, in one folder.

The website serves this folder, so that a reader's browser asks no other host; the comparison under
Node loads the very same one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import parts

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
# What a kernel has before its first cell runs; matplotlib comes when a cell plots.
LOADED = (
    *("numpy", "course-lib", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython", "piplite"),
    *("ipywidgets", "micropip"),
)
KERNEL = "jupyterlite-pyodide-kernel"
DEPENDS = {
    "course-lib": ["numpy", *parts.PICTURES],
    "ipython": [
        *("asttokens", "executing", "ipython-pygments-lexers", "jedi", "matplotlib-inline"),
        *("parso", "prompt-toolkit", "pure-eval", "pygments", "stack-data", "traitlets"),
        *("wcwidth",),
    ],
    "ipywidgets": ["comm", "ipython", "traitlets"],
    "ipykernel": ["pyodide-kernel"],
    "pyodide-kernel": ["comm", "ipython"],
    "piplite": ["micropip"],
}


def make_pyodide(folder: Path) -> None:
    """Fill an empty folder with everything a kernel of the course loads.

    Raises `parts.Missing` when something cannot be had.
    """
    folder.mkdir(parents=True)
    runtime = parts.runtime()
    for name in RUNTIME:
        shutil.copy(runtime / name, folder)
    wheels = compiled([*parts.everything(), *kernel_wheels(), course_wheel()])
    for path in wheels:
        shutil.copy(path, folder)
    lock = json.loads((runtime / "pyodide-lock.json").read_text("utf-8"))
    lock["packages"] = dict(_entry(path, lock["packages"]) for path in wheels)
    (folder / "pyodide-lock.json").write_text(json.dumps(lock, indent=1) + "\n", "utf-8")


def _entry(path: Path, distribution: dict[str, dict]) -> tuple[str, dict]:
    """What the lock says of one wheel: Pyodide's own words where it is one of Pyodide's."""
    name, version = path.name.split("-")[:2]
    name = re.sub(r"[-_.]+", "-", name).lower()
    known = distribution.get(name)
    if known and known["file_name"] == path.name:  # with compiled code, it is another file
        return name, known | {"sha256": parts.sha256(path)}
    return name, {
        "name": name,
        "version": version,
        "file_name": path.name,
        "install_dir": "site",
        "sha256": parts.sha256(path),
        "package_type": "package",
        "imports": _imports(path),
        "depends": DEPENDS.get(name, []),
        "unvendored_tests": False,
    }


def _imports(wheel: Path) -> list[str]:
    """The names that can be imported once this wheel is there."""
    with zipfile.ZipFile(wheel) as files:
        tops = {name.split("/")[0] for name in files.namelist() if name.endswith(".py")}
    return sorted(top.removesuffix(".py") for top in tops if "." not in top.removesuffix(".py"))


def compiled(wheels: list[Path]) -> list[Path]:
    """The wheels with compiled code in them, kept for the next time.

    Their hashes were checked when they were fetched; our lock has the hashes of what is served.
    """
    kept = parts.CACHE / "compiled"
    places = {wheel: kept / parts.sha256(wheel) / wheel.name for wheel in wheels}
    missing = [wheel for wheel, place in places.items() if not place.is_file()]
    if missing:
        with tempfile.TemporaryDirectory(dir=parts.CACHE) as work:
            for wheel in missing:
                shutil.copy(wheel, work)
            words = [parts.program("node"), str(Path(__file__).with_name("compile.mjs"))]
            words += [str(parts.runtime()), work]
            done = subprocess.run(words, capture_output=True, text=True)
            if done.returncode:
                raise parts.Missing(f"the wheels cannot be compiled: {done.stderr.strip()[-300:]}")
            for wheel in missing:
                places[wheel].parent.mkdir(parents=True, exist_ok=True)
                os.replace(Path(work) / wheel.name, places[wheel])
    return list(places.values())


# ---- wheels that are made or found here ----------------------------------------------------------


def course_wheel() -> Path:
    """The course itself, built from this checkout."""
    folder = parts.CACHE / "course"
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=parts.ROOT, capture_output=True, text=True)
    if done.returncode:
        raise parts.Missing(f"the course's wheel cannot be built: {done.stderr.strip()[-300:]}")
    (wheel,) = folder.glob("*.whl")
    return wheel


def kernel_wheels() -> list[Path]:
    """What the JupyterLite kernel brings for Python: itself, and stand-ins for two packages."""
    (carrier,) = parts.pinned([KERNEL], "site.txt")
    folder, found = parts.CACHE / "kernel", []
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(carrier) as files:
        for member in files.namelist():
            name = member.rsplit("/", 1)[-1]
            if re.match(r"(ipykernel|piplite|pyodide_kernel|widgetsnbextension-4).*\.whl", name):
                found.append(folder / name)
                found[-1].write_bytes(files.read(member))
    return found
