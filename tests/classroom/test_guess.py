"""Typed guesses: generous in form, told in the cell that answers, remembered as guesses."""

import json

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

import course_lib as torch
from course_lib.classroom.guessed import as_guess, in_words, misses
from course_lib.classroom.progress import Journal, guesses, standings
from course_lib.classroom.workspace import STATE

WHOLE = torch.tensor([[1, 2], [3, 4]])


@pytest.mark.parametrize(
    ("shown", "guess"),
    [
        (WHOLE, [[1, 2], [3, 4]]),
        (WHOLE, ((1, 2), (3, 4.0))),
        (WHOLE, torch.tensor([[1, 2], [3, 4]])),
        (torch.tensor(13.0, requires_grad=True) * 1, 13),
        (torch.tensor([2.0, 3.0], requires_grad=True), torch.tensor([2.0, 3.0])),
        (torch.tensor([0.1]), [0.1]),
        (torch.tensor([4 / 3, 2.0]), [1.33, 2]),
        (torch.tensor([True, False]), [True, False]),
        (torch.zeros(2, 0), [[], []]),
        (WHOLE.shape, (2, 2)),
        (WHOLE.shape, [2, 2]),
        ((WHOLE.shape, torch.int64), ([2, 2], "int64")),
        (torch.int64, torch.int64),
        (torch.int64, "torch.int64"),
        (torch.device("cpu"), "cpu"),
        ((12, 4_000_000), (12, 4000000)),
        ([1, None], [1, None]),
        ("view", " View "),
        ("second", "the second"),
        ([True, None], ["true", " NONE"]),
        (7, 7.0),
        (RuntimeError("no"), RuntimeError),
        (RuntimeError("no"), RuntimeError("something else")),
        (RuntimeError("no"), "RuntimeError"),
        (RuntimeError("no"), "error"),
    ],
)
def test_what_means_the_same_is_right(shown, guess):
    assert misses(as_guess(shown), as_guess(guess)) == []


@pytest.mark.parametrize(
    ("shown", "guess", "said"),
    [
        (WHOLE, [[1, 2], [3, 5]], "at [1][1]: expected 4, yours is 5"),
        (WHOLE, [1, 2, 3, 4], "expected 2 items, yours has 4"),
        (WHOLE, torch.tensor([[1.0, 2.0], [3.0, 4.0]]), "the dtype should be torch.int64"),
        (WHOLE, 10, "a list of 2 lists is asked for, and you gave one number"),
        (WHOLE, "unchanged", "a list of 2 lists is asked for, and you gave a text"),
        (torch.tensor([3]), "", "a list of 1 number is asked for, and you gave a text"),
        ([True, 2], "2 rows", "a list of 2 values is asked for, and you gave a text"),
        ([True, False], "yes no", "a list of 2 truth values is asked for, and you gave a text"),
        (True, "false", "True or False is asked for, and you gave a text"),
        ("the write", 3.0, "a text is asked for, and you gave 3.0"),
        (13, "thirteen", "a number is asked for, and you gave a text"),
        (13, "13", "type it without quotation marks"),
        (None, "nothing", "a value of type None is asked for, and you gave a text"),
        (4 / 3, 1.3, "expected 1.33333, yours is 1.3"),
        (0.999, 1.0, "expected 0.999, yours is 1.0"),
        (torch.tensor(3), [3], "one value is asked for, and you gave a list"),
        ((2, 3), "(2, 3)", "type it without quotation marks"),
        ((12, 4_000_000), (12, 4_000_012), "at [1]: expected 4000000, yours is 4000012"),
        (torch.tensor([1, 0]), [True, False], "at [0]: expected"),
        (torch.int64, "float32", "expected torch.int64, yours is torch.float32"),
        ("view", "copy", "expected 'view', yours is 'copy'"),
        (3, "error", "no error is raised"),
        (3, ValueError, "no error is raised"),
        (ValueError("no"), 3, "it raises an error, ValueError"),
        (ValueError("no"), RuntimeError, "it raises an error, as you guessed, but ValueError"),
    ],
)
def test_what_differs_is_said(shown, guess, said):
    (sentence, *_) = misses(as_guess(shown), as_guess(guess))
    assert sentence.startswith(said)


def test_a_guess_is_shown_as_typed_is_no_standing_and_only_the_first_one_counts():
    assert in_words(as_guess(ValueError("no"))) == "ValueError"
    assert in_words(as_guess([1, "a"])) == "[1, 'a']"
    first = {"at": "1", "question": "welcome-list", "event": "guess", "word": "wrong"}
    events = [first | {"at": "2", "word": "right"}, first]
    assert standings(events) == {} and guesses(events) == {"welcome-list": "wrong"}


ANSWER = "[1, 2, 3] * 2"  # of welcome-list in lesson 00, the next ones of other guesses there
BRACKETS = """for data in [7, [7], [[7, 8, 9]], [[[7]], [[8]]]]:
    t = torch.tensor(data)
    print(t.ndim, t.numel(), t.shape)"""  # of lesson 01
UNEQUAL = "three = torch.tensor([1, 2, 3])\ntwo = torch.tensor([10, 20])\nthree + two"
LEAF = "x = torch.tensor([2.0, 3.0], requires_grad=True)\ny = (x * x).sum()"
OTHER = LEAF.replace("2.0, 3.0", "3.0, 2.0")
LARGER = "y.backward()\nx.grad"
WAYS = {
    "skipped": ['guess("welcome-list", ...)', ANSWER],
    "wrong": ['guess("welcome-list", [2, 4, 6])', ANSWER],
    "right": ['guess("welcome-list", [1, 2, 3, 1, 2, 3])', ANSWER],
    "another cell first": ['guess("welcome-list", [1])', "1 + 1", f"{ANSWER}  # now"],
    "a slip first": ['guess("welcome-error", "error")', "three +", UNEQUAL],
    "only once": ['guess("welcome-list", [1, 2, 3, 1, 2, 3])', ANSWER, ANSWER],
    "thought better of": ['guess("welcome-list", 1)', 'guess("welcome-list", ...)', ANSWER],
    "of": ['guess("creation-brackets", (2, 1, 1))', BRACKETS],
    "of what is missing": ['guess("welcome-write", 3)', "b *= 10\ndraw_storage(a, b)"],
    "of other numbers": [OTHER, 'guess("welcome-larger", "Second")', LARGER, LEAF, LARGER],
    "of what ran before": [LEAF, LARGER, 'guess("welcome-larger", "Second")', LARGER],
    "changed afterwards": ['guess("welcome-list", 2)', ANSWER] * 2 + ['guess("welcome-list", 6)'],
    "several": ['guess("creation-brackets", 2, 1, 1)', BRACKETS],
    "misspelled": ['guess("welcomelist", 3)', "1 + 1"],
    "no such name": ['guess("welcome-list", tensor([2, 4]))', "hint(welcome-4)", "tensor"],
    "no Python": ['guess("welcome-list", 2 rows)'],
    "in no lesson": ['guess("mine-1", 3)', "1 + 1"],
}
SET_UP = "import course_lib as torch\nfrom course_lib.classroom import check, guess, hint"
FORGET = """import sys
sys.modules["course_lib.classroom.runs"]._runs.clear()
sys.modules["course_lib.classroom.guess"]._judged.clear()"""  # as a new kernel has
DEMONSTRATION = '@check("welcome-try")\ndef _try(show):\n    show("x", 1)'


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What the cells of each way displayed, and the events that were kept."""
    folder = tmp_path_factory.mktemp("guess")
    (folder / STATE).mkdir()
    (folder / "notebooks").mkdir()
    sources = [SET_UP, *(source for way in WAYS.values() for source in (*way, FORGET))]
    sources += [DEMONSTRATION, 'hint("welcome-1")']
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    place = {"metadata": {"path": folder / "notebooks"}}
    NotebookClient(notebook, allow_errors=True, resources=place).execute()
    cells = iter(notebook.cells[1:])
    shown = {way: [displayed(next(cells)) for _ in (*made, 0)][:-1] for way, made in WAYS.items()}
    return shown, Journal(folder).read()[0]


def displayed(cell: nbformat.NotebookNode) -> list[str]:
    """The texts of what a cell displayed besides its own value and errors."""
    outputs = [one for one in cell.outputs if one.output_type == "display_data"]
    return [one.data["text/plain"] for one in outputs]


TOLD = "✓ Your guess was right: "
OWN = "For a list, `*` means repeat. Python multiplies nothing here."  # sentence of this mistake
SHOWN = {  # what the cells of each way display
    "skipped": [[], []],
    "wrong": [[], [f"◐ Your guess was [2, 4, 6]\n    Expected 6 items, yours has 3\n    {OWN}"]],
    "right": [[], [f"{TOLD}[1, 2, 3, 1, 2, 3]"]],
    "another cell first": [[], [], ["◐ Your guess was [1]\n    Expected 6 items, yours has 1"]],
    "a slip first": [[], [], [f"{TOLD}'error'"]],
    "only once": [[], [f"{TOLD}[1, 2, 3, 1, 2, 3]"], []],
    "thought better of": [[], [], []],
    "of": [[], [f"{TOLD}(2, 1, 1)"]],
    "several": [[], [f"{TOLD}(2, 1, 1)"]],
    "misspelled": [["There is no guess `welcomelist`; did you mean welcome-list?"], []],
}


@pytest.mark.parametrize(("way", "shown"), SHOWN.items(), ids=SHOWN)
def test_a_guess_waits_for_its_own_cell_and_is_judged_once(run, way, shown):
    assert run[0][way] == shown


@pytest.mark.parametrize(
    ("way", "place", "typed", "why"),
    [
        ("of what is missing", 1, "3", "This cell gives something else"),
        ("of other numbers", 2, "'Second'", "This cell gives something else"),
        ("of what ran before", 2, "'Second'", "The next cell has already run."),
        ("changed afterwards", 4, "6", "The next cell has already run."),
    ],
)
def test_a_guess_after_its_cell_ran_or_in_another_world_is_not_judged(run, way, place, typed, why):
    (told,) = run[0][way][place]
    assert told.startswith(f"○ Your guess was {typed}, and it is not judged yet\n    {why}")
    assert run[0][way][place + 1 :] in ([], [[]], [[], [f"{TOLD}'Second'"]])


def test_a_guess_that_was_judged_is_no_news_when_its_cells_run_again(run):
    assert [len(texts) for texts in run[0]["changed afterwards"]] == [0, 1, 0, 0, 1]


def test_outside_a_lesson_the_next_cell_answers_and_no_name_is_told_at_once(run):
    assert run[0]["in no lesson"][1][0].startswith("◐ Your guess was 3")
    beginnings = [text[:27] for texts in run[0]["no such name"] for text in texts]
    assert beginnings == ["Nothing is called `tensor`.", "Nothing is called `welcome`"]
    for way in ("no such name", "no Python"):
        assert run[0][way][0][0].endswith("and a tensor is a list, as `[2, 4, 6]`.")


def test_guesses_are_remembered_and_nothing_else_of_a_lesson_is(run):
    kept = [(event["event"], event["question"], event.get("word")) for event in run[1]]
    assert kept[:2] == [("guess", "welcome-list", "wrong"), ("guess", "welcome-list", "right")]
    assert {event for event, _, _ in kept} == {"guess"}
    assert json.dumps(kept).count("welcome-error") == 1
