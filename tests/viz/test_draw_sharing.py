"""What `draw_sharing` looks up about tensors, and how it is told."""

import pytest

from course_lib.viz import draw_sharing
from course_lib.viz.pictures.sharing import describe_sharing, share_storage


def test_a_slice_shares_and_a_list_does_not(lib):
    x = lib.tensor([1, 2, 3])
    diagram = describe_sharing(x, {"slice": {"a": x[1:]}, "list": {"b": x[[1]]}}, "How?", "x")
    found = [(box.id, box.title, box.lines) for box in diagram.boxes if box.lines]
    assert found == [
        ("view 0", "view of x", ("a  shape (2,)",)),
        ("copy 1", "copy", ("b  shape (1,)",)),
    ]


def test_a_function_that_gives_back_its_input_is_not_called_a_view(lib):
    x = lib.tensor([1.0, 2.0])
    made = {"float": {"x.float()": x.float(), "x[:]": x[:]}}
    assert [box.title for box in describe_sharing(x, made, "How?", "x").boxes] == [
        "How?", "float", "x itself", "view of x"
    ]  # fmt: skip


def test_one_answer_may_lead_both_ways(lib):
    x = lib.tensor([[1, 2], [3, 4]])
    made = {"reshape": {"x.reshape(4)": x.reshape(4), "x.t().reshape(4)": x.t().reshape(4)}}
    text = draw_sharing(x, made, "Which method?").text
    assert text == (
        "Which method?\nreshape\n"
        "    view of x: the storage of x\n        x.reshape(4)  shape (4,)\n"
        "    copy: a storage of its own\n        x.t().reshape(4)  shape (4,)"
    )


def test_the_picture_and_its_alt_text_name_every_tensor(lib):
    x = lib.tensor([1, 2])
    picture = draw_sharing(x, {"slice": {"x[:1]": x[:1]}, "list": {"x[[0]]": x[[0]]}}, "How?")
    assert picture.alt == "A decision tree. How? slice: view of x (x[:1]); list: copy (x[[0]])."
    assert "x[:1]" in picture.svg and "x[[0]]" in picture.svg and "digraph" in picture.source


def test_two_empty_tensors_share_nothing(lib):
    assert not share_storage(lib.tensor([]), lib.tensor([]))


def test_something_else_than_a_tensor_is_refused(lib):
    with pytest.raises(TypeError, match="draw_sharing wants tensors, not list"):
        draw_sharing(lib.tensor([1]), {"a list": {"[1]": [1]}})


def test_the_tensor_has_one_name_even_if_the_tree_holds_it_again(lib):
    made = {}
    x = lib.tensor([1.0])
    made["x.float()"] = x.float()
    assert "x itself: the very same tensor" in draw_sharing(x, {"float": made}, "How?").text
