"""Warnings: which come once in a process, and which each time."""

import warnings

import numpy as np
import pytest

import course_lib as torch
from course_lib.words.errors import writing

two = torch.ones(2)


def tracked(size):
    return torch.ones(size, requires_grad=True)


ONCE = {  # what each of two calls warns of in PyTorch: with `set_warn_always` the second does too
    "NumPy array is not writable": [lambda: torch.from_numpy(np.broadcast_to(1.0, 2))] * 2,
    "list of numpy": [lambda: torch.tensor([np.arange(2)]), lambda: torch.Tensor([np.ones(2)])],
    "to a scalar": [lambda: float(tracked(())), lambda: torch.tensor([tracked(())])],
    "dimension other than 2": [lambda: torch.ones(3).T, lambda: torch.ones(2, 2, 2).T],
    "T is deprecated on 0-D": [lambda: torch.tensor(1).T] * 2,
    "imaginary part": [torch.tensor(1j).float, lambda: torch.ones(1).copy_(torch.tensor(1j))],
    "create a reference cycle": [lambda: (tracked(()) ** 2).backward(create_graph=True)] * 2,
    "This overload of": [lambda: two.add_(1, two), lambda: torch.sub(two, 1, two)],
}  # fmt: skip
ALWAYS = {
    "target size": [lambda: torch.nn.functional.mse_loss(torch.ones(2), torch.ones(2, 1))] * 2,
    "not a leaf": [lambda: (tracked(2) * 1).grad] * 2,
    "To copy construct": [lambda: torch.tensor(torch.ones(2))] * 2,
}


@pytest.mark.parametrize("words", [*ONCE, *ALWAYS])
def test_a_warning_of_c_is_given_once(monkeypatch, words):
    monkeypatch.setattr(writing, "given", set())
    monkeypatch.setattr(writing, "always", False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for call in (ONCE | ALWAYS)[words]:
            call()
        assert len([w for w in caught if words in str(w.message)]) == (1 if words in ONCE else 2)
        torch.set_warn_always(True)
        caught.clear()
        for call in (ONCE | ALWAYS)[words]:
            call()
    assert len([w for w in caught if words in str(w.message)]) == 2
