"""What `draw_jacobian` says of a function, compared as data and in words."""

from course_lib.viz import draw_jacobian
from course_lib.viz.pictures.jacobian import describe_jacobian, heat
from course_lib.viz.reading.names import Names

NO_NAMES = Names(None, None, None)


def test_rows_are_outputs_and_columns_are_inputs(lib):
    w = lib.tensor([[1.0, 2.0], [3.0, 4.0]])
    found = describe_jacobian(lambda w: w @ lib.tensor([5.0, 6.0]), (w,), NO_NAMES)
    assert found.rows == ("y[0]", "y[1]")
    assert found.columns == ("w[0, 0]", "w[0, 1]", "w[1, 0]", "w[1, 1]")
    assert found.values == ((5.0, 6.0, 0.0, 0.0), (0.0, 0.0, 5.0, 6.0))


def test_the_matrix_is_that_of_the_library(lib):
    x = lib.tensor([1.0, -2.0, 0.5], requires_grad=True)
    found = describe_jacobian(lambda x: x.softmax(0), (x,), NO_NAMES)
    rows = [lib.autograd.grad(one, x, retain_graph=True)[0] for one in x.softmax(0)]
    assert [list(row) for row in found.values] == [row.tolist() for row in rows]


def test_gradient_shows_what_backward_computes(lib):
    x, v = lib.tensor([1.0, 2.0]), lib.tensor([10.0, 1.0])
    found = describe_jacobian(lambda x: x * x, (x,), NO_NAMES, v)
    fresh = x.clone().requires_grad_()
    (fresh * fresh).backward(v)
    assert list(found.product) == fresh.grad.tolist() and found.vector == (10.0, 1.0)
    assert "v @ J" in draw_jacobian(lambda x: x * x, x, gradient=v).svg


def test_the_inputs_stay_as_they_were(lib, x):
    x.grad = kept = lib.ones(2)
    draw_jacobian(lambda x: (x * x).sum(), x)
    assert x.grad is kept and kept.tolist() == [1.0, 1.0]


def test_colour_follows_sign_and_size():
    assert [heat(v, 4.0) for v in (-4.0, -1.0, 0.0, 1.0, 4.0)] == [
        "heat 0", "heat 2", "paper", "heat 4", "heat 6"
    ]  # fmt: skip
