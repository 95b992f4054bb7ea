"""`draw_image`: what is drawn is what the tensor holds, to the pixel."""

import base64
import io
import math
import re

import numpy as np
import pytest
from matplotlib.image import imread

from course_lib.viz import draw_image


def drawn(picture):
    """The pictures inside a drawing as arrays of whole numbers, read by somebody else's decoder."""
    found = re.findall(r'href="data:image/png;base64,([^"]+)"', picture.svg)
    arrays = [imread(io.BytesIO(base64.b64decode(data)), format="png") for data in found]
    return [np.round(array * 255).astype(int) for array in arrays]


@pytest.mark.parametrize(
    "code",
    [
        *("x", "x[:1, :1]", "x[:3, :5]", "x[:, :1]"),
        *("x.t()", "x[::2, 1:]", "x[2:].flip(1)", "x[:1].expand(4, 256)"),
        "x[:4, :15].reshape(4, 5, 3)",  # three numbers last are a colour
    ],
)
def test_each_pixel_is_drawn(lib, code):
    x = (lib.arange(256 * 256) % 256).to(lib.uint8).reshape(256, 256)
    image = eval(code, {"x": x})
    (array,) = drawn(draw_image(image))
    assert array.tolist() == image.tolist()


def test_three_numbers_first_are_three_pictures(lib):
    x = lib.arange(3 * 4 * 5).reshape(3, 4, 5)
    assert [channel.tolist() for channel in drawn(draw_image(x))] == x.tolist()


@pytest.mark.parametrize("row", [[True, False], [math.inf, -math.inf]])
def test_true_is_white_and_infinity_is_clipped_with_a_gradient_too(lib, row):
    x = lib.tensor([row])
    tracked = x if row[0] is True else x.requires_grad_()
    assert drawn(draw_image(tracked))[0].tolist() == [[255, 0]]


def test_what_lies_outside_is_clipped_and_counted(lib):
    x = lib.tensor([[-0.5, 0.0], [1.0, 1.5]])
    picture = draw_image(x)
    assert drawn(picture)[0].tolist() == [[0, 0], [255, 255]]
    told = "x: 2 x 2, float32, from -0.5 to 1.5; 2 numbers outside 0 to 1 are clipped"
    assert picture.text.startswith(told) and told in picture.alt


def test_nan_has_a_colour_of_its_own(lib):
    x = lib.tensor([[0.0, float("nan")]])
    picture = draw_image(x)
    first, second = drawn(picture)[0][0].tolist()
    assert first == [0, 0, 0] and len(set(second)) > 1
    assert "1 NaN" in picture.text


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_png_has_the_pixels_as_squares_too(lib, theme, tmp_path):
    picture = draw_image(lib.tensor([[0.0, 1.0], [1.0, math.nan]]))
    array = np.round(imread(picture.save(tmp_path / "a.png", theme=theme)) * 255).astype(int)
    inside = array[32:408, 32:408, :3].reshape(-1, 3)  # of 2 x 2 squares, each 192 wide
    assert sorted(map(tuple, np.unique(inside, axis=0).tolist())) == [
        (0, 0, 0), (214, 39, 160), (255, 255, 255)
    ]  # fmt: skip
