"""Sizes of gradients: in the graph, as bars, and that measuring leaves no trace."""

import pytest

from course_lib.viz import draw_gradient_sizes
from course_lib.viz.pictures.gradient_sizes import Sized, spread_of


def deep(lib, layers, scale):
    x = lib.ones(2)
    first = w = lib.tensor([1.0, 2.0], requires_grad=True)
    for _ in range(layers):
        x = (x * w) * scale
        w = lib.tensor([1.0, 1.0], requires_grad=True)
    return first, x.sum()


def test_each_box_tells_the_gradient_that_arrives(x):
    loss = (x * 0.001).sum()
    boxes = {box.title: box for box in draw_gradient_sizes(loss).diagram.boxes}
    assert boxes["x"].kind == "leaf heat 2" and boxes["x"].tag.endswith("small")
    assert boxes["x"].lines[-1] == "gradient 0.001"
    assert boxes["MulBackward0"].kind == "heat 3"


def test_mean_norm_and_max_measure_the_same_gradient(lib):
    x = lib.tensor([3.0, -4.0], requires_grad=True)
    loss = (x * x).sum() / 2
    for measure, size in (("mean", "3.5"), ("norm", "5."), ("max", "4.")):
        assert f"gradient {size}" in draw_gradient_sizes(loss, measure=measure).text


def test_no_grad_and_no_hook_is_touched(x):
    h = x * 2
    h.retain_grad()
    (h * h).sum().backward(retain_graph=True)
    calls = []
    x.register_post_accumulate_grad_hook(calls.append)
    kept = x.grad, h.grad
    draw_gradient_sizes((h * 3).sum())
    assert x.grad is kept[0] and h.grad is kept[1] and calls == []


def test_a_deep_network_becomes_bars_that_vanish(lib):
    first, loss = deep(lib, 40, 0.1)
    picture = draw_gradient_sizes(loss, names={"first": first})
    assert "functions, in the order of backward" in picture.text
    assert "<svg" in picture.svg and "first used at the top" in picture.svg


def test_vanishing_and_exploding_are_said():
    assert "vanish on the way to a" in spread_of((Sized("a", 1e-9), Sized("b", 1.0)))
    assert "explode on the way to a" in spread_of((Sized("a", 1e9), Sized("b", 1.0)))
    assert "nothing learns" in spread_of((Sized("a", 1e-9), Sized("b", 1e-8)))


def test_a_graph_that_is_freed_is_refused_with_the_remedy(lib):
    x = lib.tensor([1.0], requires_grad=True)
    y = (x * x).sum()
    y.backward()
    with pytest.raises(ValueError, match="draw it before backward"):
        draw_gradient_sizes(y)
