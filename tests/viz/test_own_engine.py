"""`draw_graph` draws the graph of an engine that the reader wrote; other pictures pass it over."""

import course_lib
from course_lib.viz import draw_graph, record_versions


class Function:
    """The least that a function of a graph has."""

    def __init__(self, label, *inputs):
        self.label, self.next_functions = label, tuple((v.node, 0) for v in inputs)

    def name(self):
        return self.label


class Value:
    """The least that a value with a history has; its number is a plain one."""

    requires_grad, grad_fn, shape = True, None, ()

    def __init__(self, number, grad_fn=None):
        self.number, self.grad_fn, self.grad = number, grad_fn, None
        self.node = grad_fn or Function("AccumulateGrad")
        self.node.variable = self

    def tolist(self):
        return self.number


def test_an_engine_of_the_readers_own_is_drawn_as_this_one(lib):
    def product(make, times):
        x, w = make(3.0), make(2.0)
        x.grad = make(5.0)
        y = times(x, w)
        return draw_graph(y).text

    theirs = product(lambda n: lib.tensor(n, requires_grad=True), lambda x, w: x * w)
    mine = product(Value, lambda x, w: Value(6.0, Function("MulBackward0", x, w)))
    assert mine == theirs
    assert "x  leaf\n    3.\n    grad = 5." in mine


def test_a_recording_passes_over_values_of_the_readers_own_engine():
    x = course_lib.tensor([3.0], requires_grad=True)
    with record_versions() as film:
        mine = Value(3.0)
        y = x * mine.number
    assert {title.split(",")[0] for title in film.titles} >= {"x", "y"}
    assert not any("mine" in title for title in film.titles) and y.tolist() == [9.0]


def test_a_gradient_of_the_readers_own_engine_may_be_a_plain_number():
    x = Value(3.0)
    x.grad = 2.5
    y = Value(9.0, Function("MulBackward0", x, x))
    assert draw_graph(y).diagram.box("n1").lines == ("3.", "grad = 2.5")


def test_values_that_cannot_be_listed_are_told_by_shape():
    class Block:
        requires_grad = True
        grad_fn = None

        def __init__(self, shape):
            self.shape, self.node = shape, None

    result = Block((2, 3))
    result.grad_fn = Function("MulBackward0", result)
    assert draw_graph(result).diagram.box("o0").lines == ("(2, 3)",)
