"""The home page in JupyterLab: what is committed is what the source builds to, and a browser shows.

In the browser it has to say and find what Python does: `way_on` and `find` are told twice.
"""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

import pytest
import websocket
from classroom.test_home import did, solved
from classroom.test_search import BEGINNERS, STRANGERS

import course_lib as torch
from course_lib.classroom.guessed import as_guess, misses
from course_lib.classroom.home import home_page
from course_lib.classroom.jupyter_home import BUILT
from course_lib.classroom.search import find, weigh_terms
from course_lib.classroom.sets import desk

LAB = BUILT.parents[1] / "lab"
GUESSES = LAB.parent / "notebooks" / ".guesses"
RECORDS = [json.loads(path.read_text("utf-8")) for path in sorted(GUESSES.glob("*.json"))]
MODULES = LAB / "node_modules"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--window-size=1300,900")
NOT_READY = "Press Ctrl-C here to stop.\n".__ne__
FLAGS += ("--remote-debugging-port=0", "--remote-allow-origins=*")


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_what_is_loaded_is_there():
    about = json.loads((BUILT / "package.json").read_bytes())
    assert (BUILT / about["jupyterlab"]["_build"]["load"]).is_file()
    assert about["version"] == json.loads((LAB / "package.json").read_bytes())["version"]


@pytest.mark.skipif(not MODULES.is_dir(), reason="needs `npm install` in lab/: see CONTRIBUTING.md")
def test_the_source_builds_to_the_committed_bytes_in_any_folder(tmp_path):
    other = tmp_path / "elsewhere" / "lab"
    shutil.copytree(LAB, other, ignore=shutil.ignore_patterns("node_modules", "lib"))
    (other / "node_modules").symlink_to(MODULES, target_is_directory=True)
    for command in (["node", "node_modules/typescript/bin/tsc"], ["node", "build.mjs"]):
        done = subprocess.run(command, cwd=other, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert files(other.parent / "course_lib" / "labextension") == files(BUILT)


class Page:
    """A page of headless Chromium, which is asked in JavaScript."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        command = [CHROMIUM, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
        browser = stack.enter_context(subprocess.Popen(command, stderr=subprocess.DEVNULL))
        stack.callback(browser.terminate)
        port, patience = folder / "DevToolsActivePort", time.monotonic() + 300
        while not (port.is_file() and port.read_text().count("\n")):
            assert time.monotonic() < patience, "Chromium does not start"
            time.sleep(0.05)
        where = f"http://127.0.0.1:{port.read_text().split()[0]}/json/list"
        with build_opener(ProxyHandler({})).open(where) as reply:
            (page,) = (one for one in json.load(reply) if one["type"] == "page")
        address = page["webSocketDebuggerUrl"]
        self.socket = websocket.create_connection(address, timeout=300, http_no_proxy=["*"])
        stack.callback(self.socket.close)
        self.count = 0
        self.tell("Emulation.setFocusEmulationEnabled", enabled=True)  # else nothing is current

    def tell(self, method: str, **words: Any) -> Any:
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": words}))
        while (answer := json.loads(self.socket.recv())).get("id") != self.count:
            pass
        return answer.get("result", {})  # none while a page takes the place of another

    def ask(self, script: str) -> Any:
        """What a script gives back, once that is something."""
        patience = time.monotonic() + 300
        words = {"expression": script, "awaitPromise": True, "returnByValue": True}
        while not (found := self.tell("Runtime.evaluate", **words).get("result", {}).get("value")):
            assert time.monotonic() < patience, script
            time.sleep(0.05)
        return found


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A workspace, and a browser with its home page."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium to look at it")
    folder = tmp_path_factory.mktemp("lab") / "course"
    own = folder / ".course" / "jupyter" / "config" / "labconfig" / "page_config.json"
    own.parent.mkdir(parents=True)
    own.write_text('{"exposeAppInBrowser": true}')
    command = [sys.executable, "-P", "-m", "course_lib.cli", "lab", str(folder), "--no-browser"]
    with ExitStack() as stack:
        piped = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8"}
        environment = os.environ | {"PYTHONPATH": str(BUILT.parents[1])}
        server = stack.enter_context(subprocess.Popen(command, env=environment, **piped))
        stack.callback(server.terminate)
        page = Page(folder.parent / "chromium", stack)
        said = [line.strip() for line in itertools.takewhile(NOT_READY, server.stdout)]
        address = next(line for line in said if "http://" in line)
        page.tell("Page.navigate", url=address)
        page.ask("Boolean(document.querySelector('.course-go') && window.jupyterapp)")
        yield desk(folder), page


GO = "document.querySelector('.course-go')"
SHOWN = f"""[{GO}.querySelector('strong').textContent,
  {GO}.querySelector('.course-go-title').textContent, {GO}.dataset.to]"""


def write(place, events: list[tuple[str, str, str]]) -> None:
    """Let these things have happened, one after the other, and nothing before."""
    place.journal.path.unlink(missing_ok=True)
    did(place.folder, *events)


def test_a_fresh_desk_misses_no_file_and_in_a_narrower_window_the_panel_closes(course):
    _, page = course
    loaded = "performance.getEntriesByType('resource')"
    missing = f"{loaded}.filter(one => one.responseStatus >= 400).map(one => one.name)"
    assert page.ask(f"({missing}).join(' ') || 'none'") == "none"
    page.ask("!window.jupyterapp.shell.leftCollapsed")
    size = {"height": 900, "deviceScaleFactor": 1, "mobile": False}
    page.tell("Emulation.setDeviceMetricsOverride", width=600, **size)
    page.ask("window.jupyterapp.shell.leftCollapsed")
    page.tell("Emulation.clearDeviceMetricsOverride")
    page.ask("window.jupyterapp.shell.expandLeft() ?? true")


def test_continue_is_what_python_says(course):
    place, page = course
    first, last = place.sets[0].name, place.sets[-1].name
    cases = [
        [],
        [("storage_and_strides-kept", "guess", "wrong")],
        [("numpy-2", "check", "not yet")],
        [("numpy-2", "check", "correct")],
        [("sequences-2", "check", "not yet")],  # which is recurrence-1 today
        [*solved(place, first), (f"{first}-1", "reset", "")],
        solved(place, "numpy"),
        solved(place, last),
        [event for one in place.sets[1:] for event in solved(place, one.name)],
    ]
    for case in cases:
        write(place, case)
        line = home_page(place).text.splitlines()[0].replace("`", "")
        said = re.match(r"(\w+): \[(.*)\]\((.*)\)", line).groups()
        page.ask("window.dispatchEvent(new Event('focus'))")
        page.ask(f"JSON.stringify({SHOWN}) === JSON.stringify({json.dumps(said)})")


def test_the_search_finds_what_python_finds_in_the_same_order_and_opens_it(course):
    place, page = course
    titles = [one.title(question) for one in place.sets for question in one.questions]
    titles += [*BEGINNERS, *STRANGERS, "leaf"]  # whose places stay on the page
    found = page.ask(
        """(() => {
      const box = document.querySelector('#course-search');
      const texts = (node, what) => [...node.querySelectorAll(what)].map(one => one.textContent);
      return TITLES.map(words => {
        box.value = words + ' ';
        box.dispatchEvent(new Event('input'));
        const list = document.querySelector('.course-found');
        return [texts(list, 'button > span:first-child'), texts(list, '.course-excerpt')];
      });
    })()""".replace("TITLES", json.dumps(titles))
    )
    for title, (names, excerpts) in zip(titles, found, strict=True):
        passages = find(title)
        assert names == [one.name.replace("`", "") for one in passages]
        assert excerpts == [one.excerpt(set(weigh_terms(title))) for one in passages]
    page.ask("document.querySelector('[data-to=\"docs/glossary.md#leaf\"]').click() ?? true")
    heading = "document.querySelector('h2[data-jupyter-id=leaf]')"
    page.ask(f"{heading}?.getBoundingClientRect().top < innerHeight / 2")
    page.ask("window.jupyterapp.shell.currentWidget.close() ?? true")


OPEN = """(() => {
  const shown = window.jupyterapp.shell.currentWidget, cell = shown?.content?.activeCell;
  return Boolean(cell) && shown.context.path + '#cell-id=' + cell.model.id;
})()"""
TABS = """[...window.jupyterapp.shell.widgets('main')].map(one => one.context?.path ?? one.id)"""
MODEL = "window.jupyterapp.shell.currentWidget.context.model"
KERNELS = """window.jupyterapp.serviceManager.sessions.refreshRunning().then(() =>
  [...window.jupyterapp.serviceManager.sessions.running()].length === {})"""


def test_continue_opens_the_cell_and_a_lesson_takes_the_place_of_the_one_before(course):
    place, page = course
    for name in ("numpy", "storage_and_strides"):
        question = place.find(name).questions[2]
        write(place, [(question, "check", "not yet")])
        page.ask("window.jupyterapp.commands.execute('course:home').then(() => true)")
        page.ask("window.dispatchEvent(new Event('focus'))")
        to = f"exercises/{place.find(name).place(question)}"
        page.ask(f"{GO}.dataset.to === '{to}' && ({GO}.click(), true)")
        page.ask(f"{OPEN} === '{to}'")
        page.ask(KERNELS.format(1))
    lesson, sheet = "notebooks/05_storage_and_strides.ipynb", to.partition("#")[0]
    page.ask(f"""document.querySelector('#course-list [data-file="{lesson}"]').click() || true""")
    page.ask(f"{OPEN}.toString().startsWith('{lesson}')")
    page.ask(KERNELS.format(2))  # a lesson and its own exercises stay side by side
    page.ask(f"{MODEL}.getMetadata('language_info').version && !{MODEL}.dirty")  # as it was
    assert sorted(page.ask(TABS)) == ["course-home", sheet, lesson]


LESSON, OTHER = "notebooks/00_welcome.ipynb", "notebooks/07_reshape_vs_view.ipynb"
CELLS = "window.jupyterapp.shell.currentWidget.content.widgets"
FIELD = "document.querySelector('#course-guess-guess-list')"
SOURCE = f"{CELLS}.find(one => one.model.id === 'guess-list').model.sharedModel.getSource()"
WRITTEN = {  # what is typed into the field, and what then stands in the cell
    "second": '"second"',
    "  the second ": '"the second"',
    "“second”": '"second"',
    "don't know": '"don\'t know"',
    '"': '"\\""',
    "True": "True",
    "torch.float32": '"torch.float32"',
    "007": "7",
    "−1.50": "-1.50",
    "4,000,000": "4000000",
    "nan": 'float("nan")',
    "1/0": '"1/0"',
    "2, 4": "(2, 4)",
    "2 x 3": "(2, 3)",
    "[2 4 6]": "[2, 4, 6]",
    "[[1, 2], [3": "[[1, 2], [3]]",
    "[first, None]": '["first", None]',
    "(3)": "3",
    "(3,)": "(3,)",
    "torch.Size([2, 3])": "[2, 3]",
    "tensor(13., grad_fn=<SumBackward0>)": "13.",
    "2 rows, 3 columns": '"2 rows, 3 columns"',
    "x = print(": '"x = print("',
    "{1: 2}": '"{1: 2}"',
}


def test_what_is_typed_as_a_guess_is_written_as_python(course):
    _, page = course
    page.ask(f"""document.querySelector('#course-list [data-file="{LESSON}"]').click() || true""")
    page.ask(f"Boolean({FIELD})")
    page.ask("window.jupyterapp.shell.currentWidget.sessionContext.ready.then(() => true)")
    asked = [one for record in RECORDS for one in record["guesses"].values()]
    rights = sorted({about["right"] for about in asked})
    typed = [*WRITTEN, *(right.replace('"', "") for right in rights)]
    values = page.ask(
        """TYPED.map(text => {
      const cell = CELLS.find(one => one.model.id === 'guess-list');
      cell.model.sharedModel.setSource('guess("welcome-list", ...)');
      FIELD.value = text;
      FIELD.dispatchEvent(new Event('focusout', {bubbles: true}));
      return cell.model.sharedModel.getSource().slice('guess("welcome-list", '.length, -1);
    })""".replace("TYPED", json.dumps(typed))
        .replace("CELLS", CELLS)
        .replace("FIELD", FIELD)
    )
    assert dict(zip(typed, values, strict=True)) | WRITTEN == dict(zip(typed, values, strict=True))
    step = "document.querySelector('#course-guess-guess-step')"
    page.ask(f"Boolean({step}.value = '0,57')")
    page.ask(f"{step}.dispatchEvent(new Event('focusout', {{bubbles: true}}))")
    page.ask(SOURCE.replace("list", "step") + ".includes('\"welcome-step\", 0.57)')")
    for right, value in zip(rights, values[len(WRITTEN) :], strict=True):
        shown = as_guess(eval(right, {"torch": torch}))
        assert misses(shown, as_guess(eval(value, {}))) == [], (right, value)


def test_a_guess_is_kept_judged_and_too_late_once_its_cell_has_run(course):
    _, page = course
    page.ask(
        f"{SOURCE.replace('getSource()', 'setSource')}('guess(\"welcome-list\", ...)') ?? true"
    )
    page.ask(f"({FIELD}.value = '[2, 4, 6]') && {FIELD}.focus() === undefined")
    key = "new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true})"
    page.ask(f"{FIELD}.dispatchEvent({key}) || true")
    assert page.ask(SOURCE) == 'guess("welcome-list", [2, 4, 6])'
    page.ask(f"{OPEN} === '{LESSON}#cell-id=list'")
    page.ask("window.jupyterapp.commands.execute('notebook:run-cell').then(() => true)")
    told = f"{CELLS}.find(one => one.model.id === 'list').node.textContent"
    page.ask(f"{told}.includes('◐ Your guess was [2, 4, 6]')")
    change = "[...document.querySelectorAll('.course-guess > button')][0]"
    page.ask(f"{change}.parentNode.textContent === 'Your guess: [2, 4, 6] Change'")
    page.ask(
        f"({change}.click(), {FIELD}.value === '[2, 4, 6]' && document.activeElement === {FIELD})"
    )
    page.ask(f"{FIELD}.closest('.course-guess').textContent.includes('has already run')")
    content = CELLS.removesuffix(".widgets")
    page.ask(f"({content}.activeCellIndex = 2) && {content}.scrollToItem(2).then(() => true)")
    page.ask("window.jupyterapp.commands.execute('notebook:run-cell').then(() => true)")
    film = f"{CELLS}[2].node.querySelector('figure.alive')"  # begins below the window
    page.ask(f"{film}?.getBoundingClientRect().bottom <= window.innerHeight")


def test_a_cell_that_is_run_before_its_kernel_is_found_waits_for_it(course):
    _, page = course
    code = "panel.content.widgets.findIndex(cell => cell.model.type === 'code')"
    page.ask(
        f"""window.jupyterapp.commands.execute('docmanager:open', {{path: '{OTHER}'}})
        .then(async panel => {{
          await panel.context.ready;
          panel.content.activeCellIndex = {code};
          await window.jupyterapp.commands.execute('notebook:run-cell');
          return panel.content.activeCell.model.executionCount === 1;
        }})"""
    )
