"""What the words of a picture say: programs that end in a picture, and what stands in it."""

from pathlib import Path

import pytest
from programs import picture_after, programs

# Behind "alt: ", "svg: " or "source: " is what stands there; behind "!" is what is not said.
SAID = Path(__file__).with_name("said.txt").read_text(encoding="utf-8")
# Each makes `z`; the words are the lines in the boxes of its picture that are marked STALE: which
# variable it is, where that can be known, and never a guess.
STALE = Path(__file__).with_name("stale_names.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(("code", "words"), programs(SAID))
def test_the_words_of_a_picture_say(lib, x, code, words):
    picture = picture_after(lib, code, x=x)
    assert picture.svg.startswith("<svg")
    for word in words:
        where, _, rest = word.partition(": ")
        where, said = (where, rest) if where in ("alt", "svg", "source") else ("text", word)
        assert (said.removeprefix("!") in getattr(picture, where)) == (said[0] != "!"), word


@pytest.mark.parametrize(("code", "lines"), programs(STALE))
def test_a_stale_tensor_has_its_name(run, code, lines):
    draw = "\npicture = draw_graph(z, show='versions', names=given())"
    boxes = run(code + draw, given=lambda: None)["picture"].diagram.boxes
    assert [line for box in boxes if box.kind == "stale" for line in box.lines] == lines
