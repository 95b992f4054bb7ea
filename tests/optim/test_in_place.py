"""Steps written straight into memory equal those that go through tensors, bit for bit."""

import numpy as np
import pytest

import course_lib as torch
from course_lib.optim import rmsprop

CASES = [
    ("RMSprop", {}),
    ("RMSprop", {"weight_decay": 0.1, "maximize": True}),
]


def trained(name: str, dtype: torch.dtype, options: dict) -> tuple:
    """Bytes and versions of a parameter and its state after 20 steps."""
    draws = np.random.RandomState(0)
    weight = torch.from_numpy(draws.standard_normal((6, 5))).to(dtype).requires_grad_()
    optimizer = getattr(torch.optim, name)([weight], **options)
    for _ in range(20):
        weight.grad = torch.from_numpy(draws.standard_normal((6, 5))).to(dtype)
        optimizer.step()
    state = optimizer.state[weight].values()
    written = [value._version for value in state]
    return weight.detach().numpy().tobytes(), weight._version, written


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize(("name", "options"), CASES)
def test_a_step_in_memory_equals_a_step_of_tensors(name, options, dtype, monkeypatch):
    quick = trained(name, dtype, options)
    for module in (rmsprop,):
        monkeypatch.setattr(module, "fields", lambda *tensors: None)
    assert quick == trained(name, dtype, options)
