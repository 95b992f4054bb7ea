"""Drawings kept byte for byte: nbval compares stored pictures so, and PyTorch must draw the same.

After a change that is meant, look at the new drawings and keep them:

    python tests/viz/test_pinned.py
"""

import linecache
from pathlib import Path

import pytest

from course_lib.viz import (
    compare,
    draw_backward,
    draw_boundary,
    draw_broadcast,
    draw_descent,
    draw_errors,
    draw_graph,
    draw_module,
    draw_promotion,
    draw_storage,
    draw_versions,
    explain,
    live_curve,
    record_versions,
)

PINNED = Path(__file__).parent / "pinned"
OVERWRITING = """\
with record_versions() as film:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    loss = y.sum()
    y.add_(1)
    loss.backward()
"""


def product(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = lib.tensor([3.0, 4.0], requires_grad=True)
    z = x * y
    return draw_graph(z.sum(), names={"x": x, "y": y, "z": z}, legend=True)


def saved(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    w = lib.tensor([3.0, 4.0], requires_grad=True)
    return draw_graph((x * w).exp(), names={"x": x, "w": w}, show="saved")


def freed(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    y.backward()
    return draw_graph(y, names={"x": x, "y": y}, show="saved", direction="forward")


def stale(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    loss = y.sum()
    y.add_(1)
    return draw_graph(loss, names={"x": x, "loss": loss}, show="versions", legend=True)


def large(lib):
    x = lib.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(50):
        y = (y * 1.0).exp() * 0.0
    return draw_graph(y, names={"x": x, "y": y}, max_nodes=4)


def constant(lib):
    x = lib.tensor([[1.0, -0.5], [1e-9, 1e9]])
    return draw_graph(x, names={"x": x})


def shapes(lib):
    weight = lib.tensor([[0.5] * 30] * 30, requires_grad=True)
    return draw_graph((weight * weight).sum(), names={"weight": weight}, show="shapes")


def backward(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    loss = (x * x + x).sum()
    return draw_backward(loss, names={"x": x, "loss": loss})


def detached(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y, d = x * 2, (x * 2).detach()
    return compare(draw_graph(y, names={"y": y}), draw_graph(d, names={"d": d}), ("y", "d"))


def descent(lib):
    x, y = lib.tensor([-1.0, 0.0, 2.0]), lib.tensor([-2.0, 1.0, 7.0])
    path = [lib.tensor(p) for p in ([0.0, 3.0], [1.5, 2.5], [2.25, 1.5], [2.75, 1.25])]
    return draw_descent(lambda p: ((p[0] * x + p[1] - y) ** 2).mean(), path)


def boundary(lib):
    points = lib.tensor([[0.0, 0.0], [1.0, 0.25], [0.25, 1.0], [1.0, 1.0], [0.5, 0.75]])
    return draw_boundary(lambda p: p[:, 0] * p[:, 1] - 0.3, points, lib.tensor([0, 0, 0, 1, 0]))


def errors(lib):
    measured = {0.1: 1e-2, 1e-3: 1e-6, 1e-5: 1e-10, 1e-7: 2e-9}
    return draw_errors({lib.float32: {0.1: 1e-2, 1e-3: 5e-5, 1e-5: 1e-2}, lib.float64: measured})


def training(lib):
    curve = live_curve("Training")
    for step in range(1, 9):
        curve.update(train=lib.tensor(2.0) / step, test=lib.tensor(1.0) / step + 0.5)
    return curve.picture


def folded(lib):
    w = lib.tensor([0.5, 0.25], requires_grad=True)
    h = lib.tensor([1.0, 2.0], requires_grad=True)
    state = h
    for _ in range(8):
        state = (state * w).tanh()
    front = state[:1]
    return draw_graph(front, names={"w": w, "h": h}, fold=True, legend=True)


def module(lib):
    nn = lib.nn
    shared = nn.Linear(2, 2)
    model = nn.Sequential(nn.Linear(4, 2), nn.Sequential(shared, nn.Tanh(), shared), nn.ReLU())
    return draw_module(model, lib.zeros(3, 4), legend=True)


def promotion(lib):
    x = lib.tensor([1, 2], dtype=lib.int32)
    return draw_promotion(x, 2.5, names={"x": x})


def promotion_gives_way(lib):
    x, y = lib.tensor([1.0]), lib.tensor(1j, dtype=lib.complex128)
    return draw_promotion(x, y, names={"x": x, "y": y})


def broadcast(lib):
    column, row = lib.tensor([[1], [2]]), lib.tensor([10, 20, 30])
    return draw_broadcast(column, row, names={"column": column, "row": row})


def broadcast_in_blocks(lib):
    x = lib.arange(6).reshape(3, 1, 2)
    return draw_broadcast(x, (4, 1), names={"x": x})


def broadcast_three(lib):
    x, y = lib.arange(3).reshape(3, 1), lib.tensor([10, 20])
    return draw_broadcast(x, y, 100, op="-", names={"x": x, "y": y})


def broadcast_fails(lib):
    return draw_broadcast(lib.zeros(2, 3), (4, 2, 2))


def versions(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    w = lib.tensor([3.0, 4.0])
    y = x.exp()
    loss = (y * w).sum()
    w.mul_(2)
    return draw_versions(loss, names={"x": x, "w": w, "y": y, "loss": loss})


def film(lib):
    return draw_versions(_run(lib).film)


def explanation(lib):
    return explain(_run(lib))


def second_backward(lib):
    x = lib.tensor(2.0, requires_grad=True)
    y = x * x
    y.backward()
    try:
        y.backward()
    except RuntimeError as error:
        return explain(error.with_traceback(None))


def _run(lib):
    """The error of a little program whose lines have numbers that no change of this file moves."""
    name = "overwriting.py"
    linecache.cache[name] = (len(OVERWRITING), None, OVERWRITING.splitlines(True), name)
    scope = {"__name__": "program", "torch": lib, "record_versions": record_versions}
    try:
        exec(compile(OVERWRITING, name, "exec"), scope)
    except RuntimeError as error:
        return error


GRAPHS = [product, saved, freed, stale, large, constant, shapes, backward, detached, folded, module]
PLOTS = [descent, boundary, errors, training]
PROMOTIONS = [promotion, promotion_gives_way, broadcast, broadcast_in_blocks, broadcast_three]
FAILURES = [broadcast_fails, versions, film, explanation, second_backward]
KEPT = GRAPHS + PLOTS + PROMOTIONS + FAILURES


@pytest.mark.parametrize("draw", KEPT, ids=lambda draw: draw.__name__)
def test_the_drawing_is_the_one_that_was_kept(lib, draw):
    assert draw(lib).svg == kept(draw)


def test_the_drawing_of_a_storage_is_the_one_that_was_kept(views):
    assert storage(views).svg == kept(storage)


def storage(views):
    a = views.tensor([[1, 2, 3], [4, 5, 6]])
    column, wide = a[:, 1], a[0].expand(2, 3)
    return draw_storage(a, a.t(), column, wide, names={"a": a, "column": column, "wide": wide})


def kept(draw):
    return (PINNED / f"{draw.__name__}.svg").read_text(encoding="utf-8").rstrip("\n")


if __name__ == "__main__":
    import strided

    import course_lib

    for each in KEPT:
        each(course_lib).save(PINNED / f"{each.__name__}.svg")
    storage(strided).save(PINNED / "storage.svg")
