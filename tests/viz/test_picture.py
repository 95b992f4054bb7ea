"""How a picture shows itself: bundle, words, files; and what it does when it cannot be drawn."""

import base64
import os
import re
import subprocess
import sys
import threading
import xml.etree.ElementTree as ElementTree

import graphviz
import pytest
from IPython.core.formatters import DisplayFormatter

from course_lib.viz import compare
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
        Arrow("o0", "n0", "result", "grad_fn"), Arrow("n0", "n0s0", "saved"),
        Arrow("n0", "n1", label="0"), Arrow("n0", "n1", label="1"),
    ),
    ("Arrows: the way gradients go.",),
)  # fmt: skip

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


@pytest.fixture
def picture():
    return picture_of(LITTLE)


def test_a_picture_is_told_in_full_in_a_terminal_too_and_its_alt_text_in_a_sentence(picture):
    assert picture.text == repr(picture) == IN_WORDS
    assert picture.alt == (
        "Computation graph of y. 1 function: MulBackward0. 1 leaf: x. 1 box marked STALE."
    )


def test_the_bundle_holds_words_html_and_drawing_and_can_be_asked_for_in_part(picture):
    bundle = picture._repr_mimebundle_()
    assert list(bundle) == ["text/plain", "text/html", "image/svg+xml"]
    assert picture._repr_svg_() == picture.svg == bundle["image/svg+xml"]
    assert picture._repr_html_() == bundle["text/html"]
    part = picture._repr_mimebundle_(include={"text/plain", "text/html"})
    assert list(part) == ["text/plain", "text/html"]


def test_the_html_carries_the_drawing_as_an_image_with_alt_text_and_folds_the_words_away(picture):
    html = picture._repr_mimebundle_()["text/html"]
    alt, data = re.search(
        r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]*)"', html
    ).groups()
    assert alt == picture.alt and base64.b64decode(data).decode() == picture.svg
    assert "<svg" not in html and "<style" not in html
    assert "<details><summary>In words</summary><pre>Computation graph of y" in html


def test_a_wide_drawing_is_never_shown_with_letters_that_shrink():
    svg = '<svg width="2100" height="9" xmlns="http://www.w3.org/2000/svg"></svg>'
    html = Picture("wide", "wide", make_svg=lambda: svg)._repr_mimebundle_()["text/html"]
    assert 'style="overflow:auto"' in html and "min-width:2100px;" in html


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


def test_every_word_of_the_boxes_is_in_the_drawing():
    words = words_in(picture_of(LITTLE).svg).replace("\N{NO-BREAK SPACE}", " ")
    for box in LITTLE.boxes:
        for word in (box.title, box.tag, *box.lines):
            assert word in words


def test_the_drawing_has_its_own_background_a_dark_colour_for_each_and_nothing_that_changes(
    picture,
):
    svg = picture.svg
    style = re.search("<style>.*?</style>", svg)[0]
    assert "@media (prefers-color-scheme: dark)" in style
    assert re.search(r'<polygon fill="#ffffff" stroke="none"', svg)
    drawn = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{6}|[a-z]+)"', svg.replace(style, "")))
    assert drawn - {"none"} == {c for c in drawn if f'"{c}"' in style}
    assert "<!--" not in svg and "0x" not in svg and "id=" not in svg


def test_the_bytes_do_not_depend_on_what_was_drawn_before():
    first = svg_from("digraph { a -> b }")
    svg_from("digraph { x -> y -> z; y -> w [label=1] }")
    assert svg_from("digraph { a -> b }") == first


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


def test_a_source_that_graphviz_cannot_read_is_an_error_with_a_reason_and_the_next_is_drawn():
    with pytest.raises(CannotDraw, match="Graphviz gave up"):
        svg_from("digraph {")
    assert "<svg" in svg_from("digraph { a }")


# ---- files ----


PLAIN = Picture("words", "alt", make_svg=lambda: '<svg width="1" height="1"></svg>')


@pytest.mark.parametrize(
    ("name", "attribute"),
    [("g.svg", "svg"), ("g.txt", "text"), ("g.dot", "source"), ("g.gv", "source")],
)
def test_a_picture_is_saved(picture, tmp_path, name, attribute):
    path = picture.save(tmp_path / name)
    assert path.read_bytes().decode() == getattr(picture, attribute).rstrip("\n") + "\n"


def test_the_source_is_an_object_of_the_graphviz_package(tmp_path):
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


@pytest.mark.parametrize(("name", "options", "said"), [
    ("g.jpg", {}, r"saved as \.svg, .* not as 'g\.jpg': give the name one of these endings"),
    ("g", {}, "not as 'g': give the name one of these endings"),
    ("g.png", {"theme": "auto"}, "cannot follow the reader's theme: write theme='light'"),
    ("g.svg", {"theme": "black"}, "theme wants 'auto', 'light' or 'dark', not 'black'"),
    ("g.txt", {"theme": "dark"}, r"a \.txt file has no theme: leave theme out"),
    ("g.html", {"scale": 2}, r"a \.html file has no size: leave scale out"),
    ("g.png", {"scale": "big"}, "scale wants a number above 0 and up to 100, such as 2"),
    ("g.png", {"scale": -1}, "scale wants a number above 0"),
    ("g.png", {"scale": float("nan")}, "scale wants a number above 0"),
])  # fmt: skip
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


def test_the_size_of_a_drawing_can_be_chosen(picture, tmp_path):
    wide = float(re.match('<svg width="([0-9.]+)"', picture.svg)[1])
    svg = picture.save(tmp_path / "g.svg", scale=2).read_text("utf-8")
    assert float(re.match('<svg width="([0-9.]+)"', svg)[1]) == 2 * wide
    assert svg.partition("viewBox")[2] == picture.svg.partition("viewBox")[2] + "\n"


def test_a_page_needs_nothing_else_and_holds_drawing_and_words(picture, tmp_path):
    html = picture.save(tmp_path / "g.html").read_text("utf-8")
    assert html.startswith("<!doctype html>") and '<html lang="en">' in html
    assert "<h1>Computation graph of y</h1>" in html and picture._html() in html
    assert not re.search(r'(src|href)="(?!data:)', html) and "color-scheme: light dark" in html
    dark = picture.save(tmp_path / "d.html", theme="dark").read_text("utf-8")
    assert "color-scheme: dark" in dark


def test_jupyter_takes_the_bundle_and_nothing_beside_it():
    for picture in (picture_of(LITTLE), Picture("the words", "alt", make_svg=broken)):
        data, _ = DisplayFormatter().format(picture)
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


DRAWS = "from course_lib.viz.drawing import render as r; print('</svg>' in r.svg_from('graph{a}'))"
LOADED = """import sys, course_lib.viz
heavy = 'torch', 'IPython', 'matplotlib', 'wasmtime', 'graphviz', 'numpy'
print([name for name in heavy if name in sys.modules])"""


def _python(code, **places):
    """A process with these variables; an empty one is one that is not set."""
    env = {k: v for k, v in {**os.environ, **places}.items() if v or k not in places}
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", code]
    return subprocess.Popen(command, env=env, stdout=pipe, stderr=pipe, text=True)


def test_processes_may_start_at_once_on_an_empty_cache_and_on_a_torn_one(tmp_path):
    places = {"HOME": str(tmp_path), "XDG_CACHE_HOME": "", "LOCALAPPDATA": str(tmp_path)}
    running = [_python(DRAWS, **places) for _ in range(2)]
    assert [process.communicate()[0].strip() for process in running] == ["True"] * 2
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size > 1e5]
    assert len(kept) == 1, "the compiled module is kept once"
    whole = kept[0].stat().st_size
    kept[0].write_bytes(kept[0].read_bytes()[: whole // 2])  # as after a power cut
    assert _python(DRAWS, **places).communicate()[0].strip() == "True"
    assert kept[0].stat().st_size == whole


@pytest.mark.parametrize(
    ("code", "places", "printed"),
    [
        (DRAWS, {"HOME": "", "XDG_CACHE_HOME": "", "LOCALAPPDATA": ""}, ["True\n"]),
        (DRAWS, {}, ["True\n"]),
        (LOADED, {}, ["[]\n", "['numpy']\n"]),
    ],
    ids=["without a home", "drawing", "importing loads nothing heavy"],
)
def test_a_process_draws_loads_little_and_ends_without_a_word(code, places, printed):
    process = _python(code, **places)
    out, complaints = process.communicate()
    assert out in printed and (process.returncode, complaints) == (0, "")


# ---- two pictures as one ----

ONE = picture_of(Diagram("One", (Box("a", "leaf", "apple"),)))
TWO = picture_of(Diagram("Two", (Box("p", "leaf", "pear"),)))


def test_both_drawings_titles_and_words_are_in_it_and_the_theme_once():
    pair = compare(ONE, TWO, ("before", "after"))
    assert all(word in pair.svg for word in ("apple", "pear", "before", "after"))
    assert pair.svg.count("<style>") == 1 and compare(pair, ONE).svg.count("<svg") == 5
    assert pair.text == "before\n    One\n\n    apple\n\nafter\n    Two\n\n    pear"


def test_when_one_half_cannot_be_drawn_the_words_say_so():
    bundle = compare(ONE, Picture("only words", "words"))._repr_mimebundle_()
    assert "No drawing: this picture has only words" in bundle["text/plain"]


def test_a_comparison_without_title_is_taken_apart():
    pair = compare(ONE, TWO, ("l", "r"))
    row = compare(pair, ONE, ("", "third"))
    assert row.text == f"{pair.text}\n\nthird\n    One\n\n    apple"
    assert row.alt.startswith("3 pictures. l: One.")
    assert row.svg.count("<svg") == 4


def test_three_pictures_stand_in_one_row():
    row = compare(ONE, TWO, ONE, titles=("a", "b", "c"))
    assert row.svg.count("<svg") == 4 and [line for line in row.text.splitlines() if line[0:1] in
                                           {"a", "b", "c"}] == ["a", "b", "c"]  # fmt: skip
    assert compare(ONE, TWO, ONE).text.count(ONE.text) == 2
