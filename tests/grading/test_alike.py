"""Near-copies are found among students who work alone, and these are not."""

import random

import pytest
from grading.made_up_class import copied, row, students
from grading.submitting import record

from course_grading import alike
from course_grading.alike import Alike, pieces

F = frozenset({"f"})


def compared(name, everybody, groups=()):
    """The pairs among these students' answers to a set."""
    made = Alike()
    for question, one in record(name)["questions"].items():
        made.note_handed_out(question, [one["stub"]["code"]], one["answers"])
    for student, answers in everybody.items():
        made.add(student, row(answers), dict(groups).get(student, student))
    return made.pairs()


@pytest.fixture(scope="module")
def together():
    """120 students of whom six hand in what another wrote, disguised; and who these are."""
    rng = random.Random("a class of 120")
    everybody = students("project", 120, rng)
    names = rng.sample(sorted(everybody), 12)
    pairs = {tuple(sorted(pair)) for pair in zip(names[:6], names[6:], strict=True)}
    for first, second in zip(names[:6], names[6:], strict=True):
        everybody[second] = copied(everybody[first], everybody[second], "project", rng)
    return everybody, pairs


def test_most_copies_are_found_no_innocent_is_named_for_certain_and_no_group(together):
    everybody, copies = together
    found = compared("project", everybody)
    assert len(copies & {one.students for one in found}) >= 4
    assert {one.students for one in found if one.strong} <= copies
    pair = next(one for one in found if one.students in copies)
    texts = ["".join(everybody[student].values()) for student in pair.students]
    question, line = pair.lines[0]  # what it shares, in the words of a student
    assert question.startswith("project-") and any(line.strip("# ") in text for text in texts)
    groups = {student: pair[0] for pair in copies for student in pair}
    assert not copies & {one.students for one in compared("project", everybody, groups.items())}


def test_about_half_the_copies_of_only_three_answers_are_found_in_classes_of_55():
    """In three classes, as one draws luck: 22 of 45 in the mean of many, and nobody innocent."""
    three, hits = ("project-3", "project-5", "project-6"), 0
    for drawn in range(3):
        rng = random.Random(f"three answers {drawn}")
        everybody = students("project", 40, rng)
        copies = {}
        for first in rng.sample(sorted(everybody), 15):
            copies[f"z of {first}"] = copied(everybody[first], everybody[first], "project", rng)
        short = {
            student: {question: made[question] for question in three}
            for student, made in (everybody | copies).items()
        }
        found = {one.students for one in compared("project", short)}
        true = {(name.removeprefix("z of "), name) for name in copies}
        assert not found - true
        hits += len(found & true)
    assert hits >= 17


def test_a_class_without_copies_has_hardly_a_pair_and_what_all_wrote_is_no_sign():
    everybody = students("project", 120, random.Random("honest"))
    found = compared("project", everybody)
    assert len(found) <= 2 and not [one for one in found if one.strong]
    one = everybody["student 000"]
    assert compared("project", {f"s{number}": one for number in range(30)}) == []


def test_the_same_file_is_named_whatever_is_in_it():
    made = Alike()
    usual = {"project-1": "def split(n, test, seed):\n    return 1"}
    for number in range(10):
        made.add(f"s{number}", row(usual), f"s{number}", "same" if number < 2 else str(number))
    assert [(one.students, one.same_file) for one in made.pairs()] == [(("s0", "s1"), True)]


ONE = """
def f(x, y):
    # add them all
    total = x.sum() + 2 * y
    for row in x:
        total += row.mean(dim=0, keepdim=True)
    return total if total > 3 else None
"""
SAME = {
    "names": ONE.replace("total", "s").replace("row", "r").replace("x", "left"),
    "layout": ONE.replace("x.sum()", "(x\n        .sum( ))").replace("\n    for", "\n\n\n    for"),
    "comments": ONE.replace("# add them all", "'''A docstring.'''").replace("2 * y", "2 * y # !"),
    "operands": ONE.replace("x.sum() + 2 * y", "y * 2.0 + x.sum()").replace(
        "total > 3", "3 < total"
    ),
    "keywords": ONE.replace("dim=0, keepdim=True", "keepdim=True, dim=0"),
    "methods": ONE.replace("row.mean(dim=0", "torch.mean(row, dim=0"),
    "in place": ONE.replace("total += row", "total = total + row"),
    "annotations": ONE.replace("(x, y)", "(x: int, y: 'a') -> None"),
}


def test_in_a_large_class_a_rare_line_is_what_finds_a_pair(together, monkeypatch):
    everybody, copies = together
    every = {one.students for one in compared("project", everybody)}
    monkeypatch.setattr(alike, "EVERYBODY", 10)
    found = {one.students for one in compared("project", everybody)}
    assert found <= every and len(found & copies) >= len(every & copies) - 1


def code(text):
    return {piece for piece in pieces(text, F) if piece[0] != "#"}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_what_does_not_count(text):
    assert code(text) == code(ONE)


def test_what_counts():
    for change in (("2 *", "3 *"), ("sum", "mean"), ("> 3", ">= 3"), ("dim", "axis")):
        assert code(ONE.replace(*change)) != code(ONE), change


def test_what_is_no_python_is_compared_line_by_line():
    for text in ("def f(", "x = 'a\n  b", "(" * 5000, "-" * 5000 + "1", "\0", "💥 = "):
        assert pieces(text) == pieces(text + "  ") and len(pieces(text)) <= 2
