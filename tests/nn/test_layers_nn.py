"""Layers: what they print, begin with, give and send back, as recorded from PyTorch."""

import json
import runpy
from pathlib import Path

import pytest

import course_lib as torch

RECORDER = runpy.run_path(str(Path(__file__).with_name("record_layers.py")))
RECORD = json.loads(Path(__file__).with_name("layers.json").read_text(encoding="utf-8"))


@pytest.mark.filterwarnings("ignore:LSTM with projections")
@pytest.mark.parametrize(("text", "shape", "expected"), RECORD, ids=[case[0] for case in RECORD])
def test_a_layer_does_what_pytorchs_does(text, shape, expected):
    found = RECORDER["observe"](torch, text, shape)
    for key in ("repr", "shape"):
        assert found[key] == expected[key]
    assert list(found["state"]) == list(expected["state"])
    for key in ("state", "output", "gradients"):
        assert found[key] == pytest.approx(expected[key], rel=1e-4, abs=1e-4)
