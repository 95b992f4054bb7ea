"""Answers that no set keeps, judged as somebody who knows the lesson would judge them.

The files in `judgement/` were written from the questions alone: right answers in other words, and
wrong ones as readers give them. They say whether a check asks for the result, all of it and nothing
more. A line `==== welcome-1 right` begins an answer.
"""

import re
from pathlib import Path

import pytest

from course_lib.classroom.edits import is_edited
from course_lib.classroom.proof import answers as names_of
from course_lib.classroom.proof import rehearse
from course_lib.classroom.source import read, set_name
from course_lib.classroom.verdict import CORRECT, NOT_YET, RAISED, judge

FOLDER = Path(__file__).with_name("judgement")
SOURCES = {set_name(path): path for path in Path(__file__).parents[2].glob("solutions/*.ipynb")}
SEED = "a seed that no record has"
WORDS = {"right": {CORRECT}, "wrong": {NOT_YET, RAISED}}


def answers(path):
    """Question, word and code of each answer in a file."""
    for part in re.split(r"^==== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        head, code = part.split("\n", 1)
        yield (*head.split(), code)


def record(source, question):
    """What there is to compare with; no wrong answer is known."""
    made = question.facts | {"answers": names_of(question), "wrong": []}
    for kind, code in (("solution", question.answer), ("stub", question.stub)):
        made[kind] = {"code": code, "data": rehearse(source, question, code, SEED)}
    return made


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_answers_that_no_set_keeps_are_judged_as_they_should_be(path):
    source = read(SOURCES[path.stem])
    records = {name: record(source, question) for name, question in source.questions.items()}
    misjudged, tried = [], set()
    for name, expected, code in answers(path):
        tried.add((name, expected))
        question = source.questions[name]
        data = rehearse(source, question, question.variant(code), SEED)
        word = judge(name, data, records[name], is_edited([code], records[name])).word
        if word not in WORDS[expected]:
            misjudged.append(f"{name} should be {expected}, is {word}:\n{code}")
    assert not misjudged, "\n".join(misjudged)
    assert tried == {(name, word) for name in source.questions for word in WORDS}


def test_every_set_has_answers_that_it_does_not_keep():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SOURCES)
