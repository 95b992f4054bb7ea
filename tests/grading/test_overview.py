"""The overview of a class: the numbers, and the page that shows them."""

import json
import re

import jsonschema
import pytest
from grading.submitting import ROOT, notebook

from course_grading import report, unit
from course_grading.lateness import Rule, Rules
from course_grading.notebook import minutes, read
from course_grading.tally import Tally


def row(words, file="work.ipynb", **more):
    """The row of a hand-in of the welcome set with these words for its questions."""
    worth = {"try": 1, "1": 1, "2": 2, "3": 2, "4": 2, "5": 3}
    said = {"message": "You <added> them.", "differences": ["it differs"], "cells": [[1, "x = 1"]]}
    made = [
        {"question": f"welcome-{name}", "word": word, "reason": ""}
        | {"points": points if word == "correct" else 0}
        | said
        for (name, points), word in zip(worth.items(), words, strict=True)
    ]
    facts = {"set": "welcome", "status": "graded", "review": [], "reason": "", "file": file}
    facts |= {"points": sum(one["points"] for one in made), "possible": 11, "open": 0}
    return facts | {"questions": made} | more


RIGHT, WRONG = ["correct"] * 6, ["not yet", *["correct"] * 5]


@pytest.fixture(scope="module")
def page(tally):
    return report.overview(tally.as_data(), {})


@pytest.fixture(scope="module")
def tally(course):
    made = Tally(course)
    made.add("ada", "students/ada.html", row(RIGHT, minutes=30))
    made.add("bob", "students/bob.html", row(WRONG))
    made.add("eve <i>", "students/eve.html", row(["not yet", *["not attempted"] * 5]))
    unread = row(RIGHT, "e" * 200, status="unreadable", reason="it is a web page", review=["it"])
    made.add("mia", "students/mia.html", unread | {"questions": [], "set": "", "possible": 0})
    return made


def test_the_numbers_are_of_what_was_graded_and_as_their_schema_says(tally):
    schema = json.loads((ROOT / "docs/overview.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(tally.as_data())
    (found,) = tally.as_data()["sets"]
    assert (found["students"], found["mean"], found["median"]) == (3, 7.0, 10)
    assert found["distribution"] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]
    assert found["minutes"] == {"known": 1, "median": 30, "most": 30}
    first = found["questions"][0]
    assert (first["question"], first["correct"], first["not yet"]) == ("welcome-try", 1, 2)
    (mistake,) = found["mistakes"]
    assert mistake["students"] == ["bob", "eve <i>"]


def test_the_page_shows_the_numbers_and_leads_from_a_mistake_to_its_students(page):
    columns = re.findall(r'<rect [^>]*height="([\d.]+)"', page)
    assert [float(high) > 0 for high in columns] == [True, *[False] * 8, True, True]
    assert '<th scope="row">90–99 %</th><td class="n">1</td>' in page
    assert "the mean is 7 and the median 10" in page
    hardest = page[page.index("Questions, the hardest first") : page.index("Everyone")]
    assert re.findall(r"<code>(welcome-\w+)</code>", hardest)[0] == "welcome-try"
    assert "You &lt;added&gt; them." in page and "mia" not in hardest
    assert '<a href="students/eve.html">eve &lt;i&gt;</a>' in page
    assert "unreadable: it is a web page" in page[page.index("Could not be read") :]


def test_each_question_is_held_against_the_others_and_a_student_is_named_once(course):
    made = Tally(course, Rules(Rule(passing=50)))
    for number in range(12):
        good = "correct" if number % 3 else "not yet"
        odd = "correct" if number % 2 else "not yet"
        row_of = row([good, good, good, odd, "correct", good], review=["why", "else"])
        made.add(f"s{number}", "students/page.html", row_of)
        made.add("bob", "students/bob.html", row_of)
        made.add_mark(row_of["points"], 11)
    found = made.as_data()
    rest = [one["with_the_rest"] for one in found["sets"][0]["questions"]]
    assert rest[0] > 0.9 and abs(rest[3]) < 0.1 and rest[4] is None
    assert found["sets"][0]["passed"] == 16 and found["term"] == {"students": 12, "passed": 8}
    page = report.overview(found, {})
    needing = page[page.index("Needs a person") : page.index("The term")]
    assert needing.count(">bob<") == 1 and "16 of 24</td>" in page


def test_a_pair_without_an_unusual_line_says_what_is_unusual(tally):
    listing = tally.as_data()
    pair = {"students": ["bob", "ada"], "evidence": 14.0, "strong": False, "same_file": False}
    pair |= {"questions": ["welcome-3"], "lines": []}
    listing["sets"][0]["alike"] |= {"pairs": [pair]}
    assert "each line is usual, all of them together are not" in report.overview(listing, {})


def ran(minute):
    """The metadata of a cell that JupyterLab has stored the time of."""
    stamp = f"2026-11-23T17:{minute:02}:00.000000Z"
    return {"execution": {"iopub.execute_input": stamp, "shell.execute_reply": stamp}}


def test_the_time_spent_is_read_from_the_notebook(course, runner):
    made = notebook("welcome")
    for cell, minute in zip(made["cells"], (0, 5, 9, 50, 52), strict=False):  # with a long pause
        cell["metadata"] |= ran(minute)
    assert unit.grade(json.dumps(made).encode(), course, runner)["minutes"] == 11


@pytest.mark.parametrize(
    "execution", [None, [], {"a": None, "b": 3}, {"a": "soon", "b": "9" * 999}, {"a": "2026-11-23"}]
)
def test_times_that_are_none_are_passed_over(execution):
    cell = {"cell_type": "code", "source": "x", "metadata": {"execution": execution}}
    cells, odd = read(json.dumps({"nbformat": 4, "cells": [cell]}).encode())
    assert (minutes(cells), odd) == (None, [])
