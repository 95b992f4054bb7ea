"""Films: one drawing with all steps, the script that plays it, and what is left without one."""

import base64
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from course_lib.viz import draw_backward, draw_descent, draw_graph, draw_versions, record_versions
from course_lib.viz.drawing import alive
from course_lib.viz.drawing.alive import alive_js
from course_lib.viz.drawing.picture import picture_of
from course_lib.viz.drawing.svg import undress_svg


def twenty(lib):
    w = lib.tensor([[0.5, -0.25], [1.0, 0.75]], requires_grad=True)
    h = lib.tensor([[1.0, 2.0]])
    for _ in range(6):
        h = (h @ w + 1).tanh()
    return draw_backward(h.mean().exp())


def backward(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    return draw_backward((x * x + x).sum())


def versions(lib):
    with record_versions() as film:
        y = lib.tensor([1.0, 2.0], requires_grad=True).exp()
        y.add_(1)
    return draw_versions(film)


def descent(lib):
    return draw_descent(lambda w: (w - 1) ** 2, [3.0, 2.0, 1.5])


FILMS = [backward, versions, descent]


def drawing_in(html):
    return base64.b64decode(re.search(r"svg\+xml;base64,([^\"]*)", html)[1]).decode()


def at_step(film, step):
    """What the script makes of the marks, once more in Python."""
    root = ElementTree.fromstring(film)
    for parent in root.iter():
        for element in list(parent):
            first, last = element.attrib.pop("data-from", None), element.attrib.pop("data-to", None)
            element.attrib.pop("display", None)
            if first and not int(first) <= step <= int(last or step):
                parent.remove(element)
            for change in filter(None, element.attrib.pop("data-changes", "").split(";")):
                name, *values = change.split("|")
                known = [v.split(":", 1) for v in values]
                element.set(name, [value for k, value in known if int(k) <= step][-1])
    return looks(root)


def looks(root):
    """Every element with the attributes that are set, and every word."""
    shapes = [
        (e.tag, sorted(p for p in e.attrib.items() if p[1]))
        for e in root.iter()
        if "tspan" not in e.tag
    ]
    return shapes, "".join(root.itertext())


def test_a_film_shows_at_every_step_what_the_still_shows(lib):
    film = backward(lib)
    assert " id=" not in film.film  # two pictures share none
    stills = [undress_svg(picture_of(frame).svg) for frame in film.frames]
    dark = [set(re.findall(r"\[[^}]*}", picture_of(frame).svg)) for frame in film.frames]
    assert set().union(*dark) == set(re.findall(r"\[[^}]*}", film.film))  # the dark theme of each
    for step, still in enumerate(stills):
        assert at_step(undress_svg(film.film), step) == looks(ElementTree.fromstring(still))


@pytest.mark.parametrize("draw", FILMS)
def test_a_film_has_words_for_every_step_and_one_drawing(lib, draw):
    film = draw(lib)
    steps = re.findall("<li><b>.*?</li>", film._html())
    marks = [int(k) for k in re.findall(r'data-from="(\d+)"', film.film)]
    assert len(steps) == len(film.scenes) > 1 and max(marks) == len(steps) - 1
    bundle = film._repr_mimebundle_()
    assert list(bundle) == ["text/plain", "text/html"]
    assert bundle["text/html"].count("<img ") == 1  # the drawing is stored once
    assert drawing_in(bundle["text/html"]) == film.film
    ElementTree.fromstring(film.svg)  # a file has the last step, and no marks
    assert not re.search("data-from|data-changes|display", film.svg)


def test_a_film_of_twenty_functions_adds_little_to_a_notebook(lib):
    film = twenty(lib)
    assert sum(box.kind.startswith("function") for box in film.frames[0].boxes) == 20
    assert sum(len(part.encode()) for part in film._repr_mimebundle_().values()) < 150_000


# ---- the script ----


def test_the_script_is_small_and_can_stand_in_a_page_in_its_own_figure(lib):
    script, html = alive_js(), backward(lib)._html()
    assert len(script.encode()) <= 15 * 1024
    assert "</" not in script and "<svg" not in script and "<style" not in script
    # in a picture larger than its window, the tools stand below the last line, not on it
    assert re.search(r"\.view\.large\{[^}]*padding-bottom:36px", script)
    assert html.startswith("<figure") and html.endswith(f"<script>{script}</script></figure>")
    # A box is named by what it shows: another name than the visible one cannot be spoken to;
    # axe-core calls that serious.
    source = Path(alive.__file__).with_name("alive.js").read_text(encoding="utf-8")
    assert "box.ariaDescription = box.dataset.told" in source and "box.ariaLabel" not in source


def test_marks_name_boxes_and_the_ends_of_arrows(x):
    y = (x * x).exp()
    for picture in (draw_graph(y), draw_graph(y, direction="forward", show="saved")):
        boxes = set(re.findall('data-box="([^"]*)"', picture.svg))
        ends = re.findall('data-tail="([^"]*)" data-head="([^"]*)"', picture.svg)
        assert boxes == {box.id for box in picture.diagram.boxes}
        assert sorted(ends) == sorted((a.tail, a.head) for a in picture.diagram.arrows)
