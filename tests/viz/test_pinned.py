"""Drawings kept byte for byte: nbval compares stored pictures so, and PyTorch must draw the same.

After a change that is meant, look at the new drawings and keep them:

    python tests/viz/test_pinned.py
"""

from pathlib import Path

import pytest
from programs import names_after, picture_after, programs

from course_lib.viz import draw_storage

KEPT = Path(__file__).parent / "pinned"
PINNED = """
# product
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0], requires_grad=True)
z = x * y
draw_graph(z.sum(), legend=True)
# saved
x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)
draw_graph((x * w).exp(), show="saved")
# freed
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x * x).sum()
y.backward()
draw_graph(y, show="saved", direction="forward")
# stale
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x.exp()
loss = y.sum()
y.add_(1)
draw_graph(loss, show="versions", legend=True)
# large
x = y = torch.tensor(1.0, requires_grad=True)
for _ in range(50):
    y = (y * 1.0).exp() * 0.0
draw_graph(y, max_nodes=4)
# constant
x = torch.tensor([[1.0, -0.5], [1e-9, 1e9]])
draw_graph(x)
# shapes
weight = torch.tensor([[0.5] * 30] * 30, requires_grad=True)
draw_graph((weight * weight).sum(), show="shapes")
# backward
x = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (x * x + x).sum()
draw_backward(loss)
# detached
x = torch.tensor([1.0, 2.0], requires_grad=True)
y, d = x * 2, (x * 2).detach()
compare(draw_graph(y, names={"y": y}), draw_graph(d, names={"d": d}), ("y", "d"))
# folded
w = torch.tensor([0.5, 0.25], requires_grad=True)
h = torch.tensor([1.0, 2.0], requires_grad=True)
state = h
for _ in range(8):
    state = (state * w).tanh()
front = state[:1]
draw_graph(front, names={"w": w, "h": h}, fold=True, legend=True)
# module
nn = torch.nn
shared = nn.Linear(2, 2)
inner = nn.Sequential(shared, nn.Tanh(), shared)
draw_module(nn.Sequential(nn.Linear(4, 2), inner, nn.ReLU()), torch.zeros(3, 4), legend=True)
# descent
x, y = torch.tensor([-1.0, 0.0, 2.0]), torch.tensor([-2.0, 1.0, 7.0])
path = [torch.tensor(p) for p in ([0.0, 3.0], [1.5, 2.5], [2.25, 1.5], [2.75, 1.25])]
draw_descent(lambda p: ((p[0] * x + p[1] - y) ** 2).mean(), path)
# boundary
points = torch.tensor([[0.0, 0.0], [1.0, 0.25], [0.25, 1.0], [1.0, 1.0], [0.5, 0.75]])
draw_boundary(lambda p: p[:, 0] * p[:, 1] - 0.3, points, torch.tensor([0, 0, 0, 1, 0]))
# errors
measured = {0.1: 1e-2, 1e-3: 1e-6, 1e-5: 1e-10, 1e-7: 2e-9}
few = {0.1: 1e-2, 1e-3: 5e-5, 1e-5: 1e-2}
draw_errors({torch.float32: few, torch.float64: measured})
# training
curve = live_curve("Training")
for step in range(1, 9):
    curve.update(train=torch.tensor(2.0) / step, test=torch.tensor(1.0) / step + 0.5)
curve.picture
# promotion
x = torch.tensor([1, 2], dtype=torch.int32)
draw_promotion(x, 2.5)
# promotion_gives_way
x, y = torch.tensor([1.0]), torch.tensor(1j, dtype=torch.complex128)
draw_promotion(x, y)
# broadcast
column, row = torch.tensor([[1], [2]]), torch.tensor([10, 20, 30])
draw_broadcast(column, row)
# broadcast_in_blocks
x = torch.arange(6).reshape(3, 1, 2)
draw_broadcast(x, (4, 1))
# broadcast_three
x, y = torch.arange(3).reshape(3, 1), torch.tensor([10, 20])
draw_broadcast(x, y, 100, op="-")
# broadcast_fails
draw_broadcast(torch.zeros(2, 3), (4, 2, 2))
# versions
x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0])
y = x.exp()
loss = (y * w).sum()
w.mul_(2)
draw_versions(loss)
# film
draw_versions(overwriting(torch).film)
# explanation
explain(overwriting(torch))
# second_backward
x = torch.tensor(2.0, requires_grad=True)
y = x * x
y.backward()
explain(error_of(y.backward).with_traceback(None))
"""
OVERWRITING = """\
with record_versions() as film:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    loss = y.sum()
    y.add_(1)
    loss.backward()
"""


def error_of(function, *given, **names):
    with pytest.raises(RuntimeError) as caught:
        function(*given, **names)
    return caught.value


def overwriting(lib):
    """The error of a little program whose lines have numbers that no change of this file moves."""
    return error_of(names_after, lib, OVERWRITING, file="overwriting.py", __name__="program")


def drawn(lib, code):
    return picture_after(lib, code, overwriting=overwriting, error_of=error_of)


@pytest.mark.parametrize(("name", "code"), [(p.id, p.values[0]) for p in programs(PINNED)])
def test_the_drawing_is_the_one_that_was_kept(lib, name, code):
    assert drawn(lib, code).svg == kept(name)


def test_the_drawing_of_a_storage_is_the_one_that_was_kept(views):
    assert storage(views).svg == kept("storage")


def storage(views):
    a = views.tensor([[1, 2, 3], [4, 5, 6]])
    column, wide = a[:, 1], a[0].expand(2, 3)
    return draw_storage(a, a.t(), column, wide, names={"a": a, "column": column, "wide": wide})


def kept(name):
    return (KEPT / f"{name}.svg").read_text(encoding="utf-8").rstrip("\n")


if __name__ == "__main__":
    import strided

    import course_lib

    for each in programs(PINNED):
        drawn(course_lib, each.values[0]).save(KEPT / f"{each.id}.svg")
    storage(strided).save(KEPT / "storage.svg")
