"""Writes the pages that Sphinx turns into the website.

Lessons and exercises become pages by folding.py, the reference comes from reference.py, all other
pages are the project's own Markdown. A page is written only if it has changed, since Sphinx goes by
the time of a file.
"""

import argparse
import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import folding
import reference

from course_lib.classroom.copies import readers_copy, text_of
from course_lib.classroom.lessons import STAGES, lesson, stage_of
from course_lib.classroom.search import index

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
MARKDOWN = ("CHANGELOG.md", "CONTRIBUTING.md", "course_lib/README.md")
LIVE = ("00_welcome.ipynb", "train")  # on the home page
BROWSER = "browser/lab/index.html?path="

HOW = (
    '<p class="how">On this page you type a guess below its question. What the lesson says about '
    "running cells and about other editors is for the notebook.</p>"
)

Texts = dict[str, bytes]


@dataclass(frozen=True)
class Changes:
    """What a run has written."""

    number: int  # of pages
    removed: bool


def write(folder: Path, options: argparse.Namespace, show: Callable[[str], None]) -> Changes:
    """Bring the pages in `folder` up to date."""
    show("writing the pages")
    found = all_pages(options)
    removed = False
    for path in folder.rglob("*"):
        if path.is_file() and path.relative_to(folder).as_posix() not in found:
            path.unlink()
            removed = True
    for name, text in found.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
    number = sum(name.endswith((".md", ".ipynb")) for name in found)
    return Changes(number, removed)


def all_pages(options: argparse.Namespace) -> Texts:
    """Every file that Sphinx reads, by its path."""
    names = [path.relative_to(ROOT).as_posix() for path in sources()]
    known = {*names, "docs/decisions/index.md", "licence.md"}
    found: Texts = {}
    for name in names:
        raw = (ROOT / name).read_bytes()
        if name.endswith(".md"):
            raw = relink(raw.decode(), name, known, options.repository).encode()
        elif name.endswith(".ipynb"):
            raw = notebook_page(name, json.loads(raw), known, options)
        found[name] = raw
    titles = {path.stem: lesson(path).title for path in lessons()}
    cells = [(path.stem, [text_of(c) for c in code_cells(path)]) for path in lessons()]
    for name, text in reference.texts(reference.first_uses(cells), titles).items():
        found[name] = text.encode()
    found["docs/decisions/index.md"] = decisions().encode()
    for head, below in (("docs/errors/README.md", errors()), ("docs/grading.md", grading())):
        names = (path.relative_to((ROOT / head).parent).with_suffix("") for path in below)
        tree = "".join(f"{name.as_posix()}\n" for name in names)
        found[head] += f"\n```{{toctree}}\n:hidden:\n\n{tree}```\n".encode()
    found["licence.md"] = licence().encode()
    found["index.md"] = home(options).encode()
    return found


def sources() -> list[Path]:
    """The files of the project that become pages or are shown on them."""
    found = [ROOT / name for name in MARKDOWN]
    for pattern in (
        "docs/**/*.md",
        "docs/**/*.svg",
        "docs/**/*.png",
        "notebooks/*.ipynb",
        "exercises/*.ipynb",
    ):
        found += sorted(ROOT.glob(pattern))
    return found


def lessons() -> list[Path]:
    return sorted((ROOT / "notebooks").glob("*.ipynb"))


def errors() -> list[Path]:
    """The pages of the error index."""
    return sorted(set((ROOT / "docs/errors").glob("*.md")) - {ROOT / "docs/errors/README.md"})


def grading() -> list[Path]:
    """The pages about grading, but for the first."""
    names = ("class", "marking", "results", "sets", "trust", "other-graders")
    return [ROOT / "docs/grading" / f"{name}.md" for name in names]


def code_cells(path: Path) -> list[dict[str, Any]]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


# ---- notebooks ----------------------------------------------------------------------------------


def notebook_page(
    name: str, notebook: dict[str, Any], known: set[str], options: argparse.Namespace
) -> bytes:
    """The page of a lesson or of a set of exercises."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = relink(text_of(cell), name, known, options.repository)
    path = ROOT / name
    record = path.parent / ".guesses" / f"{path.stem.partition('_')[2]}.json"
    guesses = json.loads(record.read_text(encoding="utf-8"))["guesses"] if record.exists() else {}
    exercises = f"exercises/ex{path.stem}"
    has_set = f"{exercises}.ipynb" in known
    after = f"```{{toctree}}\n:hidden:\n\n../{exercises}\n```" if has_set else ""
    page = folding.as_page(notebook, guesses, links(name, known, options), after)
    return (json.dumps(page, indent=1, ensure_ascii=False) + "\n").encode()


def links(name: str, known: set[str], options: argparse.Namespace) -> str:
    """The line under a notebook's title."""
    file = name.partition("/")[2]
    found = []
    if options.edition:
        found.append(f'<a href="../{BROWSER}{name}">Run it in the browser</a>')
    found.append(f'<a href="{file}" download>Download the notebook</a>')
    stem = file.removesuffix(".ipynb")
    if f"exercises/ex{file}" in known:
        found.append(f'<a href="../exercises/ex{stem}.html">Exercises</a>')
    elif f"notebooks/{file.removeprefix('ex')}" in known:
        found.append(f'<a href="../notebooks/{stem.removeprefix("ex")}.html">The lesson</a>')
    line = f'<p class="notebook-links">{" ".join(found)}</p>'
    return line + (f"\n{HOW}" if name.startswith("notebooks/") else "")


def search_script() -> str:
    """search.js behind what it ranks with: the program of the home page, and the index."""
    program = (ROOT / "lab/src/search.js").read_text(encoding="utf-8").replace("\nexport ", "\n")
    known = index()
    known["passages"] = [
        [file.rpartition(".")[0], name.replace("`", ""), place and f"#{slug(name)}", "", worth]
        for file, name, place, _, worth in known["passages"]
    ]
    course = json.dumps(known, ensure_ascii=False, separators=(",", ":"))
    script = (HERE / "search.js").read_text(encoding="utf-8")
    start = f"const ranking = (() => {{\n{program}\nreturn {{ find }};\n}})();"
    return f"{start}\nconst COURSE = {course};\n{script}"


def slug(name: str) -> str:
    """What a page calls the place of a heading, the last part of a passage's name.

    >>> slug("03 · Arithmetic › Sums in `one` direction?")
    'sums-in-one-direction'
    """
    heading = name.rpartition(" › ")[2].lower().encode("ascii", "ignore").decode()
    return re.sub(r"^[^a-z]+|-$", "", re.sub(r"[^a-z0-9]+", "-", heading))


# ---- Markdown -----------------------------------------------------------------------------------


def relink(text: str, name: str, known: set[str], repository: str) -> str:
    """`text` with links to files that have no page led to `repository`, or left as plain words.

    >>> relink("[a](../b.md), [c](../tests/c.py)", "docs/d.md", {"b.md"}, "")
    '[a](../b.md), c'
    >>> relink("[c](../tests/c.py)", "docs/d.md", set(), "https://example.org/")
    '[c](https://example.org/tests/c.py)'
    """

    def mended(found: re.Match[str]) -> str:
        words, target = found[1], found[2]
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        file, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(name), file)).replace(os.sep, "/")
        if path in known:
            return found[0]
        if f"{path}/index.md" in known:
            return f"[{words}]({target.rstrip('/')}/index.md)"
        return f"[{words}]({repository}{path})" if repository else words

    parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
    outside = [re.sub(r"\[([^\]\[]*)\]\(([^()\s]+)\)", mended, part) for part in parts[::2]]
    parts[::2] = outside
    return "".join(parts)


def decisions() -> str:
    """The page that lists the decisions."""
    found = sorted((ROOT / "docs/decisions").glob("0*.md"))
    tree = "\n".join(path.stem for path in found)
    return (
        "# Decisions\n\nWhy the course is made as it is: what was chosen, what was tried, and "
        f"what it costs.\n\n```{{toctree}}\n\n{tree}\n```\n"
    )


def licence() -> str:
    """The page with both licences, word for word."""
    parts = ["# Licences"]
    for title, file in (("Code", "LICENSE"), ("Lessons and exercises", "LICENSE-lessons")):
        parts.append(f"## {title}\n\n```text\n{(ROOT / file).read_text(encoding='utf-8')}```")
    return "\n\n".join(parts) + "\n"


# ---- the home page ------------------------------------------------------------------------------


def home(options: argparse.Namespace) -> str:
    """The home page, with its picture and the order of all pages."""
    text = (HERE / "home.md").read_text(encoding="utf-8")
    code, picture = live_picture()
    run = f'<a class="first" href="{BROWSER}notebooks/00_welcome.ipynb">Start in the browser</a>'
    trees = []
    found = lessons()
    for number, stage in enumerate(STAGES):
        members = [f"notebooks/{path.stem}" for path in found if stage_of(path.stem) is stage]
        trees.append(tree(f"{number} · {stage.title}", members))
    return (
        text.replace("LIVE CODE", code)
        .replace("LIVE PICTURE", picture)
        .replace("START BUTTON", run if options.edition else "")
        .replace("LESSON COUNT", str(len(found)))
        .replace("LESSON TREES", "\n\n".join(trees))
    )


def tree(caption: str, names: list[str]) -> str:
    return "\n".join(["```{toctree}", f":caption: {caption}", ":hidden:", "", *names, "```"])


def live_picture() -> tuple[str, str]:
    """The lines and the picture of the home page, as a lesson stores them in one of its cells."""
    lesson, name = LIVE
    found = {cell["id"]: cell for cell in code_cells(ROOT / "notebooks" / lesson)}
    if name not in found:
        raise ValueError(f"{lesson} has lost the cell {name}: choose another for the home page")
    html = found[name]["outputs"][0]["data"]["text/html"]
    return text_of(found[name]), html if isinstance(html, str) else "".join(html)


# ---- what Sphinx does not copy ------------------------------------------------------------------


def add_files(html: Path, options: argparse.Namespace) -> None:
    """Put beside the pages what a reader downloads, and what a search engine asks for."""
    for folder in ("notebooks", "exercises"):
        for path in sorted((ROOT / folder).glob("*.ipynb")):
            copy = readers_copy(path.name, path.read_bytes())
            (html / folder / path.name).write_bytes(copy)
    found = sorted(path.relative_to(html).as_posix() for path in html.rglob("*.html"))
    if options.base_url:
        urls = [f"<url><loc>{escape(options.base_url + name)}</loc></url>" for name in found]
        head = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        (html / "sitemap.xml").write_text(
            "\n".join(['<?xml version="1.0" encoding="utf-8"?>', head, *urls, "</urlset>\n"]),
            encoding="utf-8",
        )
    (html / ".nojekyll").touch()  # GitHub would leave out folders that begin with _
    shutil.rmtree(html / "_sources", ignore_errors=True)
