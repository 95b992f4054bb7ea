"""The examples in the docstrings of the folder `site`."""

import doctest

import folding
import pages
import pytest
import reference


@pytest.mark.parametrize("module", [folding, pages, reference], ids=lambda one: one.__name__)
def test_examples(module):
    results = doctest.testmod(module)
    assert results.attempted > 1 and results.failed == 0


def test_examples_of_the_command(build):
    assert doctest.testmod(build).failed == 0
