"""Answers are found whatever happened to the cells of a notebook."""

import json

import pytest
from grading.hostile.altered import ONE, WHOLE
from grading.submitting import EXERCISES, code, notebook, place

from course_grading import reference
from course_grading.splice import splice, to_run
from course_grading.statements import as_python

EXERCISE = reference.load(EXERCISES)[0]["welcome"]
KITS = {"welcome": EXERCISE.kit}
THIRD = "# Answer to welcome-3\ndef mean_square(x):\n    return (x * x).sum() / x.numel()"
BARE = THIRD.partition("\n")[2]
STUB = "# Answer to welcome-3\ndef mean_square(x):\n    # your code here\n    ..."


def plan(made):
    data = made if isinstance(made, bytes) else json.dumps(made).encode()
    return splice({"notebook": data.hex()}, KITS)


def third(made):
    """The text that is run for the third question, without cell numbers, and the notes about it."""
    part = plan(made)["questions"]["welcome-3"]
    return "\n".join(text for _, text in part["cells"]), part["notes"]


def answered():
    return notebook("welcome", {"welcome-3": THIRD})


def test_each_question_brings_its_answer_and_nothing_else():
    made = plan(answered())
    assert made["set"] == "welcome" and made["notes"] == []
    assert {name for name, _ in to_run(made)} == set(EXERCISE.questions)
    for name, cells in to_run(made):
        assert len(cells) == 1 and cells[0][1].startswith(f"# Answer to {name}")


# Of the hostile collection, where each of them may cost at most its own question.
ALTERED = [
    *("answer-at-the-end", "answer-at-the-start", "answer-twice", "answer-in-a-copy"),
    *("answer-without-its-first-line", "answer-without-any-mark", "answer-and-check-merged"),
    *("answer-with-windows-ends", "check-deleted", "without-markdown", "without-metadata"),
]


def split(made):
    here = place(made, "welcome-3")
    made["cells"][here]["source"] = "# Answer to welcome-3\ndef square(x):\n    return x * x"
    made["cells"].insert(here + 1, code("def mean_square(x):\n    return square(x).mean()"))


def in_the_first_cell(made):
    made["cells"].pop(place(made, "welcome-3"))
    first = made["cells"][1]
    first["source"] = "".join(first["source"]) + "\n" + BARE


def below_the_check(made):
    made["cells"].insert(place(made, "welcome-3", "check") + 1, code(BARE))
    made["cells"][place(made, "welcome-3")]["source"] = STUB


CHANGES = {name: {**ONE, **WHOLE}[name][0] for name in ALTERED}
CHANGES |= {change.__name__: change for change in (split, in_the_first_cell, below_the_check)}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_costs_nothing(change):
    made = answered()
    change(made)
    text, _ = third(made)
    assert "def mean_square(x):" in text and "@check" not in text
    assert "..." not in text
    others = {name for name, _ in to_run(plan(made))} - {"welcome-3"}
    assert others == set(EXERCISE.questions) - {"welcome-3"}


OTHER = THIRD.replace("x * x", "x")


@pytest.mark.parametrize(
    ("own", "number", "other", "doubts"),
    [
        (OTHER, 15, THIRD, ["cell 15 answers it too, but below its check, and was not run"]),
        (OTHER, 15, BARE, ["cell 15 answers it too, but below its check, and"]),
        (THIRD, 15, THIRD, []),
        (STUB, 2, BARE, ["cell 2 makes its answer too, but its own is as it was"]),
    ],
)
def test_another_answer_that_was_not_run_is_told_and_is_for_a_person(own, number, other, doubts):
    made = notebook("welcome", {"welcome-3": own})
    made["cells"].insert(number - 1, code(other))
    part = plan(made)["questions"]["welcome-3"]
    assert [one[: len(said)] for one, said in zip(part["doubts"], doubts, strict=True)] == doubts
    assert part["doubts"] == [one for one in part["notes"] if one.startswith("cell")]
    assert third(made)[0] == ("" if own == STUB else own)


def test_an_answer_that_was_deleted_or_left_as_it_was_costs_its_own_question():
    made = answered()
    made["cells"].pop(place(made, "welcome-3"))
    assert {name for name, _ in to_run(plan(made))} == set(EXERCISE.questions) - {"welcome-3"}
    (note,) = plan(made)["questions"]["welcome-3"]["notes"]
    assert note == "there is no cell “# Answer to welcome-3” any more"
    stub = "# Answer to welcome-3\ndef mean_square(x):\n    # what now?\n\n    ...\n"
    made = plan(notebook("welcome", {"welcome-3": stub}))
    assert "welcome-3" not in {name for name, _ in to_run(made)}


def test_a_changed_check_is_not_used_and_a_changed_first_cell_gives_what_is_new_in_it():
    made = answered()
    cell = made["cells"][place(made, "welcome-3", "check")]
    cell["source"] = '@check("welcome-3")\ndef welcome_3(show):\n    show("x", 1)'
    text, notes = third(made)
    assert "show(" not in text
    assert notes == ["its check cell was changed; the exercise's own was used"]
    made = notebook("welcome", {"welcome-3": "# Answer to welcome-3\nmean_square = np.mean"})
    first = next(cell for cell in made["cells"] if cell["cell_type"] == "code")
    first["source"] = "import numpy as np\n" + "".join(first["source"]) + "\ntorch = None"
    text, _ = third(made)
    assert "import numpy as np" in text and "torch = None" not in text


@pytest.mark.parametrize("below", [False, True])
def test_what_an_answer_needs_is_taken_along_statement_by_statement(below):
    made = notebook("welcome", {"welcome-3": "# Answer to welcome-3\nmean_square = squares_of(2)"})
    helper = code("import math\nunused = 1 / 0\ndef squares_of(n):\n    return math.sqrt")
    made["cells"].insert(len(made["cells"]) if below else 1, helper)
    text, _ = third(made)
    assert "import math" in text and "def squares_of" in text and "unused" not in text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty"),
        (b"\0" * 50, "the file is empty"),
        (b'{"cells": [', "it ends in the middle"),
        (b"<html>", "web page"),
        (b"PK\x03\x04....", "archive"),
        (b"[1, 2]", "no notebook"),
        (b'{"a": 1}', "no notebook: it has no cells"),
        (b"not json at all", "no valid JSON"),
        (b"[" * 100_000, "nested without end"),
        (b'{"cells": {}}', "it has no cells"),
        (b"<<<<<<< HEAD\n{\n=======\n>>>>>>> other\n", "git merge"),
    ],
)
def test_what_is_no_notebook_is_said_to_be_none_with_a_remedy(data, said):
    made = plan(data)
    assert made["status"] == "unreadable" and said in made["reason"] and ";" in made["reason"]


def test_empty_foreign_damaged_and_old_notebooks_are_told_apart():
    assert plan({"nbformat": 4, "cells": []})["status"] == "empty"
    assert plan({"nbformat": 4, "cells": [code("x = 1")]})["status"] == "foreign"
    made = answered()
    made["cells"].insert(1, {"cell_type": "code", "source": 3})
    assert third(made)[0].startswith("# Answer to welcome-3")
    assert "cell 2 is damaged" in plan(made)["notes"][0]
    made = answered()
    cells = [{**cell, "input": cell["source"]} for cell in made["cells"]]
    old = {"nbformat": 3, "worksheets": [{"cells": cells}]}
    assert third(old)[0].startswith("# Answer to welcome-3")


@pytest.mark.parametrize(
    ("text", "python"),
    [
        ("x = 5 % 3", "x = 5 % 3"),
        ("%%time\nx = 1", "\nx = 1"),
        ("%%bash\nrm -rf /", "pass"),
        ("!pip install numpy\nx = 1", "pass  # !pip install numpy\nx = 1"),
        ("y = %time f(2)", "y = f(2)"),
        ("files = !ls", "files = None"),
        ("torch.cat?", "pass  # torch.cat?"),
    ],
)
def test_what_only_a_notebook_understands_is_passed_over(text, python):
    assert as_python(text) == python
