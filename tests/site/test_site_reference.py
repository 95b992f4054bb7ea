"""The library reference: every public name has its place, with the lesson that first uses it."""

import inspect

import pytest
import reference

import course_lib as torch
from course_lib import lazy, viz
from course_lib.calls.missing import LeftOut

lazy.read_all()


@pytest.fixture(scope="module")
def pages():
    return reference.pages()


@pytest.fixture(scope="module")
def entries(pages):
    return {one.name: one for page in pages for one in page.entries}


def test_every_name_of_torch_and_of_a_tensor_has_an_entry_that_says_what_it_is(entries):
    own, tensor = {"classroom", "cli", "viz"}, torch.Tensor
    names = {n for n in dir(torch) if n[0] != "_" and not inspect.ismodule(getattr(torch, n))}
    methods = {n for n in dir(tensor) if not isinstance(inspect.getattr_static(tensor, n), LeftOut)}
    wanted = {f"torch.{n}" for n in names - own} | {f"Tensor.{n}" for n in methods if n[0] != "_"}
    assert wanted - entries.keys() == set()
    assert [name for name, one in entries.items() if not one.doc.strip()] == []


@pytest.mark.parametrize("module", [torch.nn, torch.nn.functional, torch.optim, torch.linalg, viz])
def test_every_name_of_a_module_has_an_entry(module, entries):
    public = module.__name__ if module is viz else module.__name__.replace("course_lib", "torch")
    names = [n for n in module.__all__ if not inspect.ismodule(getattr(module, n))]
    assert names and [name for name in names if f"{public}.{name}" not in entries] == []


def test_no_name_has_two_entries_and_no_page_two_writers(pages):
    names = [one.name for page in pages for one in page.entries]
    assert len(names) == len(set(names))
    assert len({page.path.lower() for page in pages}) == len(pages)


def test_signatures_are_those_of_the_stubs(entries):
    assert entries["torch.sin"].ways == ["(input: Tensor, *, out: Tensor | None=None) -> Tensor"]
    assert len(entries["torch.max"].ways) > 1  # every way of calling it
    assert all(way[0] == "(" and "typing." not in way for e in entries.values() for way in e.ways)


def test_an_entry_has_words_example_and_lesson(entries):
    text = reference.block(entries["torch.arange"], {"torch.arange": "01_creation"}, {}, ":::")
    head, module = text.split("\n")[:2]
    assert head.startswith(":::{py:function} arange(") and module == ":module: torch"
    assert "```pycon\n>>> torch.arange(5)\n" in text
    assert "First used in lesson [01_creation](../notebooks/01_creation.ipynb)." in text


def test_a_name_is_in_the_index_under_its_own_letter(entries):
    """Sphinx files `torch.nn.Linear` under T, unless it is told what of it is the module."""
    layer = reference.block(entries["torch.nn.Linear"], {}, {}, ":::")
    assert layer.startswith(":::{py:class} Linear(") and "\n:module: torch.nn\n" in layer
    assert reference.block(entries["Tensor.abs"], {}, {}, ":::").startswith(
        ":::{py:method} Tensor.abs("
    )


def test_every_link_to_a_name_can_be_read(pages):
    for page in pages:
        links = reference.names_of(page)
        assert "></a>" not in links and links.count("<a ") in (0, len(page.entries))


def test_examples_are_fenced_and_nothing_is_lost():
    doc = "What it is.\n\n    >>> f(``x``)\n    1\n\nMore, with ``code``."
    assert reference.prose(doc) == (
        "What it is.\n\n\n```pycon\n>>> f(``x``)\n1\n```\n\nMore, with `code`."
    )


def test_the_first_lesson_that_uses_a_name_wins():
    cells = ["from course_lib.viz import draw_graph", "draw_graph(y)", "x.backward()"]
    uses = reference.first_uses([("a", ["import course_lib as torch"]), ("b", cells), ("c", cells)])
    assert uses["course_lib.viz.draw_graph"] == uses["Tensor.backward"] == "b"
