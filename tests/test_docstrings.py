"""Every example in a docstring runs and shows what it says; `torch` stands for `course_lib`."""

import doctest
import importlib
import pkgutil

import pytest

import course_lib

MODULES = ["course_lib"] + sorted(
    found.name for found in pkgutil.walk_packages(course_lib.__path__, "course_lib.")
)


class Finder(doctest.DocTestFinder):
    """Sees also what a decorator put in a function's place, where the function was written.

    The front of a function, which stands in the namespace, has the same text once more.
    """

    def _from_module(self, module, object):
        if hasattr(object, "bare"):
            return False
        made_here = getattr(object, "__module__", None) == module.__name__
        return made_here or super()._from_module(module, object)


def examples(name: str) -> list[doctest.DocTest]:
    module = importlib.import_module(name)
    tests = Finder(exclude_empty=True).find(module, name, extraglobs={"torch": course_lib})
    return [test for test in tests if test.examples]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module_run(name):
    report: list[str] = []
    for test in examples(name):
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert not report, "".join(report)


def test_examples_of_declared_operations_are_found():
    found = [test.name for name in MODULES if ".ops." in name for test in examples(name)]
    assert len(found) > 10
