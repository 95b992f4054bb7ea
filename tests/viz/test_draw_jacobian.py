"""What `draw_jacobian` says of a function, compared as data and in words."""

from course_lib.viz import draw_jacobian
from course_lib.viz.pictures.jacobian import describe_jacobian
from course_lib.viz.pictures.jacobian_chart import heat
from course_lib.viz.reading.names import Names

NO_NAMES = Names(None, None, None)


def test_rows_are_outputs_and_columns_are_inputs(lib):
    w = lib.tensor([[1.0, 2.0], [3.0, 4.0]])
    found = describe_jacobian(lambda w: w @ lib.tensor([5.0, 6.0]), (w,), NO_NAMES)
    assert found.rows == ("y[0]", "y[1]")
    assert found.columns == ("w[0, 0]", "w[0, 1]", "w[1, 0]", "w[1, 1]")
    assert found.values == ((5.0, 6.0, 0.0, 0.0), (0.0, 0.0, 5.0, 6.0))


def test_the_matrix_is_that_of_the_library(lib):
    x = lib.tensor([1.0, -2.0, 0.5])
    found = describe_jacobian(lambda x: x.softmax(0), (x,), NO_NAMES)
    expected = lib.autograd.functional.jacobian(lambda x: x.softmax(0), x)
    assert [list(row) for row in found.values] == expected.tolist()


def test_an_elementwise_function_has_a_diagonal(lib):
    picture = draw_jacobian(lambda x: x.exp(), lib.tensor([0.0, 1.0]))
    assert "Only the diagonal has numbers other than 0" in picture.text


def test_a_running_sum_is_a_triangle(lib):
    picture = draw_jacobian(lambda x: x.cumsum(0), lib.tensor([1.0, 2.0, 3.0]))
    assert "Above the diagonal all is 0" in picture.text


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


def test_a_result_without_a_graph_says_so(lib):
    text = draw_jacobian(lambda x: x.detach() * 2, lib.tensor([1.0])).text
    assert "All numbers are 0: no gradient of y reaches x." in text
    assert "The result has no graph" in text


def test_an_empty_tensor_has_no_slope(lib):
    picture = draw_jacobian(lambda x: x * 2, lib.zeros(0))
    assert "There are no numbers in y" in picture.text and "<svg" in picture.svg


def test_infinite_slopes_are_told(lib):
    picture = draw_jacobian(lambda x: x.sqrt(), lib.tensor([0.0, 4.0]))
    assert "inf" in picture.text and "draw_nonfinite" in picture.text and "<svg" in picture.svg


def test_a_large_matrix_has_signs_instead_of_numbers(lib):
    picture = draw_jacobian(lambda x: -x, lib.ones(20))
    assert "- . ." in picture.text and "Signs stand for numbers" in picture.svg


def test_a_name_of_the_caller_never_names_the_result_too(lib):
    y = lib.tensor(2.0)
    assert draw_jacobian(lambda t: t * t, y).text.startswith("Jacobian of result = function(y)")


def test_colour_follows_sign_and_size():
    assert [heat(v, 4.0) for v in (-4.0, -1.0, 0.0, 1.0, 4.0)] == [
        "heat 0", "heat 2", "paper", "heat 4", "heat 6"
    ]  # fmt: skip
