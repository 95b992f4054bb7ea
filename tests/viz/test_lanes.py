"""Long arrows of large graphs: what is drawn again, counted in boxes, arrows and rows passed."""

import pytest

from course_lib.viz import draw_graph
from course_lib.viz.drawing.diagram import Arrow, Box, Diagram, Group
from course_lib.viz.drawing.dot import dot_of
from course_lib.viz.drawing.lanes import LANES, rows, within_lanes


def one_weight(lib, steps):
    w = lib.tensor([1.0, 2.0], requires_grad=True)
    y = w
    for _ in range(steps):
        y = y * w
    return y, {"w": w}


def three_weights(lib, steps):
    weights = [lib.tensor([1.0, 2.0], requires_grad=True) for _ in range(3)]
    y = weights[0]
    for k in range(steps):
        y = y * weights[k % 3]
    return y, {"w": weights[0], "u": weights[1], "b": weights[2]}


def recurrent(lib, steps):
    w, u, b = (lib.tensor([[0.5]], requires_grad=True) for _ in range(3))
    h, total = lib.tensor([[0.0]]), 0.0
    for _ in range(steps // 7):
        h = lib.tanh(lib.tensor([[1.0]]) @ w + h @ u + b)
        total = total + h.sum()
    return total, {"w": w, "u": u, "b": b}


def stacked(lib, steps):
    u = lib.tensor([[0.5]], requires_grad=True)
    h, states = lib.tensor([[1.0]]), []
    for _ in range(steps // 2):
        h = (h @ u).tanh()
        states.append(h)
    return lib.stack(states).sum(), {"u": u}


def residual(lib, steps):
    y = lib.tensor([1.0, 2.0], requires_grad=True)
    for _ in range(steps // 4):
        y = y + (y * 2.0).tanh().exp()
    return y, {}


def nested(lib, steps):
    y, way = lib.tensor([0.5], requires_grad=True), []
    for _ in range(steps // 3):
        y = y.exp()
        way.append(y)
    for state in reversed(way):
        y = y.tanh() * state
    return y, {}


GRAPHS = [one_weight, three_weights, recurrent, stacked, residual, nested]


def drawn(graph, lib, steps):
    output, _names = graph(lib, steps)
    return within_lanes(draw_graph(output, names=_names, max_nodes=1000, fold=False).diagram)


def passed(diagram):
    """How many rows the arrows pass in all: Graphviz works on each of these places."""
    at = rows(diagram)
    long = [a for a in diagram.arrows if a.kind != "no gradient"]  # these end beside their box
    return sum(max(abs(at[a.tail] - at[a.head]) - 1, 0) for a in long)


def again(diagram):
    return [box.title for box in diagram.boxes if box.tag == "again"]


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.__name__)
def test_what_is_drawn_grows_no_faster_than_the_graph(lib, graph):
    small, large = drawn(graph, lib, 84), drawn(graph, lib, 336)
    for count in (lambda d: len(d.boxes), lambda d: len(d.arrows)):
        assert count(large) <= 4.4 * count(small)
    # Exponent 2 would be 16 times as many; those of `small` may be few, but lanes have an end.
    assert passed(large) <= LANES * max(rows(large).values())
    assert passed(large) <= 4.4 * max(passed(small), 84)


def test_a_weight_that_every_step_uses_is_drawn_at_every_step(lib):
    diagram = drawn(one_weight, lib, 40)
    assert again(diagram) == ["w"] * 39  # the last step has the leaf itself below it
    (leaf,) = [box for box in diagram.boxes if box.tag == "leaf"]
    assert leaf.lines == ("[1., 2.]",)
    assert sum(arrow.head == leaf.id for arrow in diagram.arrows) == 2


@pytest.mark.parametrize(
    ("graph", "steps", "titles"),
    [
        (stacked, 60, {"StackBackward0", "u"}),  # a sum over all steps, at its steps
        (residual, 400, set()),  # arrows that do not run side by side stay, however many
        (recurrent, 140, {"w", "u", "b"}),  # only the weights
    ],
)
def test_only_what_many_steps_use_is_drawn_again(lib, graph, steps, titles):
    assert set(again(drawn(graph, lib, steps))) == titles


def test_a_small_graph_is_drawn_as_it_is(lib):
    y, _names = one_weight(lib, LANES + 1)
    diagram = draw_graph(y, names=_names, fold=False).diagram
    assert within_lanes(diagram) is diagram
    more, _names = one_weight(lib, LANES + 2)
    assert within_lanes(draw_graph(more, names=_names, fold=False).diagram) != diagram


def test_every_arrow_is_kept_with_its_words_and_leads_to_the_same_name(lib):
    y, _names = recurrent(lib, 140)
    diagram = draw_graph(y, names=_names, max_nodes=1000, fold=False).diagram
    found = within_lanes(diagram)

    def told(d):
        title = {box.id: (box.number, box.title) for box in d.boxes}
        return [(title[a.tail], title[a.head], a.kind, a.label) for a in d.arrows]

    assert told(found) == told(diagram)


def test_words_tell_the_graph_and_the_drawing_what_it_does_in_both_directions(lib):
    y, _names = one_weight(lib, 40)
    picture, other = (draw_graph(y, names=_names, direction=w) for w in ("backward", "forward"))
    assert "again" not in picture.text and picture.text.count("-> w") == 41
    assert "again: a box that is drawn elsewhere too" in picture.svg.replace("&#160;", " ")
    assert again(within_lanes(picture.diagram)) == again(within_lanes(other.diagram))
    assert other.source.count('again"') == 39


def test_a_box_that_stands_in_is_in_the_frame_of_its_neighbour(lib):
    y, _names = one_weight(lib, 40)
    diagram = draw_graph(y, names=_names, fold=False).diagram
    framed = within_lanes(
        Diagram("", diagram.boxes, diagram.arrows, groups=(Group("g", "two steps", ("n0", "n1")),))
    )
    assert len(framed.groups[0].boxes) == 4
    assert set(framed.groups[0].boxes) <= {box.id for box in framed.boxes}


def test_a_circle_through_what_is_only_counted_has_rows(lib):
    boxes = tuple(Box(name, "function", name) for name in "abc")
    circle = Diagram("", boxes, (Arrow("a", "b"), Arrow("b", "a"), Arrow("b", "c")))
    assert rows(circle) == {"a": 0, "b": 1, "c": 2}
    assert within_lanes(circle) is circle


def test_the_longest_way_down_is_drawn_straight(lib):
    assert 'n0 -> n1 [label=" 0 " arrowhead=normal weight=8]' in dot_of(drawn(one_weight, lib, 4))
