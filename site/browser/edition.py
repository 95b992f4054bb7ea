"""A Pyodide of the course's own: runtime, packages and the course, in one folder.

What a kernel has before its first cell is one archive, which start.mjs unpacks: it holds thousands
of files, and a browser is much quicker at that than Python in it. What a plot needs stays wheels,
which come later. The website serves this folder, so that a reader's browser asks no other host; the
comparison under Node loads the very same one.
"""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import parts

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LIBRARY = "python_stdlib.zip"
ARCHIVE = "course.bin.gz"
# The packages that JupyterLite's kernel would install by itself if it were not told that they are
# there.
LOADED = ("ipykernel", "comm", "pyodide-kernel", "jedi", "ipython", "piplite", "micropip")
KERNEL = "jupyterlite-pyodide-kernel"
PARTS = (*RUNTIME[1:], LIBRARY, ARCHIVE)  # what is large, and fetched before the first cell
# Nobody imports these, and jedi completes no names of packages that are not here.
NOT_PACKED = re.compile(r"\.data/|/tests/|/django-stubs/|/typeshed/stubs/|/labextension/|/$")
HERE = Path(__file__).parent


def make_pyodide(folder: Path) -> None:
    """Fill an empty folder with everything a kernel of the course loads.

    Raises `parts.Missing` when something cannot be had.
    """
    folder.mkdir(parents=True)
    runtime, known = parts.runtime(), parts.lock()
    for path in [*(runtime / name for name in RUNTIME), HERE / "start.mjs"]:
        shutil.copy(path, folder)
    library, *wheels = compiled(
        [runtime / LIBRARY, *parts.everything(), *kernel_wheels(), course_wheel()]
    )
    shutil.copy(library, folder)
    later = {known[name]["file_name"]: name for name in plotting()}
    (folder / ARCHIVE).write_bytes(packed(w for w in wheels if w.name not in later))
    lock = json.loads((runtime / "pyodide-lock.json").read_text("utf-8"))
    lock["packages"] = {}
    for wheel in wheels:
        if name := later.get(wheel.name):
            shutil.copy(wheel, folder)
            depends = [other for other in known[name]["depends"] if other in later.values()]
            ours = {"sha256": parts.sha256(wheel), "depends": depends}
            lock["packages"][name] = known[name] | ours
    (folder / "pyodide-lock.json").write_text(json.dumps(lock, indent=1) + "\n", "utf-8")


def plotting() -> set[str]:
    """The packages that come when a cell plots: all that matplotlib needs and a kernel does not."""
    first = parts.closure((*parts.COMPUTING, *parts.INSTALLING))
    return set(parts.closure(parts.PLOTTING)).difference(first)


def packed(wheels: Iterable[Path]) -> bytes:
    """What these wheels install, as one archive.

    A line of JSON says `[[path, size], …]`, and the bytes of these files follow; gzip around it.
    """
    files = {}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if not NOT_PACKED.search(name):
                    files[name] = archive.read(name)
    index = json.dumps([[name, len(data)] for name, data in files.items()])
    return gzip.compress(b"".join([index.encode(), b"\n", *files.values()]), mtime=0)


def compiled(wheels: list[Path]) -> list[Path]:
    """These wheels and archives with compiled code in them, kept for the next time.

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
                raise parts.Missing(
                    f"the packages cannot be compiled: {done.stderr.strip()[-300:]}"
                )
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
