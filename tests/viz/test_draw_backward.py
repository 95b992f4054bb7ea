"""The film of a backward pass: its steps, its frames, and that it leaves no trace."""

import re

import pytest

from course_lib.viz import draw_backward


def fan_out(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    w = lib.tensor([3.0, 4.0], requires_grad=True)
    return x, w, (x * w + x).sum()


def test_every_step_tells_what_came_and_what_went(lib):
    x, w, loss = fan_out(lib)
    assert draw_backward(loss).text.splitlines() == [
        "Backward from loss, step by step",
        "1. SumBackward0 receives 1. and sends [1., 1.] to AddBackward0",
        "2. AddBackward0 receives [1., 1.] and sends [1., 1.] to MulBackward0, [1., 1.] to x",
        "3. MulBackward0 receives [1., 1.] and sends [3., 4.] to x, [1., 2.] to w",
        "4. x receives [1., 1.] + [3., 4.] = [4., 5.], which is added to x.grad",
        "5. w receives [1., 2.], which is added to w.grad",
    ]


def test_gradients_stay_as_they_were(lib):
    x, w, loss = fan_out(lib)
    x.grad = kept = lib.tensor([7.0, 7.0])
    draw_backward(loss)
    assert x.grad is kept and x.grad.tolist() == [7.0, 7.0] and w.grad is None


def test_the_graph_can_still_run_backward(lib):
    x, w, loss = fan_out(lib)
    draw_backward(loss)
    loss.backward()
    assert x.grad.tolist() == [4.0, 5.0]


def test_no_hook_stays_behind(lib):
    x, w, loss = fan_out(lib)
    film = draw_backward(loss)
    frames = len(film.frames)
    loss.backward()
    assert len(film.frames) == frames


def test_one_frame_per_step_and_one_box_at_work_in_each(lib):
    x, w, loss = fan_out(lib)
    at_work = [
        [b.title for b in frame.boxes if b.tag == "runs "] for frame in draw_backward(loss).frames
    ]
    assert at_work == [["SumBackward0"], ["AddBackward0"], ["MulBackward0"], ["x"], ["w"]]


def test_the_box_of_a_leaf_shows_its_gradient_before_and_after(lib):
    x, w, loss = fan_out(lib)
    x.grad = lib.tensor([7.0, 7.0])
    shown = [
        b.lines[-1].strip() for f in draw_backward(loss).frames for b in f.boxes if b.title == "x"
    ]
    assert shown == ["grad = [7., 7.]"] * 3 + ["grad = [11., 12.]"] * 2


def test_gradients_not_sent_yet_wait_invisibly(lib):
    x, w, loss = fan_out(lib)
    kinds = [[a.kind for a in frame.arrows] for frame in draw_backward(loss).frames]
    assert kinds[0] == ["gradient", "gradient", "later", "later", "later", "later"]
    assert kinds[-1] == ["gradient"] * 6


def test_no_frame_changes_the_layout(lib):
    x, w, loss = fan_out(lib)
    film = draw_backward(loss)
    sizes = re.findall(r'<svg x="[^"]*" y="[^"]*" width="([^"]*)" height="([^"]*)"', film.svg)
    assert len(sizes) == 5 and len(set(sizes)) == 1


def test_a_gradient_can_be_given(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    film = draw_backward(y, lib.tensor([1.0, 10.0]))
    assert "1. MulBackward0 receives [1., 10.]" in film.text


def test_the_film_of_a_failing_backward_ends_in_its_error(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    loss = y.sum()
    y.add_(1)
    film = draw_backward(loss)
    assert "Here it stops: one of the variables needed for gradient computation" in film.text
    assert "Here backward stops" in film.frames[-1].captions[-1]


def test_a_notebook_can_unfold_each_step(lib):
    x, w, loss = fan_out(lib)
    html = draw_backward(loss)._repr_mimebundle_()["text/html"]
    assert html.count("<details><summary>Step ") == 5 and html.count("<img ") == 6


def test_a_long_film_is_cut_and_says_so(lib):
    x = lib.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(50):
        y = y.exp() * 0.0
    film = draw_backward(y, max_steps=5)
    assert film.text.splitlines()[-1] == "... and 96 more steps"
    assert "<svg" in film.svg


def test_something_else_than_a_tensor_is_refused():
    with pytest.raises(TypeError, match="draw_backward wants a tensor, not int"):
        draw_backward(3)
