"""How a picture shows itself: bundle, words, files; and what it does when it cannot be drawn."""

import base64
import os
import re
import subprocess
import sys
import threading
import xml.etree.ElementTree as ElementTree

import pytest

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.drawing.render import CannotDraw, svg_from

LITTLE = Diagram(
    "Computation graph of y",
    (
        Box("o0", "result", "y", ("[1., 4.]",), "result"),
        Box("n0", "function", "MulBackward0", number=1),
        Box("n0s0", "stale", "saved self", ("saved at version 0", "now at version 1"), "STALE"),
        Box("n1", "leaf", "x", ("[1., 2.]", "grad = [2., 4.]"), "leaf"),
    ),
    (
        Arrow("o0", "n0", "result", "grad_fn"),
        Arrow("n0", "n0s0", "saved"),
        Arrow("n0", "n1", label="0"),
        Arrow("n0", "n1", label="1"),
    ),
    ("Arrows: the way gradients go.",),
)

IN_WORDS = """\
Computation graph of y
Arrows: the way gradients go.

y  result
    [1., 4.]
    -> [1] MulBackward0 (grad_fn)
[1] MulBackward0
    saved self  STALE
        saved at version 0
        now at version 1
    -> x (0)
    -> x (1)
x  leaf
    [1., 2.]
    grad = [2., 4.]"""


def words_in(svg):
    return " ".join(
        "".join(t.itertext()) for t in ElementTree.fromstring(svg).iter() if "text" in t.tag
    )


def test_the_text_form_says_everything():
    assert picture_of(LITTLE).text == IN_WORDS


def test_a_terminal_shows_the_text_form():
    assert repr(picture_of(LITTLE)) == IN_WORDS


def test_the_alt_text_is_a_sentence_about_what_is_to_be_seen():
    assert picture_of(LITTLE).alt == (
        "Computation graph of y. 1 function: MulBackward0. 1 leaf: x. 1 box marked STALE."
    )


def test_the_bundle_holds_words_html_and_drawing():
    bundle = picture_of(LITTLE)._repr_mimebundle_()
    assert list(bundle) == ["text/plain", "text/html", "image/svg+xml"]


def test_a_bundle_can_be_asked_for_in_part():
    bundle = picture_of(LITTLE)._repr_mimebundle_(include={"text/plain", "text/html"})
    assert list(bundle) == ["text/plain", "text/html"]


def test_the_html_carries_the_drawing_as_an_image_with_alt_text():
    picture = picture_of(LITTLE)
    html = picture._repr_mimebundle_()["text/html"]
    alt, data = re.search(
        r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]*)"', html
    ).groups()
    assert alt == picture.alt and base64.b64decode(data).decode() == picture.svg


def test_the_html_holds_no_svg_and_no_style_element():
    html = picture_of(LITTLE)._repr_mimebundle_()["text/html"]
    assert "<svg" not in html and "<style" not in html


def test_the_html_folds_the_text_form_away():
    html = picture_of(LITTLE)._repr_mimebundle_()["text/html"]
    assert "<details><summary>In words</summary><pre>Computation graph of y" in html


def test_every_word_of_the_boxes_is_in_the_drawing():
    words = words_in(picture_of(LITTLE).svg).replace("\N{NO-BREAK SPACE}", " ")
    for box in LITTLE.boxes:
        for word in (box.title, box.tag, *box.lines):
            assert word in words


def test_the_drawing_has_both_themes_and_its_own_background():
    svg = picture_of(LITTLE).svg
    assert "@media (prefers-color-scheme: dark)" in svg
    assert re.search(r'<polygon fill="#ffffff" stroke="none"', svg)


def test_every_colour_of_the_drawing_has_a_dark_one():
    svg = picture_of(LITTLE).svg
    style = re.search("<style>.*?</style>", svg)[0]
    drawn = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{6}|[a-z]+)"', svg.replace(style, "")))
    assert drawn - {"none"} == {c for c in drawn if f'"{c}"' in style}


def test_the_bytes_hold_nothing_that_changes():
    svg = picture_of(LITTLE).svg
    assert "<!--" not in svg and "0x" not in svg and "id=" not in svg


def test_the_bytes_do_not_depend_on_what_was_drawn_before():
    first = svg_from("digraph { a -> b }")
    svg_from("digraph { x -> y -> z; y -> w [label=1] }")
    assert svg_from("digraph { a -> b }") == first


def test_a_legend_is_drawn_on_demand():
    with_legend = Diagram(LITTLE.title, LITTLE.boxes, LITTLE.arrows, LITTLE.captions, legend=True)
    assert "the tensor you asked about" in words_in(picture_of(with_legend).svg)
    assert "the tensor you asked about" not in words_in(picture_of(LITTLE).svg)


@pytest.mark.parametrize("odd", ["<b>", 'a "quote"', "back\\slash\\n", "a & b", "é → ∂", "", "<x>"])
def test_any_title_is_drawn_as_it_is(odd):
    diagram = Diagram("Odd", (Box("a", "leaf", odd, (odd,), odd),))
    assert words_in(picture_of(diagram).svg).replace("\N{NO-BREAK SPACE}", " ").count(odd) >= 1


# ---- what cannot be drawn ----


def broken():
    raise CannotDraw("the pencil broke")


def test_displaying_never_raises_and_says_why_there_is_no_drawing():
    bundle = Picture("the words", "alt", make_svg=broken)._repr_mimebundle_()
    assert bundle["text/plain"] == "the words\n\n(No drawing: the pencil broke)"
    assert "the pencil broke" in bundle["text/html"] and "image/svg+xml" not in bundle


def test_a_source_that_graphviz_cannot_read_is_an_error_with_a_reason():
    with pytest.raises(CannotDraw, match="Graphviz gave up"):
        svg_from("digraph {")


def test_after_a_failure_the_next_picture_is_drawn():
    with pytest.raises(CannotDraw):
        svg_from("digraph {")
    assert "<svg" in svg_from("digraph { a }")


# ---- files ----


@pytest.mark.parametrize(
    ("name", "attribute"), [("g.svg", "svg"), ("g.txt", "text"), ("g.dot", "dot")]
)
def test_a_picture_is_saved(tmp_path, name, attribute):
    picture = picture_of(LITTLE)
    path = picture.save(tmp_path / name)
    assert path.read_bytes().decode() == getattr(picture, attribute) + "\n"


def test_a_picture_without_dot_says_what_else_there_is(tmp_path):
    with pytest.raises(CannotDraw, match=r"not made by Graphviz: save it as \.svg, \.png or \.pdf"):
        Picture("words", "alt", make_svg=lambda: "<svg/>").save(tmp_path / "g.dot")


def test_an_unknown_kind_of_file_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"saved as \.svg, .* not 'g\.jpg'"):
        picture_of(LITTLE).save(tmp_path / "g.jpg")


# ---- processes and threads ----


def test_threads_may_draw_at_once():
    drawings = []
    threads = [
        threading.Thread(target=lambda: drawings.append(picture_of(LITTLE).svg)) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(drawings) == 4 and len(set(drawings)) == 1


def test_processes_may_start_at_once_on_an_empty_cache_and_on_a_torn_one(tmp_path):
    code = (
        "from course_lib.viz.drawing import render as r; print('</svg>' in r.svg_from('graph{a}'))"
    )
    places = {"HOME": str(tmp_path), "XDG_CACHE_HOME": "", "LOCALAPPDATA": str(tmp_path)}
    running = [_python(code, places) for _ in range(2)]
    assert [process.communicate()[0].strip() for process in running] == ["True"] * 2
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size > 1e5]
    assert len(kept) == 1, "the compiled module is kept once"
    whole = kept[0].stat().st_size
    kept[0].write_bytes(kept[0].read_bytes()[: whole // 2])  # as after a power cut
    assert _python(code, places).communicate()[0].strip() == "True"
    assert kept[0].stat().st_size == whole


def test_a_process_without_a_home_still_draws():
    code = (
        "from course_lib.viz.drawing import render as r; print('</svg>' in r.svg_from('graph{a}'))"
    )
    process = _python(code, {"HOME": "", "XDG_CACHE_HOME": "", "LOCALAPPDATA": ""})
    assert process.communicate()[0].strip() == "True"


def test_a_process_that_drew_ends_without_a_word():
    code = "from course_lib.viz.drawing.render import svg_from; svg_from('digraph{a}')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def _python(code, places):
    env = {k: v for k, v in {**os.environ, **places}.items() if v}
    for key, value in places.items():
        if not value:
            env.pop(key, None)
    return subprocess.Popen(
        [sys.executable, "-c", code], env=env, stdout=subprocess.PIPE, text=True
    )


def test_importing_pictures_loads_nothing_heavy():
    code = (
        "import sys, course_lib.viz\n"
        "print([m for m in ('torch', 'IPython', 'matplotlib', 'wasmtime', 'graphviz', 'numpy')"
        " if m in sys.modules])"
    )
    process = _python(code, {})
    assert process.communicate()[0].strip() in ("[]", "['numpy']")
