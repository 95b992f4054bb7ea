"""`course lab`: what it asks of JupyterLab, and one real server in an installed course."""

import argparse
import ast
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

import nbformat
import pytest
from grading.submitting import copy_sets
from test_theme import contrast

from course_lib.classroom import content, jupyter_home
from course_lib.classroom.commands import lab
from course_lib.classroom.home import NAME
from course_lib.classroom.jupyter_home import JupyterHome, kernel_specification
from course_lib.classroom.trouble import Trouble
from course_lib.classroom.workspace import Changes, Workspace


@pytest.mark.parametrize("word", ["0", "65536", "-1", "80.5", "x", "", "¹"])
def test_what_is_no_port_is_refused(word):
    with pytest.raises(Exception, match="give a number from 1 to 65535"):
        lab.port_number(word)


def listening() -> socket.socket:
    taken = socket.socket()
    taken.bind((lab.HOST, 0))
    taken.listen()
    return taken


def test_a_busy_port_has_a_problem_and_is_one_sentence_and_a_free_one_has_none(tmp_path):
    with closing(listening()) as taken:
        port = taken.getsockname()[1]
        assert lab.port_problem(port) == "in use by another program"
        words = argparse.Namespace(folder=tmp_path / "w", port=port, no_browser=True, verbose=False)
        with pytest.raises(Trouble, match=f"port {port} is in use by another program; give"):
            lab.run(words)
    assert lab.port_problem(port) is None and not (tmp_path / "w").exists()


def test_the_token_is_on_only_this_machine_is_served_and_no_welcome_lesson_is_needed(tmp_path):
    words = lab.server_words(Workspace(tmp_path), "secret", None, False, "ERROR")
    assert "--IdentityProvider.token=secret" in words
    assert "--ServerApp.ip=127.0.0.1" in words
    assert "--LabApp.default_url=/lab?reset" in words


def test_progress_that_nobody_can_read_is_said_and_keeps_nobody_from_the_lessons(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(lab, "_serve", lambda *_: 0)
    folder = tmp_path / "course"
    words = argparse.Namespace(folder=folder, port=None, no_browser=True, verbose=False)
    assert lab.run(words) == 0 and (folder / NAME).is_file()
    (progress := folder / ".course" / "progress.jsonl").unlink()
    progress.mkdir()  # in the way
    assert lab.run(words) == 0
    assert "The start page is not up to date: cannot read" in capsys.readouterr().err


def test_a_report_names_the_lessons_that_were_kept_and_of_nothing_says_nothing(capsys):
    lab.report(Changes())
    assert capsys.readouterr().out == ""
    lab.report(Changes(added=["a"], updated=["b", "c"], kept=["notebooks/x.ipynb"]))
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("Copied 1 file;") and said[1].startswith("Updated 2 files ")
    assert said[2].endswith("newer versions exist: notebooks/x.ipynb") and len(said) == 3


@pytest.fixture
def home(tmp_path):
    home = JupyterHome(Workspace(tmp_path))
    home.prepare()
    return home


def test_no_jupyter_variable_counts_and_all_is_written_into_the_workspace(home, tmp_path):
    outer = {"JUPYTER_TOKEN": "", "JUPYTER_CONFIG_PATH": "/mine", "JUPYTERLAB_DIR": "/x", "A": "b"}
    inner = home.environment(outer)
    assert not {"JUPYTER_TOKEN", "JUPYTER_CONFIG_PATH", "JUPYTERLAB_DIR"} & set(inner)
    assert inner["A"] == "b"
    assert kernel_specification()["argv"][0] == sys.executable  # this very interpreter
    inner = home.environment({})
    folders = [Path(inner[name]) for name in inner if name.endswith("DIR")]
    assert len(folders) == 6 and all(tmp_path.resolve() in path.parents for path in folders)


def test_code_and_errors_can_be_read_in_both_themes():
    """The grounds are those of JupyterLab's themes: a code cell, and the output of an error."""
    built = jupyter_home.BUILT.glob("static/*.js")
    style = "".join(path.read_text("utf-8") for path in built)
    for light, code, error in (("true", "#f5f5f5", "#ffdddd"), ("false", "#212121", "#511f1b")):
        page = style.partition(f"body[data-jp-theme-light='{light}']")[2].partition("}")[0]
        colours = re.findall(r"-editor-\w+-color: (#\w+)", page)
        assert colours and all(contrast(colour, code) >= 4.5 for colour in colours)
        assert contrast(re.findall(r"-error-name: (#\w+)", page)[0], error) >= 4.5
    assert "span:not([class*='-bg'])" in style  # black on yellow stays


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no such permissions")
def test_nobody_else_may_look_into_the_folder_with_the_tokens(home):
    assert os.stat(home.runtime).st_mode & 0o077 == 0


def test_a_record_of_a_server_that_no_longer_runs_is_not_believed(home):
    with closing(listening()) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/"
    record = {"url": url, "token": "x", "port": 1}
    (home.runtime / "jpserver-1.json").write_text(json.dumps(record))
    (home.runtime / "jpserver-2.json").write_text("{")
    assert home.running() is None


class Served:
    """`course lab` as a process of its own."""

    def __init__(self, folder: Path) -> None:
        site = folder / "site packages é"
        package = site / "course_lib"
        shutil.copytree(content.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
        lessons = package / "_content" / "notebooks"
        lessons.mkdir(parents=True)
        picture = nbformat.v4.new_output("display_data", {"image/svg+xml": "<svg></svg>"})
        cell = nbformat.v4.new_code_cell("show()", outputs=[picture])
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), lessons / "00_welcome.ipynb")
        copy_sets(package / "_content" / "exercises", "welcome")
        self.empty, self.home = folder / "an empty folder", folder / "home"
        self.empty.mkdir()
        self.home.mkdir()
        own = {"PYTHONPATH": str(site), "HOME": str(self.home), "USERPROFILE": str(self.home)}
        self.environment = os.environ | own | {"PYTHONIOENCODING": "utf-8", "JUPYTER_TOKEN": ""}
        self.command = [sys.executable, "-P", "-m", "course_lib.cli", "lab", "--no-browser"]
        self.given = {"cwd": self.empty, "env": self.environment, "encoding": "utf-8"}
        piped = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        self.process = subprocess.Popen(self.command, **self.given, **piped)
        self.said = []
        patience = threading.Timer(300, self.process.kill)
        patience.start()
        for line in self.process.stdout:
            self.said.append(line)
            if "Ctrl-C" in line:
                break
        patience.cancel()
        address = next((line.strip() for line in self.said if "http://" in line), "")
        assert address, "".join(self.said)
        self.page, self.token = address.split("&token=")
        self.url = self.page.split("/lab")[0]

    def get(self, path: str, token: bool = True) -> tuple[int, str]:
        address = f"{self.url}{path}" + (f"?token={self.token}" if token else "")
        try:
            with build_opener(ProxyHandler({})).open(address, timeout=300) as reply:
                return reply.status, reply.read().decode()
        except HTTPError as refusal:
            with refusal:
                return refusal.code, ""

    def data(self, path: str) -> dict:
        status, text = self.get(path)
        assert status == 200
        found: dict = json.loads(text)
        return found

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(getattr(signal, "SIGINT", signal.SIGTERM))
        self.said += self.process.stdout.readlines()
        return self.process.wait(timeout=300)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with ExitStack() as stack:
        served = Served(tmp_path_factory.mktemp("served"))
        stack.enter_context(served.process)
        stack.callback(served.process.kill)
        yield served


def test_the_address_opens_home_and_the_lesson_waits_without_output_in_the_workspace(served):
    assert served.page.endswith("/lab?reset")
    assert served.get("/lab")[0] == 200
    index = served.data("/lab/extensions/course-home/index.json")
    assert index["passages"] and "token" not in index
    assert served.get("/api/contents", token=False)[0] == 403
    assert served.said[0] == f"Workspace: {served.empty / 'course'}\n"
    assert (served.empty / "course" / content.WELCOME).is_file()
    cells = served.data(f"/api/contents/{content.WELCOME}")["content"]["cells"]
    assert [cell for cell in cells if cell.get("outputs")] == []


SETTINGS = [
    ("apputils-extension:notification", "fetchNews", "false"),
    ("apputils-extension:notification", "checkForUpdates", False),
    ("filebrowser-extension:browser", "showLastModifiedColumn", False),
]


def test_nobody_is_asked_about_news_and_there_is_one_kernel_and_lessons_alone(served):
    for plugin, setting, value in SETTINGS:
        found = served.data(f"/lab/api/settings/@jupyterlab/{plugin}")["schema"]["properties"]
        assert found[setting]["default"] == value
    viewers = served.data("/lab/api/settings/@jupyterlab/docmanager-extension:plugin")
    viewers = viewers["schema"]["properties"]["defaultViewers"]["default"]
    assert viewers["markdown"] == "Markdown Preview"
    kernels = served.data("/api/kernelspecs")["kernelspecs"]
    assert list(kernels) == ["python3"]
    assert kernels["python3"]["spec"]["argv"][0] == sys.executable
    shown = served.data("/api/contents/")["content"]
    assert {entry["name"] for entry in shown} == {"exercises", "home.ipynb", "notebooks"}


def test_the_page_that_logs_in_can_be_read_and_a_second_start_points_to_the_server(served):
    page = served.empty / "course" / "open_course.html"
    assert f"{served.url}/lab?reset=&amp;token={served.token}" in page.read_text("utf-8")
    if os.name == "posix":
        assert os.stat(page).st_mode & 0o077 == 0
    second = subprocess.run(served.command, **served.given, capture_output=True, timeout=300)
    assert second.returncode == 0
    assert f"{served.url}/lab?token={served.token}" in second.stdout
    assert list(served.home.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no Ctrl-C to one process alone")
def test_ctrl_c_stops_it_cleanly_and_takes_its_files_along(served):
    assert served.stop() == 0
    assert served.said[-1] == f"Stopped. Your files are in {served.empty / 'course'}\n"
    assert not list(served.empty.rglob("jpserver-*")) and not list(served.empty.rglob("*.html"))


def test_modules_that_a_set_imports_at_its_top_are_there_on_the_next_day():
    there: dict[str, object] = {}
    exec(jupyter_home.STARTUP, there)
    for path in sorted(content.root().glob("exercises/*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code" and "course" not in cell.metadata:
                nodes = ast.parse(cell.source).body
                imports = [node for node in nodes if isinstance(node, ast.Import)]
                names = {one.asname or one.name for node in imports for one in node.names}
                assert names <= set(there), path.name
