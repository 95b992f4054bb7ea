"""What `draw_graph` tells: compared as data, before anything is drawn."""

import time

import pytest

from course_lib.viz import draw_backward, draw_gradient_sizes, draw_graph, draw_nonfinite
from course_lib.viz.drawing.diagram import Arrow, Box


def product(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = lib.tensor([3.0, 4.0], requires_grad=True)
    return x, y, x * y


def test_a_product_is_a_result_a_function_and_two_leaves(lib):
    x, y, z = product(lib)
    diagram = draw_graph(z).diagram
    assert diagram.boxes == (
        Box("o0", "result", "z", ("[3., 8.]",), "result"),
        Box("n0", "function", "MulBackward0", number=1),
        Box("n1", "leaf", "x", ("[1., 2.]",), "leaf"),
        Box("n2", "leaf", "y", ("[3., 4.]",), "leaf"),
    )
    assert diagram.arrows == (
        Arrow("o0", "n0", "result", "grad_fn"),
        Arrow("n0", "n1", label="0"),
        Arrow("n0", "n2", label="1"),
    )


def test_shapes_instead_of_values(lib):
    x, y, z = product(lib)
    assert draw_graph(z, show="shapes").diagram.box("n1").lines == ("(2,) float32",)


def test_a_large_tensor_is_told_by_shape(lib):
    x = lib.tensor([[0.0] * 9] * 9, requires_grad=True)
    assert draw_graph(x * 2).diagram.box("n1").lines == ("(9, 9) float32",)


def test_a_matrix_is_told_row_by_row(lib):
    x = lib.tensor([[1.0, 20.0], [3.0, 4.5]], requires_grad=True)
    assert draw_graph(x * 2).diagram.box("n1").lines == ("[[ 1., 20.],", " [ 3., 4.5]]")


def test_names_come_from_the_variables_of_the_caller(lib):
    apple = lib.tensor(2.0, requires_grad=True)
    pear = apple * apple
    assert [b.title for b in draw_graph(pear).diagram.boxes if b.kind != "function"] == [
        "pear",
        "apple",
    ]


def test_a_named_tensor_on_the_way_is_told_in_the_box_of_its_function(lib):
    x, y, z = product(lib)
    total = z.sum()
    assert draw_graph(total).diagram.box("n1").lines == ("z = [3., 8.]",)


def test_given_names_come_first(lib):
    x, y, z = product(lib)
    assert draw_graph(z, names={"weight": x}).diagram.box("n1").title == "weight, x"


def test_tensors_in_a_list_are_named_by_place(lib):
    weights = [lib.tensor(1.0, requires_grad=True)]
    assert draw_graph(weights[0] * 2).diagram.box("n1").title == "weights[0]"


def test_two_names_of_one_tensor_are_both_told(lib):
    x = lib.tensor(1.0, requires_grad=True)
    same = x
    assert draw_graph(same * 2).diagram.box("n1").title == "x, same"


def test_gradients_are_told_when_present(lib):
    x, y, z = product(lib)
    z.sum().backward()
    assert draw_graph(z).diagram.box("n1").lines == ("[1., 2.]", "grad = [3., 4.]")


def test_a_freed_graph_says_so(lib):
    x, y, z = product(lib)
    z.sum().backward()
    assert any(caption.startswith("Freed") for caption in draw_graph(z).diagram.captions)


def test_a_graph_that_waits_for_backward_is_not_called_freed(lib):
    x, y, z = product(lib)
    assert not [c for c in draw_graph(z).diagram.captions if c.startswith("Freed")]


def test_saved_tensors_are_told_with_their_names(lib):
    x, y, z = product(lib)
    saved = [b for b in draw_graph(z, show="saved").diagram.boxes if b.kind == "saved"]
    assert [b.lines for b in saved] == [("other = y = [3., 4.]", "self = x = [1., 2.]")]


def test_the_boxes_of_freed_saved_tensors_are_empty(lib):
    x, y, z = product(lib)
    z.sum().backward()
    saved = [b for b in draw_graph(z, show="saved").diagram.boxes if b.kind == "saved"]
    assert [(b.lines, b.tag, b.dashed) for b in saved] == [
        (("other: gone", "self: gone"), "freed", True)
    ]


def test_an_overwritten_saved_tensor_is_stale_by_kind_and_word(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    z = y.sum()
    y.add_(1)
    stale = [b for b in draw_graph(z, show="versions").diagram.boxes if b.kind == "stale"]
    assert [(b.tag, b.lines) for b in stale] == [
        ("STALE", ("result = y: saved at version 0, now 1",))
    ]


def test_good_and_stale_tensors_of_one_function_are_in_two_boxes(lib):
    x, y, _ = product(lib)
    twice = x * 2
    z = twice * y
    twice.add_(1)
    saved = [b for b in draw_graph(z, show="saved").diagram.boxes if b.kind in ("saved", "stale")]
    assert [(b.kind, b.lines) for b in saved[:2]] == [
        ("saved", ("other = y = [3., 4.]",)),
        ("stale", ("self = twice: saved at version 0, now 1",)),
    ]


def test_every_mode_warns_of_stale_tensors(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    z = y.sum()
    y.add_(1)
    assert draw_graph(z).diagram.captions[-1].startswith("STALE")


def test_versions_of_leaves_and_results_are_told(lib):
    x, y, z = product(lib)
    assert draw_graph(z, show="versions").diagram.box("o0").lines == ("version 0",)


# ---- views ----


def test_a_view_names_its_base_and_has_a_line_to_it(lib):
    x, y, z = product(lib)
    first = z.view(2, 1)
    diagram = draw_graph(first).diagram
    assert diagram.box("o0").tag == "result, view of z"
    assert Arrow("o0", "n1", "view") in diagram.arrows
    assert diagram.captions[-1].startswith("Dotted lines: from a view to its base")


def test_a_named_view_on_the_way_is_told_as_one(lib):
    x, y, z = product(lib)
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


def test_what_shares_no_memory_has_no_line(lib):
    x, y, z = product(lib)
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


def test_every_arrow_of_a_folded_graph_has_two_ends(lib):
    w, u, total = recurrent(lib, 20)
    for limit in (1, 3, 60):
        diagram = draw_graph(total, fold=True, max_nodes=limit).diagram
        known = {box.id for box in diagram.boxes}
        assert {end for a in diagram.arrows for end in (a.tail, a.head)} <= known


def test_what_follows_a_repeated_part_may_lie_behind_the_horizon(lib):
    x, y = chain(lib, 100)
    y = y.sin()
    for k in range(60):
        y = (y.tanh(), y.exp(), y.cos())[(k * k + k // 7) % 3]
    for _ in range(20):
        y = (y * 2.0).sigmoid()
    for limit in (2, 10, 30):
        diagram = draw_graph(y, fold=True, max_nodes=limit).diagram
        known = {box.id for box in diagram.boxes}
        assert {end for a in diagram.arrows for end in (a.tail, a.head)} <= known


def test_what_is_not_repeated_three_times_is_not_folded(lib):
    w, u, total = recurrent(lib, 3)
    assert draw_graph(total, fold=True).diagram.groups == ()


def test_folding_is_fast_and_deterministic(lib):
    x, y = chain(lib, 10_000)
    start = time.process_time()
    diagram = draw_graph(y, fold=True).diagram
    assert time.process_time() - start < 3  # of processor time; 0.2 here
    assert diagram == draw_graph(y, fold=True).diagram
    assert diagram.groups[0].title == "repeated 5,000 times"


# ---- the legend ----


def test_the_legend_tells_where_arrows_go_in_drawing_and_words(lib):
    x, y, z = product(lib)
    for direction, words in (
        ("backward", "gradients go this way in backward"),
        ("forward", "values went this way in forward"),
    ):
        picture = draw_graph(z, legend=True, direction=direction)
        assert words in picture.text
        assert words in picture.svg.replace("&#160;", " ")
    assert "Legend" not in draw_graph(z).text


def test_the_legend_explains_only_what_is_there(lib):
    x, y, z = product(lib)
    words = draw_graph(z.exp(), legend=True).text.split("Legend\n")[1].splitlines()
    assert words == [
        "result: the tensor you asked about",
        "function: turns one gradient into the next",
        "leaf: gradients are added into its .grad",
        "gradients go this way in backward",
    ]


# ---- without a graph ----


def test_a_tensor_without_a_graph_says_why(lib):
    x = lib.tensor([1.0])
    box = draw_graph(x).diagram.box("o0")
    assert (box.kind, box.tag, box.lines[1]) == ("constant", "no graph", "requires_grad = False:")


def test_a_leaf_alone_is_drawn_as_a_leaf(lib):
    x = lib.tensor([1.0], requires_grad=True)
    assert [b.kind for b in draw_graph(x).diagram.boxes] == ["leaf"]


def test_several_outputs_share_their_functions(lib):
    x, y, z = product(lib)
    one, two = z.sum(), z.exp()
    names = [b.title for b in draw_graph(one, two).diagram.boxes]
    assert names.count("MulBackward0") == 1


def test_the_gradient_of_a_result_is_never_asked_for(lib, recwarn):
    x, y, z = product(lib)
    total = z.sum()
    draw_graph(total)
    assert not recwarn


def test_drawing_changes_nothing(lib):
    x, y, z = product(lib)
    before = (x._version, y._version, z._version, x.grad)
    repr(draw_graph(z, show="versions"))
    z.sum().backward()
    assert before == (0, 0, 0, None) and x.grad.tolist() == [3.0, 4.0]


# ---- large graphs ----


def chain(lib, length):
    x = lib.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(length // 2):
        y = (y * 1.0).exp()
    return x, y


def test_a_large_graph_is_summarised(lib):
    x, y = chain(lib, 100)
    diagram = draw_graph(y, max_nodes=10, fold=False).diagram
    (fold,) = [box for box in diagram.boxes if box.kind == "fold"]
    assert fold.title == "... 90 more functions"
    assert fold.lines == ("45 x ExpBackward0", "45 x MulBackward0")
    assert diagram.captions[-1] == "10 of 100 functions are drawn."


def test_the_leaves_of_a_summarised_graph_are_still_drawn(lib):
    x, y = chain(lib, 100)
    diagram = draw_graph(y, max_nodes=10, fold=False).diagram
    leaf = next(b for b in diagram.boxes if b.kind == "leaf")
    assert [diagram.box(a.tail).kind for a in diagram.arrows if a.head == leaf.id] == ["fold"]


def test_ten_thousand_functions_take_about_a_second(lib):
    x, y = chain(lib, 10_000)
    start = time.process_time()
    draw_graph(y)
    assert time.process_time() - start < 3  # of processor time; 0.05 here


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


def test_fewer_than_twenty_functions_are_never_hidden(lib):
    x, y = chain(lib, 78)
    assert not [b for b in draw_graph(y, fold=False).diagram.boxes if b.kind == "fold"]


# ---- hooks, constants, attributes, shapes ----


def test_a_leaf_that_is_asked_for_too_is_drawn_once(lib):
    x, y, z = product(lib)
    assert [b.title for b in draw_graph(z, x).diagram.boxes].count("x") == 1


def test_hooks_are_told_with_their_names(lib):
    def halve(grad):
        return grad / 2

    x, y, z = product(lib)
    x.register_hook(halve)
    y.register_hook(lambda grad: grad)
    y.register_hook(lambda grad: grad)
    y.register_post_accumulate_grad_hook(halve)
    z.register_hook(halve)
    picture = draw_graph(z.sum())
    hooks = {box.title: box.hooks for box in picture.diagram.boxes if box.hooks}
    assert hooks == {
        "MulBackward0": ("hook: halve",),
        "x": ("hook: halve",),
        "y": ("2 hooks", "post-accumulate hook: halve"),
    }
    assert "hook: halve" in picture.text and "hook: halve" in picture.svg.replace("&#160;", " ")


def test_a_constant_is_a_stub_with_its_name_and_value(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    c = lib.tensor([5.0, 6.0])
    diagram = draw_graph(x * c + 1).diagram
    stubs = [(b.title, b.lines) for b in diagram.boxes if b.kind == "no gradient"]
    assert sorted(stubs) == [("c", ("[5., 6.]",)), ("no gradient", ())]


def test_one_constant_of_two_functions_has_one_stub(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    c = lib.tensor([5.0, 6.0])
    diagram = draw_graph(x * c * c).diagram
    assert [b.title for b in diagram.boxes].count("c") == 1


def test_what_a_function_was_told_is_one_muted_line(lib):
    x = lib.tensor([[1.0, 2.0]], requires_grad=True)
    boxes = draw_graph((x**3).sum(-1, keepdim=True).sum()).diagram.boxes
    assert [b.facts for b in boxes if b.kind == "function"] == [
        (),
        ("dim = -1, keepdim = True",),
        ("exponent = 3",),
    ]


def test_functions_tell_the_shapes_they_made(lib):
    x = lib.tensor([[1.0, 2.0]], requires_grad=True)
    boxes = draw_graph((x * 2).sum(), show="shapes").diagram.boxes
    assert [b.facts for b in boxes if b.title == "MulBackward0"] == [("(1, 2)",)]


def test_a_write_into_a_part_is_explained(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    y[0] = 5.0
    assert any(c.startswith("CopySlices: ") for c in draw_graph(y).diagram.captions)


# ---- wrong use ----


def test_something_else_than_a_tensor_is_refused_by_name():
    with pytest.raises(TypeError, match="draw_graph wants tensors, not list"):
        draw_graph([1, 2])


def test_nothing_to_draw_is_refused():
    with pytest.raises(TypeError, match="at least one tensor"):
        draw_graph()


def test_an_unknown_way_to_show_is_refused(lib):
    with pytest.raises(ValueError, match="show wants one of 'values', 'shapes'"):
        draw_graph(lib.tensor(1.0), show="colours")


@pytest.mark.parametrize(("leaves", "drawn"), [(79, 79), (300, 60)])
def test_of_very_many_leaves_the_first_are_drawn_and_the_others_counted(lib, leaves, drawn):
    xs = [lib.ones(1, requires_grad=True) for _ in range(leaves)]
    diagram = draw_graph(lib.cat(xs).sum()).diagram
    assert sum(box.kind == "leaf" for box in diagram.boxes) == drawn
    more = [box.title for box in diagram.boxes if box.kind == "fold"]
    assert more == [f"... {leaves - drawn} more leaves"] * (leaves > drawn)
    for draw in (draw_backward, draw_gradient_sizes, draw_nonfinite):
        assert draw(lib.cat(xs).sum()).svg
