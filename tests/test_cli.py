"""The `course` command: its words, its help and its exit codes."""

import os
import subprocess
import sys

import pytest

from course_lib import cli
from course_lib.classroom.prompt import command_line
from course_lib.version import COURSE


def course(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "course_lib.cli", *words]
    return subprocess.run(command, capture_output=True, env=os.environ | environment, timeout=300)


def exit_code(words: list[str]) -> object:
    with pytest.raises(SystemExit) as stop:
        cli.main(words)
    return stop.value.code


def test_no_words_at_all_show_the_help(capsys):
    assert cli.main([]) == 0
    assert command_line("COMMAND --help") in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["--help"], 0, [text for c in cli.COMMANDS for text in (c.name, c.summary)]),
        (["--version"], 0, [COURSE, "Python 3."]),
        (["lba"], 2, ["course: there is no command 'lba'; did you mean lab?"]),
        (["qqq"], 2, ["the commands are " + ", ".join(c.name for c in cli.COMMANDS)]),
        (["lab", "--prot", "9000"], 2, ["--prot", f"Try: {command_line('--help')}"]),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_words_that_end_at_once_have_their_exit_code_and_say_why(capsys, words, code, says):
    assert exit_code(words) == code
    shown = capsys.readouterr()
    text = shown.err if code else shown.out
    assert [word for word in says if word not in text] == []


@pytest.mark.parametrize("command", cli.COMMANDS, ids=lambda command: command.name)
def test_a_command_explains_itself_in_ascii_with_examples_that_can_be_typed(command, capsys):
    assert exit_code([command.name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert command.examples and shown.isascii()  # for old consoles
    for words, says in command.examples:
        assert command_line(words) in shown and says in shown
        assert cli.parse(words.split()).command == command.name


def test_trouble_is_one_sentence_and_its_exit_code(capsys, tmp_path):
    (tmp_path / "notes").write_text("")
    assert cli.main(["lab", str(tmp_path / "notes"), "--no-browser"]) == 1
    complaint = capsys.readouterr().err
    assert complaint.startswith("course: ") and complaint.count("\n") == 1


def test_without_the_extra_lab_one_sentence_says_what_to_install(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert cli.main(["lab", str(tmp_path / "notes"), "--no-browser"]) == 1
    said = capsys.readouterr()
    assert said.out == "" and said.err == (
        "course: this command needs jupyterlab, which is not installed: "
        'in the folder of the course, pip install ".[lab]" brings it\n'
    )
    assert not (tmp_path / "notes").exists()  # nothing was copied that could not be opened


def test_the_library_and_its_pictures_need_nothing_of_the_extra_lab():
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({[*cli.LAB, 'typst', 'IPython']}))\n"
        "import course_lib as torch\nfrom course_lib.viz import draw_graph\n"
        "print(draw_graph(torch.ones(2, requires_grad=True).sum()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "SumBackward0" in done.stdout


def test_help_imports_no_jupyter():
    code = (
        "import sys; from course_lib.cli import main; main([]); "
        "sys.exit(any(name.split('.')[0] in ('jupyter_core', 'IPython') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL).returncode == 0


def test_a_path_that_the_console_cannot_spell_is_no_error(tmp_path):
    (tmp_path / "in the way").write_text("")
    folder = str(tmp_path / "in the way" / "π")
    done = course("lab", folder, "--no-browser", PYTHONIOENCODING="cp1252")
    assert done.returncode == 1
    assert rb"\u03c0" in done.stdout and b"Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error():
    buffered = {name: os.environ[name] for name in os.environ if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen(
        [sys.executable, "-m", "course_lib.cli", "--help"],
        env=buffered,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    with process.stderr as complaints:
        assert complaints.read() == b""
    process.wait(timeout=300)
