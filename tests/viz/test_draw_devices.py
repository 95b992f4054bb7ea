"""`draw_devices` says where tensors lie and what can go from one device to another."""

import re

import pytest

from course_lib.viz.pictures.devices import Device, draw_devices, find_ways


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
