"""`torch.save` and `torch.load`: what they take, what `weights_only` allows, where tensors go."""

import io
import os
import pickle
import stat
import sys
import warnings
import zipfile
from fractions import Fraction

import numpy as np
import pytest

import course_lib as torch


def saved(value, **how):
    buffer = io.BytesIO()
    torch.save(value, buffer, **how)
    buffer.seek(0)
    return buffer


class Point:
    def __init__(self, x):
        self.x = x


class Moody:
    def __getstate__(self):
        return {"mood": "bad"}

    def __setstate__(self, state):
        raise TypeError("not today")


class Marked(torch.Tensor):
    pass


@pytest.fixture(autouse=True)
def nothing_allowed():
    yield
    torch.serialization.clear_safe_globals()


# ---- files ---------------------------------------------------------------------------------------


def test_a_file_on_disk_is_replaced_whole_or_not_at_all(tmp_path):
    path = tmp_path / "model.pt"
    torch.save(torch.ones(2), path)
    with pytest.raises(pickle.PicklingError):
        torch.save([torch.zeros(2), lambda: 1], path)
    assert torch.load(path).tolist() == [1, 1] and os.listdir(tmp_path) == ["model.pt"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes and rarely links")
def test_a_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path):
    torch.save(1, tmp_path / "model.pt")
    os.chmod(tmp_path / "model.pt", 0o640)
    (tmp_path / "link.pt").symlink_to("model.pt")
    torch.save(2, tmp_path / "link.pt")
    assert (tmp_path / "link.pt").is_symlink() and torch.load(tmp_path / "model.pt") == 2
    assert stat.S_IMODE(os.stat(tmp_path / "model.pt").st_mode) == 0o640


@pytest.mark.parametrize(
    ("name", "folder"), [("a.b.pt", "a.b"), ("model", "model"), ("é.pt", "archive")]
)
def test_the_folder_inside_has_the_name_of_the_file(name, folder, tmp_path):
    torch.save(1, tmp_path / name)
    assert zipfile.ZipFile(tmp_path / name).namelist()[0] == f"{folder}/data.pkl"


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(RuntimeError, match="Parent directory .* does not exist"):
        torch.save(1, tmp_path / "none" / "file")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(RuntimeError, match="open file failed with strerror"):
        torch.save(1, tmp_path)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("target", [None, 3, b"bytes"])
def test_only_paths_and_files_can_be_saved_to(target):
    with pytest.raises(AttributeError, match="expected 'f' to be string, path, or a file-like"):
        torch.save(1, target)


@pytest.mark.parametrize("source", [None, 3, b"bytes"])
def test_only_paths_and_files_that_seek_can_be_loaded_from(source):
    with pytest.raises(AttributeError, match="has no attribute 'seek'. You can only torch.load"):
        torch.load(source)


def test_a_missing_file_is_pythons_own_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        torch.load(tmp_path / "none.pt")


def test_an_empty_file_ends_too_soon():
    with pytest.raises(EOFError):
        torch.load(io.BytesIO())


def test_a_failed_call_is_made_once():
    class Counted(io.BytesIO):
        starts = 0

        def tell(self):
            self.starts += 1
            return super().tell()

    file = Counted(saved(Point(1)).getvalue())
    with pytest.raises(pickle.UnpicklingError):
        torch.load(file)
    once = file.starts
    file.seek(0)
    with torch.serialization.safe_globals([Point]):
        torch.load(file)
    assert file.starts == 2 * once


# ---- what comes back -----------------------------------------------------------------------------


def test_a_leaf_and_a_result_come_back_as_leaves_that_require_grad():
    leaf = torch.ones(2, requires_grad=True)
    for value in (leaf, leaf * 2):
        found = torch.load(saved(value))
        assert found.requires_grad and found.is_leaf


def test_a_list_that_holds_itself_comes_back():
    value = []
    value.append(value)
    found = torch.load(saved(value))
    assert found[0] is found


@pytest.mark.parametrize("protocol", [2, 3])
def test_a_pickle_of_another_protocol_loads_with_a_warning(protocol):
    file = saved(torch.ones(2), pickle_protocol=protocol)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert torch.load(file).tolist() == [1, 1]
    assert [f"Detected pickle protocol {protocol}" in str(w.message) for w in told] == (
        [True] if protocol != 2 else []
    )


@pytest.mark.parametrize("result", [False, True])
def test_a_hook_is_not_saved_and_says_so(result):
    x = torch.ones(2, requires_grad=True)
    x = x * 2 if result else x
    x.register_hook(print)
    with pytest.warns(UserWarning, match="backward hook <built-in function print> on tensor will"):
        torch.save(x, io.BytesIO())
    p = torch.nn.Parameter(torch.ones(2))
    p.register_hook(print)
    saved(p)


# ---- weights_only --------------------------------------------------------------------------------


def test_a_module_is_loaded_only_when_asked_for():
    model = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.BatchNorm1d(1))
    with pytest.raises(pickle.UnpicklingError) as caught:
        torch.load(saved(model))
    text = str(caught.value)
    assert text.startswith("Weights only load failed. This file can still be loaded, to do so you")
    path = f"{torch.nn.Sequential.__module__}.Sequential"
    assert f"GLOBAL {path} was not an allowed global by default. Please use" in text
    found = torch.load(saved(model), weights_only=False)
    assert repr(found) == repr(model) and torch.equal(found[0].weight, model[0].weight)
    assert [name for name, _ in found.named_parameters()] == [
        name for name, _ in model.named_parameters()
    ]


def test_a_module_is_loaded_if_its_class_is_allowed():
    with torch.serialization.safe_globals([torch.nn.Linear]):
        assert repr(torch.load(saved(torch.nn.Linear(2, 1)))).startswith("Linear(")
    with pytest.raises(pickle.UnpicklingError):
        torch.load(saved(torch.nn.Linear(2, 1)))


def test_a_whole_optimizer_comes_back_when_asked_for():
    w = torch.nn.Parameter(torch.ones(2))
    optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)
    found_w, found = torch.load(saved([w, optimizer]), weights_only=False)
    assert found.param_groups[0]["params"][0] is found_w


@pytest.mark.parametrize("value", [Point(1), print, frozenset([1]), range(3), len, b"", np.ones(2)])
def test_what_is_no_data_is_refused_unless_asked_for(value):
    with pytest.raises(pickle.UnpicklingError, match="was not an allowed global by default"):
        torch.load(saved(value))
    assert type(torch.load(saved(value), weights_only=False)) is type(value)


def test_a_name_of_python_itself_is_named_without_its_module():
    with pytest.raises(pickle.UnpicklingError, match="GLOBAL print was not an allowed global"):
        torch.load(saved(print))


def test_classes_are_allowed_for_a_while_or_until_further_notice():
    with torch.serialization.safe_globals([Point]):
        assert torch.load(saved(Point(3))).x == 3
        assert torch.serialization.get_safe_globals() == [Point]
    assert torch.serialization.get_safe_globals() == []
    torch.serialization.add_safe_globals([(Fraction, "fractions.Fraction")])
    assert torch.load(saved(Fraction(1, 3))) == Fraction(1, 3)


def test_what_a_file_asks_for_can_be_seen_before_it_is_loaded(tmp_path):
    value = [Fraction(1, 2), print, torch.nn.Parameter(torch.ones(1)), torch.float32]
    torch.save(value, tmp_path / "value.pt")
    ask = torch.serialization.get_unsafe_globals_in_checkpoint
    assert ask(tmp_path / "value.pt") == ["builtins.print", "fractions.Fraction"]
    with torch.serialization.safe_globals([Fraction]):
        assert ask(saved(value)) == ["builtins.print"]
    with pytest.raises(ValueError, match="Expected input to be a checkpoint"):
        ask(io.BytesIO(b"hello"))


def test_numpy_arrays_are_loaded_if_numpys_functions_are_allowed():
    dtype = type(np.dtype(float))
    allowed = [np._core.multiarray._reconstruct, np.ndarray, np.dtype, dtype]
    with torch.serialization.safe_globals(allowed):
        found = torch.load(saved(np.ones(2)))
    assert type(found) is np.ndarray and found.tolist() == [1, 1]


def test_what_is_allowed_has_to_say_its_name():
    with (
        torch.serialization.safe_globals([(Point, "a", "b")]),
        pytest.raises(ValueError, match="tuple of length 2"),
    ):
        torch.load(saved(Point(1)))
    with (
        torch.serialization.safe_globals([(Point, 1)]),
        pytest.raises(TypeError, match="Expected second item in tuple to be str"),
    ):
        torch.load(saved(Point(1)))


def test_an_error_of_an_allowed_class_is_shown_as_it_is():
    with (
        torch.serialization.safe_globals([Moody]),
        pytest.raises(TypeError, match="^not today$"),
    ):
        torch.load(saved(Moody()))


def test_a_tensor_of_a_class_of_ones_own_is_loaded_if_the_class_is_allowed():
    value = torch.ones(2)
    value.__class__ = Marked
    value.note = "n"
    with pytest.raises(pickle.UnpicklingError, match="Marked was not an allowed global"):
        torch.load(saved(value))
    for how in ({"weights_only": False}, {}):
        with torch.serialization.safe_globals([Marked] if not how else []):
            found = torch.load(saved(value), **how)
        assert type(found) is Marked and found.note == "n" and found.tolist() == [1, 1]


def test_a_pickle_module_of_ones_own_means_that_one_trusts_the_file():
    assert torch.load(saved(Point(2)), pickle_module=pickle).x == 2
    with pytest.raises(RuntimeError, match="when explicit pickle_module is specified"):
        torch.load(saved(1), pickle_module=pickle, weights_only=True)
    with pytest.warns(UserWarning, match="pickle_load_args only works"):
        torch.load(saved(1), encoding="latin1")


# ---- map_location, mmap --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "device"),
    [
        ("cpu", "cpu"),
        (torch.device("cpu"), "cpu"),
        ("meta", "meta"),
        ({"cpu": "meta"}, "meta"),
        ({"cuda:0": "meta"}, "cpu"),
        (lambda storage, location: storage, "cpu"),
        (lambda storage, location: None, "cpu"),
    ],
)
def test_map_location_says_where_tensors_go(where, device):
    a, b = torch.load(saved([torch.ones(2), torch.ones(4)[1:]]), map_location=where)
    assert (a.device.type, b.device.type, b.shape) == (device, device, (3,))


def test_a_function_is_asked_once_for_each_storage():
    asked = []
    x = torch.ones(2)
    torch.load(
        saved([x, x[1:], torch.ones(1)]), lambda storage, at: asked.append((len(storage), at))
    )
    assert asked == [(8, "cpu"), (4, "cpu")]


def on_a_card(value):
    """A file in which the storages were on a graphics card."""
    out = io.BytesIO()
    with zipfile.ZipFile(saved(value)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, content.replace(b"X\3\0\0\0cpu", b"X\6\0\0\0cuda:0"))
    out.seek(0)
    return out


def test_tensors_of_a_graphics_card_load_where_they_are_sent():
    file = on_a_card(torch.ones(2))
    with pytest.raises(RuntimeError, match="Attempting to deserialize object on a CUDA device but"):
        torch.load(file)
    for where in ("cpu", {"cuda:0": "cpu"}):
        file.seek(0)
        assert torch.load(file, where).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("cuda", "torch.cuda.is_available"),
        ("cuda:x", "Invalid device string: 'cuda:x'"),
        ("xpu", "on a XPU device"),
        ("hpu", "The HPU device module is not registered"),
        ("mps", "Storage device not recognized: mps"),
        ("cpu:0", "don't know how to restore data location .*cpu:0"),
        ("", "don't know how to restore"),
    ],
)
def test_a_place_that_is_not_there_is_refused(where, text):
    with pytest.raises(RuntimeError, match=text):
        torch.load(saved(torch.ones(2)), where)


@pytest.mark.parametrize(
    ("where", "text"),
    [(3, "'int' object is not callable"), (lambda s, at: 3, "must be UntypedStorage, but got")],
)
def test_map_location_is_one_of_four_things(where, text):
    with pytest.raises(TypeError, match=text):
        torch.load(saved(torch.ones(2)), where)


def test_mmap_takes_a_path(tmp_path):
    torch.save(torch.ones(2), tmp_path / "x.pt")
    assert torch.load(tmp_path / "x.pt", mmap=True).tolist() == [1, 1]
    with pytest.raises(ValueError, match="must be a file path in order to use the mmap"):
        torch.load(saved(1), mmap=True)
