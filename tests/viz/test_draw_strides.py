"""What `draw_strides` tells about the walk in row order, as `view` has it, and `draw_axes`."""

import itertools
import re

import pytest

import course_lib as torch
from course_lib.viz import draw_axes, draw_strides
from course_lib.viz.pictures.strides import describe_axes, walk_of
from course_lib.viz.reading.memory import memories


def walk(tensor):
    ((memory, _),) = memories([tensor])
    return walk_of(memory.layout(tensor))


def test_every_second_column_of_an_even_width_is_an_even_walk(lib):
    seen = walk(lib.tensor([[1, 2], [3, 4]])[:, ::2][:, :1])
    assert (seen.places, seen.seams) == ((0, 2), ())
    seen = walk(lib.tensor([[1, 2, 3, 4], [5, 6, 7, 8]])[:, ::2])
    assert seen.seams == ((0, 1, True),) and all(step.fits for step in seen.steps)


def test_the_steps_are_numbered_and_no_two_labels_touch():
    picture = draw_strides(torch.arange(12).reshape(3, 4).t())
    circles = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', picture.svg)
    assert [f">{n}</text>" in picture.svg for n in range(1, 12)] == [True] * 11
    assert len(circles) == 11
    for (x, y), (to, down) in itertools.combinations(circles, 2):
        assert abs(float(x) - float(to)) > 25 or abs(float(y) - float(down)) > 12


def windows():
    whole = torch.arange(48).view(2, 4, 6)
    parts = [slice(None), slice(0, 2), slice(None, None, 2), slice(1, 2)]
    for order, rows, columns in itertools.product(itertools.permutations(range(3)), parts, parts):
        yield whole.permute(order)[:, rows, columns]


def test_dimensions_merge_exactly_where_view_merges_them():
    for window in windows():
        try:
            merged = window.view(-1) is not None
        except RuntimeError:
            merged = False
        seams = walk(window).seams
        assert merged == all(fits for *_, fits in seams), (window.shape, window.stride())


@pytest.mark.parametrize("shape", [(), (0, 3), (1, 1), (40, 2), (70,), (2, 3)])
def test_every_shape_can_be_drawn(shape):
    t = torch.zeros(shape)
    assert draw_strides(t).svg.startswith("<svg") and "t  shape" in draw_strides(t).text
    assert draw_strides(t.expand(2, *shape)).svg.startswith("<svg")
    assert "cannot be drawn" in draw_strides(t.to("meta")).text


# ---- `draw_axes`: which dimension is which, what is new, what is gone ----


def rows(*tensors, labels=None):
    return describe_axes(tensors, ["t"] * len(tensors), labels)


def called(row):
    return "".join(axis.label[0] for axis in row.axes)


def test_a_transpose_swaps_the_labels(lib):
    x = lib.tensor([[1, 2, 3], [4, 5, 6]])
    _, row = rows(x, x.t(), labels=["row", "column"])
    assert [(axis.label, axis.size, axis.stride, axis.was) for axis in row.axes] == [
        ("column", 3, 1, 1),
        ("row", 2, 3, 0),
    ]


def test_every_permutation_is_followed():
    x = torch.zeros(2, 3, 4, 5)
    for order in itertools.permutations(range(4)):
        assert [axis.was for axis in rows(x, x.permute(order))[1].axes] == list(order)


@pytest.mark.parametrize(("change", "expected"), [
    (lambda x: x.squeeze(), "AC"), (lambda x: x.squeeze().unsqueeze(-1), "ACn"),
    (lambda x: x.unsqueeze(0), "nABC"), (lambda x: x.movedim(0, -1), "BCA"), (lambda x: x[0], "BC"),
    (lambda x: x.narrow(2, 1, 2), "ABC"), (lambda x: x[0, 0, 0], ""),
])  # fmt: skip
def test_what_comes_and_goes(change, expected):
    x = torch.zeros(10, 1, 5)
    assert called(rows(x, change(x))[1]) == expected


def test_what_cannot_be_drawn_is_said():
    meta = torch.zeros(2, device="meta")
    assert draw_axes(meta).text.startswith("meta cannot be drawn")
    assert "no dimension" in draw_axes(torch.tensor(3)).svg
