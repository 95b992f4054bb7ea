"""The page of a notebook: what answers a guess is folded, and nothing else is lost."""

import json
from pathlib import Path

import folding
import pytest

from course_lib.classroom.copies import guess_in, part_in, text_of

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def read(path: Path):
    return json.loads(path.read_text(encoding="utf-8"))


def guesses_of(path: Path):
    record = path.parent / ".guesses" / f"{path.stem.partition('_')[2]}.json"
    return json.loads(record.read_text(encoding="utf-8"))["guesses"]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_answer_to_a_guess_is_folded_and_every_output_is_there(path):
    before = read(path)
    after = folding.as_page(read(path), guesses_of(path), "<p>links</p>")["cells"]
    guessed = [cell for cell in before["cells"] if guess_in(cell)]
    asked = [place for place, cell in enumerate(after) if 'class="guess"' in text_of(cell)]
    assert len(asked) == len(guessed) > 0
    for place in asked:
        answer = next(cell for cell in after[place + 1 :] if cell["cell_type"] == "code")
        assert "hide-output" in answer["metadata"]["tags"]
    assert not any(guess_in(cell) for cell in after)
    outputs = [[c.get("outputs") for c in cells if c.get("outputs")]
               for cells in (before["cells"], after)]  # fmt: skip
    assert outputs[0] == outputs[1]


def test_no_question_speaks_of_the_dots_of_the_notebook():
    for path in LESSONS:
        for cell in folding.as_page(read(path), guesses_of(path), "")["cells"]:
            if 'class="guess"' in text_of(cell):
                question = text_of(cell).partition("</strong>")[2]
                assert "dots" not in question and question.strip() != "</p>", cell["id"]


def test_a_part_shows_its_stub_and_folds_its_solution():
    path = ROOT / "notebooks/21_own_autograd.ipynb"
    parts = [cell for cell in read(path)["cells"] if part_in(cell)]
    after = folding.as_page(read(path), {}, "")["cells"]
    shown = [cell for cell in after if part_in(cell)]
    assert parts and len(shown) == 2 * len(parts)
    for stub, solution in zip(shown[::2], shown[1::2]):
        assert "SOLUTION" not in text_of(stub) and "SOLUTION" in text_of(solution)
        assert "hide-cell" in solution["metadata"]["tags"]


def test_links_come_under_the_title_and_the_rest_stays():
    cell = folding.titled(folding.markdown("t", "# One\n\nText."), "<p>links</p>")
    assert cell["source"] == "# One\n\n<p>links</p>\n\nText."
