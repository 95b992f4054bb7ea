"""What `draw_versions` tells of a graph and of a film, compared as data."""

import re
import sys

import pytest

from course_lib.viz import draw_versions, explain, record_versions
from course_lib.viz.pictures.timeline import MOMENTS, TRACKS, Mark, Moment, Timeline, kept
from course_lib.viz.pictures.versions import describe_versions
from course_lib.viz.reading.names import Names


def overwritten(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    loss = y.sum()
    y.add_(1)
    return x, y, loss


def message_of(loss):
    with pytest.raises(RuntimeError) as caught:
        loss.backward()
    return str(caught.value)


# ---- of a graph ----


def test_a_stale_tensor_ends_in_the_error_that_backward_raises(lib):
    x, y, loss = overwritten(lib)
    timeline = describe_versions(loss, Names({"x": x, "y": y, "loss": loss}, None, None))
    assert timeline.tracks == ("y",)
    assert timeline.moments == (
        Moment("forward", "ExpBackward0", (Mark(0, "saved", 0, by="ExpBackward0"),)),
        Moment("now", "the counters", (Mark(0, "now", 1),)),
        Moment("backward", "ExpBackward0 stops", (Mark(0, "stale", 1, 0, "ExpBackward0"),)),
    )
    assert timeline.error == message_of(loss)


def test_gradients_stay_as_they_were(lib):
    x, y, loss = overwritten(lib)
    z = loss + (x * x).sum()
    draw_versions(z)
    assert x.grad is None


def test_the_function_that_stops_first_is_shown(lib, x):
    w = lib.tensor([3.0, 4.0])
    y = x.exp()
    z = y * w
    loss = z.sum()
    y.add_(1)
    w.mul_(2)
    text = draw_versions(loss).text
    assert "MulBackward0 stops" in text and "MulBackward0 wants w at version 0" in text
    assert f"PyTorch says: {message_of(loss)}" in text.splitlines()


def test_a_result_with_many_elements_is_tried_too(x):
    y = x.sigmoid()
    y[0] = 0.5
    z = y * 2
    assert "SigmoidBackward0 wants y at version 0, finds version 1" in draw_versions(z).text


def test_two_tensors_that_could_be_meant_are_both_named(lib, x):
    w, v = lib.tensor([3.0, 4.0]), lib.tensor([5.0, 6.0])
    z = x * w
    w.add_(1)
    v.add_(1)
    assert "MulBackward0 wants w or v at version 0" in draw_versions(z).text


def test_without_a_stale_tensor_there_is_no_error(x):
    y = x * x
    assert draw_versions(y).text.splitlines() == [
        "Versions of what was saved for y",
        "forward  MulBackward0",
        "    MulBackward0 saves x at version 0",
        "now      the counters",
        "    x is at version 0",
    ]


def test_after_backward_it_says_that_all_is_gone(x):
    y = (x * x).sum()
    y.backward()
    assert "what the functions had saved is gone" in draw_versions(y).text


def test_a_leaf_has_nothing_to_tell(x):
    picture = draw_versions(x)
    assert "No function behind it saves a tensor" in picture.text and "<svg" in picture.svg


# ---- of a film ----


def filmed(lib):
    with pytest.raises(RuntimeError) as caught, record_versions() as film:
        x = lib.tensor([1.0, 2.0], requires_grad=True)
        y = x.exp()
        loss = y.sum()
        y.add_(1)
        loss.backward()
    return film, caught.value


def test_a_film_knows_the_lines_that_wrote(lib):
    film, error = filmed(lib)
    lines = re.sub(r"line \d+", "line", draw_versions(film).text).splitlines()
    assert lines == [
        "Versions, line by line",
        "line  y = x.exp()",
        "    y begins at version 0",
        "    ExpBackward0 saves y at version 0",
        "line  y.add_(1)",
        "    y is written: version 0 -> 1",
        "line  loss.backward()",
        "    ExpBackward0 wants y at version 0, finds version 1",
        f"PyTorch says: {error}",
    ]


def test_the_line_numbers_are_those_of_the_file(lib):
    film, _ = filmed(lib)
    start = filmed.__code__.co_firstlineno
    assert [moment.where for moment in film.moments if moment.what == "y.add_(1)"] == [
        f"line {start + 5}"
    ]


def test_the_error_carries_its_film(lib):
    film, error = filmed(lib)
    assert error.film is film


def test_writes_inside_a_called_function_are_those_of_the_line(lib):
    def step(weight):
        with lib.no_grad():
            weight.sub_(weight.grad)

    w = lib.tensor([1.0, 2.0], requires_grad=True)
    with record_versions() as film:
        (w * w).sum().backward()
        step(w)
    assert [m.what for m in film.moments if any(k.kind == "written" for k in m.marks)] == [
        "step(w)"
    ]


def test_a_view_is_written_with_its_base(lib):
    with record_versions() as film:
        x = lib.tensor([1.0, 2.0])
        row = x[:1]
        row.add_(1)
    assert "x is written: version 0 -> 1\n    row is written: version 0 -> 1" in repr(film)


def test_a_saved_view_without_a_name_is_told_at_its_base(lib):
    w = lib.tensor(2.0, requires_grad=True)
    with pytest.raises(RuntimeError) as caught, record_versions() as film:
        x = lib.tensor([3.0, 4.0])
        product = x[0] * w
        x[1] = 5
        product.backward()
    told = [line.strip() for line in repr(film).splitlines()]
    start = told.index("MulBackward0 saves a view of x at version 0")
    assert told[start + 2] == "x is written: version 0 -> 1"
    assert told[start + 4] == "MulBackward0 wants a view of x at version 0, finds version 1"
    assert "Mul saves a view, version 0" in draw_versions(film).svg
    assert "It was written by line" in explain(caught.value).text


def test_a_name_that_is_used_again_is_another_tensor(lib):
    y = lib.tensor([9.0])
    with record_versions() as film:
        y = lib.tensor([1.0])
        y.add_(1)
        y = y * 1
        y.mul_(2)
    text = draw_versions(film).text
    assert "\n    y is written: version 0 -> 1" in text
    assert "\n    y (2) is written: version 0 -> 1" in text and "(3)" not in text


def test_a_film_leaves_no_trace_function(lib):
    before = sys.gettrace(), sys._getframe().f_trace
    with record_versions():
        x = lib.tensor([1.0])
    assert (sys.gettrace(), sys._getframe().f_trace) == before and x.item() == 1


def test_other_errors_pass_through():
    with pytest.raises(KeyError), record_versions() as film:
        {}["missing"]
    assert "missing" in film.error


def test_a_film_shows_itself_in_a_notebook(lib):
    film, _ = filmed(lib)
    bundle = film._repr_mimebundle_()
    assert "y.add_(1)" in bundle["text/plain"] and "<li><b>" in bundle["text/html"]


# ---- writes that are not counted ----


def told(film):
    lines = [line.strip() for line in draw_versions(film).text.splitlines()]
    return [line for line in lines if "counted" in line]


def test_a_write_through_data_is_told_and_what_it_does_to_backward(x):
    with record_versions() as film:
        y = x * x
        x.data.mul_(10)
        y.sum().backward()
    assert x.grad.tolist() == [20.0, 40.0]  # and not 2, 4: wrong without an error
    assert told(film) == [
        "x: numbers changed, not counted, still version 0",
        "MulBackward0 saved x before its numbers changed uncounted: backward computes with the "
        "new ones, and no error says so.",
    ]
    picture = draw_versions(film)
    assert "numbers changed, not counted" in picture.svg
    assert "x: numbers changed, not counted" in picture.alt


def test_a_write_after_backward_harms_nobody(x):
    with record_versions() as film:
        y = (x * x).sum()
        y.backward()
        x.data.mul_(10)
    assert told(film) == ["x: numbers changed, not counted, still version 0"]


def test_detach_counts_and_data_does_not(lib):
    x = lib.tensor([1.0, 2.0])
    d, e = x.data, x.detach()
    with record_versions() as film:
        e.add_(1)
        d.add_(1)
    marks = [[(m.kind, film.titles[m.track]) for m in moment.marks] for moment in film.moments]
    assert sorted(marks[1]) == [("uncounted", "d"), ("written", "e"), ("written", "x")]
    assert sorted(marks[2]) == [("uncounted", "e"), ("uncounted", "x"), ("written", "d")]


def test_a_write_through_an_array_is_told(lib):
    x = lib.tensor([1.0, float("nan")])
    array = x.numpy()
    with record_versions() as film:
        y = x + 1  # nan is no change
        array[0] = 5
    assert told(film) == ["x: numbers changed, not counted, still version 0"]
    assert y[0].item() == 2


def test_new_memory_through_data_is_a_change_but_the_saved_tensor_may_be_whole(lib, x):
    with record_versions() as film:
        y = x.exp()
        y.data = lib.tensor([0.0, 0.0])
    assert told(film) == ["y: numbers changed, not counted, still version 0"]


def test_of_a_large_tensor_only_the_counter_is_watched(lib):
    with record_versions() as film:
        x = lib.zeros(1_000_001)
        x.data.add_(1)
        x.add_(1)
    assert "x: only the counter was watched, not the numbers." in draw_versions(film).text


# ---- size ----


def test_a_long_time_line_keeps_both_ends():
    moments = tuple(Moment(f"{n}", "", (Mark(0, "written", n + 1, n),)) for n in range(100))
    short = kept(Timeline("t", ("x",), moments))
    assert [m.where for m in (short.moments[0], short.moments[-1])] == ["0", "99"]
    assert len(short.moments) == MOMENTS
    assert short.captions == ("76 moments in between are not shown.",)


def test_tensors_that_nobody_touches_are_left_out():
    moments = (Moment("", "", (Mark(0, "new", 0), Mark(1, "written", 1, 0))),)
    assert kept(Timeline("t", ("x", "y"), moments)).tracks == ("y",)


def test_of_many_tensors_the_stale_one_stays():
    marks = tuple(Mark(n, "written", 1, 0) for n in range(9)) + (Mark(9, "stale", 1, 0, "f"),)
    short = kept(Timeline("t", tuple("abcdefghij"), (Moment("", "", marks),)))
    assert len(short.tracks) == TRACKS and "j" in short.tracks
    assert short.captions == ("4 more tensors are not shown.",)


def test_a_function_of_the_reader_is_told_too(lib):
    class Square(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 2 * x * grad

    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    z = Square.apply(y)
    y.add_(1)
    text = draw_versions(z).text
    assert "SquareBackward wants y at version 0, finds version 1" in text
    assert "MulBackward0" not in text  # all it saved is the number 1
