"""Every colour can be told from what lies behind it, in both themes."""

import pytest

from course_lib.viz.drawing.plot import BANDS, SERIES
from course_lib.viz.drawing.theme import DARK, HEAT, PALETTE, PLACES, contrast
from course_lib.viz.pictures.boundary import TINTS

FILLS = ["paper", "leaf", "function", "result", "saved", "stale", "added"]
FILLS += [f"heat {step}" for step in range(HEAT)]
LINES = [role for role in PALETTE if role.endswith("line") or role == "arrow"]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize("words", ["ink", "muted"])
def test_words_stand_out_from_every_box(words, fill, theme):
    assert contrast(PALETTE[words][theme], PALETTE[fill][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("words", ["ink", "muted"])
def test_words_stand_out_from_every_storage_cell(words, theme):
    assert all(contrast(PALETTE[words][theme], pair[theme]) >= 4.5 for pair in PLACES)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_lines_stand_out_from_the_page(theme):
    page = PALETTE["paper"][theme]
    assert all(contrast(PALETTE[line][theme], page) >= 4.5 for line in LINES)


def test_a_light_colour_belongs_to_one_role_only():
    assert len(DARK) == len(PALETTE) + len(PLACES)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_words_and_lines_of_plots_stand_out_from_every_band(theme):
    bands = [dict(PLACES)[band] if theme else band for band in BANDS]
    roles = {"ink", "muted"}  # numbers on contour lines, and the lines; the path; circles
    assert all(contrast(PALETTE[role][theme], band) >= 4.5 for role in roles for band in bands)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_curves_stand_out_from_the_page_and_have_a_shape_each(theme):
    page = PALETTE["paper"][theme]
    assert all(contrast(PALETTE[role][theme], page) >= 4.5 for _, role in SERIES)
    assert len({marker for marker, _ in SERIES}) == len({role for _, role in SERIES}) == len(SERIES)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_points_of_a_class_stand_out_from_the_tint_of_every_class(theme):
    tints = [dict(PLACES)[tint] if theme else tint for tint in TINTS]
    worst = min(contrast(PALETTE[role][theme], tint) for _, role in SERIES for tint in tints)
    assert worst >= 3  # WCAG's bound for shapes; words have 4.5
