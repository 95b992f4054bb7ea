"""Well-behaved submissions, whose grades nothing that happens beside them may change."""

from grading import submitting
from grading.hostile.kinds import (
    ALL,
    EXERCISES,
    FILE,
    WRONG,
    Kind,
    Notebook,
    Place,
    as_bytes,
    cell_of,
    code_cell,
    folder_of,
    notebook,
    of_answers,
    of_file,
    of_notebook,
    question,
    right,
)
from grading.submitting import record

SECRET = "secret-of-the-neighbour-5b1e"  # in one notebook, which no one else may read

RAISES = {letter: "raise ValueError('not today')" for letter in ALL}


def _with_a_secret(book: Notebook) -> None:
    note = {"cell_type": "markdown", "id": "mine", "metadata": {}, "source": f"My note: {SECRET}"}
    book["cells"].insert(4, note)


def _with_cells_of_its_own(book: Notebook) -> None:
    for place, text in ((8, "torch.arange(3)"), (6, "x = 5\nx * 2"), (4, "hint('welcome-try')")):
        book["cells"].insert(place, code_cell(text))
    note = {"cell_type": "markdown", "id": "thought", "metadata": {}, "source": "# I think so"}
    book["cells"].append(note)


def _with_outputs(book: Notebook) -> None:
    for number, cell in enumerate(book["cells"]):
        if cell["cell_type"] == "code":
            says = {"name": "stdout", "output_type": "stream", "text": f"run {number}\n"}
            cell["outputs"], cell["execution_count"] = [says], number


def _prints(book: Notebook) -> None:
    for letter in ALL:
        cell_of(book, letter)["source"] += f"\nprint('here is {question(letter)}')\nrepr(torch)"


def _two_sets(place: Place, student: str) -> None:
    folder = folder_of(place, student)
    (folder / FILE).write_bytes(as_bytes(notebook()))
    answers = {name: one["right"][0] for name, one in record("graph")["questions"].items()}
    (folder / "ex13_graph.ipynb").write_bytes(as_bytes(submitting.notebook("graph", answers)))


def _keeper(place: Place, student: str) -> None:
    """A mark in notes, answers, outputs and metadata."""
    mark = place.mark(student)
    book = notebook()
    note = {"cell_type": "markdown", "id": "mine", "metadata": {"mine": mark}, "source": mark * 20}
    book["cells"].insert(3, note)
    for letter in ALL:
        cell = cell_of(book, letter)
        cell["source"] = f"{right()[letter]}\n# mine: {mark}\nmine = '{mark}' * 3"
        says = {"name": "stdout", "output_type": "stream", "text": f"{mark}\n" * 50}
        cell["outputs"] = [says]
    (folder_of(place, student) / FILE).write_bytes(as_bytes(book))


# Their turns come before those of the kinds that read their own memory.
KEEPERS: list[Kind] = [
    Kind(f"good-keeper-of-a-mark-{number}", _keeper, keep=ALL, review=False) for number in range(8)
]
KINDS: list[Kind] = [
    *KEEPERS,
    of_notebook("good-all", _with_a_secret, keep=ALL, review=False),
    of_file("good-untouched", (EXERCISES / FILE).read_bytes, lose=ALL, review=False),
    of_answers("good-all-wrong", WRONG, keep="t", lose="12345", review=False),
    of_answers("good-half", {"2": WRONG["2"], "4": "..."}, keep="t135", lose="24", review=False),
    of_answers("good-that-raises", RAISES, lose=ALL, review=False),
    of_notebook("good-with-cells-of-its-own", _with_cells_of_its_own, keep=ALL, review=False),
    of_notebook("good-with-outputs", _with_outputs, keep=ALL, review=False),
    of_notebook("good-that-prints", _prints, keep=ALL, review=False),
    Kind("good-with-two-sets", _two_sets, keep=ALL, review=False),
]
