"""Every colour can be told from what lies behind it, in both themes."""

import itertools

import numpy as np
import pytest

from course_lib.viz.drawing.plot import BANDS, SERIES
from course_lib.viz.drawing.theme import DARK, HEAT, PALETTE, PLACES, place
from course_lib.viz.pictures.boundary import TINTS

FILLS = ["paper", "leaf", "function", "result", "saved", "stale", "added"]
FILLS += [f"heat {step}" for step in range(HEAT)]
LINES = [role for role in PALETTE if role.endswith("line") or role == "arrow"]


def contrast(one, other):
    """The WCAG contrast ratio of two colours, from 1 (equal) to 21 (black on white)."""
    darker, lighter = sorted(map(luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour):
    return (XYZ @ linear(colour))[1]


THEME = pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])


@THEME
@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize("words", ["ink", "muted"])
def test_words_stand_out_from_every_box(words, fill, theme):
    assert contrast(PALETTE[words][theme], PALETTE[fill][theme]) >= 4.5


@THEME
def test_words_stand_out_from_cells_and_bands_and_lines_from_the_page(theme):
    page = PALETTE["paper"][theme]
    ground = [*(pair[theme] for pair in PLACES)]
    ground += [dict(PLACES)[band] if theme else band for band in BANDS]
    # in a band the numbers on contour lines, and the lines; the path; circles
    for words in ("ink", "muted"):
        assert min(contrast(PALETTE[words][theme], colour) for colour in ground) >= 4.5
    roles = [*LINES, *(role for _, role in SERIES)]
    assert all(contrast(PALETTE[role][theme], page) >= 4.5 for role in roles)


def test_a_light_colour_belongs_to_one_role_only_and_each_curve_has_a_shape_of_its_own():
    assert len(DARK) == len(PALETTE) + len(PLACES)
    assert len({marker for marker, _ in SERIES}) == len({role for _, role in SERIES}) == len(SERIES)


@THEME
def test_points_of_a_class_stand_out_from_the_tint_of_every_class(theme):
    tints = [dict(PLACES)[tint] if theme else tint for tint in TINTS]
    worst = min(contrast(PALETTE[role][theme], tint) for _, role in SERIES for tint in tints)
    assert worst >= 3  # WCAG's bound for shapes; words have 4.5


def in_lab(colour):
    """CIELAB coordinates, where a distance of about 2 can just be seen."""
    x, y, z = XYZ @ linear(colour) / (0.95047, 1.0, 1.08883)
    f = [v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def linear(colour):
    channels = colour
    if isinstance(colour, str):
        channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def seen_by(kind, colour):
    """The colour as a reader sees it who has no red, or no green, cones (Machado 2009)."""
    seen = np.clip(CONES[kind] @ linear(colour), 0, 1)
    return np.where(seen <= 0.0031308, seen * 12.92, 1.055 * seen ** (1 / 2.4) - 0.055)


XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
CONES = {
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]
    ),
}  # fmt: skip


@THEME
def test_all_places_have_colours_of_their_own(theme):
    tints = [in_lab(pair[theme]) for pair in PLACES]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(tints, 2)) >= 8


@pytest.mark.parametrize("kind", CONES)
@THEME
def test_neighbours_differ_for_readers_who_see_fewer_hues(theme, kind):
    tints = [in_lab(seen_by(kind, pair[theme])) for pair in PLACES]
    assert min(np.linalg.norm(a - b) for a, b in itertools.pairwise(tints)) >= 8


@pytest.mark.parametrize("families", [2, 3, 4, 8])
def test_families_have_no_tint_in_common(families):
    tints = [{place(k, 8, n, families) for k in range(8)} for n in range(families)]
    assert sum(map(len, tints)) == len(set.union(*tints))
