"""Files of the first format, which this library wrote before it wrote PyTorch's.

`files/former.pt` was written by the last version that did.
"""

import io
import json
import pickle
import zipfile
from collections import Counter, OrderedDict
from pathlib import Path

import pytest

import course_lib as torch

FORMER = Path(__file__).parent / "files/former.pt"


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


def test_a_former_file_still_loads():
    found = torch.load(FORMER)
    found["x"][1] = 5
    assert found["part"].tolist() == [5, 2, 3]
    assert type(found["p"]) is torch.nn.Parameter and found["p"] is found["again"]
    assert found["half"].dtype is torch.bfloat16 and found["meta"].device.type == "meta"
    rest = [OrderedDict(b=1), Counter("aa"), torch.Size([2]), frozenset([1]), b"b", torch.float16]
    assert found["rest"] == [*rest, torch.device("cpu"), 2**80]


def test_a_former_file_can_be_loaded_without_memory():
    assert torch.load(FORMER, map_location="meta")["part"].device.type == "meta"


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
