"""Names that few programs use: older decompositions, conjugation, accelerators, back ends."""

from __future__ import annotations

import course_lib as torch


def test_back_ends_can_be_imported():
    import course_lib.backends.cudnn as cudnn

    assert cudnn is torch.backends.cudnn and not cudnn.is_available()
