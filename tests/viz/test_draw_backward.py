"""The film of a backward pass: its steps, its frames, and that it leaves no trace."""

import re

import pytest

from course_lib.viz import draw_backward
from course_lib.viz.drawing.picture import picture_of


@pytest.fixture
def w(lib):
    return lib.tensor([3.0, 4.0], requires_grad=True)


@pytest.fixture
def loss(x, w):
    return (x * w + x).sum()


def test_gradients_hooks_and_the_graph_are_left_as_they_were(lib, x, w, loss):
    x.grad = kept = lib.tensor([7.0, 7.0])
    film = draw_backward(loss)
    assert x.grad is kept and x.grad.tolist() == [7.0, 7.0] and w.grad is None
    frames = len(film.frames)
    loss.backward()
    assert len(film.frames) == frames and x.grad.tolist() == [11.0, 12.0]


def test_each_step_is_a_frame_with_one_box_at_work_and_the_same_layout(x, w, loss):
    film = draw_backward(loss)
    at_work = [[box.title for box in f.boxes if box.tag == "runs "] for f in film.frames]
    assert at_work == [["SumBackward0"], ["AddBackward0"], ["MulBackward0"], ["x"], ["w"]]
    kinds = [[arrow.kind for arrow in frame.arrows] for frame in film.frames]
    assert kinds[0] == ["gradient", "gradient", "later", "later", "later", "later"]
    assert kinds[-1] == ["gradient"] * 6  # the later ones waited invisibly
    stills = [picture_of(frame).svg for frame in film.frames]
    sizes = [re.match(r'<svg width="([^"]*)" height="([^"]*)"', still).groups() for still in stills]
    assert len(sizes) == 5 and len(set(sizes)) == 1
    html = film._repr_mimebundle_()["text/html"]  # where each step can be unfolded
    assert html.count("<li><b>") == 5 and html.count("<img ") == 1


def test_the_box_of_a_leaf_shows_its_gradient_before_and_after(lib, x, w, loss):
    x.grad = lib.tensor([7.0, 7.0])
    frames = draw_backward(loss).frames
    shown = [b.lines[-1].strip() for f in frames for b in f.boxes if b.title == "x"]
    assert shown == ["grad = [7., 7.]"] * 3 + ["grad = [11., 12.]"] * 2


def test_the_film_of_a_failing_backward_ends_in_its_error(x):
    y = x.exp()
    loss = y.sum()
    y.add_(1)
    film = draw_backward(loss)
    assert "Here it stops: one of the variables needed for gradient computation" in film.text
    assert film.frames[-1].captions[-1].startswith("After step 1 backward stops with an error: one")


def test_a_long_film_is_cut_and_says_so(lib):
    x = lib.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(50):
        y = y.exp() * 0.0
    film = draw_backward(y, max_nodes=5)
    assert film.text.splitlines()[-2] == "... 95 steps of functions that are not drawn"
    assert len(film.frames) == 6  # five functions and the leaf
    assert "<svg" in film.svg


# ---- nothing is left behind ----


def test_a_retained_gradient_stays_wherever_its_tensor_is_kept(x):
    deep = {"layers": [{"out": x * 3}]}
    deep["layers"][0]["out"].retain_grad()
    y = deep["layers"][0]["out"].sum()
    y.backward(retain_graph=True)
    kept = deep["layers"][0]["out"].grad
    version = kept._version
    draw_backward(y)
    assert deep["layers"][0]["out"].grad is kept and kept._version == version


def test_gradients_stay_when_a_hook_raises(lib, x):
    x.grad = kept = lib.tensor([7.0, 7.0])
    z = x * 2
    z.register_hook(lambda gradient: 1 / 0)
    film = draw_backward((z * z).sum())
    assert "Here it stops: ZeroDivisionError: division by zero" in film.text
    assert x.grad is kept and kept._version == 0


def test_random_numbers_go_on_as_if_nothing_had_run(lib, x):
    x.register_hook(lambda gradient: gradient * lib.rand(2))
    y = (x * x).sum()
    lib.manual_seed(3)
    expected = lib.rand(3).tolist()
    lib.manual_seed(3)
    draw_backward(y)
    assert lib.rand(3).tolist() == expected


# ---- hooks ----


def test_the_numbers_before_and_after_a_hook_are_told(lib):
    x = lib.tensor(3.0, requires_grad=True)
    z = x * 2
    z.register_hook(lambda gradient: gradient * 2)
    film = draw_backward(z * lib.tensor(3.0), names={"x": x, "z": z})
    assert "2. MulBackward0 receives 3., its hook turns 3. into 6., and sends 12. to x" in film.text
    assert any("hook: 3. -> 6." in box.lines for box in film.frames[-1].boxes)


# ---- odd graphs ----


def test_an_input_that_gets_no_gradient_is_told_and_labels_do_not_slip(lib):
    class Second(lib.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return a + b

        @staticmethod
        def backward(ctx, gradient):
            return None, gradient * 5

    a = lib.tensor(1.0, requires_grad=True)
    b = lib.tensor(2.0, requires_grad=True)
    film = draw_backward(Second.apply(a, b))
    assert "and sends no gradient to a, 5. to b" in film.text
    labels = {film.frames[0].box(arrow.head).title: arrow.label for arrow in film.frames[0].arrows}
    assert labels["a"] == "" and labels["b"] == "5."
