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


def test_programs_can_set_and_ask_what_a_gpu_would_need():
    from course_lib.backends import cudnn

    torch.backends.cudnn.deterministic = True
    assert cudnn.deterministic and not torch.backends.mps.is_available()
    torch.cuda.manual_seed_all(1)
    assert torch.cuda.device_count() == 0 and torch.accelerator.current_accelerator() is None
    with pytest.raises(AssertionError, match="CUDA"):
        torch.cuda.current_device()
    cudnn.deterministic = False
