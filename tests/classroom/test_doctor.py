"""`course doctor`: each line can go red, and a red one says what to do."""

import argparse
import contextlib
import io
import json
import socket

import nbformat
import pytest

from course_lib.classroom.commands import doctor, lab
from course_lib.classroom.jupyter_home import JupyterHome
from course_lib.classroom.prompt import command_line
from course_lib.classroom.workspace import Workspace


@pytest.fixture
def workspace(tmp_path):
    """A workspace with one lesson."""
    source = tmp_path / "source" / "notebooks"
    source.mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(), source / "00_welcome.ipynb")
    workspace = Workspace(tmp_path / "mine")
    workspace.refresh(source.parent)
    JupyterHome(workspace).prepare()
    return workspace


def only(findings):
    (finding,) = findings
    return finding


def test_a_good_line_is_one_line_and_a_failing_one_is_followed_by_what_to_do():
    assert str(doctor.Finding("numpy", "ok", "2.4.6")) == "ok    numpy: 2.4.6"
    line = str(doctor.Finding("numpy", "fail", "not installed", "install it"))
    assert line == "FAIL  numpy: not installed\n      What to do: install it"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A whole examination as JSON, of a folder that is no workspace yet."""
    folder = tmp_path_factory.mktemp("doctor") / "new"
    words = argparse.Namespace(folder=folder, json=True)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        code = doctor.run(words)
    return code, json.loads(printed.getvalue()), folder


def test_this_very_installation_is_sound_and_every_part_is_looked_at(report):
    code, said, folder = report
    assert [check for check in said["checks"] if check["status"] == "fail"] == []
    assert (code, said["ok"]) == (0, True) and not folder.exists()  # looking makes no workspace
    names = {check["name"] for check in said["checks"]}
    assert {"Python", "course", "numpy", "jupyterlab", "wasmtime", "workspace"} <= names
    assert {"port", "kernel", "import", "picture", "dot"} <= names


@pytest.mark.parametrize("version", [(3, 10, 9), (3, 15, 0)])
def test_a_python_outside_the_supported_range_fails(version):
    finding = only(doctor.check_python(version))
    assert finding.status == "fail" and "3.11 to 3.14" in finding.advice


@pytest.mark.parametrize(
    ("needs", "status", "says"),
    [
        ("no-such-package-at-all>=1", "fail", "not installed"),
        ("numpy>=999", "fail", "the course needs >=999"),
        ("numpy>=2", "note", "tested with 2.0.1"),
    ],
)
def test_a_package_that_is_missing_too_old_or_another(monkeypatch, needs, status, says):
    monkeypatch.setattr(doctor, "requirements", lambda: [needs])
    monkeypatch.setattr(doctor, "pins", lambda: {"numpy": "2.0.1"})
    finding = only(doctor.check_packages())
    assert finding.status == status and says in finding.says
    assert finding.advice or status == "note"


def test_packages_for_other_systems_are_not_asked_for_and_each_pin_is_known(monkeypatch):
    names = {line.split(">")[0].lower().replace("_", "-") for line in doctor.requirements()}
    assert names <= set(doctor.pins())
    monkeypatch.setattr(doctor, "requirements", lambda: ['nope; sys_platform == "amiga"'])
    assert list(doctor.check_packages()) == []


def test_a_workspace_that_cannot_be_made_fails_exits_with_1_and_is_counted(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    finding = only(doctor.check_workspace(Workspace(tmp_path / "file" / "x")))
    assert finding.status == "fail" and command_line("lab FOLDER") in finding.advice
    (tmp_path / "file").write_text("")
    words = argparse.Namespace(folder=tmp_path / "file" / "x", json=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(doctor, "check_kernel", lambda: iter(()))
        assert doctor.run(words) == 1
    assert "checks failed." in capsys.readouterr().out.splitlines()[-1]


def test_a_busy_port_is_fine_while_another_is_free(workspace, monkeypatch):
    with contextlib.closing(socket.socket()) as taken:
        taken.bind((lab.HOST, 0))
        taken.listen()
        monkeypatch.setattr(doctor, "PORT", taken.getsockname()[1])
        finding = only(doctor.check_port(workspace))
    assert finding.status == "ok" and "in use by another program" in finding.says


def test_a_kernel_that_dies_at_once_fails(tmp_path, monkeypatch):
    (tmp_path / "ipykernel_launcher.py").write_text("raise SystemExit(3)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    finding = only(doctor.check_kernel())
    assert (finding.name, finding.status) == ("kernel", "fail") and "127.0.0.1" in finding.advice


def test_a_library_that_cannot_be_imported_fails_and_nothing_is_drawn_with_it(monkeypatch):
    monkeypatch.setattr(doctor, "_PROBES", (("import", "import nope", ""), ("picture", "1", "")))
    kernel, failed = doctor.check_kernel()
    assert (kernel.status, failed.name, failed.status) == ("ok", "import", "fail")
    assert failed.says == "ModuleNotFoundError: No module named 'nope'"


def test_a_check_that_breaks_is_a_finding_and_the_others_go_on(workspace, monkeypatch):
    def broken():
        raise ZeroDivisionError("of all things")

    monkeypatch.setattr(doctor, "check_python", broken)
    monkeypatch.setattr(doctor, "check_kernel", lambda: iter(()))
    findings = list(doctor.examine(workspace))
    assert findings[0].says == "ZeroDivisionError: of all things"
    assert findings[-1].name == "dot"


@pytest.mark.parametrize(("program", "status"), [(None, "note"), ("/usr/bin/dot", "ok")])
def test_dot_is_never_asked_for_as_no_picture_needs_it(monkeypatch, program, status):
    monkeypatch.setattr(doctor.shutil, "which", lambda name: program)
    finding = only(doctor.check_dot())
    assert finding.status == status and finding.advice == ""
    assert program is not None or "nothing in the course needs it" in finding.says
