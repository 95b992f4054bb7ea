"""Files of `torch.save`: what comes back, and what a bad file cannot do."""

import io
import json
import os
import pickle
import zipfile
from collections import Counter, OrderedDict

import pytest

import course_lib as torch


def through_a_file(value):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    buffer.seek(0)
    return torch.load(buffer)


def forged(tree, **members):
    """A file with this `data.json` and these storages."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("data.json", json.dumps(tree))
        for name, data in members.items():
            archive.writestr(f"storage/{name[1:]}", data)
    buffer.seek(0)
    return buffer


def tensor_fact(**changes):
    fact = {"dtype": "float32", "offset": 0, "size": [2], "stride": [4], "requires_grad": False}
    fact |= {"class": "Tensor", "storage": 0, "element": "float32"} | changes
    return {"format": "course_lib 1", "value": {"tensor": fact}}


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        7,
        2**80,
        0.1,
        float("inf"),
        1 + 2j,
        "text",
        b"bytes",
        [1, [2]],
        (1, (2,)),
        {"a": 1, 2: "b", (3,): None},
        OrderedDict(b=1, a=2),
        {1, 2},
        torch.Size([2, 3]),
        torch.float16,
        torch.device("cpu"),
    ],
)
def test_a_value_comes_back_with_its_type(value):
    found = through_a_file(value)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8, torch.bfloat16, torch.complex64])
def test_a_tensor_comes_back_whole(dtype):
    x = torch.ones(3, 2).to(dtype).t()
    found = through_a_file(x)
    assert torch.equal(found, x) and found.stride() == x.stride() and found.dtype is dtype


def test_tensors_that_share_memory_share_it_after_loading():
    x = torch.zeros(4)
    a, b, c = through_a_file([x, x[1:], x])
    a[1] = 5
    assert b[0].item() == 5 and c is a


def test_a_leaf_comes_back_as_a_leaf_that_requires_grad():
    found = through_a_file(torch.ones(2, requires_grad=True))
    assert found.requires_grad and found.is_leaf


def test_a_file_on_disk_is_replaced_whole_or_not_at_all(tmp_path):
    path = tmp_path / "model.pt"
    torch.save(torch.ones(2), path)
    with pytest.raises(TypeError, match="only data can be saved"):
        torch.save([torch.zeros(2), object()], path)
    assert torch.load(path).tolist() == [1, 1] and os.listdir(tmp_path) == ["model.pt"]


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(RuntimeError, match="Parent directory .* does not exist"):
        torch.save(1, tmp_path / "none" / "file")


def test_a_function_is_refused():
    with pytest.raises(TypeError, match="state_dict"):
        torch.save(print, io.BytesIO())


class Trap:
    def __reduce__(self):
        return os.mkdir, ("trap",)


@pytest.mark.parametrize("content", [pickle.dumps(Trap()), b"PK", b"PK\x03\x04rubbish", b"text"])
def test_a_foreign_file_is_refused_and_nothing_runs(content, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        torch.load(io.BytesIO(content))
    assert not os.listdir(tmp_path)


def test_a_truncated_file_is_refused():
    buffer = io.BytesIO()
    torch.save(torch.ones(100), buffer)
    with pytest.raises(pickle.UnpicklingError):
        torch.load(io.BytesIO(buffer.getvalue()[:-40]))


@pytest.mark.parametrize(
    "tree",
    [
        tensor_fact(size=[3]),
        tensor_fact(offset=4),
        tensor_fact(offset=-4),
        tensor_fact(stride=[400]),
        tensor_fact(stride=[-4]),
        tensor_fact(stride=[]),
        tensor_fact(size=["2"]),
        tensor_fact(storage=1),
        tensor_fact(dtype="object"),
        {"format": "course_lib 1", "value": {"call": ["os.mkdir", "x"]}},
        {"format": "course_lib 1", "value": {"again": 0}},
        {"format": "course_lib 1", "value": {}},
        {"format": "other", "value": 1},
        {},
        [],
    ],
)
def test_a_forged_file_is_refused(tree):
    with pytest.raises(pickle.UnpicklingError):
        torch.load(forged(tree, s0=b"\0" * 8))


def test_a_compressed_file_is_refused():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data.json", json.dumps({"format": "course_lib 1", "value": "a" * 9999}))
    buffer.seek(0)
    with pytest.raises(pickle.UnpicklingError, match="compressed"):
        torch.load(buffer)


def test_bytes_that_are_no_truth_values_become_true():
    tree = tensor_fact(dtype="bool", element="bool", stride=[1])
    assert torch.load(forged(tree, s0=b"\2\0")).tolist() == [True, False]


def test_tensors_can_be_loaded_without_memory():
    buffer = io.BytesIO()
    torch.save(torch.ones(2), buffer)
    buffer.seek(0)
    assert torch.load(buffer, map_location="meta").device.type == "meta"


def test_the_plan_of_a_scheduler_that_counts_its_milestones_comes_back():
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)
    plan = torch.optim.lr_scheduler.MultiStepLR(optimizer, [1, 1, 2]).state_dict()
    found = through_a_file(plan)
    assert found == plan
    assert type(found["milestones"]) is Counter
