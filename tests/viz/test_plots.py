"""The plots as data: what was asked of losses, classifiers and curves, before anything is drawn."""

import math
import re
import sys

import nbclient
import nbformat
import pytest

from course_lib.viz import draw_boundary, draw_descent, draw_errors, draw_fit, live_curve
from course_lib.viz.drawing.theme import FAINT, PALETTE, PLACES
from course_lib.viz.pictures.boundary import describe_boundary
from course_lib.viz.pictures.curves import BUCKETS, Curve, Line, _thin, describe_errors
from course_lib.viz.pictures.descent import describe_descent
from course_lib.viz.pictures.fit import describe_fit

# ---- descent ----


MAP = re.compile(r"[0-7SE*]{33}")


def bowl(w, b):
    return (w - 1) ** 2 + 2 * b**2


def test_the_surface_lies_around_the_path_or_within_the_limits():
    descent = describe_descent(bowl, [(0.0, 0.0), (1.0, 2.0)])
    assert (descent.across[0], descent.across[-1]) == pytest.approx((-0.3, 1.3))
    assert (descent.up[0], descent.up[-1]) == pytest.approx((-0.6, 2.6))
    assert descent.surface[0][0] == pytest.approx(bowl(-0.3, -0.6))
    descent = describe_descent(bowl, [(0.0, 0.0)], ((-2, 2), (-1, 1)))
    assert (descent.across[0], descent.up[-1]) == (-2.0, 1.0)
    assert describe_descent(lambda w: w * w, [1.0], (-2, 2)).across[0] == -2.0


@pytest.mark.parametrize(("loss", "path", "losses", "names"), [
    (bowl, [(3.0, 1.0), (2.0, 0.5), (1.0, 0.0)], (6.0, 1.5, 0.0), ("w", "b")),
    (lambda p: bowl(p[0], p[1]), [[3.0, 1.0], [1.0, 0.0]], (6.0, 0.0), ("p[0]", "p[1]")),
    (lambda w: (w - 1) ** 2, [3.0, 2.0], (4.0, 1.0), ("w",)),
])  # fmt: skip
def test_the_loss_is_asked_about_every_point_of_the_path(lib, loss, path, losses, names):
    points = path if len(losses) == 3 else [lib.tensor(point) for point in path]
    descent = describe_descent(loss, points)
    assert (descent.losses, descent.names) == (losses, names)
    assert (len(descent.surface) > 1, descent.up == ()) == (len(names) == 2, len(names) == 1)
    rows = [row for row in draw_descent(loss, points).text.split("\n") if MAP.fullmatch(row)]
    assert len(rows) == 13 * (len(names) == 2)  # the words hold a map of the surface
    marks = [sum(row.count(mark) for row in rows) for mark in "S*E"]
    assert marks == [1, len(path) - 2, 1] or not rows


def test_tensors_are_asked_about_with_tensors_of_their_dtype(lib):
    seen = set()

    def loss(w, b):
        seen.add((type(w), w.dtype, type(b), b.dtype))
        return bowl(w, b)

    w = lib.tensor(3.0, dtype=lib.float64, requires_grad=True)
    b = lib.tensor(1.0, requires_grad=True)
    descent = describe_descent(loss, [(w, b)])
    assert seen == {(lib.Tensor, lib.float64, lib.Tensor, lib.float32)}
    assert descent.losses == (6.0,) and descent.path == ((3.0, 1.0),)


# ---- boundary ----

CORNERS = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]


@pytest.mark.parametrize(
    "answer",
    [
        lambda lib, p: lib.stack([0.5 - p[:, 0], p[:, 0] - 0.5], 1),
        lambda lib, p: p[:, :1] - 0.5,
        lambda lib, p: p[:, 0] - 0.5,
        lambda lib, p: p[:, 0] > 0.5,
        lambda lib, p: (p[:, 0] > 0.5).long(),
    ],
    ids=["scores", "a column", "one score", "bools", "classes"],
)
def test_every_kind_of_answer_is_understood(lib, answer):
    points, labels = lib.tensor(CORNERS), lib.tensor([0, 1, 1, 1])
    boundary = describe_boundary(lambda p: answer(lib, p), points, labels)
    assert boundary.given == (0, 1, 0, 1)
    assert boundary.wrong() == [2]
    assert [boundary.field[0][0], boundary.field[0][-1]] == [0, 1]
    unlikely = describe_boundary(lambda p: p[:, 0] * 0.4, points, labels, 0.5)
    assert unlikely.given == (0, 0, 0, 0)  # a probability has another threshold


def test_asking_a_module_changes_nothing_in_it(lib):
    model = lib.nn.Sequential(lib.nn.Linear(2, 3), lib.nn.BatchNorm1d(3), lib.nn.Dropout(0.5))
    model[2].eval()
    before = model[1].running_mean.tolist()
    describe_boundary(model, lib.tensor(CORNERS), lib.tensor([0, 1, 2, 0]))
    assert [m.training for m in model.modules()] == [True, True, True, False]
    assert model[1].running_mean.tolist() == before
    assert all(p.grad is None for p in model.parameters())


def test_two_classes_that_touch_have_nothing_between_them(lib):
    def classify(p):
        return (p[:, 0] > 0.5).long() * 2

    middle = lib.tensor([[0.5, 9.0]])
    points = lib.cat([lib.tensor(CORNERS), middle])
    svg = draw_boundary(classify, points, [0, 2, 0, 2, 1]).svg
    assert f'fill="{FAINT[2][0]}"' in svg and f'fill="{FAINT[5][0]}"' not in svg


# ---- errors ----


def test_errors_are_sorted_by_eps_and_named_by_dtype(lib):
    curves = describe_errors({lib.float32: {0.1: 2.0, 0.01: -1.0}, "mine": [(1.0, 3.0)]})
    assert curves == (
        Curve("float32", ((0.01, 1.0), (0.1, 2.0))),
        Curve("mine", ((1.0, 3.0),)),
    )


# ---- live curve ----


def test_a_curve_reads_tensors_and_keeps_numbers(lib, capsys):
    with live_curve("Training") as curve:
        for value in (4.0, 1.0, 2.0):
            curve.update(lib.tensor(value, requires_grad=True))
    assert curve.lines == (Line("loss", (4.0, 1.0, 2.0)),)
    assert capsys.readouterr().out == (
        "Training\nloss: 3 steps, first 4., lowest 1. at step 2, last 2.\n█▁▃\n"
    )


@pytest.mark.parametrize(("updates", "names", "last_line"), [
    ([], [], "no step yet"), ([{"train": 1.0, "test": 2.0}], ["train", "test"], "last 2."),
    ([{"loss": n} for n in (1.0, math.inf, math.nan)], ["loss"], "last nan; inf first at step 2"),
])  # fmt: skip
def test_curves_have_names_and_say_where_a_loss_stops_being_a_number(updates, names, last_line):
    curve = live_curve()
    for losses in updates:
        curve.update(**losses)
    assert [line.name for line in curve.lines] == names and ".." not in curve.picture.alt
    assert any(last_line in line for line in curve.picture.text.splitlines())
    assert "<svg" in curve.picture.svg and all(name in curve.picture.svg for name in names[1:])


def test_a_long_curve_keeps_its_spikes():
    values = [1.0] * 100_000
    values[54_321] = 9.0
    drawn = _thin(tuple(values))
    assert len(drawn) <= 2 * BUCKETS + 2
    assert (54_322, 9.0) in drawn and drawn[-1][0] == 100_000


def test_a_terminal_shows_one_line_that_is_rewritten(monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("course_lib.viz.pictures.curves.PAUSE", 0.0)
    with live_curve("Training") as curve:
        curve.update(4.0)
        curve._next = 0.0
        curve.update(2.0)
    out = capsys.readouterr().out
    assert out.startswith("\rloss ▁ 4.") and "\rloss █▁ 2." in out
    assert out.count("\n") == 3 and "Training\n" in out


def test_the_curve_of_a_loop_that_failed_is_still_shown(capsys):
    with pytest.raises(ZeroDivisionError), live_curve() as curve:
        curve.update(1.0)
        curve.update(1 / 0)
    assert "loss: 1 step," in capsys.readouterr().out


def test_a_slow_first_drawing_does_not_stop_the_others(monkeypatch):
    clock = iter([0.0, 1.0, 1.0, 9.0, 9.0, 9.0])
    monkeypatch.setattr("course_lib.viz.pictures.curves.time.monotonic", lambda: next(clock))
    curve = live_curve()
    curve.update(1.0)  # made at 0, drawn from 1 to 9
    assert curve._next == 9.0 + 2.0


LIVE = """\
import course_lib.viz.pictures.curves as live
live.PAUSE = {pause}
with live.live_curve() as curve:
    for k in range(1, 4):
        curve._next = 0.0 if live.PAUSE == 0 else curve._next
        curve.update(1 / k)"""


def test_a_notebook_keeps_one_picture_however_often_it_was_redrawn(tmp_path):
    """What nbval compares is what messages bring, replacements left out; what is stored is what the
    replacements leave behind. Both must be the one last picture."""
    cells = [nbformat.v4.new_code_cell(LIVE.format(pause=pause)) for pause in (0, 60)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    seen = []

    class Watching(nbclient.NotebookClient):
        def process_message(self, message, cell, cell_index):
            kind = message["msg_type"]
            if kind in ("display_data", "update_display_data"):
                seen.append((cell_index, kind, sorted(message["content"]["data"])))
            return super().process_message(message, cell, cell_index)

    Watching(notebook, kernel_name="python3").execute()
    full = ["image/svg+xml", "text/html", "text/plain"]
    often, once = ([dict(o["data"]) for o in cell.outputs if o["data"]] for cell in notebook.cells)
    assert often == once and len(once) == 1 and sorted(once[0]) == full
    sent = [kinds for cell, kind, kinds in seen if cell == 0 and kind == "display_data"]
    assert sent == [[], full]
    assert [kinds for cell, kind, kinds in seen if kind != "display_data"] == [full] * 3 + [[]]


# ---- all of them ----


def every_plot():
    curve = live_curve()
    curve.update(2.0)
    curve.update(1.0)
    return [
        draw_descent(bowl, [(3.0, 1.0), (1.0, 0.0)]),
        draw_descent(lambda w: w * w, [200.0, 1.5], limits=(5, 6)),
        draw_errors({"float32": {0.1: 1e-3, 0.01: 0.0}}),
        curve.picture,
    ]


@pytest.mark.parametrize("k", range(4), ids=["surface", "curve", "errors", "live"])
def test_a_plot_has_our_colours_only_in_both_themes_and_the_same_bytes_each_time(k):
    picture = every_plot()[k]
    svg = picture.svg
    assert re.match(r'<svg width="\d+" height="\d+" viewBox=', svg) and ".." not in picture.alt
    style = re.search("<style>.*?</style>", svg)[0]
    drawn = set(re.findall(r'(?:fill|stroke)="([^"]+)"', svg.replace(style, "")))
    assert drawn - {"none"} <= {pair[0] for pair in (*PALETTE.values(), *PLACES)}
    assert all(f'"{colour}"]' in style for colour in drawn - {"none"})
    assert svg == every_plot()[k].svg  # nothing in it changes
    assert "matplotlib" not in svg and "style=" not in svg and not re.search(r"\d\.\d{3}", svg)
    assert all(float(x) > 25 for x in re.findall(r' x="([^"]*)"[^>]*>start', svg))  # the key fits


def test_a_plot_leaves_the_readers_own_matplotlib_alone():
    import matplotlib

    before = dict(matplotlib.rcParams)
    assert every_plot()[0].svg
    assert dict(matplotlib.rcParams) == before


# ---- fit: points, predictions and their distances ----


def test_points_stand_from_left_to_right_with_their_own_predictions(lib):
    x, y = lib.tensor([3.0, 1.0, 2.0]), lib.tensor([[30.0], [10.0], [20.0]])
    fit = describe_fit(x, y, (x * 10 + 1).requires_grad_())
    assert fit.points == ((1.0, 10.0), (2.0, 20.0), (3.0, 30.0))
    assert fit.predicted == (11.0, 21.0, 31.0) and fit.error() == 1.0
    assert describe_fit(x, [*y], [one * 10 + 1 for one in x]) == fit


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
