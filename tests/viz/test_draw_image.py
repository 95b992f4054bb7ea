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


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (256, 1), (256, 256)])
def test_each_pixel_is_drawn(lib, shape):
    x = (lib.arange(shape[0] * shape[1]) % 256).to(lib.uint8).reshape(shape)
    (array,) = drawn(draw_image(x))
    assert array.tolist() == x.tolist()


def test_three_numbers_last_are_a_colour_and_three_first_are_three_pictures(lib):
    x = lib.arange(4 * 5 * 3).reshape(4, 5, 3)
    (colour,) = drawn(draw_image(x))
    assert colour.tolist() == x.tolist()
    channels = drawn(draw_image(x.permute(2, 0, 1)))
    assert [channel.tolist() for channel in channels] == x.permute(2, 0, 1).tolist()


def test_views_are_read_where_they_look(lib):
    x = lib.arange(48).reshape(6, 8)
    for view in (x.t(), x[::2, 1:], x[2:].flip(1), x[:1].expand(4, 8)):
        (array,) = drawn(draw_image(view))
        assert array.tolist() == view.tolist()


def test_what_lies_outside_is_clipped_and_counted(lib):
    x = lib.tensor([[-0.5, 0.0], [1.0, 1.5]])
    picture = draw_image(x)
    assert drawn(picture)[0].tolist() == [[0, 0], [255, 255]]
    told = "x: 2 x 2, float32, from -0.5 to 1.5; 2 numbers outside 0 to 1 are clipped"
    assert picture.text.startswith(told) and told in picture.alt


def test_false_is_black_and_true_is_white(lib):
    assert drawn(draw_image(lib.tensor([[True, False]])))[0].tolist() == [[255, 0]]


def test_nan_has_a_colour_of_its_own(lib):
    x = lib.tensor([[0.0, float("nan")]])
    picture = draw_image(x)
    first, second = drawn(picture)[0][0].tolist()
    assert first == [0, 0, 0] and len(set(second)) > 1
    assert "1 NaN" in picture.text


def test_infinity_is_clipped(lib):
    assert drawn(draw_image(lib.tensor([[float("inf"), -float("inf")]])))[0].tolist() == [[255, 0]]


def test_names_in_the_order_of_the_tensors(lib):
    x = lib.zeros(2, 2)
    picture = draw_image(x + 1, x, names=["bright", "dark"])
    assert [line.partition(":")[0] for line in picture.text.splitlines() if ":" in line] == [
        "bright",
        "dark",
    ]
    with pytest.raises(ValueError, match="one name for each of the 2 things drawn, not 1"):
        draw_image(x, x, names=["one"])


@pytest.mark.parametrize(
    ("shape", "remedy"),
    [((3,), "x[None]"), ((2, 300), "x[::4, ::4]"), ((17, 2, 2), "x[:16]"), ((0, 3), "no numbers")],
)
def test_a_shape_that_is_no_picture_is_answered(lib, shape, remedy):
    with pytest.raises(ValueError, match=re.escape(remedy)):
        draw_image(lib.zeros(shape))


def test_a_gradient_does_not_disturb(lib):
    assert drawn(draw_image(lib.ones(2, 2, requires_grad=True)))[0].tolist() == [[255, 255]] * 2


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_png_has_the_pixels_as_squares_too(lib, theme, tmp_path):
    picture = draw_image(lib.tensor([[0.0, 1.0], [1.0, math.nan]]))
    array = np.round(imread(picture.save(tmp_path / "a.png", theme=theme)) * 255).astype(int)
    inside = array[32:408, 32:408, :3].reshape(-1, 3)  # of 2 x 2 squares, each 192 wide
    assert sorted(map(tuple, np.unique(inside, axis=0).tolist())) == [
        (0, 0, 0), (214, 39, 160), (255, 255, 255)
    ]  # fmt: skip
