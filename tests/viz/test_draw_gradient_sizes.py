"""Sizes of gradients, which leave no trace when they are measured."""

import pytest

from course_lib.viz import draw_gradient_sizes


def test_each_box_tells_the_gradient_that_arrives(x):
    loss = (x * 0.001).sum()
    boxes = {box.title: box for box in draw_gradient_sizes(loss).diagram.boxes}
    assert boxes["x"].kind == "leaf heat 2" and boxes["x"].tag.endswith("small")
    assert boxes["x"].lines[-1] == "gradient 0.001"
    assert boxes["MulBackward0"].kind == "heat 3"


def test_no_grad_and_no_hook_is_touched(x):
    h = x * 2
    h.retain_grad()
    (h * h).sum().backward(retain_graph=True)
    calls = []
    x.register_post_accumulate_grad_hook(calls.append)
    kept = x.grad, h.grad
    draw_gradient_sizes((h * 3).sum())
    assert x.grad is kept[0] and h.grad is kept[1] and calls == []


def test_a_graph_that_is_freed_is_refused_with_the_remedy(lib):
    x = lib.tensor([1.0], requires_grad=True)
    y = (x * x).sum()
    y.backward()
    with pytest.raises(ValueError, match="draw it before backward"):
        draw_gradient_sizes(y)


def test_of_a_graph_that_is_cut_before_its_leaves_that_is_told(x, monkeypatch):
    monkeypatch.setattr("course_lib.viz.reading.walk.FAR", 2)
    with pytest.raises(ValueError, match="could not run backward: no leaf is among the"):
        draw_gradient_sizes((x * 1 * 1 * 1 * 1).sum())
