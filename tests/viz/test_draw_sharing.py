"""What `draw_sharing` looks up about tensors, and how it is told."""

import numpy as np

from course_lib.viz import draw_sharing
from course_lib.viz.pictures.decisions import describe_sharing, verdict_on


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


def test_the_picture_and_its_alt_text_name_every_tensor(lib):
    x = lib.tensor([1, 2])
    picture = draw_sharing(x, {"slice": {"x[:1]": x[:1]}, "list": {"x[[0]]": x[[0]]}}, "How?")
    assert picture.alt == "A decision tree. How? slice: view of x (x[:1]); list: copy (x[[0]])."
    assert "x[:1]" in picture.svg and "x[[0]]" in picture.svg and "digraph" in picture.source


def test_bytes_decide_and_not_dtypes(lib):
    z, x = lib.tensor([1 + 2j, 3 - 4j]), lib.tensor([1.0, 2.0])
    assert verdict_on(z.real, z) == verdict_on(x.view(lib.int32), x) == "view"
    assert verdict_on(z.real, z.imag) == "neighbour"


def test_arrays_on_the_same_bytes_share_whatever_storage_they_begin(lib):
    a = np.arange(6.0)
    front, back, rest = (lib.from_numpy(part) for part in (a[:4], a[3:], a[4:]))
    assert [verdict_on(back, front), verdict_on(rest, front)] == ["view", "copy"]


def test_what_has_no_memory_is_no_copy(lib):
    x = lib.tensor([1.0])
    assert verdict_on(lib.zeros(1, device="meta"), x) == verdict_on(lib.tensor([]), x) == "nothing"
