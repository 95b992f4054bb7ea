"""`draw_image`: tensors of brightnesses as the pictures that they are."""

import base64
import math
import struct
import sys
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import GAP, PAD, WIDE, Chart, drawn
from course_lib.viz.drawing.theme import light
from course_lib.viz.reading import arguments
from course_lib.viz.reading.memory import unreadable
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.values import number

SIDE = 192  # pixels of a drawing's longer side, at least
LARGEST, MOST = 256, 16  # pixels of a picture's side; pictures
SHADES = " .:-=+*#%@"  # from black to white, for the text form
COLUMNS = 32  # letters of a picture's row there
UNKNOWN = (214, 39, 160)  # the colour of NaN

Pixel = tuple[int, ...]  # one brightness, or red, green and blue


@dataclass(frozen=True)
class Raster:
    """One picture: its pixels, each from 0 to 255, and what is said below it."""

    name: str
    shape: tuple[int, int]
    pixels: tuple[Pixel, ...]
    description: str

    @property
    def scale(self) -> int:
        """How many pixels of the drawing a pixel takes in each direction."""
        return max(1, SIDE // max(self.shape))


def draw_image(*tensors: Any, names: Any = None) -> Picture:
    """The tensors as pictures, side by side.

    A tensor of shape (rows, columns) is a grey picture, one of shape (rows, columns, 3) a coloured
    one, and one dimension more in front makes a row of pictures; (3, rows, columns) is therefore
    three grey ones. Whole numbers go from 0, black, to 255, white; floating-point numbers from 0 to
    1; False is black and True white. What lies outside is drawn as black or white and counted, NaN
    in a colour of its own. `names` are words in the order of the tensors, or a dict. Raises
    `TypeError` for what is no tensor, and `ValueError` for other shapes, more than 256 rows or
    columns, or more than 16 pictures.

    >>> import course_lib as torch
    >>> edge = torch.tensor([[0, 255], [255, 300]])
    >>> draw_image(edge)
    edge: 2 x 2, int64, from 0 to 300; 1 number outside 0 to 255 is clipped
         @
        @@
    """
    arguments.tensors("draw_image", tensors)
    given = arguments.in_order("draw_image", names, tensors)
    if given is not names:
        called = [name for name, _ in given]
    else:
        found = Names(names, None, sys._getframe(1), who="draw_image")
        called = found.each(tensors)
    rasters = []
    for tensor, name in zip(tensors, called, strict=True):
        rasters += describe_images(tensor, name)
    if len(rasters) > MOST:
        raise ValueError(
            f"draw_image draws up to {MOST} pictures, and these are {len(rasters)}. "
            f"Give it some of them: x[:{MOST}]."
        )
    alt = " ".join(f"Picture {one.description}." for one in rasters)
    text = "\n\n".join(f"{one.description}\n{_in_letters(one)}" for one in rasters)
    return drawn([text], alt, lambda chart: _put_images(chart, rasters))


def describe_images(tensor: Any, name: str) -> list[Raster]:
    """The pictures that a tensor holds, as plain data."""
    shape, dtype = tuple(tensor.shape), str(tensor.dtype).partition(".")[2]
    if dtype.startswith("complex"):
        raise TypeError("draw_image wants brightnesses, not complex numbers. Try x.abs().")
    coloured = len(shape) >= 3 and shape[-1] == 3
    sizes = shape[:-1] if coloured else shape
    if len(sizes) not in (2, 3) or 0 in shape:
        instead = "It holds no numbers." if 0 in shape else "For one row of numbers: x[None]."
        raise ValueError(
            f"draw_image wants a shape such as (48, 48), (48, 48, 3) or (16, 48, 48), not {shape}. "
            f"{instead}"
        )
    if max(sizes[-2:]) > LARGEST:
        raise ValueError(
            f"draw_image draws up to {LARGEST} rows and columns, not {sizes[-2]} x {sizes[-1]}. "
            "Give it a part, x[:256, :256], or every fourth pixel: x[::4, ::4]."
        )
    if why := unreadable(tensor):
        raise ValueError(f"draw_image wants numbers that it can read, not {name}: {why}.")
    rows, columns = sizes[-2:]
    numbers = tensor.detach().cpu().reshape(-1, rows * columns, 3 if coloured else 1).tolist()
    white = 1.0 if dtype.startswith(("float", "bfloat")) or dtype == "bool" else 255.0
    several = len(sizes) == 3
    return [
        _raster(f"{name}[{i}]" if several else name, (rows, columns), dtype, pixels, white)
        for i, pixels in enumerate(numbers)
    ]


def _raster(
    name: str, shape: tuple[int, int], dtype: str, pixels: list[list[Any]], white: float
) -> Raster:
    values = [value for pixel in pixels for value in pixel]
    known = [value for value in values if not math.isnan(value)]
    outside = sum(not 0 <= value <= white for value in known)
    size = " x ".join(map(str, shape)) + (" x 3" if len(pixels[0]) == 3 else "")
    told = f"{name}: {size}, {dtype}"
    if known:
        told += f", from {number(min(known))} to {number(max(known))}"
    if outside:
        count = f"{outside} number{' ' if outside == 1 else 's '}"
        told += f"; {count}outside 0 to {white:g} {'is' if outside == 1 else 'are'} clipped"
    if len(known) < len(values):
        told += f"; {len(values) - len(known)} NaN"
    drawn = [_pixel(pixel, white) for pixel in pixels]
    if any(len(pixel) == 3 for pixel in drawn):
        drawn = [pixel if len(pixel) == 3 else pixel * 3 for pixel in drawn]
    return Raster(name, shape, tuple(drawn), told)


def _pixel(values: list[Any], white: float) -> Pixel:
    if any(map(math.isnan, values)):
        return UNKNOWN
    return tuple(round(min(max(value / white, 0.0), 1.0) * 255) for value in values)


# ---- words ----


def _in_letters(raster: Raster) -> str:
    """The picture in letters, darker ones thinner; of a large one every few pixels."""
    rows, columns = raster.shape
    step = -(-columns // COLUMNS)
    lines = []
    for i in range(0, rows, 2 * step if rows > COLUMNS // 2 else step):  # letters are tall
        row = raster.pixels[i * columns : (i + 1) * columns : step]
        shades = (sum(pixel) * len(SHADES) // (256 * len(pixel)) for pixel in row)
        lines.append("    " + "".join(SHADES[shade] for shade in shades).rstrip())
    return "\n".join(lines)


# ---- drawing ----


def _put_images(chart: Chart, rasters: list[Raster]) -> None:
    """The pictures in rows, each with what is said of it below."""
    x = y = float(PAD)
    lowest = y
    for raster in rasters:
        wide, high = (side * raster.scale for side in (raster.shape[1], raster.shape[0]))
        told = raster.description.removeprefix(f"{raster.name}: ").replace("; ", ", ").split(", ")
        room = max(wide, *(len(line) * 6.2 for line in told), len(raster.name) * 7.4)
        if x > PAD and x + room > WIDE:
            x, y = float(PAD), lowest + GAP
        chart.box(x, y, wide, high, light("paper"))  # whose line is the edge of a white picture
        chart.picture(x, y, wide, high, png(raster.shape, raster.pixels))
        chart.text(x, y + high + 17, raster.name, 12, bold=True)
        for i, line in enumerate(told):
            chart.text(x, y + high + 33 + 15 * i, line, 11, "muted", face="Helvetica")
        lowest = max(lowest, y + high + 33 + 15 * len(told))
        x += room + GAP


def png(shape: tuple[int, int], pixels: Iterable[Pixel]) -> str:
    """A PNG as the address of an image: the bytes are stored, so they are the same everywhere.

    The format: W3C, Portable Network Graphics, sections 5 and 11; RFC 1950 and 1951 for the
    uncompressed blocks.

    >>> png((1, 1), [(255,)])[:30]
    'data:image/png;base64,iVBORw0K'
    """
    rows, columns = shape
    flat = [bytes(pixel) for pixel in pixels]
    grey = len(flat[0]) == 1
    lines = b"".join(
        b"\0" + b"".join(flat[i * columns : (i + 1) * columns]) for i in range(rows)
    )  # each row begins with the number of its filter: none
    head = struct.pack(">IIBBBBB", columns, rows, 8, 0 if grey else 2, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head)
    data += _chunk(b"IDAT", _store_zlib(lines)) + _chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(data).decode()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _store_zlib(data: bytes) -> bytes:
    """A zlib stream of blocks that are not compressed: compressors differ between systems."""
    parts = [data[i : i + 0xFFFF] for i in range(0, len(data), 0xFFFF)]
    blocks = [
        struct.pack("<BHH", part is parts[-1], len(part), len(part) ^ 0xFFFF) + part
        for part in parts
    ]
    return b"\x78\x01" + b"".join(blocks) + struct.pack(">I", zlib.adler32(data))
