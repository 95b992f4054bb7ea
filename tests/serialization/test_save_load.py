"""`torch.save` and `torch.load`: what they take, what they refuse, where tensors go."""

import io
import os
import pickle
from collections import defaultdict, namedtuple
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import course_lib as torch


def saved(value):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    buffer.seek(0)
    return buffer


@pytest.mark.parametrize("kind", [str, Path])
def test_a_file_has_a_name_and_stays_if_something_cannot_be_saved(kind, tmp_path):
    path = kind(tmp_path / "model.pt")
    torch.save(torch.ones(2), path)
    with pytest.raises(pickle.PicklingError):
        torch.save([torch.zeros(2), lambda: 1], path)
    assert torch.load(path).tolist() == [1, 1] and os.listdir(tmp_path) == ["model.pt"]


def test_a_file_object_needs_only_to_be_written_to_and_stays_open():
    parts, whole = [], saved(torch.ones(3))
    torch.save(torch.ones(3), SimpleNamespace(write=parts.append))
    assert b"".join(parts) == whole.getvalue()  # and the same value gives the same bytes
    assert torch.load(whole).tolist() == [1, 1, 1] and not whole.closed


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda path: torch.save(1, path / "none" / "model.pt"), RuntimeError),
        (lambda path: torch.save(1, path), OSError),
        (lambda path: torch.save(1, None), AttributeError),
        (lambda path: torch.load(path / "none.pt"), FileNotFoundError),
        (lambda path: torch.load(None), AttributeError),
        (lambda path: torch.load(io.BytesIO()), EOFError),
    ],
)
def test_a_file_that_is_none_is_pythons_own_error(call, error, tmp_path):
    with pytest.raises(error):
        call(tmp_path)


def test_only_the_part_of_a_storage_that_has_whole_elements_is_saved():
    x = torch.zeros(9, dtype=torch.uint8)[:8].view(torch.float64)
    assert torch.load(saved(x)).tolist() == [0]


class Marked(torch.Tensor):
    pass


def changed(name, value):
    tensor = torch.ones(1)
    setattr(tensor, name, value)
    return tensor


@pytest.mark.parametrize(
    "value",
    [
        torch.nn.Linear(2, 1),
        torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1),
        [{"f": print}],
        torch.nn.ReLU,
        frozenset([1]),
        range(3),
        b"",
        np.ones(2),
        np.float64(1),
        namedtuple("Point", "x")(1),
        defaultdict(int),
        changed("__class__", Marked),
        torch.ones(2, device="meta"),
        changed("note", "mine"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_could_not_be_loaded_is_not_saved(value):
    with pytest.raises(pickle.PicklingError, match="and no .* save the state_dict"):
        torch.save(value, io.BytesIO())
