"""Bytes: of a graph, function by function, and of a program, line by line."""

import sys

import pytest

from course_lib.viz import draw_memory, record_memory
from course_lib.viz.pictures.memory import describe_memory
from course_lib.viz.pictures.memory_chart import ROWS
from course_lib.viz.reading.names import Names


def test_a_shared_storage_is_counted_once(lib):
    x = lib.ones(100, requires_grad=True)
    y = x.exp()
    z = (y * y[:50].sum()).sum()
    memory = describe_memory(z, Names({"x": x}, None, None))
    counted = [row.parts for row in memory.rows if "result" in row.what or "shares" in row.note]
    assert counted[0] == (0, 400) and any("shares with" in row.note for row in memory.rows)
    assert sum(row.total for row in memory.rows) == 404  # y's numbers, and the sum of the view


def test_a_view_keeps_the_whole_storage(lib):
    x = lib.ones(1000)
    w = lib.ones(1, requires_grad=True)
    assert describe_memory(x[:1] * w, Names(None, None, None)).rows[0].total == 4000 + 4 * 0


def test_what_has_a_name_is_told_apart(lib):
    x = lib.ones(10, requires_grad=True)
    y = (x * x).exp().sum()
    text = draw_memory(y).text
    assert "80 bytes are saved. 40 bytes of them have no name: backward() frees them." in text


def test_after_backward_nothing_is_kept(lib):
    x = lib.ones(10, requires_grad=True)
    y = (x * x).exp().sum()
    y.backward()
    assert "0 bytes are saved" in draw_memory(y).text and "Freed" in draw_memory(y).text


def test_a_film_sees_the_graph_grow_and_backward_free_it(lib):
    with record_memory() as film:
        x = lib.ones(100, requires_grad=True)
        y = x.exp().exp().sum()
        y.backward()
        y = None
    parts = [row.parts for row in film.rows if row.what.startswith(("x", "y"))]
    assert parts[:3] == [(400, 0, 0), (404, 0, 800), (404, 400, 0)] and parts[3] == (400, 400, 0)
    assert "frees 800 bytes that only the graph kept: y.backward()" in draw_memory(film).text


def test_a_film_keeps_no_tensor_alive_and_leaves_no_trace(lib):
    before = sys.gettrace()
    with record_memory() as film:
        x = lib.ones(100)
        del x
    assert film.rows[-1].total <= film.rows[1].total - 400 and sys.gettrace() is before


def test_a_long_film_becomes_columns(lib):
    w = lib.ones(10, requires_grad=True)
    losses = []
    with record_memory() as film:
        for step in range(ROWS):
            losses.append((w * step).exp().sum())
    picture = draw_memory(film)
    assert len(film.rows) > ROWS and "steps" in picture.svg and "Most:" in picture.text


def test_an_error_ends_the_film_and_is_told(lib):
    with pytest.raises(KeyError), record_memory() as film:
        {}["missing"]
    assert "The program stopped with KeyError" in draw_memory(film).text


def test_of_a_large_graph_the_largest_are_told(lib):
    x = lib.ones(4, requires_grad=True)
    y = x
    for _ in range(3 * ROWS):
        y = y.exp()
    memory = describe_memory(y.sum(), Names(None, None, None))
    assert len(memory.rows) == ROWS and memory.rows[-1].where == f"{2 * ROWS + 1} more functions"
    assert sum(row.total for row in memory.rows) == 3 * ROWS * 16


def test_an_empty_tensor_has_no_bytes(lib):
    x = lib.zeros(0, requires_grad=True)
    assert "0 bytes are saved" in draw_memory(x.exp().exp()).text


def test_a_film_shows_itself(lib):
    with record_memory() as film:
        x = lib.ones(2)
    assert x.sum().item() == 2 and "<svg" in film._repr_mimebundle_()["image/svg+xml"]


def test_wrong_input_is_answered_by_a_sentence(lib):
    with pytest.raises(TypeError, match="a tensor or a film of record_memory, not int"):
        draw_memory(3)
    with pytest.raises(ValueError, match="Give it the loss before backward"):
        draw_memory(lib.ones(2))
