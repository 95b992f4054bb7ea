"""PNG and PDF files: made of the SVG, whatever picture it is, without any program."""

import io
import re
import struct
import sys
import time

import pytest
from PIL import Image

from course_lib.viz import (
    compare,
    draw_backward,
    draw_descent,
    draw_graph,
    draw_module,
    draw_storage,
)
from course_lib.viz.drawing.diagram import Box, Diagram
from course_lib.viz.drawing.files import export
from course_lib.viz.drawing.picture import picture_of
from course_lib.viz.drawing.render import CannotDraw


def size_of(png):
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", png[16:24])


def colours(svg):
    """The set of colours among the pixels, and the pixels themselves."""
    pixels = Image.open(io.BytesIO(export(svg, "", "png", 2))).convert("RGB")
    return {f"#{r:02x}{g:02x}{b:02x}" for _, (r, g, b) in pixels.getcolors(1 << 20)}, pixels


def drawing(shapes, size=20):
    head = f'<svg width="{size}" height="{size}" xmlns="http://www.w3.org/2000/svg">'
    return f"{head}{shapes}</svg>"


def tensors(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    return x, (x * x).sum()


def pictures(lib):
    x, y = tensors(lib)
    graph = draw_graph(y)
    descent = draw_descent(lambda w, b: w * w + b * b, [(2.0, 1.0), (1.0, 0.5)])
    model = lib.nn.Sequential(lib.nn.Linear(2, 1))
    return {
        "graph": graph,
        "film": draw_backward(y),
        "module": draw_module(model, lib.zeros(1, 2)),
        "plot": descent,
        "pair": compare(graph, descent),
        "storage": draw_storage(lib.tensor([1, 2])),
    }


@pytest.mark.parametrize("kind", ["graph", "film", "module", "plot", "pair", "storage"])
def test_every_picture_is_saved_as_png_and_pdf_and_no_program_asked(
    lib, kind, tmp_path, monkeypatch
):
    monkeypatch.setenv("PATH", str(tmp_path))
    picture = pictures(lib)[kind]
    png = picture.save(tmp_path / "a.png").read_bytes()
    pdf = picture.save(tmp_path / "a.pdf").read_bytes()
    wide, high = (float(picture.svg.split(f'{side}="')[1].split('"')[0]) for side in
                  ("width", "height"))  # fmt: skip
    assert size_of(png) == pytest.approx((wide * 2, high * 2), abs=1)
    assert pdf.startswith(b"%PDF-") and len(png) > 1000


def test_the_bytes_of_a_file_hold_no_date(lib):
    svg = pictures(lib)["graph"].svg
    for kind in ("png", "pdf"):
        assert export(svg, "a", kind, 1) == export(svg, "a", kind, 1)


@pytest.mark.parametrize(
    "shape",
    [
        '<rect x="2" y="2" width="16" height="16" fill="#1f5f9e"/>',
        '<rect x="2" y="2" width="16" height="16" rx="3" fill="#1f5f9e"/>',
        '<polygon points="2,2 18,2 18,18 2,18" fill="#1f5f9e"/>',
        '<polyline points="2,10 18,10" fill="none" stroke="#1f5f9e" stroke-width="9"/>',
        '<ellipse cx="10" cy="10" rx="8" ry="8" fill="#1f5f9e"/>',
        '<path d="M2,2H18V18L2 18z" fill="#1f5f9e"/>',
        '<path d="M2,18C2,0 18,0 18,18Q10 30 2 18Z" fill="#1f5f9e"/>',
        '<g fill="#1f5f9e"><path d="M0,0H16V16H0Z" transform="translate(2 2)"/></g>',
        '<path d="M-8,-8H8V8H-8Z" transform="translate(10 10) rotate(45)" fill="#1f5f9e"/>',
        '<path d="M0,0H4V4H0Z" transform="translate(2 2) scale(4 4)" fill="#1f5f9e"/>',
        '<svg x="2" y="2" width="9" height="9"><rect width="16" height="16" fill="#1f5f9e"/></svg>',
        '<defs><path id="a" d="M-8,-8H8V8H-8Z"/></defs>'
        '<use href="#a" x="10" y="10" fill="#1f5f9e"/>',
    ],
)
def test_every_shape_that_our_drawings_use_is_known(shape):
    found, pixels = colours(drawing(shape))
    assert pixels.getpixel((20, 20)) == (0x1F, 0x5F, 0x9E)
    assert pixels.getpixel((0, 0)) == pixels.getpixel((39, 39)) == (255, 255, 255)


def test_what_lies_outside_of_a_clip_is_cut():
    clip = '<clipPath id="c"><rect x="0" y="0" width="10" height="20"/></clipPath>'
    mark = '<defs><path id="a" d="M-9,-9H9V9H-9Z"/></defs>'
    use = '<g clip-path="url(#c)"><use href="#a" x="10" y="10" fill="#1f5f9e"/></g>'
    found, pixels = colours(drawing(clip + mark + use))
    assert pixels.getpixel((10, 20)) == (0x1F, 0x5F, 0x9E)
    assert pixels.getpixel((30, 20)) == (255, 255, 255)


def test_words_of_several_sizes_stand_in_one_line():
    words = (
        '<text x="60" y="14" text-anchor="middle" font-family="Menlo,monospace" font-size="12" '
        'fill="#1f2328">1 <tspan font-weight="bold">exp</tspan>'
        '<tspan font-size="8"> x</tspan></text>'
    )
    found, pixels = colours(drawing(words, 120))
    dark = [x for x in range(240) for y in range(36) if pixels.getpixel((x, y))[0] < 90]
    assert 60 < min(dark) < 90 and 140 < max(dark) < 175


def test_a_dollar_is_no_formula():
    words = '<text x="2" y="14" font-family="Menlo" font-size="12" fill="#1f2328">$a$_b</text>'
    assert colours(drawing(words, 60))[0] != {"#ffffff"}


def test_a_scale_is_pixels_for_each_pixel_of_the_drawing(lib, tmp_path):
    picture = pictures(lib)["plot"]  # 440 x 350
    assert size_of(picture.save(tmp_path / "a.png", scale=0.5).read_bytes()) == (220, 175)
    pages = [picture.save(tmp_path / "a.pdf", scale=k).read_bytes() for k in (1, 2)]
    assert [re.search(rb"/MediaBox ?\[([^]]*)\]", page)[1].split()[2:] for page in pages] == [
        [b"440", b"350"],
        [b"880", b"700"],
    ]


def test_colours_of_boxes_a_dark_page_and_the_alt_text_of_a_pdf_arrive(tmp_path):
    picture = picture_of(Diagram("Sphinx of quartz", (Box("a", "leaf", "a"),)))
    found, _ = colours(picture.svg)
    assert {"#dbeafa", "#1f5f9e"} <= found
    pixels = Image.open(picture.save(tmp_path / "a.png", theme="dark"))
    assert pixels.convert("RGB").getpixel((1, 1)) == (0x14, 0x17, 0x1C)
    assert b"/Alt(Sphinx of quartz. 1 " in picture.save(tmp_path / "a.pdf").read_bytes()


def test_a_png_that_no_memory_holds_is_refused_with_what_to_do():
    with pytest.raises(
        CannotDraw, match=r"of 50,000 x 50,000 pixels is too large: .* scale=31\.62"
    ):
        export(drawing("", 500), "", "png", 100)
    with pytest.raises(CannotDraw, match="Typst gave up: "):  # which cannot read this
        export('<svg width="2" height="2">', "", "png", 1)


def test_the_largest_pictures_take_two_seconds_of_processor_time(lib):
    weight = lib.ones(3, 3, requires_grad=True)
    state = lib.ones(1, 3)
    for _ in range(20):
        state = lib.tanh(state @ weight + 1.0)
    picture = draw_graph(state.sum(), max_nodes=60)
    picture.svg, export(drawing(""), "", "png", 1)  # loading is paid once
    for kind in ("png", "pdf"):
        began = time.process_time()
        export(picture.svg, picture.alt, kind, 2)
        assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("package", "name"), [("typst", "a.png"), ("typst", "a.pdf"), ("graphviz", "a.svg")]
)
def test_a_package_that_is_missing_is_named_with_what_brings_it(
    tmp_path, monkeypatch, package, name
):
    monkeypatch.setitem(sys.modules, package, None)
    picture = picture_of(Diagram("A", (Box("a", "leaf", "a"),)))
    with pytest.raises(CannotDraw, match=f"package {package} is not .*: pip install {package}"):
        picture.save(tmp_path / name)


def test_without_matplotlib_a_plot_says_what_brings_it(monkeypatch):
    picture = draw_descent(lambda w: w * w, [2.0, 1.0])
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(CannotDraw, match="matplotlib is not installed: pip install matplotlib"):
        assert picture.svg
    assert "No drawing: the package matplotlib" in picture._repr_mimebundle_()["text/plain"]
