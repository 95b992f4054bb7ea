"""`draw_fit`: points, predictions and their distances."""

import re

import pytest

from course_lib.viz import draw_fit
from course_lib.viz.pictures.fit import describe_fit


def test_points_stand_from_left_to_right_with_their_own_predictions(lib):
    x, y = lib.tensor([3.0, 1.0, 2.0]), lib.tensor([[30.0], [10.0], [20.0]])
    fit = describe_fit(x, y, (x * 10 + 1).requires_grad_())
    assert fit.points == ((1.0, 10.0), (2.0, 20.0), (3.0, 30.0))
    assert fit.predicted == (11.0, 21.0, 31.0) and fit.error() == 1.0
    assert describe_fit(x, [*y], [one * 10 + 1 for one in x]) == fit


def test_limits_keep_two_pictures_alike(lib):
    x = lib.tensor([0.0, 1.0])
    one = draw_fit(x, x, x, limits=(-5, 5)).svg
    other = draw_fit(x, x, x * 3, limits=(-5, 5)).svg
    assert ">4<" in one and ">4<" in other


@pytest.mark.parametrize("far", [1e30, 1e300, float("inf"), float("nan")])
def test_what_a_model_predicts_far_away_leaves_the_plot_and_the_points_stay(lib, far):
    x = lib.tensor([0.0, 1.0, 2.0])
    svg = draw_fit(x, x, lib.tensor([0.0, 1.0, far], dtype=lib.float64), limits=(-5, 5)).svg
    assert svg.count("<circle") == 4 and not re.search(
        r"[=,\" ]-?(nan|inf)[, \"]", svg[svg.index(">") :]
    )
    heights = [float(y) for y in re.findall(r"[ML]-?[\d.]+,(-?[\d.]+)", svg)]
    assert 48 <= min(heights) and max(heights) <= 360


def test_what_is_predicted_step_by_step_is_a_film_that_ends_as_the_last_picture(lib):
    x = lib.arange(3.0)
    film = draw_fit(x, x, [x * 0 - 9, x * 0.5, (x * 1).requires_grad_()], limits=(-1, 3))
    assert [scene.title for scene in film.scenes] == ["Step 0", "Step 1", "Step 2"]
    assert film.text.startswith("Fit: 3 points, mean squared error 100.7 at first, 0. in step 2\n")
    still = draw_fit(x, x, x, limits=(-1, 3))
    assert film.svg[film.svg.index(">") :].split("\n", 1)[1] == still.svg.split("\n", 1)[1]
    assert "data-changes" in film.film and not still.text.startswith(film.text[:40])
    paces = [draw_fit(x, x, [x] * steps)._html().count("),1600)") for steps in (20, 21)]
    assert paces == [1, 0]  # many steps are shown faster
    gone = draw_fit(x, x, [x, x * float("inf")])
    assert [scene.title for scene in gone.scenes] == ["Step 0"]
