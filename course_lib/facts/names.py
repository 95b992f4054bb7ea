"""Names that are not there: PyTorch's sentence, and a note if PyTorch itself has the name."""

from __future__ import annotations

from course_lib.facts import errors, parser


def no_name(module: str, name: str) -> AttributeError:
    """The error for a name that a module does not have.

    >>> str(no_name("torch", "foo"))
    "module 'torch' has no attribute 'foo'"
    """
    return with_note(AttributeError(errors.no_module_attribute(module, name)), module, name)


def no_attribute(kind: str, name: str) -> AttributeError:
    """The error for an attribute that a tensor (or a Parameter: its `kind`) does not have."""
    return with_note(AttributeError(errors.no_attribute(kind, name)), "Tensor", name)


def with_note(error: AttributeError, place: str, name: str) -> AttributeError:
    """The error, with a note if the course leaves out on purpose what PyTorch has."""
    if not name.startswith("_") and name in parser.names(place):
        error.add_note(errors.left_out_on_purpose(place, name))
    return error


__all__ = ["no_attribute", "no_name"]
