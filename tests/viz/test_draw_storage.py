"""What `draw_storage` tells about places, sharing, gaps and repeated cells."""

import numpy as np
import pytest

from course_lib.viz import draw_storage
from course_lib.viz.pictures.storage import Window, describe_storage, notes
from course_lib.viz.reading.names import Names


def described(**tensors):
    return describe_storage(tuple(tensors.values()), Names(tensors, None, None))


def test_a_matrix_and_its_transpose_are_two_windows_on_one_bar(views):
    a = views.tensor([[1, 2, 3], [4, 5, 6]])
    bars, _ = described(a=a, b=a.t())
    assert len(bars) == 1 and bars[0].cells == ("1", "2", "3", "4", "5", "6")
    assert bars[0].windows == (
        Window("a", (2, 3), (3, 1), 0, (2, 3), (0, 1, 2, 3, 4, 5), (1,) * 6),
        Window("b", (3, 2), (1, 3), 0, (3, 2), (0, 3, 1, 4, 2, 5), (1,) * 6),
    )


def test_the_offset_and_the_gaps_of_a_column_are_seen(views):
    a = views.tensor([[1, 2, 3], [4, 5, 6]])
    (bar,), _ = described(column=a[:, 1])
    assert (bar.windows[0].places, bar.unused()) == ((1, 4), [0, 2, 3, 5])


def test_cells_that_no_tensor_reaches_still_tell_their_value(views):
    a = views.tensor([1, 2, 3])
    (bar,), _ = described(last=a[2:])
    assert bar.cells == ("1", "2", "3")


def test_expanded_cells_have_no_memory_of_their_own(views):
    y = views.tensor([1, 2]).expand(2, 2)
    (bar,), _ = described(y=y)
    window = bar.windows[0]
    assert [window.seen_before(k) for k in range(4)] == [False, False, True, True]
    assert window.uses == (2, 2)


def test_two_storages_are_two_bars(views):
    bars, _ = described(a=views.tensor([1]), b=views.tensor([1]))
    assert len(bars) == 2


def test_three_tensors_that_share_are_one_sentence(views):
    a = views.tensor([[1, 2], [3, 4]])
    bars, _ = described(a=a, b=a.t(), c=a[0])
    assert "a, b and c share memory: a write through one is seen through the others." in notes(bars)


def test_neighbours_in_one_storage_do_not_share(views):
    a = views.tensor([1, 2, 3, 4])
    bars, _ = described(front=a[:2], back=a[2:])
    assert bars[0].sharing() == []


def test_only_a_corner_of_a_large_tensor_is_shown(views):
    (bar,), _ = described(big=views.tensor([[0] * 50] * 50))
    assert (bar.windows[0].shown, len(bar.cells), bar.size) == ((8, 12), 64, 2500)
    assert "2,436 more cells of the storage are not shown." in notes([bar])


def test_a_cell_outside_the_shown_corner_still_counts_as_used(views):
    (bar,), _ = described(big=views.tensor([[0] * 50] * 50))
    assert bar.windows[0].uses == (1,) * 64


def test_a_tensor_without_dimensions_is_one_cell(views):
    (bar,), _ = described(x=views.tensor(7))
    assert bar.windows[0].places == (0,)


def test_an_empty_tensor_has_no_cells(views):
    (bar,), _ = described(x=views.tensor([]))
    assert (bar.size, bar.windows[0].places) == (0, ())


def test_three_dimensions_are_drawn_as_blocks(views):
    v = views.tensor([[[0, 1], [2, 3]], [[4, 5], [6, 7]]])
    assert "v[1]" in draw_storage(v).svg


def test_the_words_tell_every_cell_and_its_place(views):
    a = views.tensor([[1, 2], [3, 4]])
    assert repr(draw_storage(a.t(), names={"b": a})) == (
        "Storage of 4 cells, int64: 1 2 3 4\n"
        "tensor  shape (2, 2), stride (1, 2), offset 0\n"
        "    1 @0  3 @2\n"
        "    2 @1  4 @3\n"
        "@ is the place in the storage."
    )


def test_the_drawing_has_both_themes(views):
    svg = draw_storage(views.tensor([1, 2])).svg
    assert svg.startswith("<svg") and "prefers-color-scheme: dark" in svg


def test_something_else_than_a_tensor_is_refused():
    with pytest.raises(TypeError, match="draw_storage wants tensors, not list"):
        draw_storage([1, 2])


def test_the_meta_device_has_no_storage_to_draw():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed; it is no dependency")
    picture = draw_storage(torch.zeros(3, device="meta"))
    assert "cannot be drawn: it is on the meta device" in picture.text
    assert "cannot be drawn" in picture.svg


def test_an_array_is_drawn_as_a_window_on_its_own_memory(lib):
    a = np.array([1.0, 2.0, 3.0])
    t, own = lib.from_numpy(a), lib.tensor(a)
    lines = draw_storage(t, a, own).text.splitlines()
    assert lines[0] == "Storage of 3 cells, float64: 1. 2. 3."
    assert "a (array)  shape (3,), stride (1,), offset 0" in lines
    assert "t and a (array) share memory: a write through one is seen through the other." in lines
    assert "2 storages: no write into one is seen in another." in lines


def test_an_array_may_be_given_a_name(lib):
    t = lib.zeros(2)
    text = draw_storage(t, t.numpy(), names={"t": t}).text
    assert "array  shape (2,), stride (1,), offset 0" in text and "t and array share" in text
    column = np.zeros((2, 3))[:, 1]
    assert "one column (array)" in draw_storage(t, column, names={"one column": column}).text


def test_an_array_on_a_part_of_a_storage_is_a_window_on_it(lib):
    t = lib.tensor([[1, 2, 3], [4, 5, 6]])
    column, tail = t.numpy()[:, 1], t[1].numpy()
    text = draw_storage(t, column, tail).text
    assert "column (array)  shape (2,), stride (3,), offset 1" in text
    assert "tail (array)  shape (3,), stride (1,), offset 3" in text
    assert "storages" not in text


def test_arrays_share_with_their_owner(lib):
    copied, table = lib.zeros(1), np.arange(6).reshape(2, 3)
    row = table[1]
    text = draw_storage(copied, table, row).text
    assert "row (array)  shape (3,), stride (1,), offset 3" in text
    assert "table (array) and row (array) share memory" in text


def test_a_picture_that_would_be_wrong_is_refused(lib):
    a = np.zeros(4)
    with pytest.raises(ValueError, match="share only a part"):
        draw_storage(lib.from_numpy(a[2:]), a)


def test_arrays_alone_are_refused():
    with pytest.raises(TypeError, match="draw_storage wants tensors, not ndarray"):
        draw_storage(np.zeros(2))
