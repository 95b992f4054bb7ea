"""What `draw_versions` tells of a graph and of a film, compared as data."""

import re
import sys

import pytest
from programs import SQUARE

from course_lib.viz import draw_versions, explain, record_versions
from course_lib.viz.pictures.timeline import MOMENTS, TRACKS, Mark, Moment, Timeline, keep_drawable
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


# A program that makes `z`, and words that are said of it.
SAID = {
    "the function that stops first is shown": (
        "w = torch.ones(2)\ny = x.exp()\nz = (y * w).sum()\ny.add_(1)\nw.mul_(2)",
        ["MulBackward0 stops", "MulBackward0 wants w at version 0"]),
    "a result with many elements is tried too": ("y = x.sigmoid()\ny[0] = 0.5\nz = y * 2",
        ["SigmoidBackward0 wants y at version 0, finds version 1"]),
    "two tensors that could be meant are both named": (
        "w, v = torch.ones(2), torch.ones(2)\nz = x * w\nw.add_(1)\nv.add_(1)",
        ["MulBackward0 wants w or v at version 0"]),
    "after backward all is gone": ("z = (x * x).sum()\nz.backward()",
        ["what the functions had saved is gone"]),
    "a leaf has nothing to tell": ("z = x", ["No function behind it saves a tensor"]),
    "a function of the reader is told too": (SQUARE,
        ["SquareBackward wants y at version 0, finds version 1"]),
}  # fmt: skip


@pytest.mark.parametrize("asked", SAID)
def test_what_was_saved_and_who_stops_is_said_with_the_words_of_the_error(run, asked):
    code, words = SAID[asked]
    found = run(f"{code}\ngrad = x.grad\npicture = draw_versions(z)")
    text = found["picture"].text
    assert [word for word in words if word not in text] == [] and "<svg" in found["picture"].svg
    assert ("MulBackward0" in text) == ("Mul" in words[0])  # `x * 1` saves nothing
    assert found["x"].grad is found["grad"]
    for said in re.findall("PyTorch says: (.*)", text):
        assert said == message_of(found["z"].sum())


# ---- of a film ----


def filmed(lib):
    with pytest.raises(RuntimeError) as caught, record_versions() as film:
        x = lib.tensor([1.0, 2.0], requires_grad=True)
        y = x.exp()
        loss = y.sum()
        y.add_(1)
        loss.backward()
    return film, caught.value


def test_a_film_knows_the_lines_that_wrote_and_hangs_at_the_error(lib):
    film, error = filmed(lib)
    first = filmed.__code__.co_firstlineno
    text = re.sub(r"(line \d+) +", r"\1  ", draw_versions(film).text)  # numbers are aligned
    assert text.splitlines() == [
        "Versions, line by line",
        f"line {first + 3}  y = x.exp()",
        "    y begins at version 0",
        "    ExpBackward0 saves y at version 0",
        f"line {first + 5}  y.add_(1)",
        "    y is written: version 0 -> 1",
        f"line {first + 6}  loss.backward()",
        "    ExpBackward0 wants y at version 0, finds version 1",
        f"PyTorch says: {error}",
    ]
    assert error.film is film
    bundle = film._repr_mimebundle_()
    assert "y.add_(1)" in bundle["text/plain"] and "<li><b>" in bundle["text/html"]


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


def test_a_film_leaves_no_trace_function_and_lets_other_errors_pass():
    before = sys.gettrace(), sys._getframe().f_trace
    with pytest.raises(KeyError), record_versions() as film:
        {}["missing"]
    assert (sys.gettrace(), sys._getframe().f_trace) == before and "missing" in film.error


# ---- writes that are not counted ----


def told(film):
    lines = [line.strip() for line in draw_versions(film).text.splitlines()]
    return [line for line in lines if "counted" in line or "counter was" in line]


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


def test_detach_counts_and_data_does_not(lib):
    x = lib.tensor([1.0, 2.0])
    d, e = x.data, x.detach()
    with record_versions() as film:
        e.add_(1)
        d.add_(1)
    marks = [[(m.kind, film.titles[m.track]) for m in moment.marks] for moment in film.moments]
    assert sorted(marks[1]) == [("uncounted", "d"), ("written", "e"), ("written", "x")]
    assert sorted(marks[2]) == [("uncounted", "e"), ("uncounted", "x"), ("written", "d")]


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("y = (x * x).sum(); y.backward(); x.data.mul_(10)", "x"),  # too late to do harm
        ("a = torch.tensor([1.0, float('nan')]); b = a.numpy(); y = a + 1; b[0] = 5", "a"),
        ("y = x.exp(); y.data = torch.zeros(2)", "y"),  # new memory: what was saved may be whole
    ],
)
def test_a_write_that_is_not_counted_is_told(run, code, name):
    film = run("with record_versions() as film:\n    " + code.replace("; ", "\n    "))["film"]
    assert told(film) == [f"{name}: numbers changed, not counted, still version 0"]


def test_of_a_large_tensor_only_the_counter_is_watched(run):
    code = "with record_versions() as film:\n    x = torch.zeros(1_000_001)\n    x.data.add_(1)"
    assert told(run(f"{code}\n    x.add_(1)")["film"]) == [
        "x: only the counter was watched, not the numbers."
    ]


# ---- size ----


def test_a_long_time_line_keeps_both_ends():
    moments = tuple(Moment(f"{n}", "", (Mark(0, "written", n + 1, n),)) for n in range(100))
    short = keep_drawable(Timeline("t", ("x",), moments))
    assert [m.where for m in (short.moments[0], short.moments[-1])] == ["0", "99"]
    assert len(short.moments) == MOMENTS
    assert short.captions == ("76 moments in between are not shown.",)


def test_tensors_that_nobody_touches_are_left_out():
    moments = (Moment("", "", (Mark(0, "new", 0), Mark(1, "written", 1, 0))),)
    assert keep_drawable(Timeline("t", ("x", "y"), moments)).tracks == ("y",)


def test_of_many_tensors_the_stale_one_stays():
    marks = tuple(Mark(n, "written", 1, 0) for n in range(9)) + (Mark(9, "stale", 1, 0, "f"),)
    short = keep_drawable(Timeline("t", tuple("abcdefghij"), (Moment("", "", marks),)))
    assert len(short.tracks) == TRACKS and "j" in short.tracks
    assert short.captions == ("4 more tensors are not shown.",)
