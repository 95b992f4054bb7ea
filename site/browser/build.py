"""Make the browser edition: JupyterLab with Python in the reader's browser, the course inside.

    python site/browser/build.py --out DIR

DIR is then a site of its own for any server of files; the website has it at `lab/`. It asks no
other host: Pyodide, NumPy and matplotlib are served from it. What cannot be fetched or checked ends
the build, and DIR stays as it was.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import edition
import parts

HERE = Path(__file__).resolve().parent
TITLE = "Learn PyTorch from the inside"
PYODIDE = "./static/pyodide/start.mjs"  # relative to the root of this site
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
ELSEWHERE = re.compile(r'https://cdn\.[^"\s]*/pyodide\.mjs')  # where the kernel looks by itself
FIRST = "notebooks/00_welcome.ipynb"


def build(out: Path) -> None:
    """Make the site in `out`, all of it anew.

    Raises `parts.Missing` with one sentence when a part cannot be had, or is not as it should be.
    """
    out = out.resolve()
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as place:
        work, site = Path(place), Path(place) / "site"
        write_workspace(work)
        (work / "jupyter-lite.json").write_text(json.dumps(settings(), indent=1), "utf-8")
        (work / "overrides.json").write_text(json.dumps(overrides(), indent=1), "utf-8")
        run_jupyterlite(work, site)
        edition.make_pyodide(site / "static" / "pyodide")
        point_to_own_pyodide(site)
        start_early(site)
        speak_offline(site)
        go_on_after_expected_errors(site)
        add_service_worker(site)
        check(site)
        shutil.rmtree(out, ignore_errors=True)
        os.replace(site, out)


def write_workspace(work: Path) -> None:
    """The lessons and exercises as a reader gets them from `course lab`, and the home page."""
    from course_lib.classroom.jupyter_home import write_lab_home
    from course_lib.classroom.workspace import STATE, Workspace

    folder = work / "files"
    Workspace(folder).refresh(parts.ROOT)
    write_lab_home(work / "extensions", folder, in_browser=True)
    shutil.rmtree(folder / STATE)  # its record is for updates, which a browser has no need of
    for drawing in folder.rglob("*.svg"):  # JupyterLite shows one whose letters are ASCII
        text = drawing.read_text("utf-8")
        drawing.write_bytes(text.encode("ascii", "xmlcharrefreplace"))
    for stem, reasons in json.loads((HERE / "expected.json").read_text("utf-8")).items():
        expect_errors(folder / "notebooks" / f"{stem}.ipynb", reasons)


def expect_errors(notebook: Path, names: Iterable[str]) -> None:
    """Let "Run all" go on after these cells, which end with an error here and nowhere else."""
    written = json.loads(notebook.read_text("utf-8"))
    for cell in written["cells"]:
        if cell["id"] in names:
            cell["metadata"].setdefault("tags", []).append("raises-exception")
    notebook.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", "utf-8")


def settings() -> dict[str, object]:
    """The configuration of JupyterLite."""
    kernel = {
        "pyodideUrl": PYODIDE,
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": list(edition.LOADED)},
    }
    data = {
        "appName": TITLE,
        "exposeAppInBrowser": True,  # for page.js and smoke.py
        "litePluginSettings": {KERNEL: kernel},
    }
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": data}


def overrides() -> dict[str, object]:
    """The settings of JupyterLab: nothing that asks another host."""
    from course_lib.classroom.jupyter_home import OVERRIDES

    return OVERRIDES


def run_jupyterlite(work: Path, site: Path) -> None:
    """Let JupyterLite lay out its part of the site."""
    command = [sys.executable, "-m", "jupyterlite_core.app", "build", "--lite-dir", str(work)]
    command += ["--contents", str(work / "files"), "--output-dir", str(site), "--apps", "lab"]
    command += ["--settings-overrides", str(work / "overrides.json")]
    command += [f"--FederatedExtensionAddon.extra_labextensions_path={work / 'extensions'}"]
    command += ["--no-sourcemaps", "--no-unused-shared-packages", "--no-libarchive"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True)
    if done.returncode:
        raise parts.Missing(f"JupyterLite stopped: {(done.stderr or done.stdout).strip()[-600:]}")


def point_to_own_pyodide(site: Path) -> None:
    """Where the kernel has another address built in, put ours: no setting can bring it back."""
    found = 0
    for path in texts(site / "extensions"):
        text = path.read_text("utf-8")
        ours, count = ELSEWHERE.subn(PYODIDE, text)
        if count:
            found += 1
            path.write_text(ours, "utf-8")
    if not found:
        raise parts.Missing("the kernel names no address of Pyodide any more: look at its settings")


def start_early(site: Path) -> None:
    """Let Python start with the page, and not when the notebook is on it: page.js says how."""
    kernel = site / "extensions" / "@jupyterlite" / "pyodide-kernel-extension" / "static"
    (worker,) = kernel.glob("comlink.worker.*.js")
    own = "../../../../" + PYODIDE.removeprefix("./")
    worker.write_text(f'import "{own}";\n' + worker.read_text("utf-8"), "utf-8")
    change(kernel.glob("*.js"), r'new Worker\((\w+),\{type:"module"\}\)', r"courseWorker(\1)")
    # page.js has registered the service worker, so JupyterLite finds one and must not end it.
    change((site / "build").glob("*.js"), r"await this\._unregisterOldServiceWorkers\(\w+\),", "")
    pyodide = site / "static" / "pyodide"
    facts = {
        "WORKER": worker.relative_to(site).as_posix(),
        "PARTS": {name: (pyodide / name).stat().st_size for name in edition.PARTS},
        "LESSONS": list(lessons(site)),
    }
    page = (HERE / "page.js").read_text("utf-8")
    for name, fact in facts.items():
        page = page.replace(f'"@{name}@"', json.dumps(fact))
    (site / "page.js").write_text(page, "utf-8")
    first = '<link rel="icon" href="favicon.ico"><script src="../page.js"></script>'
    change([site / "lab" / "index.html"], '<meta charset="utf-8">', rf"\g<0>{first}")


def lessons(site: Path) -> Iterator[str]:
    """What the service worker keeps from the first visit on: notebooks, their data, all lists."""
    for path in sorted(site.rglob("*")):
        name = path.relative_to(site).as_posix()
        if re.match(r"files/(notebooks|exercises)/.*\.\w+$|api/contents/.*\.json$", name):
            yield name


def speak_offline(site: Path) -> None:
    """Let a file that cannot be had offline say so: JupyterLite would show another sentence."""
    theirs = r"(if\(!(\w+)\.ok\)return null;)(let \w+=\w+\.mimetype)"
    ours = r"if(\2.status===504)throw Error(await \2.text());\1\3"
    change((site / "build").glob("*.js"), theirs, ours)


def go_on_after_expected_errors(site: Path) -> None:
    """Let "Run all" go on after a cell that is meant to fail, as in any other JupyterLab.

    JupyterLab asks for it (`stop_on_error: false`), and JupyterLite 0.8 does not listen.
    """
    patches = [
        (
            r"await (\w+)\.ready,await \1\.handleMessage\((\w+)\)",
            r"await \1.ready,\2.content?.stop_on_error!==void 0&&"
            r"(globalThis.courseStops=\2.content.stop_on_error),await \1.handleMessage(\2)",
        ),
        (
            r'"error"===(\w+)\.content\.status&&"interrupt"!==\1\.metadata\.cause&&',
            r'"error"===\1.content.status&&"interrupt"!==\1.metadata.cause&&'
            r"!1!==globalThis.courseStops&&",
        ),
    ]
    for pattern, ours in patches:
        change((site / "build").glob("*.js"), pattern, ours)


def change(paths: Iterable[Path], pattern: str, ours: str) -> None:
    """Put `ours` where the pattern is found, once in these files.

    Raises `parts.Missing` when that is not one place: JupyterLite is another one.
    """
    changed = 0
    for path in paths:
        text, count = re.subn(pattern, ours, path.read_text("utf-8"))
        if count:
            changed += count
            path.write_text(text, "utf-8")
    if changed != 1:
        raise parts.Missing(f"JupyterLite has changed: {changed} places where 1 was expected")


def add_service_worker(site: Path) -> None:
    """Put ours before JupyterLite's: it keeps what was fetched, for later visits and offline."""
    theirs = site / "service-worker.js"
    theirs.rename(site / "service-worker-lite.js")
    digest = hashlib.sha256()
    for path in sorted(site.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(site).as_posix().encode() + path.read_bytes())
    ours = (HERE / "service-worker.js").read_text("utf-8")
    theirs.write_text(ours.replace("@BUILD@", digest.hexdigest()[:16]), "utf-8")


# ---- is it as it should be? ----------------------------------------------------------------------


def check(site: Path) -> None:
    """Raise `parts.Missing` if the site would ask another host, or lacks something it asks for."""
    written = json.loads((site / "jupyter-lite.json").read_text("utf-8"))["jupyter-config-data"]
    kernel = written["litePluginSettings"][KERNEL]
    if kernel["pyodideUrl"] != PYODIDE or not kernel["disablePyPIFallback"]:
        raise parts.Missing("JupyterLite did not take the settings of the kernel")
    for path in texts(site):
        if ELSEWHERE.search(path.read_text("utf-8", errors="replace")):
            raise parts.Missing(f"{path.relative_to(site)} asks another host for Pyodide")
    pyodide = site / "static" / "pyodide"
    lock = json.loads((pyodide / "pyodide-lock.json").read_text("utf-8"))["packages"]
    for entry in lock.values():
        if parts.sha256(pyodide / entry["file_name"]) != entry["sha256"]:
            raise parts.Missing(f"{entry['file_name']} is not the one of the lock")
    for name in (f"files/{FIRST}", "extensions/course-home/index.json"):
        if not (site / name).is_file():
            raise parts.Missing(f"{name} is not in the site")


def texts(folder: Path) -> Iterator[Path]:
    """The files below a folder that a browser reads as text."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".js", ".mjs", ".json", ".html", ".css") and path.is_file():
            yield path


def main(words: list[str]) -> int:
    """Build; 0 when the site is there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="the folder to make")
    options = parser.parse_args(words)
    try:
        build(options.out)
    except parts.Missing as missing:
        print(f"build.py: {missing}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("build.py: stopped", file=sys.stderr)
        return 130
    size = sum(path.stat().st_size for path in options.out.rglob("*") if path.is_file()) / 1e6
    print(f"The browser edition is in {options.out} ({size:.0f} MB).")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
