"""Which variable an overwritten saved tensor is: said where it can be known, and never guessed."""

from pathlib import Path

import pytest
from programs import programs

# Each makes `z`; the words are the lines in the boxes of its picture that are marked STALE.
PROGRAMS = Path(__file__).with_name("stale_names.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(("code", "lines"), programs(PROGRAMS))
def test_a_stale_tensor_has_its_name(run, code, lines):
    draw = "\npicture = draw_graph(z, show='versions', names=given())"
    boxes = run(code + draw, given=lambda: None)["picture"].diagram.boxes
    assert [line for box in boxes if box.kind == "stale" for line in box.lines] == lines
