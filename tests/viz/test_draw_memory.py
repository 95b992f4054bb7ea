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


def checkpointed(lib, calls):
    """What a checkpointed function makes of `x`; `calls` counts how often it runs."""
    checkpoint = importlib.import_module(f"{lib.__name__}.utils.checkpoint").checkpoint
    x = lib.ones(2, 3, requires_grad=True)

    def function(t):
        calls.append(1)
        return (t * t).exp().relu()

    return checkpoint(function, x, use_reentrant=False)


def test_what_backward_recomputes_is_not_kept_and_no_picture_runs_it(lib):
    calls = []
    y = checkpointed(lib, calls)
    pictures = [draw_graph(y, show=show) for show in ("values", "shapes", "saved", "versions")]
    pictures += [draw_versions(y), draw_memory(y)]
    assert all(picture.svg for picture in pictures) and len(calls) == 1
    assert "result: recomputed by backward, not kept" in pictures[2].text
    text = pictures[-1].text
    assert "0 bytes (recomputed by backward, not kept)" in text and "0 bytes are saved." in text
    assert "Not kept: 4 saved tensors that backward recomputes." in text
    for runs, draw in enumerate((draw_backward, draw_gradient_sizes, draw_nonfinite), start=2):
        assert draw(y.sum()).svg and len(calls) == runs  # one backward pass each


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
