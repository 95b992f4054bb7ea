"""What the functions of a graph keep and send: bytes, sizes of gradients, NaN."""

import importlib

import pytest

from course_lib.viz import (
    draw_backward,
    draw_gradient_sizes,
    draw_graph,
    draw_memory,
    draw_nonfinite,
    draw_versions,
)
from course_lib.viz.pictures.gradient_sizes import Sized, spread_of
from course_lib.viz.pictures.memory import ROWS, describe_memory
from course_lib.viz.reading.names import Names


def test_a_storage_is_counted_once_and_whole(lib):
    x = lib.ones(100, requires_grad=True)
    y = x.exp()
    z = (y * y[:50].sum()).sum()
    memory = describe_memory(z, Names({"x": x}, None, None))
    counted = [row.parts for row in memory.rows if "result" in row.what or "shares" in row.note]
    assert counted[0] == (0, 400) and any("shares with" in row.note for row in memory.rows)
    assert sum(row.total for row in memory.rows) == 404  # y's numbers, and the sum of the view
    part = lib.ones(1000)[:1] * lib.ones(1, requires_grad=True)
    assert describe_memory(part, Names(None, None, None)).rows[0].total == 4000


def test_of_a_large_graph_the_largest_are_told(lib):
    x = lib.ones(4, requires_grad=True)
    y = x
    for _ in range(3 * ROWS):
        y = y.exp()
    memory = describe_memory(y.sum(), Names(None, None, None))
    assert len(memory.rows) == ROWS and memory.rows[-1].where == f"{2 * ROWS + 1} more functions"
    assert sum(row.total for row in memory.rows) == 3 * ROWS * 16


def checkpointed(lib, function, reentrant):
    """What a checkpointed function makes of ones."""
    checkpoint = importlib.import_module(f"{lib.__name__}.utils.checkpoint").checkpoint
    return checkpoint(function, lib.ones(2, 3, requires_grad=True), use_reentrant=reentrant)


def test_what_backward_recomputes_is_not_kept_and_no_picture_runs_it(lib):
    calls = []

    def function(t):
        calls.append(1)
        return (t * t).exp().relu()

    y = checkpointed(lib, function, reentrant=False)
    pictures = [draw_graph(y, show=show) for show in ("values", "shapes", "saved", "versions")]
    pictures += [draw_versions(y), draw_memory(y)]
    assert all(picture.svg for picture in pictures) and len(calls) == 1
    assert "result: recomputed by backward, not kept" in pictures[2].text
    text = pictures[-1].text
    assert "0 bytes (recomputed by backward, not kept)" in text and "0 bytes are saved." in text
    assert "Not kept: 4 saved tensors that backward recomputes." in text
    for runs, draw in enumerate((draw_backward, draw_gradient_sizes, draw_nonfinite), start=2):
        assert "stops:" not in draw(y.sum()).text and len(calls) == runs  # one pass each


def test_a_checkpoint_whose_backward_runs_one_of_its_own_leaves_no_gradient_behind(lib):
    w = lib.ones(3, requires_grad=True)
    y = checkpointed(lib, lambda t: t * w, reentrant=True).sum()
    assert "stops:" not in draw_backward(y).text and w.grad is None
    assert "leaf, not reached" in draw_nonfinite(y).text  # PyTorch refuses autograd.grad here


def test_what_a_hook_has_packed_is_counted_but_not_unpacked(lib):
    hooks = lib.autograd.graph
    x = lib.ones(2, 3, requires_grad=True)
    unpacked = []

    def unpack(thing):
        unpacked.append(thing)
        return thing[0]

    with hooks.saved_tensors_hooks(lambda t: (t.clone(), "a note"), unpack):
        y = (x * x).exp()
    with hooks.saved_tensors_hooks(lambda t: "on the disk", unpack):
        y = y.exp()
    with hooks.save_on_cpu():
        y = y * x
    text = draw_memory(y).text
    told = draw_graph(y, show="saved").text
    assert "hooks have packed" in draw_versions(y).text
    assert "self: behind a hook, which keeps (2, 3) float32" in told
    assert "result: behind a hook\n" in told and not unpacked
    assert "120 bytes are saved. 96 bytes of them have no name" in text
    assert "Not kept: 1 saved tensor behind hooks, which keep something else instead." in text


# ---- sizes of gradients, which leave no trace when they are measured ----


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


def test_of_a_graph_that_is_cut_before_its_leaves_that_is_told(x, monkeypatch):
    monkeypatch.setattr("course_lib.viz.reading.walk.FAR", 2)
    with pytest.raises(ValueError, match="could not run backward: no leaf is among the"):
        draw_gradient_sizes((x * 1 * 1 * 1 * 1).sum())


# ---- where NaN and infinities begin ----


def test_what_spreads_is_marked_and_what_is_finite_is_not(lib):
    x = lib.tensor([0.0, 1.0], requires_grad=True)
    w = lib.tensor([1.0, 1.0], requires_grad=True)
    diagram = draw_nonfinite((x.log() + w).sum()).diagram
    kinds = {box.title: box.kind for box in diagram.boxes}
    assert kinds["AddBackward0"] == kinds["SumBackward0"] == "spread"
    assert kinds["w"] == "leaf"
    assert sum(arrow.kind == "spread" for arrow in diagram.arrows) == 3


def test_of_a_large_graph_the_way_from_the_origin_is_drawn(lib):
    x = lib.tensor([0.0], requires_grad=True)
    bad, h = x.log(), lib.tensor([1.0], requires_grad=True)
    for _ in range(80):
        bad, h = bad * 2, h * 2
    diagram = draw_nonfinite(bad.sum()).diagram
    assert "LogBackward0" in [box.title for box in diagram.boxes] and len(diagram.boxes) < 30
    finite = draw_nonfinite(h.sum(), max_nodes=5).diagram
    assert finite.captions[-1] == "6 of 81 functions are drawn."
    boxes = draw_nonfinite((x.log() * h).sum()).diagram.boxes
    counted = [(box.title, box.lines) for box in boxes if box.kind == "fold"]
    assert counted == [("... 80 more functions", ("80 x MulBackward0", "1 leaf"))]
    assert "functions are drawn: the way from where it begins" in diagram.captions[-1]
