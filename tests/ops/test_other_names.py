"""Names that few programs use: older decompositions, conjugation, accelerators, back ends."""

from __future__ import annotations

import warnings

import pytest

import course_lib as torch
from course_lib.words.errors import writing


def test_a_warning_is_given_once(monkeypatch):
    monkeypatch.setattr(writing, "given", set())
    with pytest.warns(UserWarning, match="deprecated"):
        torch.qr(torch.eye(2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch.qr(torch.eye(2))


def test_back_ends_can_be_imported():
    import course_lib.backends.cudnn as cudnn

    assert cudnn is torch.backends.cudnn and not cudnn.is_available()
