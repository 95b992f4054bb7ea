"""Files that PyTorch wrote, read here, and files written here, read by PyTorch.

`values.py` says what is in those in `files/`, and made them.
"""

import importlib.util
import json
import pickle
import pickletools
import zipfile
from pathlib import Path

import pytest

import course_lib as torch

HERE = Path(__file__).parent

spec = importlib.util.spec_from_file_location("values", HERE / "values.py")
values = importlib.util.module_from_spec(spec)
spec.loader.exec_module(values)
FILES, NAMES = values.FILES, list(values.PROGRAMS)


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
def test_a_pickle_is_instruction_for_instruction_that_of_pytorch_and_comes_back(name, tmp_path):
    path, value = tmp_path / "value.pt", values.made(torch, name)
    torch.save(value, path)
    assert instructions(path) == instructions(FILES / f"{name}.pt")
    for weights_only in (True, False):  # data are data, whatever one asks for
        found = torch.load(path, weights_only=weights_only)
        assert values.described(torch, found) == values.described(torch, value)


def test_storages_lie_where_pytorch_puts_them_and_hold_the_same_bytes(tmp_path):
    torch.save(values.made(torch, "dtypes"), tmp_path / "dtypes.pt")
    ours, theirs = zipfile.ZipFile(tmp_path / "dtypes.pt"), zipfile.ZipFile(FILES / "dtypes.pt")
    names = [name.removeprefix("archive/") for name in ours.namelist()]
    assert len(names) == 3 + len(values.DTYPES)
    for name in names:
        assert ours.read(f"archive/{name}") == theirs.read(f"dtypes/{name}")
        info = ours.getinfo(f"archive/{name}")
        assert info.compress_type == zipfile.ZIP_STORED
        assert (info.header_offset + 30 + len(info.filename) + len(info.extra)) % 64 == 0


def test_a_parameter_saved_twice_is_one_parameter():
    found = torch.load(FILES / "parameters.pt")
    assert found[0] is found[1] and type(found[0]) is torch.nn.Parameter
    found[5][0] = 7
    assert found[0].tolist() == [1, 7]


def test_weights_that_pytorch_trained_go_into_a_module():
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.BatchNorm1d(3))
    model.load_state_dict(torch.load(FILES / "state_dict.pt")[0])
    assert model[0].weight[0, 0].item() == 0.5 and model[2].num_batches_tracked.item() == 1


@pytest.mark.parametrize("weights_only", [True, False])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("module", r"GLOBAL torch.nn.modules.linear.Linear was not .* save the state_dict\(\)"),
        ("conjugated", r"save x.resolve_conj\(\)"),
        ("legacy", "no zip archive.*load an older file in PyTorch itself, and save it again there"),
    ],
)
def test_what_pytorch_can_save_and_only_pytorch_can_load_says_what_to_do(name, text, weights_only):
    with pytest.raises(pickle.UnpicklingError, match="^Weights only load failed. .*" + text):
        torch.load(FILES / f"{name}.pt", weights_only=weights_only)


@pytest.mark.oracle
def test_pytorch_reads_what_is_written_here(tmp_path, ask):
    for name in NAMES:
        torch.save(values.made(torch, name), tmp_path / f"{name}.pt")
    code = f"""
import json, sys, torch
sys.path.insert(0, {str(HERE)!r})
import values
def read(name, **how):
    return torch.load({str(tmp_path)!r} + "/" + name + ".pt", weights_only=True, **how)
print(json.dumps([
    [
        values.described(torch, value)
        for value in (values.made(torch, name), read(name), read(name, mmap=True))
    ]
    for name in values.PROGRAMS
]))
"""
    for name, (made, read, mapped) in zip(NAMES, json.loads(ask("-c", code)), strict=True):
        assert read == made, name
        assert mapped == made, name
        ours = json.dumps(values.described(torch, values.made(torch, name)))
        assert json.loads(ours) == made, name
