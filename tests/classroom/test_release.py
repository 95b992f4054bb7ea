"""From a source notebook to what students open, and the mistakes that an author can make."""

import json

import pytest

from course_lib import cli
from course_lib.classroom.commands.release import release, run
from course_lib.classroom.record import as_json
from course_lib.classroom.source import Mistakes, read, set_name
from course_lib.classroom.trouble import Trouble
from course_lib.classroom.verdict import judge

SETUP = "from course_lib.classroom import check"
PROMPT = """\
## Twice

`demo-1` · write a function · difficulty 1 of 5 · 2 minutes

Write `twice(n)`.

**You practise** adding. **Why it matters.** Sums are everywhere."""
ANSWER = """\
# Answer to demo-1
def twice(n):
    # BEGIN SOLUTION
    return n + n
    # END SOLUTION"""
CHECK = """\
@check("demo-1")
def demo_1(show):
    n = show.random.randint(3, 99)
    show(f"twice({n})", twice(n))"""
NOTES = """\
<!-- BEGIN MARK SCHEME -->
### Notes on demo-1
#### Hint
Once is not enough.
#### Hint
Add it to itself.
#### Right answer: a product
```python
def twice(n):
    return 2 * n
```
#### Wrong answer: the square
```python
def twice(n):
    return n * n
```
That is the square.
#### Wrong answer: one more
```python
def twice(n):
    return n + 1
```
That is one more.
#### Explanation
Twice is once and once again.
<!-- END MARK SCHEME -->"""
WHY = "## Why?\n`demo-why` · explain · 3 points · 5 minutes\n\nWhy twice?"
CELLS = {"setup": SETUP, "prompt": PROMPT, "answer": ANSWER, "check": CHECK, "notes": NOTES}


def write(folder, cells, name="03_demo.ipynb"):
    """A source notebook of these cells; prompts and notes are Markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    notebook = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    for number, text in enumerate(cells):
        markdown = text.startswith(("##", "<!--", "Words"))
        cell = {"cell_type": "markdown" if markdown else "code", "id": f"c{number}"}
        cell |= {"metadata": {}, "source": text}
        notebook["cells"].append(cell if markdown else cell | {"outputs": []})
    path = folder / name
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


def course_release(*words):
    return run(cli.parse(["release", *map(str, words)]))


@pytest.fixture
def source(tmp_path):
    return write(tmp_path / "sources", CELLS.values())


def released(source):
    """The notebook and the record of its question, and the text of all that students see."""
    notebook, record = map(json.loads, release(source, source.parent / "out").values())
    text = "".join("".join(cell["source"]) for cell in notebook["cells"])
    return notebook, record["questions"]["demo-1"], text


def test_a_released_notebook_has_stubs_visible_names_and_no_notes_and_was_not_run(source):
    notebook, _, text = released(source)
    assert "    # your code here\n    ..." in text
    assert not any(word in text for word in ("n + n", "SOLUTION", "Once is not", "MARK SCHEME"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] is None and cell["outputs"] == [] for cell in code)
    cells = [cell for cell in notebook["cells"] if "course" in cell["metadata"]]
    assert len(cells) == 3 and all("demo-1" in "".join(cell["source"]) for cell in cells)


def test_a_record_holds_what_each_answer_shows_under_a_name_without_number(source, tmp_path):
    _, question, _ = released(source)
    values = [wrong["data"]["entries"][0]["value"]["value"] for wrong in question["wrong"]]
    n = int(question["solution"]["data"]["entries"][0]["label"][6:-1])
    assert values == [n * n, n + 1]
    assert set_name(tmp_path / "03_demo.ipynb") == set_name(tmp_path / "14_demo.ipynb") == "demo"


def test_releasing_twice_writes_the_same_bytes_whatever_outputs_a_source_has(source, tmp_path):
    for target in ("one", "two"):
        course_release(source.parent, tmp_path / target)
    files = [sorted((tmp_path / name).rglob("*.*[bn]")) for name in ("one", "two")]
    first, second = ([path.read_bytes() for path in paths] for paths in files)
    assert first == second and len(first) == 2
    before = released(source)
    notebook = json.loads(source.read_text(encoding="utf-8"))
    notebook["cells"][0]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x"}]
    source.write_text(as_json(notebook), encoding="utf-8")
    assert released(source) == before


def test_a_section_called_stub_replaces_the_answer_and_other_cells_run_with_it(tmp_path):
    stub = "#### Stub\n```python\ndef twice(n):\n    return n\n```\n#### Explanation"
    cells = CELLS | {"notes": NOTES.replace("#### Explanation", stub)}
    notebook, _, _ = released(write(tmp_path, cells.values()))
    assert "".join(notebook["cells"][2]["source"]).endswith("def twice(n):\n    return n")
    cells = [SETUP, PROMPT, "two = 2", ANSWER.replace("n + n", "two * n"), CHECK, NOTES]
    assert "two = 2" in released(write(tmp_path, cells))[2]


def edited(role, old, new):
    assert old in CELLS[role]
    return list((CELLS | {role: CELLS[role].replace(old, new)}).values())


CELL_5 = "03_demo.ipynb, cell 5 (demo-1): "
LUCKY = "wrong answer 1 passes with another seed"
SAME = "".join(
    f"#### Wrong answer\n```python\ndef twice(n):\n    return {code}\n```\n{code}\n"
    for code in ("n * n", "(n) * n")
)
WRONG_AGAIN = SAME + "#### Explanation"
NO_CODE = "```python\ndef twice(n):\n    return n + 1\n```\n"
ASKED_TWICE = WHY.replace("-why", "-1")
CHECK_WHY = CHECK.replace("demo-1", "demo-why")
MORE_NOTES = NOTES.replace("demo-1", "demo-why")
SECOND = [text.replace("demo-1", "demo-2") for text in CELLS.values()]
OTHER = [text.replace("demo-1", "other-1") for text in CELLS.values()]
MISTAKES = {
    "another set's": (OTHER, "does not begin with demo-"),
    "one answer name": ([*CELLS.values(), *SECOND], "demo-1 has an answer named `twice` too"),
    "no question": ([SETUP], "it holds no question"),
    "no answer": ([SETUP, PROMPT, CHECK, NOTES], "it has no answer cell"),
    "no check": ([SETUP, PROMPT, ANSWER, NOTES], "it has no check cell"),
    "no notes": ([SETUP, PROMPT, ANSWER, CHECK], "it has no notes cell"),
    "used twice": ([*CELLS.values(), ANSWER], "cell 3 is the answer of demo-1 already"),
    "no purpose": (edited("prompt", "**Why it matters.**", ""), "never says **Why it matters.**"),
    "no end": (edited("answer", "    # END SOLUTION", ""), "not between its two markers"),
    "otter": (edited("answer", "# BEGIN", "### BEGIN"), "not between its two markers"),
    "magic": (edited("check", "    n =", "    %time n ="), "line 3 is no Python"),
    "open notes": (edited("notes", "<!-- END MARK SCHEME -->", ""), "not marked as such"),
    "one hint": (edited("notes", "#### Hint\nOnce is not enough.\n", ""), "it has 1 hints"),
    "same hint": (edited("notes", "Once is not enough", "Add it to itself"), "or there twice"),
    "telling hint": (edited("notes", "Add it to itself", "Try `n+n`"), "the solution's `n + n`"),
    "one wrong answer": (edited("notes", "#### Wrong answer: one more", "#### Hint"), "1 wrong"),
    "no message": (edited("notes", "That is one more.\n", ""), "wrong answer has no message"),
    "no code": (edited("notes", NO_CODE, ""), "no code"),
    "odd section": (edited("notes", "#### Explanation", "#### Reason"), "no section is called"),
    "passing": (edited("notes", "return n + 1", "return n * 2"), f"{CELL_5}wrong answer 2 passes"),
    "as the stub": (edited("notes", "return n + 1", "..."), "2 does what the stub does"),
    "same data": (
        edited("notes", "#### Explanation", WRONG_AGAIN),
        "1, 3, 4 show the same data",
    ),
    "luck": (edited("check", "n = ", "n = show.random.choice([4, 2, 6, 5]) or "), LUCKY),
    "false right": (edited("notes", "return 2 * n", "return 3 * n"), "“a product” is not correct"),
    "no seed": (edited("check", "show.random.randint(3, 99)", "7"), "does not depend on the seed"),
    "open fence": (edited("notes", "```\nThat is the square.", "That is"), "fence is not closed"),
    "marker off": (
        edited("check", "    n =", "    # BEGIN SOLUTION\n    n ="),
        "not the answer",
    ),
    "marked words": ([*CELLS.values(), "## More\n### END SOLUTION"], "cell 6 (demo-1): SOLUTION"),
    **{
        f"model answer {marker}": (
            [*CELLS.values(), WHY, f"# Answer to demo-why\n{marker.format('Begin')}\nIt adds."],
            "the model answer is not between",
        )
        for marker in ("<!-- {} solution -->", "### {}  SOLUTION", "**{}_Model Answers**")
    },
    "solution in small letters": (
        edited("answer", "    # END SOLUTION", "    # END SOLUTION\n    # begin solution"),
        "the solution is not between its two markers",
    ),
    "answer above": (
        [*CELLS.values(), "## So\n# Answer to demo-7\nIt adds."],
        "as it is, and it says",
    ),
    "rubric alone": ([*CELLS.values(), "#### Rubric\n- 2 points: adds"], "as it is, and it says"),
    "scheme astray": (edited("notes", "### Notes on", "### Note on"), "cell that is not the notes"),
    "essay in code": ([*CELLS.values(), WHY, "# Answer to demo-why"], "its answer is a code cell"),
    "essay checked": ([*CELLS.values(), WHY, CHECK_WHY], "its check is a code cell"),
    "essay named twice": ([*CELLS.values(), ASKED_TWICE], "cell 2 is the prompt of demo-1 already"),
    "rubric first": ([*CELLS.values(), MORE_NOTES, WHY], "cell 6 is the notes of demo-why already"),
    "raises": (edited("answer", "n + n", "n + m"), "the solution shows nothing (NameError"),
    "silent": (edited("check", 'show(f"twice({n})", twice(n))', "pass"), "solution shows nothing"),
}


@pytest.mark.parametrize(("cells", "told"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_a_source_is_told(tmp_path, cells, told):
    with pytest.raises(Mistakes) as caught:
        release(write(tmp_path, cells), tmp_path / "out")
    assert any(told in str(mistake) and mistake.remedy for mistake in caught.value.mistakes)


HELPER = "    two = 2\n    text = f'{n}'\n    return n + n"
HARMLESS = ["There are 2 of them.", "Is it `two`?", "`f'{n}'` is text"]


@pytest.mark.parametrize("hint", HARMLESS)
def test_a_hint_may_contain_what_is_plain_or_in_the_prompt(tmp_path, hint):
    cells = CELLS | {"answer": ANSWER.replace("    return n + n", HELPER)}
    cells["prompt"] = PROMPT.replace("Write `twice(n)`.", "Write `twice(n)`, not `f'{n}'`.")
    cells["notes"] = NOTES.replace("Once is not enough.", hint)
    release(write(tmp_path, cells.values()), tmp_path / "out")


@pytest.mark.parametrize("answer", ["7", "'seven'", "True", "(1, 7)"])
def test_a_hint_may_not_contain_what_is_to_be_predicted(tmp_path, answer):
    cells = CELLS | {"prompt": PROMPT.replace("write a function", "predict") + f" Not {answer}."}
    cells["answer"] = f"# Answer to demo-1\n# BEGIN SOLUTION\nit = {answer}\n# END SOLUTION"
    cells["check"] = '@check("demo-1")\ndef demo_1(show):\n    show("it", it)'
    cells["notes"] = NOTES.replace("Once is not enough.", f"It is {answer}.")
    with pytest.raises(Mistakes, match="hint 1 contains the solution"):
        release(write(tmp_path, cells.values()), tmp_path / "out")


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"nbformat": 3}', '{"nbformat": 4}'])
def test_a_file_that_is_no_notebook_is_told(tmp_path, content):
    path = tmp_path / "03_demo.ipynb"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(Mistakes, match="no notebook of format 4"):
        release(path, tmp_path / "out")


@pytest.mark.parametrize("alone", [False, True])
def test_a_notebook_or_its_folder_is_released_beside_the_sources(source, alone):
    assert course_release(source if alone else source.parent) == 0
    made = source.parents[1] / "exercises"
    assert (made / "03_demo.ipynb").is_file() and (made / ".records" / "demo.json").is_file()


def test_a_check_writes_nothing_and_says_what_is_stale(source, capsys):
    made = source.parents[1] / "exercises" / "03_demo.ipynb"
    assert course_release(source.parent, "--check") == 1
    assert "stale" in capsys.readouterr().out and not made.parent.exists()
    course_release(source.parent)
    made.write_text(made.read_text(encoding="utf-8") + " ", encoding="utf-8")  # by hand
    assert course_release(source.parent, "--check") == 1


@pytest.mark.parametrize(
    ("name", "cells", "told"),
    [
        ("04_empty.ipynb", [SETUP], "it holds no question"),
        ("04_demo.ipynb", CELLS.values(), "03_demo.ipynb is the set demo already"),
    ],
)
def test_one_mistaken_set_does_not_hold_up_the_others(source, capsys, name, cells, told):
    write(source.parent, cells, name)
    assert course_release(source.parent) == 1
    assert f"{name}: {told}" in capsys.readouterr().err
    assert (source.parents[1] / "exercises" / "03_demo.ipynb").is_file()


def test_a_handout_holds_no_answer_and_still_judges(source):
    assert course_release(source.parent, "--no-solutions") == 0
    folder = source.parents[1] / "exercises"
    text = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.*[bn]"))
    assert not any(word in text for word in ("n + n", "2 * n", "n + 1", "once again"))
    record = json.loads((folder / ".records" / "demo.json").read_text(encoding="utf-8"))
    question, full = record["questions"]["demo-1"], released(source)[1]
    word = judge("demo-1", full["solution"]["data"], question).word
    mistake = judge("demo-1", full["wrong"][0]["data"], question)
    assert (word, mistake.word, mistake.message) == ("correct", "not yet", "That is the square.")


BARE = [*CELLS.values()][:-1]  # no notes: no hint, no wrong answer, nothing


def test_a_question_that_is_only_graded_needs_no_notes(tmp_path, capsys):
    write(tmp_path / "sources", BARE)
    handout, keep = tmp_path / "handout", tmp_path / "keep"
    assert course_release(tmp_path / "sources", handout) == 1
    assert "(demo-1): it has no notes cell" in capsys.readouterr().err
    assert course_release(tmp_path / "sources", handout, "--graded", keep) == 0
    records = [(folder / ".records/demo.json").read_text("utf-8") for folder in (handout, keep)]
    assert ["n + n" in text for text in records] == [False, True]
    assert (handout / "03_demo.ipynb").read_bytes() == (keep / "03_demo.ipynb").read_bytes()
    assert course_release(tmp_path / "sources", handout, "--graded", keep, "--check") == 0


def test_what_is_missing_says_when_it_may_be(tmp_path):
    notes = NOTES.split("#### Right")[0] + "<!-- END MARK SCHEME -->"
    path = write(tmp_path, [*BARE, notes])
    with pytest.raises(Mistakes) as told:
        release(path, tmp_path / "out")
    assert len(told.value.mistakes) == 3
    assert all("only graded need none: see --graded" in str(one) for one in told.value.mistakes)
    assert release(path, tmp_path / "out", solutions=False)


def test_a_stub_that_passes_or_a_prediction_that_cannot_be_sealed_is_told(tmp_path):
    begin, end = "    # BEGIN SOLUTION\n", "    # END SOLUTION"
    cells = [text.replace(begin, "").replace(end, begin + end) for text in BARE]
    with pytest.raises(Mistakes, match="the stub passes"):
        release(write(tmp_path, cells), tmp_path / "out", solutions=False)
    tensor = "__import__('course_lib').ones(1, requires_grad=True)"
    graph = f"show.graph('the graph', {tensor} * 2) if total == 4711 else show('it', total)"
    path = write(tmp_path, predicting(graph))
    with pytest.raises(Mistakes, match=r"cell 4 \(demo-1\): its answer would be handed out in"):
        release(path, tmp_path / "out", solutions=False)


def test_what_is_kept_may_not_lie_in_what_is_handed_out(source, tmp_path):
    with pytest.raises(Trouble, match="would be handed out"):
        course_release(source.parent, tmp_path / "out", "--graded", tmp_path / "out/keep")


def test_a_handout_knows_a_mistake_whose_data_say_nothing(tmp_path):
    wrong = "def twice(n):\n    print(n + n)"
    notes = NOTES.replace("def twice(n):\n    return n + 1", wrong)
    path = write(tmp_path, [*BARE, notes])
    record = json.loads(list(release(path, tmp_path / "out", solutions=False).values())[1])
    question = record["questions"]["demo-1"]
    data = question["wrong"][1]["data"]  # None, which has many causes
    met = judge("demo-1", data, question, True, wrong.replace("n", "m").replace("primt", "print"))
    other = judge("demo-1", data, question, True, "def twice(n):\n    n.append(n)")
    assert (met.message, other.message.startswith("That is")) == ("That is one more.", False)


def predicting(check='show("the sum", total)'):
    """The cells of a set that asks for a prediction."""
    return [
        SETUP,
        PROMPT.replace("write a function", "predict"),
        "# Answer to demo-1\n# BEGIN SOLUTION\ntotal = 4711\n# END SOLUTION",
        f'@check("demo-1")\ndef demo_1(show):\n    {check}',
        NOTES.replace("def twice(n):\n    return n * n", "total = 4712")
        .replace("def twice(n):\n    return n + 1", "total = 4713")
        .replace("def twice(n):\n    return 2 * n", "total = 47 * 100 + 11"),
    ]


def test_a_prediction_cannot_be_read_in_a_handout(tmp_path):
    path = write(tmp_path, predicting())
    handout = release(path, tmp_path / "out", solutions=False)
    text = "".join(handout.values())
    assert "4711" not in text and "4712" not in text and "That is the square" not in text
    question = json.loads(list(handout.values())[1])["questions"]["demo-1"]
    _, full, _ = released(path)
    shown = [full["solution"]["data"], *(wrong["data"] for wrong in full["wrong"])]
    verdicts = [judge("demo-1", data, question) for data in shown]
    assert [one.word for one in verdicts] == ["correct", "not yet", "not yet"]
    assert [one.message for one in verdicts] == ["", "That is the square.", "That is one more."]


@pytest.mark.parametrize("name", ["05_storage_and_strides", "homework", "Week_1", "2_b.ipynb"])
def test_the_template_of_a_new_set_can_be_released_as_it_is(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new-exercise", name, "my sources"]) == 0
    assert cli.main(["release", "my sources", "handout"]) == 0
    assert len(list((tmp_path / "handout").glob("*.ipynb"))) == 1, capsys.readouterr()


def test_a_new_set_can_be_stored_and_keeps_its_model_answer_from_students(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new-exercise", "homework", "my-sources"]) == 0
    before = read(tmp_path / "my-sources" / "homework.ipynb")
    assert cli.main(["release", "my-sources", "handout", "--graded", "kept", "--store"]) == 0
    source = read(tmp_path / "my-sources" / "homework.ipynb")
    assert "[18, 2, 4]" in str(source.cells[4].raw["outputs"]) and source.digest == before.digest
    (essay,) = source.by_hand.values()
    assert essay.stub == "# Answer to homework-2\n\nYOUR ANSWER HERE"
    for path in [*(tmp_path / "handout").rglob("*.*[bn]"), *(tmp_path / "kept").rglob("*.ipynb")]:
        text = path.read_text(encoding="utf-8")
        assert essay.model not in text and essay.rubric[0][1] not in text
        assert "YOUR ANSWER HERE" in text


def test_a_new_set_replaces_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.ipynb").write_text("my work", encoding="utf-8")
    assert cli.main(["new-exercise", "mine", "."]) == 2
    assert (tmp_path / "mine.ipynb").read_text(encoding="utf-8") == "my work"


@pytest.mark.parametrize("name", ["", "two words", "../up", "a-b", "7"])
def test_a_name_that_cannot_be_one_is_refused(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new-exercise", name, "."]) == 2
    assert "no name for a set" in capsys.readouterr().err and not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", [["nowhere"], ["."], [".", "."], ["sources", "sources"]])
def test_folders_that_cannot_be_meant_are_refused(source, monkeypatch, words):
    monkeypatch.chdir(source.parents[1])
    with pytest.raises(Trouble) as caught:
        course_release(*words)
    assert caught.value.exit_code == 2
