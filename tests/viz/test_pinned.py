"""Drawings kept byte for byte: nbval compares stored pictures so, and PyTorch must draw the same.

After a change that is meant, look at the new drawings and keep them:

    python tests/viz/test_pinned.py
"""

from pathlib import Path

import pytest
from programs import names_after, picture_after, programs

KEPT = Path(__file__).parent / "pinned"
PINNED = (KEPT / "programs.txt").read_text(encoding="utf-8")
OVERWRITING = """\
with record_versions() as film:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    loss = y.sum()
    y.add_(1)
    loss.backward()
"""


def error_of(function, *given, **names):
    with pytest.raises(RuntimeError) as caught:
        function(*given, **names)
    return caught.value


def overwriting(lib):
    """The error of a little program whose lines have numbers that no change of this file moves."""
    return error_of(names_after, lib, OVERWRITING, file="overwriting.py", __name__="program")


def drawn(lib, code):
    return picture_after(lib, code, overwriting=overwriting, error_of=error_of)


@pytest.mark.parametrize(("name", "code"), [(p.id, p.values[0]) for p in programs(PINNED)])
def test_the_drawing_is_the_one_that_was_kept(lib, name, code):
    kept = (KEPT / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn(lib, code).svg == kept.rstrip("\n")


if __name__ == "__main__":
    import course_lib

    for each in programs(PINNED):
        drawn(course_lib, each.values[0]).save(KEPT / f"{each.id}.svg")
