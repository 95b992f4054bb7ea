"""Whether an answer cell is still the one that was handed out."""

import pytest

from course_lib.classroom.edits import cells_run, is_edited

BUG = "# Answer to demo-1\ndef f(x):\n    y = x + 1\n    return y"
RECORD = {"answers": ["f"], "stub": {"code": BUG}}
TWO = {"answers": ["a", "b"], "stub": {"code": "a = 1\nb = a.backward()"}}


@pytest.mark.parametrize(
    ("cells", "record", "expected"),
    [
        ([BUG], RECORD, False),
        (["", BUG, "print(f(1))"], RECORD, False),
        (["def f(x):\n\n    y = (x + 1)  # why?\n    return y"], RECORD, False),
        (["import math\n" + BUG + "\nprint(f(2))"], RECORD, False),
        ([BUG, BUG.replace("x + 1", "1 + x")], RECORD, True),
        ([BUG.replace("x + 1", "1 + x"), BUG], RECORD, False),
        ([BUG, "def f(x:"], RECORD, False),
        ([BUG, "f = lambda x: x"], RECORD, True),
        ([BUG, "f: int = 3"], RECORD, True),
        ([BUG, "x = 'f'"], RECORD, False),
        ([], RECORD, False),
        (["\0f"], RECORD, False),
        ([BUG, "f = " + "-" * 5000 + "1"], RECORD, False),  # too deep to run at all
        ([BUG, "f = " + "1 + " * 1500 + "1"], RECORD, True),
        (["a = 1\nb = a.backward()"], TWO, False),
        (["a = 1\nb = a"], TWO, True),
        (["a = 1\nb = a.backward()", "a = 1"], TWO, True),
        (["(a, b) = 1, 2"], TWO, True),
    ],
)
def test_an_answer_is_edited_when_its_last_cell_is_another(cells, record, expected):
    assert is_edited(cells, record) is expected


def look_in(**names):
    exec("def look(show):\n    pass", names)
    return names["look"]


def test_a_notebook_knows_the_cells_that_ran_and_a_script_is_one():
    assert cells_run(look_in(_ih=["", "a = 1", 3])) == ["", "a = 1"]
    for cells in (None, 3, "text", ("a",)):  # no list of cells
        assert cells_run(look_in(_ih=cells)) == [""]
    assert "def test_in_a_script_the_whole" in cells_run(lambda show: None)[0]
    assert cells_run(3) == []


def test_cells_that_ran_without_history_are_known_from_what_was_compiled(monkeypatch, tmp_path):
    names = {"_ih": [""]}
    cells = ["a = 1\n", "a = 2\n", "def look(show):\n    pass\n"]
    kept = {"elsewhere.py": (0, None, ["b = 1\n"], "elsewhere.py"), 3: ()}
    for number, text in enumerate(cells):
        name = str(tmp_path / f"{number}.py")
        kept[name] = (len(text), None, text.splitlines(keepends=True), name)
        exec(compile(text, name, "exec"), names)
    monkeypatch.setattr("linecache.cache", kept)
    assert cells_run(names["look"]) == cells
