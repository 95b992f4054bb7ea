"""Modules: what no recorded case can say; the others are in tests/oracle/cases/modules.txt."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import pytest

import course_lib as torch
from course_lib import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.scale = nn.Parameter(torch.ones(2))


def test_a_module_that_nobody_holds_is_freed_at_once():
    gc.disable()
    try:
        net = Net()
        gone = weakref.ref(net)
        del net
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_a_copied_module_has_parameters_of_its_own(copied):
    net = Net()
    other = copied(net)
    assert other.scale is other._parameters["scale"]
    assert other.scale is not net.scale
    other.scale = None
    assert net.scale is not None
    assert other.first(torch.ones(2)).tolist() == net.first(torch.ones(2)).tolist()
