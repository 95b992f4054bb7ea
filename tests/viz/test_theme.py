"""Every colour can be told from what lies behind it, in both themes."""

import pytest

from course_lib.viz.theme import DARK, PALETTE, PLACES, contrast

FILLS = ["paper", "leaf", "function", "result", "saved", "stale"]
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
