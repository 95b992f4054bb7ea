"""Copies of the lessons in a folder of the student's own: nothing changed is ever lost."""

import json
import os
import sys

import pytest

from course_lib.classroom import content
from course_lib.classroom.copies import fingerprint
from course_lib.classroom.search import find
from course_lib.classroom.trouble import Trouble, cannot_write
from course_lib.classroom.workspace import Workspace, default_folder, write_whole

WELCOME, DATA = "notebooks/00_welcome.ipynb", "notebooks/data.csv"


def notebook(source: str = "1 + 1", **metadata) -> bytes:
    output = {"output_type": "execute_result", "execution_count": 1, "metadata": {}}
    output["data"] = {"text/plain": "2", "image/svg+xml": ["<svg>\n", "</svg>"]}
    cell = {"cell_type": "code", "id": "a", "execution_count": 1, "metadata": {}, "source": source}
    cells = [cell | {"outputs": [output]}]
    whole = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1).encode()


def waiting(source: str = "1 + 1") -> bytes:
    """The same notebook as a reader gets it."""
    whole = json.loads(notebook(source))
    whole["cells"][0] |= {"execution_count": None, "outputs": []}
    return (json.dumps(whole, indent=1) + "\n").encode()


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "the course"
    for name, data in {
        WELCOME: notebook(),
        DATA: b"1,2\n",
        "exercises/ex00_welcome.ipynb": notebook("answer = ..."),
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture
def workspace(tmp_path):
    return Workspace(tmp_path / "my work é")


def test_the_first_time_everything_is_copied_and_the_second_time_nothing(source, workspace):
    (source / WELCOME).chmod(0o444)
    assert workspace.refresh(source).added == list(content.names(source))
    assert workspace.file(WELCOME).read_bytes() == waiting()
    assert os.stat(workspace.file(WELCOME)).st_mode & 0o200  # though the original is read-only
    before = {path: path.stat().st_mtime_ns for path in workspace.folder.rglob("*")}
    changes = workspace.refresh(source)
    assert (changes.added, changes.updated, changes.kept, changes.locked) == ([], [], [], [])
    assert {path: path.stat().st_mtime_ns for path in workspace.folder.rglob("*")} == before


def edited(workspace, change):
    """Change the reader's copy of the lesson as JupyterLab would save it."""
    whole = json.loads(workspace.file(WELCOME).read_bytes())
    change(whole["cells"])
    workspace.file(WELCOME).write_bytes(json.dumps(whole).encode())


SHOWN = {"output_type": "stream", "name": "stdout", "text": "2"}


@pytest.mark.parametrize("was", ["untouched", "run", "cleared"])
def test_a_file_nobody_wrote_into_gets_the_new_version(was, source, workspace):
    workspace.refresh(source)
    if was != "untouched":
        shown = {"outputs": [SHOWN] if was == "run" else [], "metadata": {"collapsed": True}}
        edited(workspace, lambda cells: cells[0].update(shown))
    (source / WELCOME).write_bytes(notebook("2 + 2"))
    assert workspace.refresh(source).updated == [WELCOME]
    assert workspace.file(WELCOME).read_bytes() == waiting("2 + 2")


def test_a_typed_guess_goes_along_into_the_new_version(source, workspace):
    (source / WELCOME).write_bytes(notebook('guess("welcome-sum", ...)'))
    workspace.refresh(source)
    mine = 'guess("welcome-sum", 7)  # or 8?'
    edited(workspace, lambda cells: cells[0].update(source=mine))
    assert WELCOME in list(workspace.list_untouched())
    newer = json.loads(notebook("a new first cell"))
    newer["cells"] += json.loads(notebook('guess("welcome-sum", ...)'))["cells"]
    (source / WELCOME).write_bytes(json.dumps(newer).encode())
    assert workspace.refresh(source).updated == [WELCOME]
    cells = json.loads(workspace.file(WELCOME).read_bytes())["cells"]
    assert [cell["source"] for cell in cells] == ["a new first cell", mine]


PART = """\
# Your part: welcome-{name}
def {name}():
    # BEGIN SOLUTION
    return {gives}
    # END SOLUTION"""


def lesson(*sources):
    """A lesson of these cells, of which each answer is a part."""
    cells = [json.loads(notebook(source))["cells"][0] for source in sources]
    return json.dumps(json.loads(notebook()) | {"cells": cells}).encode()


def part(name="double", gives="2"):
    return PART.format(name=name, gives=gives)


def sources(workspace):
    return [cell["source"] for cell in json.loads(workspace.file(WELCOME).read_bytes())["cells"]]


STUB = "# Your part: welcome-double\ndef double():\n    # your code here\n    ..."
MINE = "# Your part: welcome-double\ndef double():\n    return 1 + 1"


@pytest.fixture
def built(source, workspace):
    """A workspace whose reader has typed into the part of the lesson."""
    (source / WELCOME).write_bytes(lesson(part()))
    workspace.refresh(source)
    edited(workspace, lambda cells: cells[0].update(source=MINE))
    return workspace


def test_a_reader_gets_a_stub_and_the_new_one_where_nobody_typed(source, workspace):
    (source / WELCOME).write_bytes(lesson("import math", part()))
    workspace.refresh(source)
    assert sources(workspace) == ["import math", STUB]
    assert workspace.refresh(source).updated == []
    (source / WELCOME).write_bytes(lesson(part()))
    workspace.refresh(source)
    (source / WELCOME).write_bytes(lesson(part().replace("double()", "double(x)")))
    assert workspace.refresh(source).updated == [WELCOME]
    assert sources(workspace) == [STUB.replace("double()", "double(x)")]


def test_a_typed_part_goes_along_into_every_new_version(source, built):
    assert WELCOME in list(built.list_untouched())
    more = lesson("a new first cell", part(gives="4 - 2"), part("triple"))
    for newer, updated, there in (
        (lesson(part(gives="4 - 2")), [], [MINE]),  # another solution alone is no news
        (more, [WELCOME], ["a new first cell", MINE, STUB.replace("double", "triple")]),
        (lesson(part().replace("double()", "double(x)")), [WELCOME], [MINE]),
    ):
        (source / WELCOME).write_bytes(newer)
        changes = built.refresh(source)
        assert (changes.updated, changes.kept, sources(built)) == (updated, [], there)
        assert built.refresh(source).updated == []


@pytest.mark.parametrize("also", ["another cell", "no metadata"])
def test_a_typed_part_that_cannot_go_along_keeps_the_whole_file(also, source, built):
    if also == "another cell":
        edited(built, lambda cells: cells.append(json.loads(notebook("mine"))["cells"][0]))
    else:
        edited(built, lambda cells: cells[0].update(metadata={}))
    (source / WELCOME).write_bytes(lesson("a new first cell", part()))
    before = sources(built)
    assert built.refresh(source).kept == [WELCOME] and sources(built) == before


def test_a_changed_file_is_kept_and_reported_when_there_is_a_newer_one(source, workspace):
    workspace.refresh(source)
    workspace.file(WELCOME).write_bytes(notebook("mine"))
    assert workspace.refresh(source).kept == [] and WELCOME not in list(workspace.list_untouched())
    (source / WELCOME).write_bytes(notebook("2 + 2"))
    workspace.file(DATA).write_bytes(b"1,2\r\n")  # of a text file each byte counts
    (source / DATA).write_bytes(b"3\n")
    for _ in range(2):
        assert workspace.refresh(source).kept == [WELCOME, DATA]
        assert workspace.file(WELCOME).read_bytes() == notebook("mine")
        assert workspace.file(DATA).read_bytes() == b"1,2\r\n"


OLD, NEW = "exercises/26_graphs.ipynb", "exercises/ex27_graphs.ipynb"  # with new letters, too


@pytest.fixture
def renumbered(source, workspace):
    """A course whose set got another number after it was copied."""
    (source / OLD).write_bytes(notebook("one = ..."))
    workspace.refresh(source)
    (source / OLD).rename(source / NEW)
    return source


def test_a_file_that_got_another_number_takes_the_answers_along(renumbered, workspace):
    mine = notebook("one = 1")
    workspace.file(OLD).write_bytes(mine)
    changes = workspace.refresh(renumbered)
    assert not workspace.file(OLD).exists() and workspace.file(NEW).read_bytes() == mine
    assert changes.added == [] and NEW not in workspace.list_untouched()


def test_an_untouched_file_gets_the_newer_text_under_its_new_number(renumbered, workspace):
    (renumbered / NEW).write_bytes(notebook("two = ..."))
    assert workspace.refresh(renumbered).updated == [NEW]
    assert not workspace.file(OLD).exists() and NEW in workspace.list_untouched()


def test_a_file_that_is_gone_is_removed_only_where_nobody_wrote(source, workspace):
    lessons = [f"notebooks/{number}_extra.ipynb" for number in (98, 99)]
    for name in lessons:
        (source / name).write_bytes(notebook())
    workspace.refresh(source)
    workspace.file(lessons[1]).write_bytes(notebook("my own"))
    for name in lessons:
        (source / name).unlink()
    workspace.file(WELCOME).unlink()
    assert workspace.refresh(source).added == [WELCOME]  # what was deleted comes back fresh
    assert [workspace.file(name).exists() for name in lessons] == [False, True]


def test_a_file_that_was_there_before_the_course_is_kept(source, workspace):
    workspace.file("notebooks").mkdir(parents=True)
    workspace.file(WELCOME).write_bytes(notebook("mine"))
    assert workspace.refresh(source).kept == [WELCOME]
    assert workspace.file(WELCOME).read_bytes() == notebook("mine")


@pytest.mark.parametrize(
    "record", [b"", b"[]", b'{"format": 2, "files": 3}', b'{"format": 1, "files": {}}', b"\xff"]
)
def test_without_its_record_a_workspace_loses_no_work(record, source, workspace):
    workspace.refresh(source)
    (workspace.state / "copied.json").write_bytes(record)
    workspace.refresh(source)  # what is equal is learnt again
    assert sorted(workspace.list_untouched()) == sorted(content.names(source))
    workspace.file(WELCOME).write_bytes(notebook("mine"))
    (workspace.state / "copied.json").write_bytes(record)
    (source / WELCOME).write_bytes(notebook("2 + 2"))
    assert workspace.refresh(source).kept == [WELCOME]


def test_what_a_reader_writes_counts_and_what_jupyterlab_writes_by_itself_does_not():
    def counts(change):
        book = json.loads(notebook())
        change(book, book["cells"][0])
        changed, before = json.dumps(book).encode(), notebook()
        return fingerprint("x.ipynb", changed) != fingerprint("x.ipynb", before)

    def opened_and_run(book, cell):
        book["metadata"]["language_info"] = {"version": "3.14.1"}
        cell |= {"source": ["1 + ", "1"], "execution_count": 7, "outputs": []}
        cell["metadata"] |= {"trusted": True, "tags": ["x"]}

    assert not counts(opened_and_run)
    for written in ({"source": "1"}, {"attachments": {"a.png": {}}}, {"cell_type": "raw"}):
        assert counts(lambda _, cell, new=written: cell.update(new))
    note = {"cell_type": "markdown", "metadata": {}, "source": "note to myself"}
    assert counts(lambda book, _: book["cells"].append(note))
    assert fingerprint("x.ipynb", b"{") != fingerprint("x.ipynb", b"{{")  # no JSON: its bytes


def test_a_write_that_fails_leaves_the_old_file_and_says_what_is_in_the_way(tmp_path, source):
    path = source / "alone" / "progress.json"
    path.parent.mkdir()
    write_whole(path, b"old")
    with pytest.raises(TypeError):
        write_whole(path, "text: the file is open already when writing it fails")
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(Trouble, match=r"cannot write .*notes\.txt.*choose another folder"):
        Workspace(tmp_path / "notes.txt").refresh(source)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a disk full at will")
def test_a_full_disk_is_one_sentence(tmp_path):
    with pytest.raises(OSError) as full, open("/dev/full", "wb", buffering=0) as disk:
        disk.write(b"x")
    assert str(cannot_write(tmp_path, full.value)).endswith("make some room and try again")


@pytest.mark.parametrize("is_now", ["", '{"cells": [{"cel', "{}", "[]", '{"cells": [{}]}', None])
def test_of_a_damaged_notebook_of_the_course_one_sentence_is_said_and_all_else_goes_on(
    is_now, source, workspace, monkeypatch, capsys
):
    workspace.refresh(source)
    damaged, prose = source / WELCOME, {"cell_type": "markdown", "metadata": {}}
    other = {"cells": [prose | {"source": "# Strides\nA stride counts."}]}
    (source / "notebooks/05_strides.ipynb").write_text(json.dumps(other))
    damaged.unlink()
    damaged.mkdir() if is_now is None else damaged.write_text(is_now)
    monkeypatch.setattr(content, "root", lambda: source)
    changes = workspace.refresh(source)
    assert (changes.damaged, changes.added) == ([WELCOME], ["notebooks/05_strides.ipynb"])
    assert workspace.file(WELCOME).is_file()  # the reader's own copy stays
    assert [one.title for one in find("stride")] == ["Strides"]
    assert content.cells("notebooks/*.ipynb") == other["cells"]
    said = capsys.readouterr().err
    assert said.startswith(f"{damaged} is damaged") and said.count("\n") == 1
    assert "install the course again" in said


@pytest.mark.parametrize("inside", ["", "notebooks", "exercises/mine", "../lessons"])
def test_the_course_itself_is_refused_as_a_workspace(inside, source):
    if inside == "../lessons":  # where a link leads to
        (source / "notebooks").rename(source / inside)
        (source / "notebooks").symlink_to(source / inside, target_is_directory=True)
    with pytest.raises(Trouble, match="must stay as they are") as refused:
        Workspace(source / inside).refresh(source)
    assert refused.value.exit_code == 2


def test_hidden_files_and_caches_are_not_part_of_the_course(source):
    for name in (".ipynb_checkpoints/x.ipynb", "__pycache__/x.pyc", ".DS_Store", "my_autograd.py"):
        (source / "notebooks" / name).parent.mkdir(exist_ok=True)
        (source / "notebooks" / name).write_bytes(b"")
    assert len(list(content.names(source))) == 3


def test_in_a_checkout_the_course_lies_beside_the_package(source, tmp_path):
    (source / "pyproject.toml").write_text("")
    assert content.root(source / "course_lib") == source
    assert default_folder(tmp_path, source / "course_lib") == source / "workspace"
    mine = Workspace(tmp_path / "mine")  # and inside a workspace it is that one
    mine.refresh(source)
    assert default_folder(mine.folder, source / "course_lib") == mine.folder


def test_in_a_wheel_the_course_lies_in_the_package(source, tmp_path):
    package = tmp_path / "site-packages" / "course_lib"
    package.mkdir(parents=True)
    source.rename(package / "_content")
    assert content.root(package) == package / "_content"
    assert default_folder(tmp_path, package) == tmp_path / "course"
    with pytest.raises(Trouble, match="install the course again"):
        content.root(tmp_path / "course_lib")  # an installation without lessons


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no such permissions")
def test_a_copy_has_the_permissions_of_any_new_file(source, workspace, tmp_path):
    (tmp_path / "new").write_bytes(b"")
    workspace.refresh(source)
    assert os.stat(workspace.file(WELCOME)).st_mode == os.stat(tmp_path / "new").st_mode
