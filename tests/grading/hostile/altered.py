"""Notebooks that are well formed, but no longer as they were handed out.

An answer that was copied, split, moved or deleted costs at most its own question.
"""

import json
from collections.abc import Callable

from grading.hostile.kinds import (
    ALL,
    EXERCISES,
    FILE,
    WRONG,
    Kind,
    Notebook,
    as_bytes,
    cell_of,
    code_cell,
    notebook,
    of_answers,
    of_file,
    of_notebook,
    right,
)

OTHERS = ALL.replace("3", "")
Change = Callable[[Notebook], object]

LESSONS = EXERCISES.parent / "notebooks"


def _place(book: Notebook, letter: str = "3", role: str = "answer") -> int:
    return book["cells"].index(cell_of(book, letter, role))


def _source(text: Callable[[str], str], letter: str = "3", role: str = "answer") -> Change:
    """The text of one cell, changed."""

    def change(book: Notebook) -> None:
        cell = cell_of(book, letter, role)
        cell["source"] = text("".join(cell["source"]))

    return change


def _delete(letter: str, role: str) -> Change:
    return lambda book: book["cells"].remove(cell_of(book, letter, role))


def _keep_only(wanted: Callable[[dict], bool]) -> Change:
    return lambda book: book.update(cells=[cell for cell in book["cells"] if wanted(cell)])


def _role(cell: dict) -> str:
    return cell["metadata"].get("course", {}).get("role", "")


def _copy(after: int, code: str = "") -> Change:
    """The answer again, before the first one or after it: the same, or other code."""

    def change(book: Notebook) -> None:
        copy = dict(cell_of(book, "3"))
        copy["source"] = f"# Answer to welcome-3\n{code}" if code else copy["source"]
        book["cells"].insert(_place(book) + after, copy)

    return change


def _copied_below(book: Notebook) -> None:
    """As students do: the given cell stays, and the answer stands in a copy at the end."""
    copy = dict(cell_of(book, "3"), id="copied")
    cell_of(book, "3")["source"] = "# Answer to welcome-3\ndef mean_square(x):\n    ..."
    book["cells"].append(copy)


def _split(lines: int, more: str = "") -> Change:
    """The answer in two cells, of which the first has that many of its lines."""

    def change(book: Notebook) -> None:
        text = right()["3"].split("\n")
        cell_of(book, "3")["source"] = "\n".join(text[:lines]) + more
        book["cells"].insert(_place(book) + 1, code_cell("\n".join(text[lines:])))

    return change


def _merged_with_the_check(book: Notebook) -> None:
    check = cell_of(book, "3", "check")
    cell_of(book, "3")["source"] += "\n\n" + "".join(check["source"])
    book["cells"].remove(check)


def _merged_with_the_next(book: Notebook) -> None:
    cell_of(book, "3")["source"] += "\n\n" + right()["4"]
    book["cells"].remove(cell_of(book, "4"))


def _moved(place: int) -> Change:
    return lambda book: book["cells"].insert(place, book["cells"].pop(_place(book)))


def _two_swapped(book: Notebook) -> None:
    second, third = cell_of(book, "2"), cell_of(book, "3")
    second["source"], third["source"] = third["source"], second["source"]


def _as_type(kind: str) -> Change:
    def change(book: Notebook) -> None:
        cell = cell_of(book, "3")
        cell["cell_type"] = kind
        cell.pop("outputs"), cell.pop("execution_count")

    return change


def _no_marks_at_all(book: Notebook) -> None:
    cell = cell_of(book, "3")
    cell["source"], cell["metadata"], cell["id"] = right()["3"].split("\n", 1)[1], {}, "mine"


def _answer_in_the_check(book: Notebook) -> None:
    check = cell_of(book, "3", "check")
    check["source"] = right()["3"] + "\n\n" + "".join(check["source"])
    cell_of(book, "3")["source"] = "# Answer to welcome-3\n..."


def _another_function_beside(book: Notebook) -> None:
    """A cell of the student's own before the answer, which needs it."""
    book["cells"].insert(_place(book), code_cell("def squared(x):\n    return x * x"))
    text = "# Answer to welcome-3\ndef mean_square(x):\n    return squared(x).mean()"
    cell_of(book, "3")["source"] = text


ONE: dict[str, tuple[Change, str, str]] = {
    # name: what is changed, the questions that keep their marks, those that must not
    "answer-twice": (_copy(0), OTHERS, ""),
    "answer-twice-first-wrong": (_copy(0, WRONG["3"]), OTHERS, ""),
    "answer-twice-then-wrong": (_copy(1, WRONG["3"]), OTHERS, ""),
    "answer-in-a-copy": (_copied_below, OTHERS, ""),
    "answer-split": (_split(1, "\nscale = 1"), OTHERS, ""),
    "answer-split-in-a-function": (_split(2), OTHERS, ""),
    "answer-and-check-merged": (_merged_with_the_check, ALL, ""),
    "two-answers-merged": (_merged_with_the_next, "t125", ""),
    "answer-at-the-end": (_moved(999), ALL, ""),
    "answer-at-the-start": (_moved(0), OTHERS, ""),
    "two-answers-swapped": (_two_swapped, "t145", ""),
    "answer-deleted": (_delete("3", "answer"), OTHERS, "3"),
    "answer-as-markdown": (_as_type("markdown"), OTHERS, "3"),
    "answer-as-raw-text": (_as_type("raw"), OTHERS, "3"),
    "answer-emptied": (_source(lambda text: ""), OTHERS, "3"),
    "answer-without-its-first-line": (_source(lambda text: text.split("\n", 1)[1]), OTHERS, ""),
    "answer-without-any-mark": (_no_marks_at_all, OTHERS, ""),
    "answer-in-the-check": (_answer_in_the_check, OTHERS, ""),
    "answer-in-capitals": (_source(lambda text: text.replace("# Answer", "# ANSWER")), OTHERS, ""),
    "answer-with-spaces": (_source(lambda text: text.replace("-3\n", "-3   \n", 1)), ALL, ""),
    "answer-after-a-blank-line": (_source(lambda text: "\n\n" + text), ALL, ""),
    "answer-after-a-comment": (_source(lambda text: "# by me\n" + text), OTHERS, ""),
    "answer-of-another-name": (_source(lambda text: text.replace("-3", "-9", 1)), OTHERS, ""),
    "answer-named-as-another": (_source(lambda text: text.replace("-3", "-2", 1)), "t145", ""),
    "answer-with-windows-ends": (_source(lambda text: text.replace("\n", "\r\n")), ALL, ""),
    "answer-with-old-mac-ends": (_source(lambda text: text.replace("\n", "\r")), OTHERS, ""),
    "answer-with-tabs": (_source(lambda text: text.replace("    ", "\t")), ALL, ""),
    "answer-with-letters-of-the-world": (_source(lambda text: text + "\n# größer 数 🎉"), ALL, ""),
    "function-beside": (_another_function_beside, ALL, ""),
    "check-deleted": (_delete("3", "check"), ALL, ""),
    "check-edited-by-mistake": (_source(lambda text: text + "x", role="check"), ALL, ""),
    "check-as-of-another": (_source(lambda text: text.replace("-3", "-2"), role="check"), ALL, ""),
    "prompt-deleted": (_delete("3", "prompt"), ALL, ""),
}


# ---- the whole notebook --------------------------------------------------------------------------


def _without_metadata(book: Notebook) -> None:
    book["metadata"] = {}
    for cell in book["cells"]:
        cell["metadata"] = {}
        cell.pop("id", None)


def _executed(book: Notebook) -> None:
    for number, cell in enumerate(book["cells"]):
        if cell["cell_type"] == "code":
            cell["execution_count"] = number * 7 % 31
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": "hello\n"}]


def _only_outputs(book: Notebook) -> None:
    _executed(book)
    for cell in book["cells"]:
        cell["source"] = ""


def _only_code(book: Notebook) -> None:
    text = "\n\n".join("".join(cell["source"]) for cell in book["cells"] if _role(cell) == "answer")
    book["cells"] = [code_cell(text)]


def _setup(text: str) -> Change:
    return lambda book: book["cells"][1].update(source=text)


WHOLE: dict[str, tuple[Change, str]] = {
    "without-checks": (_keep_only(lambda cell: _role(cell) != "check"), ALL),
    "without-prompts": (_keep_only(lambda cell: _role(cell) != "prompt"), ALL),
    "without-markdown": (_keep_only(lambda cell: cell["cell_type"] == "code"), ALL),
    "without-setup": (_keep_only(lambda cell: _role(cell) != ""), ALL),
    "only-answers": (_keep_only(lambda cell: _role(cell) == "answer"), ALL),
    "only-answers-in-one-cell": (_only_code, ""),
    "without-metadata": (_without_metadata, ALL),
    "in-reverse": (lambda book: book["cells"].reverse(), ALL),
    "twice-in-one": (lambda book: book["cells"].extend(notebook()["cells"]), ALL),
    "run-in-any-order": (_executed, ALL),
    "setup-of-its-own": (_setup("import numpy as np\nimport math"), ""),
    "setup-with-an-error": (_setup("import course_lib as torch, no_such_module"), ALL),
}


# ---- what stands in an answer --------------------------------------------------------------------

R3 = "def mean_square(x):\n    squares = x * x\n    return squares.sum() / x.shape[0]"
CODE: dict[str, tuple[str, str, str]] = {
    "syntax-error": ("def mean_square(x)\n    return x", OTHERS, "3"),
    "bracket-left-open": ("def mean_square(x):\n    return ((x * x).mean()", OTHERS, "3"),
    "return-outside": ("return (x ** 2).mean()", OTHERS, "3"),
    "letters-that-look-alike": (R3.replace("mean", "mеan"), OTHERS, "3"),
    "markup-of-another-page": ("```python\n" + R3 + "\n```", OTHERS, ""),
    "prompt-signs": (">>> " + R3.replace("\n", "\n... "), OTHERS, ""),
    "needs-a-package": ("import tensorflow as tf\n" + R3, OTHERS, "3"),
    "needs-a-file": ("import numpy\nnumpy.load('my_data.npy')\n" + R3, OTHERS, ""),
    "needs-another-answer": ("first = doubled_sum(torch.ones(2))\n" + R3, OTHERS, ""),
    "time-magic": ("%%time\n" + R3, OTHERS, ""),
    "line-magic": ("%matplotlib inline\n%config InlineBackend.close_figures=True\n" + R3, ALL, ""),
    "shell-line": ("!ls\nfiles = !ls\n" + R3, OTHERS, ""),
    "shell-cell": ("%%bash\nls", OTHERS, "3"),
    "shell-line-that-deletes": ("!rm -rf ./*\n" + R3, OTHERS, ""),
    "await-at-the-top": ("import asyncio\nawait asyncio.sleep(0)\n" + R3, OTHERS, ""),
    "plot-in-an-answer": ("import matplotlib.pyplot as plt\nplt.plot([1, 2])\n" + R3, ALL, ""),
    "semicolons": ("y = 1; y;\n" + R3 + ";", ALL, ""),
    "loses-the-library": (R3 + "\ntorch = None", OTHERS, ""),
    "deletes-the-library": (R3 + "\ndel torch, check", OTHERS, ""),
    "random-answer": ("import random\nmean_square = lambda x: x * random.random()", OTHERS, "3"),
    "name-in-place-of-a-function": ("mean_square = 14 / 3", OTHERS, "3"),
    "class-in-place-of-a-function": ("class mean_square:\n    pass", OTHERS, "3"),
    "lambda-in-place-of-a-function": ("mean_square = lambda x: (x ** 2).mean()", ALL, ""),
    "function-of-two": ("def mean_square(x, y):\n    return x", OTHERS, "3"),
    "generator": ("def mean_square(x):\n    yield (x ** 2).mean()", OTHERS, "3"),
    "coroutine": ("async def mean_square(x):\n    return (x ** 2).mean()", OTHERS, "3"),
}


# ---- other notebooks -----------------------------------------------------------------------------


def _foreign(*texts: str) -> Callable[[], bytes]:
    book = {"cells": [code_cell(text) for text in texts], "metadata": {}}
    return lambda: as_bytes(book | {"nbformat": 4, "nbformat_minor": 5})


def _of_an_older_release(book: Notebook) -> None:
    book["metadata"]["course"]["digest"] = "0" * 16
    cell_of(book, "5", "check")["source"] = '@check("welcome-5")\ndef welcome_5(show):\n    ...'


FOREIGN: dict[str, Callable[[], bytes]] = {
    "notebook-of-another-course": _foreign("import pandas as pd\ndf = pd.DataFrame()", "df.head()"),
    "notebook-for-otter": _foreign('import otter\ngrader = otter.Notebook("lab.ipynb")', "x = 1"),
    "lesson-in-place-of-exercises": lambda: (LESSONS / FILE.removeprefix("ex")).read_bytes(),
    "another-set-under-this-name": (EXERCISES / "ex01_creation.ipynb").read_bytes,
}


def _one_set_with_the_name_of_another(book: Notebook) -> None:
    for cell in book["cells"]:
        cell["source"] = "".join(cell["source"]).replace("welcome-", "creation-")
        cell["metadata"] = {}


def _two_sets_in_one(book: Notebook) -> None:
    book["cells"] += json.loads((EXERCISES / "ex01_creation.ipynb").read_bytes())["cells"]


KINDS: list[Kind] = [
    *[of_notebook(name, how, keep=keep, lose=lose) for name, (how, keep, lose) in ONE.items()],
    *[of_notebook(name, change, keep=keep) for name, (change, keep) in WHOLE.items()],
    *[
        # matplotlib is imported anew in each run, which takes a busy machine most of the time limit
        of_answers(name, {"3": code}, keep=keep, lose=lose, long="import matplotlib" in code)
        for name, (code, keep, lose) in CODE.items()
    ],
    *[of_file(name, make, lose="12345") for name, make in FOREIGN.items()],
    of_notebook("only-outputs", _only_outputs, lose=ALL),
    of_notebook("of-an-older-release", _of_an_older_release, keep=ALL),
    of_notebook("names-of-another-set", _one_set_with_the_name_of_another, lose=ALL),
    of_notebook("two-sets-in-one", _two_sets_in_one),
]
