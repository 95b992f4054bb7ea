"""Builds the website: `python3 start.py site --out DIR` (README.md tells more).

Only the standard library is imported until the words are known to be right: start.py asks `parse`
before it installs anything.

Note [Nothing half done]
Pages, Sphinx's memory of them and the browser edition are kept in `.site`, so that a second run
does only what changed. What a server shows is never worked on: a whole copy goes beside it and
takes its place by its name, and the folder before it goes last.
"""

import argparse
import hashlib
import importlib.util
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
KEPT = ROOT / ".site"
BROWSER = HERE / "browser" / "build.py"
MARK = ".course-site"  # a file that says that a folder was written here, and may be replaced
COURSE = ("course_lib", "exercises", "notebooks")  # what the browser edition is made of


# ---- the words --------------------------------------------------------------------------------


def parse(words: list[str]) -> argparse.Namespace:
    """What `words` ask for; leaves with a sentence where they are wrong.

    >>> parse(["--out", "public", "--no-browser-edition"]).browser_edition
    False
    """
    parser = argparse.ArgumentParser(
        prog="start.py site",
        allow_abbrev=False,
        description="Build the website into a folder that any server of files can show.",
        epilog="Look at it with: python3 -m http.server --directory DIR",
    )
    parser.add_argument(
        "--out", required=True, type=Path, metavar="DIR", help="the folder to write"
    )
    parser.add_argument(
        "--base-url",
        default="",
        metavar="URL",
        help="where the site will be: for canonical links, the site map and shared pictures",
    )
    parser.add_argument(
        "--repository",
        default="",
        metavar="URL",
        help="where the files of the project can be read: without it, their names are no links",
    )
    parser.add_argument(
        "--versions",
        action="store_true",
        help="DIR holds one site for each version; write this one and name it in versions.json",
    )
    parser.add_argument(
        "--no-browser-edition",
        dest="browser_edition",
        action="store_false",
        help="leave out the edition in which lessons run in the reader's browser",
    )
    return settled(parser.parse_args(words), parser)


def settled(options: argparse.Namespace, parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The options with whole addresses and folders; leaves where one of them cannot be."""
    for option in ("base_url", "repository"):
        url = getattr(options, option)
        if url and not url.startswith(("https://", "http://")):
            name = option.replace("_", "-")
            parser.error(f"--{name} begins with https:// or http://, and this is {url!r}")
        setattr(options, option, url.rstrip("/") + "/" if url else "")
    options.out = options.out.resolve()
    options.site = options.out / version() if options.versions else options.out
    if options.versions and options.base_url:
        options.base_url += version() + "/"
    if reason := reason_to_keep(options.site):
        parser.error(f"{options.site} {reason}: name a new folder, or an older site")
    return options


def reason_to_keep(folder: Path) -> str:
    """Why `folder` must not be replaced; "" if it is new, empty or a site."""
    if not folder.exists():
        return ""
    if not folder.is_dir():
        return "is a file"
    if not (folder / MARK).exists() and any(folder.iterdir()):
        return "holds files that this command did not write"
    return ""


def version() -> str:
    """The number of the course, read from its file: the package may not be importable yet."""
    text = (ROOT / "course_lib/version.py").read_text(encoding="utf-8")
    return text.split('COURSE = "')[1].split('"')[0]


# ---- the command ------------------------------------------------------------------------------


def main(words: list[str]) -> int:
    """Build what `words` ask for; 0 when the site is in its place, 1 when it could not be built."""
    options, begin = parse(words), time.time()
    options.edition = options.browser_edition and BROWSER.exists()
    try:
        number = build_pages(options)
        if options.edition:
            build_browser_edition()
        else:
            reason = "as asked" if BROWSER.exists() else "site/browser is not here"
            print(f"The browser edition is left out ({reason}).")
        put_in_place(options)
    except KeyboardInterrupt:
        print("\nstart.py: stopped; the same command carries on from here.", file=sys.stderr)
        return 130
    except (Trouble, OSError) as trouble:  # a full disk, a folder that is not ours
        print(f"start.py: {trouble}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in files([options.site])) / 1e6
    print(f"{options.site}: {number} pages, {size:.0f} MB, after {time.time() - begin:.0f} s.")
    return 0


class Trouble(Exception):
    """Why the site cannot be built, in a sentence."""


def build_pages(options: argparse.Namespace) -> int:
    """Bring `.site/html` up to date, and give back how many pages it has."""
    sys.path.insert(0, str(HERE))
    import pages

    reading = [HERE / "conf.py", ROOT / "requirements/site.txt"]
    writing = [HERE / "search.js", *files([HERE / "static", HERE / "templates"])]
    settings = f"{sys.version} {options.base_url} {options.versions}"
    now = digest([*reading, *writing], settings)
    forget_if_changed("doctrees", digest(reading, settings), "doctrees", "html")
    forget_if_changed("html", now, "html")
    forget("html")  # until it is whole: Sphinx would not go back to what it wrote before Ctrl-C
    changes = pages.write(KEPT / "pages", options, show)
    replace_text(KEPT / "search.js", pages.search_script())
    if changes.removed:  # Sphinx forgets such a page, but leaves what it made of it
        shutil.rmtree(KEPT / "html", ignore_errors=True)
        shutil.rmtree(KEPT / "doctrees", ignore_errors=True)
    run_sphinx(options)
    pages.add_files(KEPT / "html", options)
    remember("html", now)
    return changes.number


def run_sphinx(options: argparse.Namespace) -> None:
    """Turn pages into HTML; a warning, such as a link that leads nowhere, is an error."""
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    os.environ["SITE_OPTIONS"] = json.dumps(
        {
            "base_url": options.base_url,
            "versions": options.versions,
            "scorer": str(KEPT / "search.js"),
        }
    )
    html, doctrees = KEPT / "html", KEPT / "doctrees"
    with patch_docutils(str(HERE)), docutils_namespace():
        application = Sphinx(
            KEPT / "pages",
            HERE,
            html,
            doctrees,
            "html",
            status=Progress(),
            parallel=os.cpu_count() or 1,
        )
        application.build()
    show("")
    if application._warncount or application.statuscode:
        # Sphinx does not read a page again that it has read with a warning, and is silent then
        shutil.rmtree(doctrees, ignore_errors=True)
        raise Trouble("the pages have mistakes, named above; the site stays as it was.")


def build_browser_edition() -> None:
    """Bring `.site/browser` up to date: a folder of its own that knows nothing of the pages."""
    parts = [HERE / "browser", *(ROOT / name for name in COURSE)]
    now = digest(files(parts), sys.version)
    if not forget_if_changed("browser", now, "browser"):
        return
    show("making the browser edition")
    spec = importlib.util.spec_from_file_location("browser_build", BROWSER)
    assert spec and spec.loader
    module: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    forget("browser")  # until it is whole
    try:
        module.build(KEPT / "browser")
    except module.parts.Missing as missing:
        raise Trouble(f"{missing} (--no-browser-edition builds the site without it.)") from None
    remember("browser", now)
    show("")


# ---- what is kept -----------------------------------------------------------------------------


def files(roots: Iterable[Path]) -> Iterator[Path]:
    """All files below some folders, in order, without what Python and Jupyter leave behind."""
    left_out = {"__pycache__", ".ipynb_checkpoints", ".parts"}
    for root in roots:
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(set(folders) - left_out)
            yield from (Path(folder, name) for name in sorted(names))


def digest(paths: Iterable[Path], *more: str) -> str:
    """A fingerprint of the files and of some words."""
    total = hashlib.sha256("\n".join(more).encode())
    for path in paths:
        total.update(f"\n{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return total.hexdigest()


def forget_if_changed(name: str, now: str, *folders: str) -> bool:
    """Delete these folders of `.site` if they were not made from what `now` is the digest of."""
    stamp = KEPT / f"{name}.digest"
    if stamp.exists() and stamp.read_text() == now:
        return False
    for folder in folders:
        shutil.rmtree(KEPT / folder, ignore_errors=True)
    remember(name, now)
    return True


def remember(name: str, now: str) -> None:
    KEPT.mkdir(exist_ok=True)
    (KEPT / f"{name}.digest").write_text(now)


def forget(name: str) -> None:
    (KEPT / f"{name}.digest").unlink(missing_ok=True)


def put_in_place(options: argparse.Namespace) -> None:
    """Put a copy of what was built where it was asked for: Note [Nothing half done]."""
    options.out.mkdir(parents=True, exist_ok=True)
    options.site.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".site-", dir=options.site.parent) as beside:
        new, old = Path(beside, "new"), Path(beside, "old")
        hidden = shutil.ignore_patterns(".buildinfo*", "objects.inv.tmp")
        shutil.copytree(KEPT / "html", new, ignore=hidden)
        if options.edition:
            shutil.copytree(KEPT / "browser", new / "browser")
        (new / MARK).write_text("Written by `start.py site`, which may replace this folder.\n")
        if options.site.exists():
            options.site.rename(old)
        new.rename(options.site)
    if options.versions:
        list_versions(options.out)


def list_versions(folder: Path) -> None:
    """Write versions.json, newest first, and an index page that leads to the newest."""
    found = [path.name for path in folder.iterdir() if (path / MARK).exists()]
    found.sort(key=in_order, reverse=True)
    replace_text(folder / "versions.json", json.dumps({"versions": found}, indent=1) + "\n")
    page = (HERE / "templates/newest.html").read_text(encoding="utf-8")
    replace_text(folder / "index.html", page.replace("NEWEST", found[0]))


def in_order(number: str) -> list[tuple[int, Any]]:
    """A key that sorts numbers of versions as people count.

    >>> sorted(["0.10", "0.9", "0.9.1"], key=in_order)
    ['0.9', '0.9.1', '0.10']
    """
    return [(1, int(part)) if part.isdigit() else (0, part) for part in number.split(".")]


def replace_text(path: Path, text: str) -> None:
    new = path.with_name(path.name + ".new")
    new.write_text(text, encoding="utf-8", newline="\n")
    new.replace(path)


# ---- progress ---------------------------------------------------------------------------------

_last = 0.0


def show(line: str) -> None:
    """Show what is being done: one line in place, or in a log one every other second."""
    global _last
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns - 3
        print("\r  " + line[:width].ljust(width), end="\r")
    elif line and time.time() - _last > 2:
        print("  " + line[:96])
        _last = time.time()
    sys.stdout.flush()


class Progress:
    """A stream for Sphinx: of all it says, what it is doing now."""

    def write(self, text: str) -> int:
        for line in text.replace("\r", "\n").splitlines():
            if "%]" in line:
                show(re.sub(r"\x1b\[[\d;]*\w", "", line).strip())
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""

    def isatty(self) -> bool:
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
