"""What `draw_promotion` says is what PyTorch does, for every pair; and how it says it."""

import itertools
import re

import pytest

from course_lib.viz import draw_devices, draw_promotion
from course_lib.viz.pictures.devices import Device, find_ways
from course_lib.viz.pictures.promotion import NEXT, SPOTS, Operand, describe_promotion, way

DTYPES = [dtype for dtype in NEXT if dtype != "complex32"]
NUMBERS = (True, 2, 2.5, 2j)


@pytest.mark.filterwarnings("ignore:ComplexHalf")
@pytest.mark.parametrize("a", DTYPES)
def test_the_result_is_that_of_result_type(lib, a):
    dtype = getattr(lib, a)
    for x in (lib.zeros(2, dtype=dtype), lib.zeros((), dtype=dtype)):
        others = [lib.zeros(n, dtype=getattr(lib, b)) for b in DTYPES for n in ((2,), ())]
        for y in (*others, *NUMBERS):
            said = draw_promotion(x, y).text.splitlines()[0].rpartition(" ")[2]
            assert f"torch.{said}" == str(lib.result_type(x, y)), (x, y)
            said = draw_promotion(y, x).text.splitlines()[0].rpartition(" ")[2]
            assert f"torch.{said}" == str(lib.result_type(y, x)), (y, x)


def test_two_numbers_are_asked_too(lib):
    for a, b in itertools.product(NUMBERS, repeat=2):
        said = draw_promotion(a, b).text.splitlines()[0].rpartition(" ")[2]
        assert f"torch.{said}" == str(lib.result_type(lib.tensor(a), lib.tensor(b)))


def test_the_arrows_are_those_of_promote_types(lib):
    assert set(SPOTS) == set(NEXT)
    for a, b in itertools.product(DTYPES, repeat=2):
        reached = lib.promote_types(getattr(lib, a), getattr(lib, b)) is getattr(lib, b)
        assert bool(way(a, b)) == reached, (a, b)


def test_the_ways_of_both_are_lit(lib):
    x = lib.tensor([1], dtype=lib.uint8)
    promotion = describe_promotion(
        Operand("x", "uint8", "dimensions"), Operand("y", "int8", "dimensions")
    )
    assert [one.path for one in promotion.operands] == [("uint8", "int16"), ("int8", "int16")]
    picture = draw_promotion(x, lib.tensor([1], dtype=lib.int8))
    assert picture.svg.count('stroke-width="3.2"') == 2
    assert picture.text.endswith(  # and the words tell of all arrows, those that are not lit too
        "All arrows: bool -> uint8, int8; uint8 -> int16; int8 -> int16; int16 -> int32; "
        "int32 -> int64; int64 -> float16, bfloat16; float16 -> float32; bfloat16 -> float32; "
        "float32 -> float64, complex64; float64 -> complex128; complex64 -> complex128"
    )


def test_the_default_dtype_counts_for_python_floats(lib):
    before = lib.get_default_dtype()
    lib.set_default_dtype(lib.float64)
    try:
        text = draw_promotion(lib.tensor([1]), 2.5).text
    finally:
        lib.set_default_dtype(before)
    assert "A Python float has the default dtype, float64." in text


def test_every_word_is_in_the_drawing(lib):
    picture = draw_promotion(lib.tensor([1]), 2.5)
    drawn = " ".join(re.findall(r"<text [^>]*>([^<]*)</text>", picture.svg))
    for line in picture.text.splitlines():
        if not line.startswith((" ", "All arrows")) and ", counts" not in line:
            assert line in drawn


def test_a_dtype_off_the_chart_is_told_in_words(lib):
    picture = draw_promotion(lib.zeros(2, dtype=lib.uint16), lib.zeros(2, dtype=lib.int32))
    assert "uint16 is not on the chart of promotion" in picture.text
    assert "Promotion for uint16, uint32, uint64 types is not supported" in picture.text
    assert "No drawing" in picture._repr_mimebundle_()["text/plain"]


# ---- devices: where tensors lie and what can go from one to another ----


def test_what_the_picture_says_of_the_ways_is_what_happens(lib):
    x = lib.tensor([1.0, 2.0])
    there, back = find_ways([Device("cpu", ()), Device("meta", ())])
    assert there.open and x.to(there.end).device.type == "meta"
    assert not back.open
    with pytest.raises(NotImplementedError, match="no data"):
        x.to("meta").to(back.end)


def test_between_two_memories_the_numbers_go_both_ways():
    ways = find_ways([Device("cpu", ()), Device("cuda:0", ())])
    assert [(way.call, way.open, way.does) for way in ways] == [
        ('.to("cuda:0")', True, "copies the numbers"),
        ('.to("cpu")', True, "copies the numbers"),
    ]
    ways = find_ways([Device("cpu", ()), Device("cuda:0", ()), Device("meta", ())])
    assert [f"{way.start} {way.end}" for way in ways] == [  # of three the neighbours are joined
        "cpu cuda:0", "cuda:0 cpu", "cuda:0 meta", "meta cuda:0"
    ]  # fmt: skip


def test_every_word_fits_into_the_drawing_and_its_frame(lib):
    long_name = lib.empty(100_000, 100_000, device="meta")
    svg = draw_devices(lib.tensor([123456.5]), long_name).svg
    width = float(re.search(r'<svg width="(\d+)"', svg)[1])
    frames = re.findall(r'<rect x="([\d.]+)" y="14" width="([\d.]+)"', svg)
    right = max(float(x) + float(wide) for x, wide in frames)
    assert right < width
    told = re.search(r'x="([\d.]+)"[^>]*font-size="11"[^>]*>(shape \(100000[^<]*)<', svg)
    assert float(told[1]) + len(told[2]) * 11 * 0.605 < right
