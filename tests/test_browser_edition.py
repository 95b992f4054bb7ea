"""The browser edition: what can be said of it without Pyodide.

`python site/browser/compare.py` runs the lessons in Pyodide, and `.ci/run` a third of them.
"""

import ast
import gzip
import importlib.util
import json
import sys
import zipfile
from pathlib import Path

import pytest

from course_lib import viz
from course_lib.classroom import stop
from course_lib.viz.drawing import in_browser

ROOT = Path(__file__).resolve().parent.parent
BROWSER = ROOT / "site" / "browser"


def module(name):
    """A module of site/browser/."""
    spec = importlib.util.spec_from_file_location(f"browser_{name}", BROWSER / f"{name}.py")
    found = importlib.util.module_from_spec(spec)
    path = list(sys.path)
    sys.modules[spec.name] = found
    spec.loader.exec_module(found)
    sys.path[:] = path
    return found


@pytest.fixture(scope="module")
def compare():
    return module("compare")


@pytest.fixture(scope="module")
def build():
    return module("build")


# ---- the rules of the comparison -----------------------------------------------------------------

PLOT = '<svg aria-label="{said}"><path d="M {at} 2L 3 4"/></svg>'


def shown(text, kind="image/svg+xml"):
    return [{"output_type": "display_data", "data": {kind: text}}]


@pytest.mark.parametrize(
    ("stored", "here", "same"),
    [
        (shown("1", "text/plain"), shown("1", "text/plain"), True),
        (shown("1", "text/plain"), shown("2", "text/plain"), False),
        (shown("1", "text/plain"), [], False),
        (shown(PLOT.format(said="3 steps", at=1)), shown(PLOT.format(said="3 steps", at=9)), True),
        (shown(PLOT.format(said="3 steps", at=1)), shown(PLOT.format(said="4 steps", at=1)), False),
        (shown('<svg><path d="M1,2"/></svg>'), shown('<svg><path d="M1,3"/></svg>'), False),
    ],
)
def test_outputs_are_compared_by_letters_and_plots_by_words(compare, stored, here, same):
    assert compare.alike(compare.comparable(stored), compare.comparable(here)) is same


def test_a_line_that_was_written_again_counts_once(compare):
    pieces = [
        {"output_type": "stream", "name": "stdout", "text": text}
        for text in ("\repoch 1", "\repoch 2", "\n", "done\n")
    ]
    assert compare.comparable(pieces) == {"stdout": "epoch 2\ndone\n"}


def test_the_kernels_way_to_write_an_error_is_the_same_error(compare):
    one, other = (
        [{"output_type": "error", "ename": name, "evalue": "no", "traceback": []}]
        for name in ("ValueError", "<class 'ValueError'>")
    )
    assert compare.comparable(one) == compare.comparable(other) == {"error": "ValueError: no"}


def test_expected_differences_are_about_cells_that_exist():
    for stem, reasons in json.loads((BROWSER / "expected.json").read_text("utf-8")).items():
        cells = json.loads((ROOT / "notebooks" / f"{stem}.ipynb").read_text("utf-8"))["cells"]
        assert set(reasons) <= {cell["id"] for cell in cells}


# ---- how it is made ------------------------------------------------------------------------------


def test_the_archive_begins_with_what_is_in_it(build, tmp_path):
    wheel = tmp_path / "some-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as files:
        for name in ("some/a.py", "b/tests/b", "c-1.data/c", "d/typeshed/stubs/e", "some/d.txt"):
            files.writestr(name, f"this is {name}")
    index, data = gzip.decompress(build.edition.packed([wheel])).split(b"\n", 1)
    assert json.loads(index) == [["some/a.py", 17], ["some/d.txt", 18]]
    assert data == b"this is some/a.pythis is some/d.txt"


@pytest.mark.parametrize("text", ["nothing", "here here"])
def test_another_jupyterlite_ends_the_build(build, tmp_path, text):
    path = tmp_path / "a.js"
    path.write_text("one here")
    build.change([path], "here", "there")
    assert path.read_text() == "one there"
    path.write_text(text)
    with pytest.raises(build.parts.Missing):
        build.change([path], "here", "there")


def test_a_reader_gets_each_notebook_and_where_they_stand(build, tmp_path):
    build.write_workspace(tmp_path)
    found = {path.name for path in (tmp_path / "files").rglob("*.ipynb")}
    assert found > {path.name for path in ROOT.glob("notebooks/*.ipynb")}
    home = json.loads((tmp_path / "extensions/course-home/index.json").read_text("utf-8"))
    files = {f"files/{one[kind]}" for one in home["lessons"] for kind in ("file", "sheet")}
    kept = set(build.lessons(tmp_path))  # for a day without a network
    assert home["browser"] and files and files <= kept
    for stem, reasons in json.loads((BROWSER / "expected.json").read_text("utf-8")).items():
        text = (tmp_path / "files" / "notebooks" / f"{stem}.ipynb").read_text("utf-8")
        cells = {cell["id"]: cell["metadata"] for cell in json.loads(text)["cells"]}
        assert all("raises-exception" in cells[name]["tags"] for name in reasons)


# ---- the library in a browser --------------------------------------------------------------------


def test_every_picture_that_plots_is_known_to_fetch_matplotlib():
    folder = ROOT / "course_lib" / "viz"
    uses = {
        path: {
            node.module
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.ImportFrom) and node.module
        }
        for path in folder.glob("pictures/*.py")
    }
    plotting = {"course_lib.viz.drawing.plot"}
    while (
        found := {f"course_lib.viz.pictures.{path.stem}" for path in uses if uses[path] & plotting}
        - plotting
    ):
        plotting |= found
    names = {name for name in viz.__all__ if getattr(viz, name).__module__ in plotting}
    assert names and {name for name in names if not in_browser.PLOTS.search(name)} == set()


@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring is new in Python 3.12")
@pytest.mark.parametrize(
    "body", ["while True: pass", "while True:\n try: x = 1\n except BaseException: pass"]
)
def test_where_nothing_ticks_each_line_looks_at_the_clock(body):
    with pytest.raises(stop.TookTooLong), stop.limit_time(0.05):
        exec(compile(body, "<cell>", "exec"), {})
    assert sys.monitoring.get_tool(stop.WATCHER) is None
