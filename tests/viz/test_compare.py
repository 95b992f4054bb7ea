"""Two pictures as one."""

from course_lib.viz import Picture, compare
from course_lib.viz.drawing.diagram import Box, Diagram
from course_lib.viz.drawing.picture import picture_of

ONE = picture_of(Diagram("One", (Box("a", "leaf", "apple"),)))
TWO = picture_of(Diagram("Two", (Box("p", "leaf", "pear"),)))


def test_both_drawings_titles_and_words_are_in_it_and_the_theme_once():
    pair = compare(ONE, TWO, ("before", "after"))
    assert all(word in pair.svg for word in ("apple", "pear", "before", "after"))
    assert pair.svg.count("<style>") == 1 and compare(pair, ONE).svg.count("<svg") == 5
    assert pair.text == "before\n    One\n\n    apple\n\nafter\n    Two\n\n    pear"


def test_when_one_half_cannot_be_drawn_the_words_say_so():
    bundle = compare(ONE, Picture("only words", "words"))._repr_mimebundle_()
    assert "No drawing: this picture has only words" in bundle["text/plain"]


def test_a_comparison_without_title_is_taken_apart():
    pair = compare(ONE, TWO, ("l", "r"))
    row = compare(pair, ONE, ("", "third"))
    assert row.text == f"{pair.text}\n\nthird\n    One\n\n    apple"
    assert row.alt.startswith("3 pictures. l: One.")
    assert row.svg.count("<svg") == 4


def test_three_pictures_stand_in_one_row():
    row = compare(ONE, TWO, ONE, titles=("a", "b", "c"))
    assert row.svg.count("<svg") == 4 and [line for line in row.text.splitlines() if line[0:1] in
                                           {"a", "b", "c"}] == ["a", "b", "c"]  # fmt: skip
    assert compare(ONE, TWO, ONE).text.count(ONE.text) == 2
