"""What `draw_sharing` looks up about tensors."""

import numpy as np

from course_lib.viz.pictures.decisions import verdict_on


def test_bytes_decide_and_not_dtypes(lib):
    z, x = lib.tensor([1 + 2j, 3 - 4j]), lib.tensor([1.0, 2.0])
    assert verdict_on(z.real, z) == verdict_on(x.view(lib.int32), x) == "view"
    assert verdict_on(z.real, z.imag) == "neighbour"


def test_arrays_on_the_same_bytes_share_whatever_storage_they_begin(lib):
    a = np.arange(6.0)
    front, back, rest = (lib.from_numpy(part) for part in (a[:4], a[3:], a[4:]))
    assert [verdict_on(back, front), verdict_on(rest, front)] == ["view", "copy"]


def test_what_has_no_memory_is_no_copy(lib):
    x = lib.tensor([1.0])
    assert verdict_on(lib.zeros(1, device="meta"), x) == verdict_on(lib.tensor([]), x) == "nothing"
