"""A number that a lesson's text names is one that the lesson shows.

nbval compares what cells show; here the prose around them is held against it. A wrong digit there
is worse than one in an output: a reader cannot run a sentence.
"""

import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[1]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
VERSIONS = {"2.13"}  # of PyTorch, which the course follows

# What only the text has: other versions, bounds, steps that the reader works out on paper.
# Whoever changes a digit here has looked at it.
SAID = {
    "00_welcome": {"0.001", "0.004", "2.001", "4.004001", "[10,20,30]"},
    "01_creation": {"[[1,2,3],[4,5,6]]"},
    "02_dtype": {"0.0001"},
    "13_graph": {"1.125", "1.5", "2.25", "4.5"},
    "18_data_vs_detach": {"0.25", "0.4"},
    "20_legacy_and_myths": {"0.2", "0.3", "0.4", "3.10", "3.8"},
    "22_gradcheck": {"0.00000024", "0.6044"},
}

RESULT = re.compile(r"[-\d.,()\[\] e]*\d[-\d.,()\[\] e]*|tensor\(.*")  # in code marks
DECIMAL = re.compile(r"(?<![\w./])\d+\.\d+(?![\w/]|\.\d)")  # in plain words


def named(prose: str) -> set[str]:
    """The results and decimal numbers that a text names, without spaces.

    >>> sorted(named("It is `tensor([1, 2])`, so 0.25 of `x` in [2.3](a.md)"))
    ['0.25', '2.3', 'tensor([1,2])']
    """
    prose = re.sub(r"```.*?```", "", prose, flags=re.DOTALL)
    spans = [span for span in re.findall(r"`([^`\n]+)`", prose) if RESULT.fullmatch(span)]
    plain = re.sub(r"`[^`\n]*`|\]\([^)]*\)", "", prose)
    return {"".join(found.split()) for found in [*spans, *DECIMAL.findall(plain)]}


def shown(notebook: nbformat.NotebookNode) -> str:
    """All that the code cells hold and show, without spaces."""
    texts = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            texts.append(cell.source)
            for output in cell.outputs:
                data = output.get("data", {})
                texts += [data.get("text/plain", ""), data.get("text/html", "")]
                texts += [output.get("text", ""), output.get("evalue", "")]
    return "".join("\n".join(texts).split())


def unfounded(notebook: nbformat.NotebookNode, said: set[str]) -> list[str]:
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    here = shown(notebook)
    return sorted(number for number in named(prose) - said - VERSIONS if number not in here)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_what_the_text_says_is_what_the_cells_show(path):
    notebook = nbformat.read(path, as_version=4)
    assert unfounded(notebook, SAID.get(path.stem, set())) == []


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_no_exception_outlives_its_reason(path):
    notebook = nbformat.read(path, as_version=4)
    assert SAID.get(path.stem, set()) <= set(unfounded(notebook, set()))


def test_a_wrong_digit_in_a_sentence_is_found():
    cells = [
        nbformat.v4.new_markdown_cell("The mean is 0.26, and `x` holds `[1., 3.]`."),
        nbformat.v4.new_code_cell("print(0.25)\nx = torch.tensor([1., 2.])"),
    ]
    assert unfounded(nbformat.v4.new_notebook(cells=cells), set()) == ["0.26", "[1.,3.]"]
