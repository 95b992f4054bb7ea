"""Indices are int64 also where NumPy's are int32: in a browser, whose addresses have 32 bits."""

import numpy as np
import pytest

import course_lib as torch

# What gives positions or counts in NumPy's own index type.
FOUND = ("argmax", "argmin", "argsort", "flatnonzero", "searchsorted", "bincount", "cumsum")


def narrow(result):
    """A result as a machine with 32-bit addresses would give it."""
    if getattr(result, "dtype", None) == np.int64:
        return result.astype(np.int32)
    return result


@pytest.fixture
def browser(monkeypatch):
    """NumPy as in a browser."""
    for name in FOUND:
        whole = getattr(np, name)

        def like(*args, _whole=whole, **kwargs):
            asked = kwargs.get("dtype") is not None or kwargs.get("out") is not None
            return _whole(*args, **kwargs) if asked else narrow(_whole(*args, **kwargs))

        monkeypatch.setattr(np, name, like)
    arange, nonzero = np.arange, np.nonzero

    def narrow_range(*args, dtype=None, **kwargs):
        return arange(*args, dtype=dtype, **kwargs) if dtype else narrow(arange(*args, **kwargs))

    monkeypatch.setattr(np, "nonzero", lambda array: tuple(map(narrow, nonzero(array))))
    monkeypatch.setattr(np, "arange", narrow_range)


x = torch.tensor([[3.0, 1.0, 2.0], [1.0, 1.0, 5.0]])
CASES = {
    "randperm": lambda: torch.randperm(5),
    "argmax": lambda: (x.argmax(), x.argmax(0), x.argmax(1, keepdim=True)),
    "argmin": lambda: (x.argmin(), x.argmin(0), x.argmin(1, keepdim=True)),
    "max, min": lambda: (x.max(0).indices, x.min(1).indices),
    "argsort": lambda: (x.argsort(), x.argsort(descending=True)),
    "sort": lambda: (x.sort().indices, x.sort(dim=0, descending=True, stable=True).indices),
    "topk": lambda: (x.topk(2).indices, x.topk(1, largest=False).indices),
    "mode": lambda: x.mode().indices,
    "nonzero": lambda: (x.nonzero(), *x.nonzero(as_tuple=True)),
    "bincount": lambda: torch.bincount(torch.tensor([1, 1, 3])),
    "arange": lambda: (torch.arange(3), torch.arange(2**33, 2**33 + 2)),
    "multinomial": lambda: torch.multinomial(torch.ones(4), 2),
    "max_pool": lambda: torch.nn.functional.max_pool2d(x[None], (1, 2), return_indices=True)[1],
    "packed": lambda: (
        torch.nn.utils.rnn.pack_padded_sequence(
            torch.ones(3, 2), torch.tensor([1, 2]), enforce_sorted=False
        ).sorted_indices
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_positions_are_int64(name, browser, request):
    torch.manual_seed(0)
    found = CASES[name]()
    found = found if isinstance(found, tuple) else (found,)
    assert {one.dtype for one in found} == {torch.int64}
    request.getfixturevalue("monkeypatch").undo()
    torch.manual_seed(0)
    whole = CASES[name]()
    for one, other in zip(found, whole if isinstance(whole, tuple) else (whole,), strict=True):
        assert torch.equal(one, other)
