"""Two graphs as one: what is added, removed, changed, and what is paired with what."""

from pathlib import Path

import pytest
from programs import programs

# Each makes `before` and `after`; the words: the titles of marked boxes with their marks, and what
# is said.
DIFFERENCES = Path(__file__).with_name("differences.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(("code", "words"), programs(DIFFERENCES))
def test_what_differs_is_marked_and_said(lib, run, code, words):
    def line(w, b):
        return ((lib.ones(4, 3) @ w + b).tanh() ** 2).mean()

    w, b = lib.ones(3, 2, requires_grad=True), lib.zeros(2, requires_grad=True)
    picture = run(f"{code}\npicture = draw_difference(before, after)", w=w, b=b, line=line)[
        "picture"
    ]
    kinds = ("added", "removed", "changed")
    marked = {f"{box.title} {box.kind}" for box in picture.diagram.boxes if box.kind in kinds}
    assert marked == {word for word in words if word.endswith(kinds) and word[0] != "4"}
    assert [word for word in words if word not in marked and word not in picture.text] == []
    assert len(picture.diagram.boxes) < 15 and picture.svg.startswith("<svg")
