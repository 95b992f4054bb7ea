"""The journal of what a student did: appended, merged, and readable after every accident."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib.classroom import content, progress
from course_lib.classroom.progress import Journal, Standing, standings
from course_lib.classroom.trouble import Trouble
from course_lib.classroom.verdict import Verdict

ROOT = Path(__file__).parents[2]


@pytest.fixture
def journal(tmp_path):
    return Journal(tmp_path)


def verdict(word, value=1, question="demo-1"):
    entry = {"label": "x", "value": {"kind": "int", "value": value}}
    return Verdict(question, word, {"entries": [entry], "error": None})


def test_a_question_that_moved_into_another_set_stays_solved(journal):
    journal.note("sequences-2", "check", word="correct", answer="a")
    ((name, standing),) = journal.standings().items()
    assert name == "recurrence-1" and standing.solved


def test_solved_stays_solved_when_a_later_answer_is_worse(journal):
    assert journal.standings() == {} and not journal.path.exists()
    for word, value in [("not yet", 1), ("correct", 2), ("not yet", 3)]:
        journal.note_verdict(verdict(word, value))
    assert journal.standings()["demo-1"] == Standing("not yet", solved=True, answers=3)


def test_the_same_verdict_on_the_same_answer_is_written_once_and_counted_once(journal):
    for value in (1, 1, 1, 2, 1):
        journal.note_verdict(verdict("not yet", value))
    assert len(journal.read()[0]) == 3 and journal.standings()["demo-1"].answers == 2


def test_hints_and_solutions_are_counted_and_a_reset_forgets_what_came_before_it(journal):
    journal.note("demo-1", "hint", number=2)
    journal.note("demo-1", "hint", number=1)
    journal.note("demo-1", "solution")
    assert journal.standings()["demo-1"] == Standing(hints=2, solution_seen=True)
    journal.note_verdict(verdict("correct"))
    journal.note("demo-1", "reset")
    assert journal.standings()["demo-1"] == Standing()
    journal.note_verdict(verdict("correct"))
    assert journal.standings()["demo-1"].solved


def test_the_order_of_lines_does_not_matter_and_two_machines_merge(journal, tmp_path):
    for word in ("not yet", "correct", "your code raised"):
        journal.note_verdict(verdict(word))
    journal.note("demo-1", "reset")
    events, _ = journal.read()
    assert standings(events) == standings(events[::-1]) == standings(events + events)
    here, there = Journal(tmp_path / "here"), Journal(tmp_path / "there")
    here.note_verdict(verdict("correct"))
    there.note_verdict(verdict("correct", question="demo-2"))
    assert here.merge(there.path) == 1
    assert here.merge(there.path) == 0
    assert {name for name, one in here.standings().items() if one.solved} == {"demo-1", "demo-2"}


@pytest.mark.parametrize("content", [b"hello", b"{}", b"\xff\xfe"])
def test_a_file_that_is_no_journal_is_not_merged(journal, tmp_path, content):
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(Trouble, match="holds no progress"):
        journal.merge(tmp_path / "other")


def test_processes_that_write_at_the_same_time_lose_no_line(journal):
    code = (
        "import sys; from pathlib import Path; from course_lib.classroom.progress import Journal\n"
        "for n in range(50): Journal(Path(sys.argv[1])).note('demo-1', 'hint', number=n)"
    )
    command = [sys.executable, "-c", code, str(journal.folder)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    running = [subprocess.Popen(command, env=environment) for _ in range(3)]
    assert [process.wait(timeout=300) for process in running] == [0, 0, 0]
    events, damaged = journal.read()
    assert (len(events), damaged) == (150, [])


def test_an_interrupted_write_costs_its_own_line_alone(journal):
    journal.note_verdict(verdict("correct"))
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole + whole[:-20])
    journal.note_verdict(verdict("correct", question="demo-2"))
    assert {name for name, one in journal.standings().items() if one.solved} == {"demo-1", "demo-2"}


@pytest.mark.parametrize("damage", [b"\x00" * 50, b"[1]", b'{"at": 3}', b"[" * 10**5])
def test_what_cannot_be_read_is_kept_aside_and_said(journal, damage):
    journal.note_verdict(verdict("correct"))
    journal.path.write_bytes(damage + b"\n" + journal.path.read_bytes())
    said = journal.mend()
    aside = journal.path.with_name("progress.damaged-1.jsonl")
    assert "1 line of your progress" in said and str(aside) in said
    assert aside.read_bytes() == damage + b"\n"
    assert journal.standings()["demo-1"].solved and journal.mend() == ""
    journal.path.write_bytes(b"nonsense")
    assert "progress.damaged-2.jsonl" in journal.mend() and aside.exists()


def test_what_is_appended_while_damage_is_mended_is_not_lost(journal, monkeypatch):
    journal.note_verdict(verdict("correct"))
    journal.path.write_bytes(b"nonsense\n" + journal.path.read_bytes())
    write = progress.write_whole

    def append_meanwhile(path, data):
        write(path, data)
        journal.note_verdict(verdict("correct", question="demo-2"))

    monkeypatch.setattr(progress, "write_whole", append_meanwhile)
    assert "1 line" in journal.mend()
    assert set(journal.standings()) == {"demo-1", "demo-2"} and journal.mend() == ""


def test_a_line_that_the_disk_takes_a_part_of_is_trouble_and_costs_no_other(journal, monkeypatch):
    journal.note_verdict(verdict("correct"))
    whole = os.write
    monkeypatch.setattr(os, "write", lambda file, data: whole(file, data[:9]))
    with pytest.raises(Trouble, match="the disk is full"):
        journal.note("demo-2", "hint", number=1)
    monkeypatch.undo()
    journal.note_verdict(verdict("correct", question="demo-3"))
    assert set(journal.standings()) == {"demo-1", "demo-3"}


def test_an_event_of_a_later_version_is_kept_and_means_nothing(journal):
    event = {"at": "1", "question": "demo-1", "event": "graded", "points": 2}
    journal.path.parent.mkdir()
    journal.path.write_text(json.dumps(event) + "\n", encoding="utf-8")
    assert journal.standings() == {"demo-1": Standing()} and journal.mend() == ""


def test_a_journal_that_cannot_be_written_is_trouble_with_a_reason(journal):
    journal.path.parent.write_text("in the way", encoding="utf-8")
    with pytest.raises(Trouble, match=r"cannot write .*progress\.jsonl"):
        journal.note("demo-1", "hint")


def test_progress_is_kept_around_a_notebook_or_beside_its_record_and_never_in_the_course(tmp_path):
    assert progress.home(tmp_path) is None
    for folder, mark in (("mine", "mine/.course"), ("handout", "handout/exercises/.records")):
        (tmp_path / folder / "exercises").mkdir(parents=True)
        (tmp_path / mark).mkdir()
    assert progress.home(tmp_path / "mine" / "exercises") == tmp_path / "mine"
    handout = tmp_path / "handout" / "exercises"
    assert progress.home(handout) == handout
    assert progress.home(content.root() / "exercises") is None
