"""Where NaN and infinities begin: in values, in gradients, or unknown."""

import pytest

from course_lib.viz import draw_nonfinite


def origin(picture):
    return [box.title for box in picture.diagram.boxes if box.kind == "origin"]


def test_the_function_that_made_it_is_found_with_its_numbers(lib):
    x = lib.tensor([0.0, 1.0], requires_grad=True)
    picture = draw_nonfinite((x.log() * 2).mean())
    assert origin(picture) == ["LogBackward0"]
    assert "log(0.) = -inf at [0]. Why: the logarithm of 0 is minus infinity." in picture.text


@pytest.mark.parametrize(("compute", "words"), [
    (lambda x: x / (x * 0), "2. / 0. = inf at [0]. Why: dividing by 0 is infinite"),
    (lambda x: (-x).sqrt(), "sqrt(-2.) = nan at [0]. Why: a negative number has no real"),
    (lambda x: (x * 100).exp(), "exp(200.) = inf at [0]. Why: exp grows beyond"),
    (lambda x: (x * 1e30) * (x * 1e30), "Why: float32 ends at 3.403e+38"),
    (lambda x: (x * 0) ** -1.0, "(0.) ** -1. = inf at [0]. Why: 0 with a negative exponent"),
])  # fmt: skip
def test_the_reason_is_told(lib, compute, words):
    x = lib.tensor([2.0], requires_grad=True)
    assert words in draw_nonfinite(compute(x).sum()).text


def test_what_spreads_is_marked_and_what_is_finite_is_not(lib):
    x = lib.tensor([0.0, 1.0], requires_grad=True)
    w = lib.tensor([1.0, 1.0], requires_grad=True)
    diagram = draw_nonfinite((x.log() + w).sum()).diagram
    kinds = {box.title: box.kind for box in diagram.boxes}
    assert kinds["AddBackward0"] == kinds["SumBackward0"] == "spread"
    assert kinds["w"] == "leaf"
    assert sum(arrow.kind == "spread" for arrow in diagram.arrows) == 3


def test_finite_values_with_a_bad_gradient(lib):
    x = lib.tensor([4.0, 0.0], requires_grad=True)
    y = lib.where(x > 0, x.sqrt(), x).sum()
    picture = draw_nonfinite(y)
    assert origin(picture) == ["SqrtBackward0"] and x.grad is None
    assert "it receives 0. and sends nan at [1]" in picture.text
    assert "the slope of sqrt at 0 is infinite, and 0 times infinity" in picture.text


def test_of_a_large_graph_the_way_from_the_origin_is_drawn(lib):
    x = lib.tensor([0.0], requires_grad=True)
    h = x.log()
    for _ in range(80):
        h = h * 2
    diagram = draw_nonfinite(h.sum()).diagram
    assert "LogBackward0" in [box.title for box in diagram.boxes] and len(diagram.boxes) < 30
    assert "functions are drawn: the way from where it begins" in diagram.captions[-1]


def test_numbers_in_another_order_are_not_computed_with(lib):
    x = lib.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
    w = lib.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], requires_grad=True)
    loss = ((x.t() + w).reshape(2, 3) - x).sum(-1, keepdim=True).mean(-1).sum()
    tags = {box.title: box.tag for box in draw_nonfinite(loss).diagram.boxes}
    assert "No NaN" in draw_nonfinite(loss).text and tags["x"] == "leaf, finite"


def test_a_sum_over_the_last_dimension_is_computed_once_more(lib):
    x = lib.tensor([[1e38, 3e38]], requires_grad=True)
    y = x.sum(-1)
    z = (y * 2).sum()
    assert origin(draw_nonfinite(z, names={"x": x, "z": z})) == ["SumBackward1"]
