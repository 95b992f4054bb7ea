"""What `draw_decisions` makes of questions and verdicts, and how it is told."""

from course_lib.viz import draw_decisions
from course_lib.viz.pictures.decisions import describe_decisions

TREE = {
    "Is it a leaf?": {"yes": {"x += 1": "raises"},
        "no": {"Was it saved?": {"no": {"y += 1": "right", "y *= 2": "right"},
          "yes": {"y.data": "wrong: [4.0]"}}}},
}  # fmt: skip


def test_questions_and_ends_come_in_reading_order():
    diagram, depths = describe_decisions(TREE)
    assert [(box.kind, box.title, box.lines) for box in diagram.boxes] == [
        ("function", "Is it a leaf?", ()),
        ("constant", "raises", ("x += 1",)),
        ("function", "Was it saved?", ()),
        ("leaf", "right", ("y += 1", "y *= 2")),
        ("stale", "wrong: [4.0]", ("y.data",)),
    ]
    assert depths == [0, 1, 1, 2, 2]


def test_each_arrow_is_labelled_with_the_answer():
    diagram, _ = describe_decisions(TREE)
    titles = {box.id: box.title for box in diagram.boxes}
    assert [(titles[a.tail], a.label, titles[a.head]) for a in diagram.arrows] == [
        ("Is it a leaf?", "yes", "raises"),
        ("Is it a leaf?", "no", "Was it saved?"),
        ("Was it saved?", "no", "right"),
        ("Was it saved?", "yes", "wrong: [4.0]"),
    ]


def test_the_words_and_the_alt_text_say_everything():
    picture = draw_decisions(TREE)
    assert picture.text.splitlines()[3:] == [
        "    no: Was it saved?",
        "        no: right",
        "            y += 1",
        "            y *= 2",
        "        yes: wrong: [4.0]",
        "            y.data",
    ]
    assert picture.alt == (
        "A decision tree. Is it a leaf? yes: raises (x += 1). no: Was it saved? "
        "no: right (y += 1, y *= 2). yes: wrong: [4.0] (y.data)."
    )
    assert "y *= 2" in picture.svg and "Was it saved?" in picture.source
