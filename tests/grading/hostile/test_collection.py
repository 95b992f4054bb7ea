"""The collection itself: a hostile submission with a slip of the pen in it would test nothing."""

import ast
import json
import re
from collections import Counter

import pytest
from grading.hostile.collection import CATEGORIES, COLLECTION, HARMLESS, NEIGHBOURS
from grading.hostile.kinds import ALL, EXERCISES, FILE, WRONG, Place, question, right
from grading.submitting import record

from course_lib.classroom.proof import rehearse
from course_lib.classroom.source import read
from course_lib.classroom.verdict import judge

EXECUTED = [kind for kind in COLLECTION if kind.category not in HARMLESS]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """All of them, written."""
    base = tmp_path_factory.mktemp("collection")
    found = Place(base / "submissions", base / "results", base / "home", "socket", 1)
    for kind in COLLECTION:
        if kind.name not in ("100000-cells", "50-megabytes-of-output", "100000-outputs"):
            kind.write(found)
    return found


def test_there_are_kinds_of_every_category_with_names_of_their_own_and_no_two_wishes():
    assert len(COLLECTION) >= 650
    assert all(len(kinds) >= 8 for kinds in CATEGORIES.values())
    for names in ([kind.name for kind in COLLECTION], [kind.who for kind in COLLECTION]):
        assert [name for name, count in Counter(names).items() if count > 1] == []
    for kind in COLLECTION:
        assert not set(kind.keep) & set(kind.lose) and set(kind.keep + kind.lose) <= set(ALL)
    assert all(set(kind.keep + kind.lose) == set(ALL) for kind in NEIGHBOURS)


@pytest.mark.parametrize("kind", EXECUTED, ids=lambda kind: kind.name)
def test_hostile_code_is_code(place, kind):
    (file,) = (place.submissions / kind.who).glob("*.ipynb")
    book = json.loads(file.read_text(encoding="utf-8"))
    for cell in book["cells"]:
        text = "".join(cell["source"])
        assert not re.search(r"@[A-Z]+@", text)
        if cell["cell_type"] == "code":
            plain = "\n".join(line for line in text.split("\n") if not line.startswith("%"))
            compile(plain, kind.name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_right_answers_are_right_and_wrong_ones_are_wrong():
    source = read(EXERCISES.parent / "solutions" / FILE)
    records = record("welcome")["questions"]
    for letter in ALL:
        name = question(letter)
        for answer, word in ((right()[letter], "correct"), (WRONG.get(letter), "not yet")):
            if answer is not None:
                data = rehearse(source, source.questions[name], answer)
                assert judge(name, data, records[name]).word == word
