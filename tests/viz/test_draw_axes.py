"""What `draw_axes` tells: which dimension is which, what is new, what is gone."""

import itertools

import pytest

import course_lib as torch
from course_lib.viz import draw_axes
from course_lib.viz.pictures.axes import describe_axes


def rows(*tensors, labels=None):
    return describe_axes(tensors, ["t"] * len(tensors), labels)


def called(row):
    return "".join(axis.label[0] for axis in row.axes)


def test_a_transpose_swaps_the_labels(views):
    x = views.tensor([[1, 2, 3], [4, 5, 6]])
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
