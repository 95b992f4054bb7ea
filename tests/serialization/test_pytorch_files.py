"""Files that PyTorch wrote, read here, and files written here, read by PyTorch.

`record_files.py` made those in `files/`. The programs of `values.py` say what is in them.
"""

from __future__ import annotations

import importlib.util
import io
import json
import pickle
import pickletools
import subprocess
import zipfile
from pathlib import Path

import pytest

import course_lib as torch

HERE = Path(__file__).parent
FILES = HERE / "files"

spec = importlib.util.spec_from_file_location("values", HERE / "values.py")
values = importlib.util.module_from_spec(spec)
spec.loader.exec_module(values)
NAMES = list(values.PROGRAMS)


def plain(description):
    """A description after a way through JSON, where tuples are lists."""
    return json.loads(json.dumps(description))


def instructions(path):
    """The instructions of a file's pickle; places in the memo aside, they say what is saved."""
    with zipfile.ZipFile(path) as archive:
        pickled = archive.read(f"{archive.namelist()[0].partition('/')[0]}/data.pkl")
    return [
        (code.name, argument)
        for code, argument, _ in pickletools.genops(pickled)
        if "PUT" not in code.name
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_pytorch_loads_as_what_was_saved(name):
    found = torch.load(FILES / f"{name}.pt")
    assert values.described(torch, found) == values.described(torch, values.made(torch, name))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_comes_back_as_what_was_saved(name, tmp_path):
    value = values.made(torch, name)
    torch.save(value, tmp_path / "value.pt")
    found = torch.load(tmp_path / "value.pt")
    assert values.described(torch, found) == values.described(torch, value)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "legacy"])
def test_a_pickle_is_instruction_for_instruction_that_of_pytorch(name, tmp_path):
    torch.save(values.made(torch, name), tmp_path / f"{name}.pt")
    assert instructions(tmp_path / f"{name}.pt") == instructions(FILES / f"{name}.pt")


def test_storages_lie_where_pytorch_puts_them_and_hold_the_same_bytes(tmp_path):
    torch.save(values.made(torch, "dtypes"), tmp_path / "dtypes.pt")
    ours, theirs = zipfile.ZipFile(tmp_path / "dtypes.pt"), zipfile.ZipFile(FILES / "dtypes.pt")
    shared = [name for name in ours.namelist() if name in theirs.namelist()]
    assert shared == ours.namelist() and len(shared) == 3 + len(values.DTYPES.split())
    for name in shared:
        assert ours.read(name) == theirs.read(name)
        info = ours.getinfo(name)
        assert info.compress_type == zipfile.ZIP_STORED
        assert (info.header_offset + 30 + len(name) + len(info.extra)) % 64 == 0


def test_views_of_one_storage_share_it_after_loading():
    found = torch.load(FILES / "views.pt")
    found["x"][4] = 100
    assert found["part"][0].item() == 100 and found["t"][0, 1].item() == 100


def test_a_parameter_saved_twice_is_one_parameter():
    found = torch.load(FILES / "parameters.pt")
    assert found[0] is found[1] and type(found[0]) is torch.nn.Parameter
    assert found[2].label == "mine" and not found[2].requires_grad
    assert isinstance(found[4], torch.nn.Buffer)


def test_weights_that_pytorch_trained_go_into_a_module():
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.BatchNorm1d(3))
    model.load_state_dict(torch.load(FILES / "state_dict.pt"))
    assert model[0].weight[0, 0].item() == 0.5 and model[2].num_batches_tracked.item() == 1


def test_what_pytorch_conjugates_when_it_is_read_is_conjugated():
    conjugated, imag = torch.load(FILES / "conjugated.pt")
    assert conjugated.tolist() == [1 - 2j] and imag.tolist() == [-2.0]


def test_a_module_of_pytorch_is_refused_by_name_and_never_half_loaded():
    with pytest.raises(pickle.UnpicklingError, match="GLOBAL torch.nn.modules.linear.Linear was"):
        torch.load(FILES / "module.pt")
    with pytest.raises(pickle.UnpicklingError, match=r"state_dict\(\) in PyTorch"):
        torch.load(FILES / "module.pt", weights_only=False)


@pytest.mark.oracle
def test_pytorch_reads_what_is_written_here(tmp_path, oracle):
    for name in NAMES:
        torch.save(values.made(torch, name), tmp_path / f"{name}.pt")
    code = f"""
import json, sys, torch
sys.path.insert(0, {str(HERE)!r})
import values
read = lambda name, **how: torch.load({str(tmp_path)!r} + "/" + name + ".pt", **how)
print(json.dumps([
    [
        values.described(torch, value)
        for value in (values.made(torch, name), read(name), read(name, mmap=True))
    ]
    for name in values.PROGRAMS
]))
"""
    done = subprocess.run([oracle, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for name, (made, read, mapped) in zip(NAMES, json.loads(done.stdout), strict=True):
        assert read == made, name
        assert mapped == made, name
        assert plain(values.described(torch, values.made(torch, name))) == made, name


def test_a_file_object_needs_only_to_be_written_to():
    class Pipe:
        def __init__(self):
            self.parts = []

        def write(self, data):
            self.parts.append(bytes(data))

    pipe, whole = Pipe(), io.BytesIO()
    torch.save(torch.ones(3), pipe)
    torch.save(torch.ones(3), whole)
    assert b"".join(pipe.parts) == whole.getvalue()  # and the same value gives the same bytes
