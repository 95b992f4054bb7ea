"""What `draw_graph` tells: compared as data, before anything is drawn."""

import time

import pytest

from course_lib.viz import draw_backward, draw_gradient_sizes, draw_graph, draw_nonfinite
from course_lib.viz.drawing.diagram import Arrow


@pytest.fixture
def y(lib):
    return lib.tensor([3.0, 4.0], requires_grad=True)


@pytest.fixture
def z(x, y):
    return x * y


def boxes(picture, *kinds):
    return [box for box in picture.diagram.boxes if box.kind in kinds]


def test_saved_tensors_are_told_with_their_names_until_they_are_freed(x, y, z):
    (box,) = boxes(draw_graph(z, show="saved"), "saved")
    assert box.lines == ("other = y = [3., 4.]", "self = x = [1., 2.]")
    z.sum().backward()
    (box,) = boxes(draw_graph(z, show="saved"), "saved")
    assert (box.lines, box.tag, box.dashed) == (("other: gone", "self: gone"), "freed", True)


def test_an_overwritten_saved_tensor_is_stale_by_kind_and_word_and_every_mode_warns(x):
    y = x.exp()
    z = y.sum()
    y.add_(1)
    (box,) = boxes(draw_graph(z, show="versions"), "stale")
    assert (box.tag, box.lines) == ("STALE", ("result = y: saved at version 0, now 1",))
    assert draw_graph(z).diagram.captions[-1].startswith("STALE")


def test_good_and_stale_tensors_of_one_function_are_in_two_boxes(x, y):
    twice = x * 2
    z = twice * y
    twice.add_(1)
    found = [(b.kind, b.lines) for b in boxes(draw_graph(z, show="saved"), "saved", "stale")]
    assert found[:2] == [
        ("saved", ("other = y = [3., 4.]",)),
        ("stale", ("self = twice: saved at version 0, now 1",)),
    ]


# ---- views ----


def test_a_view_names_its_base_and_has_a_line_to_it(x, y, z):
    first = z.view(2, 1)
    diagram = draw_graph(first).diagram
    assert diagram.box("o0").tag == "result, view of z"
    assert Arrow("o0", "n1", "view") in diagram.arrows
    assert diagram.captions[-1].startswith("Dotted lines: from a view to its base")


def test_a_named_view_on_the_way_is_told_as_one(x, y, z):
    front = z[:1]
    total = front.sum()
    diagram = draw_graph(total).diagram
    assert diagram.box("n1").lines == ("front = [3.]", "front: view of z")
    assert Arrow("n1", "n2", "view") in diagram.arrows


def test_the_base_of_a_leaf_has_a_box_even_outside_of_the_graph(lib):
    base = lib.tensor([1.0, 2.0, 3.0])
    part = base[1:]
    part.requires_grad_()
    diagram = draw_graph(part * 2).diagram
    box = next(b for b in diagram.boxes if b.tag == "base")
    assert (box.kind, box.title, box.lines) == ("constant", "base", ("[1., 2., 3.]",))
    assert Arrow("n1", box.id, "view") in diagram.arrows


def test_what_shares_no_memory_has_no_line(x, y, z):
    assert not [a for a in draw_graph(z.reshape(2) * 1).diagram.arrows if a.kind == "view"]


# ---- repeated parts ----


def recurrent(lib, steps):
    w = lib.tensor([[0.5]], requires_grad=True)
    u = lib.tensor([[0.25]], requires_grad=True)
    h, total = lib.tensor([[0.0]]), 0.0
    for _ in range(steps):
        h = lib.tanh(lib.tensor([[1.0]]) @ w + h @ u)
        total = total + h.sum()
    return w, u, total


def test_the_steps_of_a_recurrent_network_are_folded(lib):
    w, u, total = recurrent(lib, 20)
    diagram = draw_graph(total, fold=True).diagram
    assert [(g.title, g.tag) for g in diagram.groups] == [("repeated 19 times", "")]
    boxes = [diagram.box(name) for name in diagram.groups[0].boxes]
    inside = [box.title for box in boxes if box.kind == "function"]
    assert inside == [
        "AddBackward0", "SumBackward0", "TanhBackward0", "AddBackward0", "MmBackward0",
        "MmBackward0",
    ]  # fmt: skip
    assert diagram.captions[-1] == "12 of 120 functions are drawn."
    assert "Frames\nrepeated 19 times: [1] AddBackward0, " in draw_graph(total, fold=True).text


def test_what_leads_into_the_next_step_ends_in_a_stub_and_goes_on_from_there(lib):
    w, u, total = recurrent(lib, 5)
    diagram = draw_graph(total, fold=True).diagram
    stubs = {box.id for box in diagram.boxes if box.title == "... 3 more copies"}
    assert {diagram.box(a.tail).title for a in diagram.arrows if a.head in stubs} == {
        "AddBackward0",
        "MmBackward0",
    }
    assert {a.tail for a in diagram.arrows} >= stubs
    assert stubs <= set(diagram.groups[0].boxes)


def test_layers_with_weights_of_their_own_are_folded_and_their_leaves_counted(lib):
    layers = [lib.tensor([0.5, 2.0], requires_grad=True) for _ in range(6)]
    y = lib.tensor([1.0, 1.0])
    for k in range(6):
        y = (y * layers[k]).exp()
    diagram = draw_graph(y, fold=True).diagram
    assert [(g.title, g.tag) for g in diagram.groups] == [
        ("repeated 6 times", "5 leaves of other copies are not drawn")
    ]
    leaves = [b.title for b in diagram.boxes if b.kind == "leaf"]
    assert leaves == ["layers[5]"]


def tail_behind_the_horizon(lib):
    """What follows the repeated part is not drawn at all."""
    _, y = chain(lib, 100)
    y = y.sin()
    for k in range(60):
        y = (y.tanh(), y.exp(), y.cos())[(k * k + k // 7) % 3]
    for _ in range(20):
        y = (y * 2.0).sigmoid()
    return y


@pytest.mark.parametrize("make", [lambda lib: recurrent(lib, 20)[-1], tail_behind_the_horizon])
@pytest.mark.parametrize("limit", [1, 2, 3, 10, 30, 60])
def test_every_arrow_of_a_folded_graph_has_two_ends(lib, make, limit):
    diagram = draw_graph(make(lib), fold=True, max_nodes=limit).diagram
    known = {box.id for box in diagram.boxes}
    assert {end for a in diagram.arrows for end in (a.tail, a.head)} <= known


def test_what_is_not_repeated_three_times_is_not_folded(lib):
    *_, total = recurrent(lib, 3)
    assert draw_graph(total, fold=True).diagram.groups == ()


def test_folding_is_fast_and_deterministic(lib):
    x, y = chain(lib, 10_000)
    start = time.process_time()
    diagram = draw_graph(y, fold=True).diagram
    assert time.process_time() - start < 3  # of processor time; 0.2 here
    assert diagram == draw_graph(y, fold=True).diagram
    assert diagram.groups[0].title == "repeated 5,000 times"


# ---- the legend ----


def test_the_legend_tells_where_arrows_go_in_drawing_and_words(x, y, z):
    for direction, words in (
        ("backward", "gradients go this way in backward"),
        ("forward", "values went this way in forward"),
    ):
        picture = draw_graph(z, legend=True, direction=direction)
        assert words in picture.text
        assert words in picture.svg.replace("&#160;", " ")
    assert "Legend" not in draw_graph(z).text


# ---- without a graph ----


def test_a_tensor_without_a_graph_says_why(lib):
    x = lib.tensor([1.0])
    box = draw_graph(x).diagram.box("o0")
    assert (box.kind, box.tag, box.lines[1]) == ("constant", "no graph", "requires_grad = False:")


def test_several_outputs_share_their_boxes(x, y, z):
    one, two = z.sum(), z.exp()
    titles = [box.title for box in draw_graph(one, two, x).diagram.boxes]
    assert titles.count("MulBackward0") == titles.count("x") == 1
    assert [box.kind for box in draw_graph(x).diagram.boxes] == ["leaf"]


def test_drawing_changes_nothing_and_asks_no_result_for_its_gradient(x, y, z, recwarn):
    before = (x._version, y._version, z._version, x.grad)
    total = z.sum()
    repr(draw_graph(total, show="versions"))
    total.backward()
    assert before == (0, 0, 0, None) and x.grad.tolist() == [3.0, 4.0] and not recwarn


# ---- large graphs ----


def chain(lib, length):
    x = lib.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(length // 2):
        y = (y * 1.0).exp()
    return x, y


def test_a_large_graph_is_summarised_and_its_leaves_are_still_drawn(lib):
    x, y = chain(lib, 100)
    picture = draw_graph(y, max_nodes=10, fold=False)
    (fold,), (leaf,) = boxes(picture, "fold"), boxes(picture, "leaf")
    assert fold.title == "... 90 more functions"
    assert fold.lines == ("45 x ExpBackward0", "45 x MulBackward0")
    assert picture.diagram.captions[-1] == "10 of 100 functions are drawn."
    assert {a.tail for a in picture.diagram.arrows if a.head == leaf.id} == {fold.id}


def test_a_hundred_thousand_functions_do_not_crash(lib):
    x, y = chain(lib, 100_000)
    assert (
        draw_graph(y, fold=False).diagram.captions[-1]
        == "60 of more than 20,000 functions are drawn."
    )


def test_a_large_graph_of_repeated_parts_folds_by_itself(lib):
    x, y = chain(lib, 100)
    assert [g.title for g in draw_graph(y).diagram.groups] == ["repeated 50 times"]
    assert draw_graph(y, fold=False).diagram.groups == ()


# ---- constants, many leaves ----


def test_a_constant_is_one_stub_with_its_name_and_value(lib, x):
    c = lib.tensor([5.0, 6.0])
    stubs = boxes(draw_graph(x * c * c + 1), "no gradient")
    assert sorted((b.title, b.lines) for b in stubs) == [("c", ("[5., 6.]",)), ("no gradient", ())]


@pytest.mark.parametrize(("leaves", "drawn"), [(79, 79), (300, 60)])
def test_of_very_many_leaves_the_first_are_drawn_and_the_others_counted(lib, leaves, drawn):
    xs = [lib.ones(1, requires_grad=True) for _ in range(leaves)]
    diagram = draw_graph(lib.cat(xs).sum()).diagram
    assert sum(box.kind == "leaf" for box in diagram.boxes) == drawn
    more = [box.title for box in diagram.boxes if box.kind == "fold"]
    assert more == [f"... {leaves - drawn} more leaves"] * (leaves > drawn)
    for draw in (draw_backward, draw_gradient_sizes, draw_nonfinite):
        assert draw(lib.cat(xs).sum()).svg
