"""What `draw_product` says about `*` and `@`, and which numbers it marks."""

from course_lib.viz.pictures.product import describe_products, draw_product


def two(lib):
    return lib.tensor([[1, 2], [3, 4]]), lib.tensor([[5, 6], [7, 8]])


def test_elementwise_marks_one_number_each_and_matmul_a_row_and_a_column(lib):
    star, at = describe_products(*two(lib), (0, 1), ("a", "b"))
    assert [sorted(grid.marked) for grid in star.grids] == [[(0, 1)]] * 3
    marked = [[(0, 0), (0, 1)], [(0, 1), (1, 1)], [(0, 1)]]
    assert [sorted(grid.marked) for grid in at.grids] == marked


def test_a_row_that_is_broadcast_is_marked_where_it_is(lib):
    a, row = lib.tensor([[1, 2], [3, 4]]), lib.tensor([[10, 20]])
    star, _ = describe_products(a, row, (1, 1), ("a", "row"))
    assert star.grids[1].marked == {(0, 1)} and star.sum == "the result at [1, 1] is 4*20 = 80"


def test_marked_cells_have_a_second_line_not_only_a_colour(lib):
    picture = draw_product(*two(lib))
    assert picture.svg.count("<rect") == 1 + 6 * 4 + 3 + 5  # page, cells, marks of * and of @
