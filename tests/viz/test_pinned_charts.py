"""Charts kept byte for byte, as in `test_pinned.py`; PyTorch must draw the same.

After a change that is meant, look at the new drawings and keep them:

    python tests/viz/test_pinned_charts.py
"""

import linecache
from pathlib import Path

import pytest

from course_lib.viz import draw_broadcast, draw_promotion, draw_versions, explain
from course_lib.viz.pictures.recording import record_versions

PINNED = Path(__file__).parent / "pinned"
OVERWRITING = """\
with record_versions() as film:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    loss = y.sum()
    y.add_(1)
    loss.backward()
"""


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


CHARTS = [
    promotion,
    promotion_gives_way,
    broadcast,
    broadcast_in_blocks,
    broadcast_three,
    broadcast_fails,
    versions,
    film,
    explanation,
    second_backward,
]


@pytest.mark.parametrize("draw", CHARTS, ids=lambda draw: draw.__name__)
def test_the_chart_is_the_one_that_was_kept(lib, draw):
    kept = (PINNED / f"{draw.__name__}.svg").read_text(encoding="utf-8").rstrip("\n")
    assert draw(lib).svg == kept


if __name__ == "__main__":
    import course_lib

    for each in CHARTS:
        each(course_lib).save(PINNED / f"{each.__name__}.svg")
