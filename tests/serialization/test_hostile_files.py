"""What a bad file cannot do: run code, read what is not its own, take memory, half load."""

import io
import pickle
import random
import struct
import tracemalloc
import zipfile
from collections import OrderedDict

import pytest

import course_lib as torch
from course_lib.ops.bridge.storage import TypedStorage, UntypedStorage
from course_lib.serialization import rebuild, writing

REFUSED = (EOFError, RuntimeError, ValueError, pickle.UnpicklingError)


def saved(value):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    return buffer.getvalue()


def forged(content=None, compression=zipfile.ZIP_STORED, **records):
    """A good file, but with these records; None leaves one out."""
    out = io.BytesIO()
    content = content or saved([torch.arange(4.0), "x"])
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(out, "w", compression) as new,
    ):
        for name in old.namelist():
            record = name.partition("/")[2]
            found = records.pop(record.replace("/", "_").replace(".", "_"), old.read(name))
            if found is not None:
                new.writestr(name, found)
    assert not records
    out.seek(0)
    return out


def of_pickle(pickled):
    return forged(data_pkl=b"\x80\x02" + pickled)


class Call:
    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


def of_call(function, *arguments):
    """A file that calls a function of `rebuild.py`; STORAGE among the arguments is its storage."""
    file, storages = io.BytesIO(), writing.Storages()
    kind = writing.pickler(pickle)

    class Pickler(kind):
        def persistent_id(self, value):
            return value.name if isinstance(value, Named) else super().persistent_id(value)

    Pickler(file, 2, storages).dump(Call(function, *arguments))
    return forged(data_pkl=file.getvalue())


class Named:
    """A storage as the file names it; by default the one that is there, of four floats."""

    def __init__(self, kind="storage", dtype=None, key="0", location="cpu", count=4):
        dtype = rebuild.STORAGES[torch.float32] if dtype is None else dtype
        self.name = kind, dtype, key, location, count


def of_window(offset, size, stride, **named):
    place = (Named(**named), offset, size, stride, False, OrderedDict())
    return of_call(rebuild.rebuild_tensor_v2, *place)


# ---- code ----------------------------------------------------------------------------------------


CALLS = [
    b"cos\nmkdir\nX\x04\0\0\0trap\x85R.",
    b"cposix\nmkdir\nX\x04\0\0\0trap\x85R.",
    b"csys\nexit\n)R.",
    b"c__builtin__\neval\nX\x06\0\0\0exit()\x85R.",
    b"cbuiltins\ngetattr\n.",
    b"ctorch\nload\n.",
    b"ccourse_lib.serialization\nsave\n.",
    b"ctorch._utils\n_rebuild_tensor_v2.__globals__\n.",
    b"ccollections\nOrderedDict.fromkeys\n.",
    b"(cos\nsystem\nX\x04\0\0\0exito.",
    b"(X\x04\0\0\0exitios\nsystem\n.",
    b"\x82\x01.",
    b"X\x02\0\0\0osX\x05\0\0\0mkdir\x93.",
    b"ccollections\nOrderedDict\n)\x81.",
    b"ctorch\nTensor\n)\x81.",
    b"ctorch\nTensor\n)R.",
    b"ctorch\nTensor\n}X\x03\0\0\0addK\x01sb.",
    b"c_codecs\nencode\n}X\x08\0\0\0__code__K\x01sb.",
    b"c_codecs\nencode\nX\x01\0\0\0aX\x05\0\0\0rot13\x86R.",
    b"c__builtin__\nbytearray\n\x8a\x05\0\0\0\0\x7f\x85R.",
]


@pytest.mark.parametrize("pickled", CALLS)
def test_a_file_that_wants_to_run_something_is_refused_and_nothing_runs(
    pickled, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(pickle.UnpicklingError, match="^Weights only load failed"):
        torch.load(of_pickle(pickled))
    with pytest.raises(pickle.UnpicklingError, match="^Weights only load failed"):
        torch.load(io.BytesIO(b"\x80\x02" + pickled))
    assert not list(tmp_path.iterdir())


def test_what_is_allowed_by_the_user_is_still_blocked_if_it_is_of_the_system():
    import os

    with (
        torch.serialization.safe_globals([os.mkdir]),
        pytest.raises(pickle.UnpicklingError, match="whose module posix is blocked|module nt is"),
    ):
        torch.load(of_pickle(f"c{os.mkdir.__module__}\nmkdir\n.".encode()))


@pytest.mark.parametrize(
    "arguments",
    [
        (print, torch.Tensor, ("x",), {}),
        (rebuild.rebuild_from_type, torch.Tensor, (), {}),
        (rebuild.rebuild_tensor_v2, torch.Size, (), {}),
    ],
)
def test_a_tensor_with_a_class_is_made_by_a_function_that_makes_tensors(arguments):
    with pytest.raises(pickle.UnpicklingError, match="^Weights only load failed"):
        torch.load(of_call(rebuild.rebuild_from_type, *arguments))


def test_attributes_of_a_tensor_cannot_reach_its_inside():
    window = (Named(), 0, (2,), (1,), False, OrderedDict())
    state = {"_array": 3, "requires_grad": 4, "note": 5}
    arguments = (rebuild.rebuild_tensor_v2, torch.Tensor, window, state)
    found = torch.load(of_call(rebuild.rebuild_from_type, *arguments))
    assert found.tolist() == [0, 1] and not found.requires_grad and found.note == 5
    with pytest.raises(pickle.UnpicklingError):
        slots = (*arguments[:-1], (None, {"_array": 3}))
        torch.load(of_call(rebuild.rebuild_from_type, *slots))


# ---- windows -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("window", "text"),
    [
        ((0, (5,), (1,)), "Trying to resize storage that is not resizable"),
        ((3, (2,), (1,)), "not resizable"),
        ((4, (), ()), "not resizable"),
        ((0, (2,), (2**40,)), "not resizable"),
        ((-1, (2,), (1,)), "invalid storage offset -1"),
        ((2, (2,), (-1,)), r"overflowed with sizes=\[2\] and strides=\[-1\]"),
        ((0, (2,), (2**62,)), "overflowed"),
        ((0, (2**62,), (1,)), "overflowed"),
        ((0, (2,) * 70, (0,) * 70), "overflow"),
        ((0, (1,) * 70, (0,) * 70), "overflowed"),
        ((0, (-2,), (1,)), "numel: integer multiplication overflow"),
        ((0, (2**62, 2**62), (1, 1)), "numel: integer multiplication overflow"),
        ((0, (2**70,), (1,)), "numel: integer multiplication overflow"),
        ((0, (2,), (1, 1)), r"unequal size length \(1\) and stride length \(2\)"),
        ((0, ("a",), (1,)), "'a' where a number belongs"),
        ((0, (2.0,), (1,)), "2.0 where a number belongs"),
        ((0, (True,), (1,)), "True where a number belongs"),
        ((None, (2,), (1,)), "None where a number belongs"),
        ((0, 2, 1), "must be an iterable"),
    ],
)
def test_a_window_that_leaves_its_storage_is_refused(window, text):
    with pytest.raises((RuntimeError, pickle.UnpicklingError), match=text):
        torch.load(of_window(*window))


@pytest.mark.parametrize(
    ("window", "values"),
    [
        ((0, [2], [1]), [0, 1]),
        ((3, (), ()), 3),
        ((9, (0,), (1,)), []),
        ((1, (1,), (-7,)), [1]),
        ((0, (2, 2), (0, 3)), [[0, 3], [0, 3]]),
    ],
)
def test_an_odd_window_that_stays_inside_is_fine(window, values):
    assert torch.load(of_window(*window)).tolist() == values


@pytest.mark.parametrize(
    "named",
    [
        {"count": 400},
        {"count": 2},
        {"count": -4},
        {"count": 2**70},
        {"count": 1.5},
        {"key": "1"},
        {"key": "../data/0"},
        {"key": 0},
        {"location": 3},
        {"dtype": rebuild.STORAGES[torch.float64]},
        {"dtype": torch.float32},
        {"dtype": 3},
        {"kind": "module"},
    ],
)
def test_a_storage_that_is_not_in_the_file_is_refused(named):
    with pytest.raises((RuntimeError, pickle.UnpicklingError)):
        torch.load(of_window(0, (1,), (1,), **named))


def test_bytes_that_are_no_truth_values_become_true():
    x = torch.tensor([True, False])
    assert torch.load(forged(saved(x), data_0=b"\2\0")).tolist() == [True, False]
    place = (Named(dtype=UntypedStorage, count=16), 0, (2,), (1,), False, OrderedDict())
    with pytest.raises(pickle.UnpicklingError, match="other than 0 and 1"):
        torch.load(of_call(rebuild.rebuild_tensor_v3, *place, torch.bool))


def test_integers_do_not_require_grad():
    place = (Named(dtype=rebuild.STORAGES[torch.int32]), 0, (2,), (1,), True, OrderedDict())
    with pytest.raises(RuntimeError, match="floating point"):
        torch.load(of_call(rebuild.rebuild_tensor_v2, *place))


def test_a_storage_is_needed_to_make_a_tensor():
    for storage in (None, 3, [1.0], torch.float32):
        with pytest.raises(pickle.UnpicklingError, match="storage belongs|storage and a dtype"):
            place = (storage, 0, (1,), (1,), False, OrderedDict())
            torch.load(of_call(rebuild.rebuild_tensor_v2, *place))


# ---- archives ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("records", "error", "text"),
    [
        ({"data_0": None}, RuntimeError, "failed locating file data/0: file not found"),
        ({"data_0": b"1234"}, RuntimeError, r"record size \(4 bytes\) does not match .*16 bytes"),
        ({"data_0": b"1" * 99}, RuntimeError, r"record size \(99 bytes\) does not match"),
        ({"data_pkl": None}, RuntimeError, "failed locating file data.pkl: file not found"),
        ({"data_pkl": b""}, EOFError, "^$"),
        ({"data_pkl": b"\x80\x02]"}, EOFError, "^$"),
        ({"version": None}, RuntimeError, 'Expected hasRecord\\("version"\\) to be true'),
        ({"version": b"99"}, RuntimeError, "version 99, but the maximum supported version .* 10"),
        ({"version": b"x"}, RuntimeError, "Couldn't parse the version x as Long Long"),
        ({"version": b"9" * 5000}, RuntimeError, "Couldn't parse the version"),
        ({"byteorder": b"x"}, ValueError, "Unknown endianness type: x"),
    ],
)
def test_a_file_with_a_wrong_part_is_refused(records, error, text):
    with pytest.raises(error, match=text):
        torch.load(forged(**records))


def test_bytes_are_swapped_if_the_file_says_so():
    content = saved([torch.tensor([1.0, 2.0]), torch.tensor([1 + 2j]), torch.tensor([True])])
    swapped = {"data_0": struct.pack(">2f", 1, 2), "data_1": struct.pack(">2f", 1, 2)}
    found = torch.load(forged(content, byteorder=b"big", **swapped))
    assert [x.tolist() for x in found] == [[1, 2], [1 + 2j], [True]]
    assert torch.load(forged(byteorder=None))[0].tolist() == [0, 1, 2, 3]


def test_a_compressed_part_is_refused():
    with pytest.raises(RuntimeError, match="it is compressed"):
        torch.load(forged(saved(torch.zeros(9999)), compression=zipfile.ZIP_DEFLATED))


def test_a_flipped_bit_is_noticed():
    content = saved(torch.arange(4.0))
    broken = content.replace(struct.pack("<f", 3), struct.pack("<f", 5))
    with pytest.raises(RuntimeError, match="failed reading file data/0: Bad CRC-32"):
        torch.load(io.BytesIO(broken))


@pytest.mark.parametrize("name", ["foo.txt", "../x/data.pkl", "/etc/passwd"])
def test_another_archive_is_refused(name):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "1")
    with pytest.raises(RuntimeError, match="not in a subdirectory|hasRecord"):
        torch.load(io.BytesIO(file.getvalue()))


@pytest.mark.parametrize(
    "content", [b"PK\x03\x04rubbish", saved(torch.ones(99))[:-40], saved(torch.ones(99))[:300]]
)
def test_a_cut_file_is_refused(content):
    with pytest.raises(RuntimeError, match="failed finding central directory"):
        torch.load(io.BytesIO(content))


def test_parts_that_share_their_bytes_do_not_multiply():
    """A directory that lists one large part a thousand times."""
    content = saved(torch.zeros(100_000))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        start, count = archive.start_dir, len(archive.namelist())
    end = content.rindex(b"PK\x05\x06")
    directory = content[start:end] * 1000
    tail = struct.pack(
        "<4s4H2LH", b"PK\x05\x06", 0, 0, *[count * 1000] * 2, len(directory), start, 0
    )
    with pytest.raises(RuntimeError, match="larger inside than outside"):
        torch.load(io.BytesIO(content[:start] + directory + tail))


def test_a_text_file_says_that_bytes_are_expected():
    with pytest.raises(AssertionError, match="Expected bytes, got str"):
        torch.load(io.StringIO("text"))


# ---- pickles -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pickled", "text"),
    [
        (b"K\x01a.", "IndexError"),
        (b"a.", "IndexError"),
        (b".", "IndexError"),
        (b"t.", "IndexError"),
        (b"\x87.", "IndexError"),
        (b"h\x07.", "KeyError: 7"),
        (b"K\x01)R.", "Trying to call reduce for unrecognized function 1"),
        (b"K\x01K\x02R.", "arguments that are no tuple"),
        (b"K\x01K\x02K\x03s.", "Can only SETITEM for dict, collections.OrderedDict"),
        (b"K\x01(K\x02K\x03u.", "Can only SETITEMS for dict"),
        (b"}(K\x02u.", "IndexError"),
        (b"}]K\x01s.", "unhashable"),
        (b"K\x01K\x02a.", "Can only append to lists, but got <class 'int'>"),
        (b"K\x01(K\x02e.", "Can only extend lists, but got <class 'int'>"),
        (b"}}b.", "Can only build Tensor, Parameter, OrderedDict"),
        (b"K\x01)\x81.", "Can only create new object for nn.Parameter"),
        (b"X\x01\0\0\0aQ.", "persistent_load id must be tuple or int, but got <class 'str'>"),
        (b"X\x01\0\0\0a\x85Q.", "Only persistent_load of storage is allowed, but got"),
        (b")Q.", "a storage named"),
        (b"K\x01Q.", "a storage named 1"),
        (b"X\x01\0\0\0\xff.", "UnicodeDecodeError"),
        (b"I1\n.", "Unsupported operand 73"),
        (b"\xff.", "Unsupported operand 255"),
    ],
)
def test_a_pickle_with_a_wrong_instruction_is_refused(pickled, text):
    with pytest.raises(pickle.UnpicklingError, match="(?s)^Weights only load failed.*" + text):
        torch.load(of_pickle(pickled))


@pytest.mark.parametrize(
    "pickled", [b"", b"K", b"X\xff\xff\xff\x7fab", b"cos", b"G12", b"\x8a\x09a"]
)
def test_a_pickle_that_ends_too_soon_says_so(pickled):
    with pytest.raises(EOFError):
        torch.load(of_pickle(pickled))


def test_a_key_of_a_million_parts_takes_no_time():
    """Hashing a tuple of two equal tuples of two equal tuples… would take until tomorrow."""
    doubled = b")" + b"q\x00h\x00\x86" * 60
    for pickled in (
        b"}" + doubled + b"K\x01s.",
        b"c__builtin__\nset\n]" + doubled + b"a\x85R.",
        b"}" + b")" + b"\x85" * 100_000 + b"K\x01s.",
    ):
        with pytest.raises(pickle.UnpicklingError, match="a key of a thousand parts"):
            torch.load(of_pickle(pickled))


def test_deep_nesting_is_no_danger():
    found = torch.load(of_pickle(b"]" * 100_000 + b"a" * 99_999 + b"."))
    for _ in range(99_999):
        [found] = found
    assert found == []


def test_a_small_file_takes_little_memory():
    files = [
        of_window(0, (2**40,), (0,)),
        of_call(rebuild.rebuild_meta_tensor, torch.float32, (2**40,), (1,), False),
    ]
    files += [of_pickle(b"X\xff\xff\xff\x7fab.")]
    files += [
        io.BytesIO(
            b"\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02}.\x80\x02"
            + pickled_storage(2**40)
        )
    ]
    tracemalloc.start()
    for file in files:
        try:
            torch.load(file)
        except REFUSED:
            pass
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def pickled_storage(size):
    """The pickle of a storage in the old format, without its first two bytes."""
    file = io.BytesIO()

    class Pickler(writing.pickler(pickle)):
        def persistent_id(self, value):
            if isinstance(value, TypedStorage):
                return "storage", rebuild.STORAGES[torch.float32], "0", "cpu", size, None
            return None

    Pickler(file, 2, writing.Storages()).dump(torch.ones(1))
    return file.getvalue()[2:]


# ---- anything ------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Detected pickle protocol")
def test_a_damaged_file_loads_or_is_refused_but_never_breaks():
    """Bytes are changed, cut and doubled: what comes out is a value, or an error from the list."""
    chance = random.Random(0)
    good = saved({"x": torch.arange(6.0).view(2, 3).t(), "p": [torch.ones(2), (1, "a", 2.5)]})
    with zipfile.ZipFile(io.BytesIO(good)) as archive:
        pickled = archive.read("archive/data.pkl")
    for round_ in range(2000):
        inside = round_ % 2
        content = bytearray(pickled if inside else good)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(content))
            if chance.random() < 0.7:
                content[at] = chance.randrange(256)
            elif chance.random() < 0.5:
                del content[at : at + chance.randint(1, 9)]
            else:
                content[at:at] = content[at : at + chance.randint(1, 9)]
        file = forged(good, data_pkl=bytes(content)) if inside else io.BytesIO(bytes(content))
        try:
            torch.load(file)
        except REFUSED:
            pass
