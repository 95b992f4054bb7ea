"""What `draw_storage` tells about places, sharing, gaps and repeated cells, and `draw_sharing`."""

import re

import numpy as np
import pytest

from course_lib.viz import draw_storage
from course_lib.viz.drawing.theme import PLACES
from course_lib.viz.pictures.storage import notes, verdict_on
from course_lib.viz.pictures.storage_cells import describe_storage, tints_of
from course_lib.viz.reading import memory
from course_lib.viz.reading.names import Names


def described(**tensors):
    return describe_storage(tuple(tensors.values()), Names(tensors, None, None))


@pytest.mark.parametrize(("code", "places", "unused", "seen_before"), [
    ("tensor([[1, 2, 3], [4, 5, 6]])[:, 1]", [1, 4], {0, 2, 3, 5}, []),
    ("tensor([1, 2]).expand(2, 2)", [0, 1, 0, 1], set(), [2, 3]), ("tensor(7)", [0], set(), []),
    ("tensor([])", [], set(), []),
])  # fmt: skip
def test_a_window_has_its_places_gaps_and_repeated_cells(lib, code, places, unused, seen_before):
    (bar,), _ = described(x=eval(code, {"tensor": lib.tensor}))
    (window,) = bar.windows
    assert list(window.places) == places and {byte // 8 for byte in bar.unused} == unused
    assert [k for k in range(len(places)) if window.seen_before(k)] == seen_before
    assert bar.nbytes // 8 == max([*places, *unused], default=-1) + 1


def test_three_tensors_that_share_are_one_sentence(lib):
    a = lib.tensor([[1, 2], [3, 4]])
    bars, _ = described(a=a, b=a.t(), c=a[0])
    assert "a, b and c share memory: a write through one is seen through the others." in notes(bars)
    bars, _ = described(front=a[0], back=a[1], other=lib.tensor([1]))
    assert len(bars) == 2 and bars[0].sharing() == []  # neighbours, and a storage of its own


def test_of_a_large_tensor_a_corner_is_shown_and_both_ends_of_the_storage(lib):
    (bar,), _ = described(big=lib.tensor([[0] * 50] * 50))
    assert (bar.windows[0].shown, bar.nbytes // 8) == ((8, 12), 2500)
    (first, last) = bar.rows[0].parts
    assert (first[0].place, last[-1].place, len(first) + len(last)) == (0, 2499, 64)
    assert {bar.windows[0].layout.uses(cell.place) for cell in (*first, *last)} == {1}
    assert "big: only a corner is shown, (8, 12) of (50, 50)." in notes([bar])
    assert "2,436 cells of the storage are not drawn." in notes([bar])


def test_the_words_tell_every_cell_and_its_place(lib):
    a = lib.tensor([[1, 2], [3, 4]])
    assert repr(draw_storage(a.t(), names={"b": a})) == (
        "Storage of 4 cells, int64: 1 2 3 4\n"
        "tensor  shape (2, 2), stride (1, 2), offset 0\n"
        "    1 @0  3 @2\n"
        "    2 @1  4 @3\n"
        "@ is the place in the storage."
    )
    svg = draw_storage(lib.tensor([[[0, 1], [2, 3]], [[4, 5], [6, 7]]]), names=["v"]).svg
    assert svg.startswith("<svg") and "prefers-color-scheme: dark" in svg and "v[1]" in svg


# ---- bytes decide ----


def test_a_wide_cell_has_the_colours_of_the_narrow_ones_in_it(lib):
    z = lib.tensor([1 + 2j, 3 - 4j])
    (bar,), _ = described(z=z, real=z.real)
    tints = tints_of(bar, 0, 1)
    assert tints(0, 8) == [*tints(0, 4), *tints(4, 8)] and len(set(tints(0, 16))) == 4


def test_every_place_has_a_colour_and_storages_have_none_in_common(lib):
    bars, _ = described(x=lib.arange(8), y=lib.arange(8))
    one, other = (set(tints_of(bar, k, 2)(0, 64)) for k, bar in enumerate(bars))
    assert len(one) == len(other) == 8 and not one & other
    (bar,), _ = described(x=lib.arange(16))
    assert len(set(tints_of(bar, 0, 1)(0, 16 * 8))) == 16


def test_a_repeated_cell_keeps_its_colour(lib):
    svg = draw_storage(lib.tensor([1, 2]).expand(3, 2)).svg
    fills = re.findall(r'fill="([^"]+)" stroke="[^"]+" stroke-dasharray="4,3"', svg)
    assert fills == [PLACES[0][0], PLACES[8][0]] * 2


# ---- large storages ----


def test_a_small_window_far_inside_is_drawn_with_its_neighbours(lib):
    (bar,), _ = described(x=lib.arange(1_000_000)[123_456:123_460])
    middle = bar.rows[0].parts[1]
    assert [cell.place for cell in middle] == list(range(123_455, 123_461))
    assert [cell.value for cell in middle] == [str(n) for n in range(123_455, 123_461)]


def test_a_tensor_that_is_given_twice_is_drawn_once(lib):
    x = lib.tensor([1, 2])
    assert draw_storage(x, x).text == draw_storage(x).text


def test_one_of_several_without_a_name_is_called_as_it_is_written(lib):
    a = lib.arange(6).reshape(2, 3)
    pictures = [
        draw_storage(a, a[1],
                     a[0][:2]),
        draw_storage(a, a[1][:], a[1][:]),
        draw_storage(*[a, a[1]]),
        draw_storage(a[1]),
    ]  # fmt: skip
    for picture, names in zip(
        pictures, ("a a[1] a[0][:2]", "a,tensor 1,tensor 2", "a,tensor 1", "tensor"), strict=True
    ):
        shown = [line.split("  ")[0] for line in picture.text.split("\n") if "  shape" in line]
        assert shown == names.split("," if "," in names else " ")


def test_what_takes_too_long_to_decide_is_admitted(lib, monkeypatch):
    x = lib.zeros(4, 5, 6)
    a, b = x[:, ::2, ::3], x[:, ::3, ::2]
    monkeypatch.setattr(memory, "WORK", 1)
    text = draw_storage(a, b).text
    assert "Nobody can say in short time whether these share memory: a and b." in text


# ---- what `draw_sharing` looks up ----


def test_bytes_decide_and_not_dtypes(lib):
    z, x = lib.tensor([1 + 2j, 3 - 4j]), lib.tensor([1.0, 2.0])
    assert verdict_on(z.real, z) == verdict_on(x.view(lib.int32), x) == "view"
    assert verdict_on(z.real, z.imag) == "neighbour"


def test_arrays_on_the_same_bytes_share_whatever_storage_they_begin(lib):
    a = np.arange(6.0)
    front, back, rest = (lib.from_numpy(part) for part in (a[:4], a[3:], a[4:]))
    assert [verdict_on(back, front), verdict_on(rest, front)] == ["view", "copy"]


def test_what_has_no_memory_is_no_copy(lib):
    x = lib.tensor([1.0])
    assert verdict_on(lib.zeros(1, device="meta"), x) == verdict_on(lib.tensor([]), x) == "nothing"
