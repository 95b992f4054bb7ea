"""The examples in the docstrings of the folder `site`."""

from __future__ import annotations

import doctest

import folding
import pages
import pytest
import reference


@pytest.mark.parametrize("module", [folding, pages, reference], ids=lambda one: one.__name__)
def test_examples(module):
    # the words of a lesson are cut down by a package that only the site's environment has
    finder = doctest.DocTestFinder(exclude_empty=True)
    ran = [one for one in finder.find(module) if one.name != "pages.words_of"]
    results = [doctest.DocTestRunner().run(one) for one in ran]
    assert sum(one.attempted for one in results) > 1
    assert sum(one.failed for one in results) == 0


def test_examples_of_the_command(build):
    assert doctest.testmod(build).failed == 0
