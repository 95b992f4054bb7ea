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


def test_no_tensor_is_conjugated_or_negated_later():
    x = torch.tensor([1j]).conj()
    assert not (x.is_conj() or torch.is_conj(x) or x.is_neg() or torch.is_neg(x))


def test_there_is_no_accelerator():
    accelerator = torch.accelerator
    assert accelerator.current_accelerator() is None and accelerator.device_count() == 0
    assert not accelerator.is_available()
    with pytest.raises(RuntimeError, match="Cannot access accelerator device when none is"):
        accelerator.synchronize()
    with accelerator.device_index(None):
        pass


def test_back_ends_can_be_imported():
    import course_lib.backends.cudnn as cudnn

    assert cudnn is torch.backends.cudnn and not cudnn.is_available()
