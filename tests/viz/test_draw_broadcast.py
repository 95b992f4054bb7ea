"""What `draw_broadcast` says is what PyTorch does with the two shapes; `draw_product` beside it."""

import itertools
import re

import pytest

from course_lib.viz import draw_broadcast, draw_product
from course_lib.viz.pictures.broadcast import RULES, describe_product
from course_lib.viz.pictures.broadcast_cells import Part, describe_broadcast, in_order, shown

SHAPES = [
    shape for dims in range(4) for shape in itertools.product((0, 1, 2, 3)[-3:], repeat=dims)
] + [(0,), (0, 1), (1, 0), (2, 0)]


def part(name, *shape):
    return Part(name, shape, in_order(shape))


def test_result_and_strides_or_the_message_are_those_of_an_operation(lib):
    made = {shape: lib.zeros(shape) for shape in SHAPES}
    for a, b in itertools.product(SHAPES, repeat=2):
        said = describe_broadcast(part("a", *a), part("b", *b))
        try:
            assert said.result == tuple((made[a] + made[b]).shape), (a, b)
            for one in said.parts:
                wide = lib.zeros(one.shape).expand(said.result)
                assert said.strides(one) == tuple(wide.stride()), (a, b)
        except RuntimeError as error:
            assert (said.result, said.message) == ((), str(error)), (a, b)


def test_ghosts_are_the_cells_without_memory_and_have_dashed_lines(lib):
    x = lib.tensor([[1], [2]])
    said = describe_broadcast(Part("x", (2, 1), (1, 1), ("1", "2")), part("b", 2, 3))
    assert said.grid(said.parts[0]) == [
        ("1", False), ("1", True), ("1", True), ("2", False), ("2", True), ("2", True),
    ]  # fmt: skip
    picture = draw_broadcast(x, (2, 3))
    assert "     1  (1) (1)\n     2  (2) (2)" in picture.text
    assert picture.svg.count('stroke-dasharray="4,3"') == 4
    assert picture.svg.count(">1<") == 4  # one real cell, two ghosts, the number of a dimension
    assert picture.alt == (
        "x (2, 1) and b (2, 3) broadcast to (2, 3). "
        "Sizes are compared from the right; a size of 1 fits every other. "
        "x: dimension 1 has size 1 and is stretched to 3 (stride 0)."
    )
    assert shown((9, 50, 50)) == (2, 4, 6)  # of a large result only a corner


def test_every_cell_is_the_one_that_expand_shows(lib):
    x = lib.arange(4).reshape(2, 1, 2)
    said = _with(x, (2, 3, 2))
    told = [cell for cell, _ in said.grid(said.parts[0])]
    assert told == [str(n) for n in x.expand(2, 3, 2).reshape(-1).tolist()]


def _with(x, shape):
    cells = tuple(map(str, x.reshape(-1).tolist()))
    one = Part("x", tuple(x.shape), tuple(x.stride()), cells)
    return describe_broadcast(one, part("b", *shape))


@pytest.mark.parametrize(("op", "first"), [("+", 3.0), ("-", -1.0), ("*", 2.0), ("/", 0.5)])
def test_the_result_is_that_of_the_operation(lib, op, first):
    x, y = lib.arange(1, 5).reshape(4, 1), lib.tensor([2.0, 4.0, 5.0])
    picture = draw_broadcast(x, y, op=op)
    x_y = {"+": x + y, "-": x - y, "*": x * y, "/": x / y}[op]
    assert x_y[0, 0].item() == first and f"x {op} y, shape (4, 3), a tensor" in picture.text
    told = re.findall(r"x . y is (.*)\.$", picture.alt)[0].split("; ")
    assert [[float(n) for n in row.split(", ")] for row in told] == pytest.approx(
        [pytest.approx(row, abs=1e-4) for row in x_y.tolist()]
    )


# ---- `*` and `@`, and which numbers are marked ----


def two(lib):
    return lib.tensor([[1, 2], [3, 4]]), lib.tensor([[5, 6], [7, 8]])


def test_elementwise_marks_one_number_each_and_matmul_a_row_and_a_column(lib):
    star, at = (describe_product(sign, *two(lib), (0, 1), ("a", "b")) for sign in RULES)
    assert [sorted(grid.marked) for grid in star.grids] == [[(0, 1)]] * 3
    marked = [[(0, 0), (0, 1)], [(0, 1), (1, 1)], [(0, 1)]]
    assert [sorted(grid.marked) for grid in at.grids] == marked


def test_a_row_that_is_broadcast_is_marked_where_it_is(lib):
    a, row = lib.tensor([[1, 2], [3, 4]]), lib.tensor([[10, 20]])
    star = describe_product("*", a, row, (1, 1), ("a", "row"))
    assert star.grids[1].marked == {(0, 1)} and star.sum == "the result at [1, 1] is 4*20 = 80"


def test_marked_cells_have_a_second_line_not_only_a_colour(lib):
    picture = draw_product(*two(lib))
    assert picture.svg.count("<rect") == 1 + 6 * 4 + 3 + 5  # page, cells, marks of * and of @
