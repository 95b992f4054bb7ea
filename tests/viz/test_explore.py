"""`explore`: sliders where there is a page, one picture where there is none, and clear refusals."""

import nbformat
import pytest
from nbclient import NotebookClient

from course_lib.viz import draw_storage, explore

VIEW = "application/vnd.jupyter.widget-view+json"
PICTURE = """\
import course_lib as torch
from course_lib.viz import draw_storage, explore

row = torch.tensor([10, 20, 30])

def cut(start=1):
    return draw_storage(row[start:], names=["cut"])

explore(cut, start=range(3))"""
MOVE = """\
from ipywidgets import SelectionSlider, Widget
_, slider = [w for w in Widget.widgets.values() if isinstance(w, SelectionSlider)]
slider.value = 2"""


def test_a_slider_draws_again_in_the_same_place_and_without_one_the_first_picture_stays():
    cells = [nbformat.v4.new_code_cell(source) for source in (PICTURE, PICTURE, MOVE)]
    NotebookClient(nbformat.v4.new_notebook(cells=cells), timeout=300).execute()
    sliders, picture = (output["data"] for output in cells[0].outputs)  # which nobody has moved
    assert sliders["text/plain"].startswith("start: 1 (0 to 2)\nNo sliders here: change")
    assert "offset 1" in picture["text/plain"]
    sliders, picture = (output["data"] for output in cells[1].outputs)
    assert VIEW in sliders and "offset 2" in picture["text/plain"] and picture["image/svg+xml"]


def test_a_place_that_is_refused_shows_the_error():
    from course_lib.viz.pictures.exploring import _Refused

    refused = _Refused(RuntimeError("a < b"))
    assert repr(refused) == "RuntimeError: a < b" and "a &lt; b" in refused._repr_html_()


def test_outside_a_notebook_the_first_picture_is_printed(lib, capsys):
    row = lib.tensor([10, 20, 30])
    explore(lambda start: draw_storage(row[start:], names=["cut"]), start=[2, 1])
    assert "cut  shape (1,), stride (1,), offset 2" in capsys.readouterr().out


@pytest.mark.parametrize(("choices", "said"), [
    ({"start": (0, 5)}, r"range\(0, ...\) for all in between, or \[0, 5\]"),
    ({"start": 5}, "a range or a list of values, not int"),
    ({"start": "abc"}, "a range or a list of values, not str"),
    ({"start": [1]}, "at least two values"),
    ({"stop": range(3)}, r"names of the function's parameters \(start\), not 'stop'"),
    ({"start": range(5, 9)}, "its default 1 among its values"),
])  # fmt: skip
def test_what_cannot_become_a_slider_is_answered(choices, said):
    def cut(start=1):
        return start

    with pytest.raises((TypeError, ValueError), match=said):
        explore(cut, **choices)


def test_no_function_and_nothing_given_back_are_answered():
    with pytest.raises(TypeError, match="a function that gives back a picture, not int"):
        explore(5, start=range(3))
    with pytest.raises(TypeError, match="gave back None. End it with return"):
        explore(lambda start: None, start=range(3))
