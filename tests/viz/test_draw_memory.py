"""How much memory the functions of a graph keep for backward, and what they do not keep."""

import importlib

from course_lib.viz import (
    draw_backward,
    draw_gradient_sizes,
    draw_graph,
    draw_memory,
    draw_nonfinite,
    draw_versions,
)
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
