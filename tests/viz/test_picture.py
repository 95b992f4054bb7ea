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
from course_lib.viz.drawing.dot import MOST
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


def test_a_wide_drawing_is_never_shown_with_letters_below_nine_pixels():
    svg = '<svg width="2100" height="9" xmlns="http://www.w3.org/2000/svg"></svg>'
    html = Picture("wide", "wide", make_svg=lambda: svg)._repr_mimebundle_()["text/html"]
    assert 'style="overflow:auto"' in html and "min-width:1800px;" in html


def test_more_than_graphviz_can_lay_out_is_refused_before_the_wait():
    row = tuple(Box(f"n{k}", "function", "f") for k in range(MOST + 2))
    arrows = tuple(Arrow(f"n{k}", f"n{k + 1}") for k in range(MOST + 1))
    picture = picture_of(Diagram("a long row", row, arrows))
    with pytest.raises(CannotDraw, match=r"2,200 arrows, .* has 2,201\. .*max_nodes=500"):
        _ = picture.svg
    assert "max_nodes=500" in picture._repr_mimebundle_()["text/html"]


def test_as_much_as_is_not_refused_is_laid_out():
    """A tree of that many arrows; what layouts cost: decision 2."""
    row = tuple(Box(f"n{k}", "function", "f") for k in range(MOST + 1))
    arrows = tuple(Arrow(f"n{k // 2}", f"n{k + 1}") for k in range(MOST))
    assert picture_of(Diagram("a tree", row, arrows)).svg.endswith("</svg>")


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


PLAIN = Picture("words", "alt", make_svg=lambda: '<svg width="1" height="1"></svg>')


@pytest.mark.parametrize(
    ("name", "attribute"),
    [("g.svg", "svg"), ("g.txt", "text"), ("g.dot", "source"), ("g.gv", "source")],
)
def test_a_picture_is_saved(tmp_path, name, attribute):
    picture = picture_of(LITTLE)
    path = picture.save(tmp_path / name)
    assert path.read_bytes().decode() == getattr(picture, attribute).rstrip("\n") + "\n"


def test_the_source_is_an_object_of_the_graphviz_package(tmp_path):
    graphviz = pytest.importorskip("graphviz")
    source = picture_of(LITTLE).graphviz()
    assert isinstance(source, graphviz.Source) and "MulBackward0" in source.source
    source.save(tmp_path / "g.gv")
    assert (tmp_path / "g.gv").read_bytes() == picture_of(LITTLE).save(
        tmp_path / "h.gv"
    ).read_bytes()


def test_a_picture_without_source_says_what_else_there_is(tmp_path):
    assert PLAIN.source == ""
    for ask in (PLAIN.graphviz, lambda: PLAIN.save(tmp_path / "g.dot")):
        with pytest.raises(CannotDraw, match=r"no source: .* save it as \.svg, \.png, \.pdf or"):
            ask()


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("g.jpg", {}, r"saved as \.svg, .* not as 'g\.jpg': give the name one of these endings"),
        ("g", {}, "not as 'g': give the name one of these endings"),
        ("g.png", {"theme": "auto"}, "cannot follow the reader's theme: write theme='light'"),
        ("g.svg", {"theme": "black"}, "theme wants 'auto', 'light' or 'dark', not 'black'"),
        ("g.txt", {"theme": "dark"}, r"a \.txt file has no theme: leave theme out"),
        ("g.html", {"scale": 2}, r"a \.html file has no size: leave scale out"),
        ("g.png", {"scale": "big"}, "scale wants a number above 0 and up to 100, such as 2"),
        ("g.png", {"scale": -1}, "scale wants a number above 0"),
        ("g.png", {"scale": float("nan")}, "scale wants a number above 0"),
    ],
)
def test_a_file_that_cannot_be_is_refused_with_what_to_do(tmp_path, name, options, said):
    with pytest.raises(ValueError, match=said):
        picture_of(LITTLE).save(tmp_path / name, **options)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_named_with_the_remedy(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no folder .*gone.*: make it first"):
        PLAIN.save(tmp_path / "gone" / "g.svg")
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OSError, match="is a file and no folder|there is no folder"):
        PLAIN.save(tmp_path / "file" / "g.svg")
    (tmp_path / "g.svg").mkdir()
    with pytest.raises(OSError, match="is a folder: give the picture a name of its own"):
        PLAIN.save(tmp_path / "g.svg")


def test_an_old_file_stays_whole_when_a_new_one_cannot_be_written(tmp_path, monkeypatch):
    path = PLAIN.save(tmp_path / "g.svg")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "disk full")))
    with pytest.raises(OSError, match=r"cannot write .*g\.svg' \(disk full\): save the picture in"):
        Picture("w", "a", make_svg=lambda: "<svg>").save(path)
    assert path.read_text("utf-8") == PLAIN.svg + "\n" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_theme_can_be_fixed(tmp_path, theme):
    svg = picture_of(LITTLE).save(tmp_path / "g.svg", theme=theme).read_text("utf-8")
    assert "prefers-color-scheme" not in svg
    roles = ("#ffffff", "#dbeafa") if theme == "light" else ("#14171c", "#14344f")
    others = {"#ffffff", "#dbeafa", "#14171c", "#14344f"} - set(roles)
    assert all(f'fill="{colour}"' in svg for colour in roles)
    assert not [colour for colour in others if colour in svg]


def test_the_size_of_a_drawing_can_be_chosen(tmp_path):
    picture = picture_of(LITTLE)
    wide = float(re.match('<svg width="([0-9.]+)"', picture.svg)[1])
    svg = picture.save(tmp_path / "g.svg", scale=2).read_text("utf-8")
    assert float(re.match('<svg width="([0-9.]+)"', svg)[1]) == 2 * wide
    assert svg.partition("viewBox")[2] == picture.svg.partition("viewBox")[2] + "\n"


def test_a_page_needs_nothing_else_and_holds_drawing_and_words(tmp_path):
    picture = picture_of(LITTLE)
    html = picture.save(tmp_path / "g.html").read_text("utf-8")
    assert html.startswith("<!doctype html>") and '<html lang="en">' in html
    assert "<h1>Computation graph of y</h1>" in html and picture._html() in html
    assert not re.search(r'(src|href)="(?!data:)', html) and "color-scheme: light dark" in html
    dark = picture.save(tmp_path / "d.html", theme="dark").read_text("utf-8")
    assert "color-scheme: dark" in dark


def test_other_programs_ask_for_svg_and_html_by_name():
    picture = picture_of(LITTLE)
    bundle = picture._repr_mimebundle_()
    assert picture._repr_svg_() == picture.svg == bundle["image/svg+xml"]
    assert picture._repr_html_() == bundle["text/html"]


def test_jupyter_takes_the_bundle_and_nothing_beside_it():
    formatters = pytest.importorskip("IPython.core.formatters")
    for picture in (picture_of(LITTLE), Picture("the words", "alt", make_svg=broken)):
        data, _ = formatters.DisplayFormatter().format(picture)
        assert data == picture._repr_mimebundle_()


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
