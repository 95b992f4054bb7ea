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
from course_lib import serialization

REFUSED = (EOFError, RuntimeError, pickle.UnpicklingError)
V2, V3 = "torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_tensor_v3"
PARAMETER = "torch._utils._rebuild_parameter"


def table(text):
    """The bytes in each word of a text."""
    return [word.encode().decode("unicode_escape").encode("latin1") for word in text.split()]


def saved(value):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    return buffer.getvalue()


def forged(content=None, compression=zipfile.ZIP_STORED, **records):
    """A good file, but with these records; None leaves one out."""
    out = io.BytesIO()
    old = zipfile.ZipFile(io.BytesIO(content or saved([torch.arange(4.0), "x"])))
    with zipfile.ZipFile(out, "w", compression) as new:
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


class Named:
    """A storage as the file names it; by default the one that is there, of four floats."""

    def __init__(self, dtype="torch.FloatStorage", key="0", location="cpu", count=4):
        self.name = "storage", serialization.NAMES.get(dtype, dtype), key, location, count


class Call:
    """The call of a name in `NAMES` with any arguments."""

    def __init__(self, name, *arguments):
        self.call = serialization.NAMES[name], arguments


class Writer(serialization.Writer):
    """The pickler of `save`, which believes what a `Named` and a `Call` say."""

    def persistent_id(self, value):
        return value.name if isinstance(value, Named) else super().persistent_id(value)

    def reducer_override(self, value):
        return value.call if isinstance(value, Call) else super().reducer_override(value)


def of_call(name, *arguments):
    file = io.BytesIO()
    Writer(file, protocol=2).dump(Call(name, *arguments))
    return forged(data_pkl=file.getvalue())


def window(offset, size, stride, *rest, **named):
    return V2, Named(**named), offset, size, stride, *(rest or (False, OrderedDict()))


def refuses(file, text="", error=pickle.UnpicklingError):
    start = "^Weights only load failed.*" if error is pickle.UnpicklingError else ""
    with pytest.raises(error, match=start + text):
        torch.load(file)


# ---- code ----------------------------------------------------------------------------------------

CALLS = r"""
cos\nmkdir\nX\x04\0\0\0trap\x85R. cposix\nmkdir\nX\x04\0\0\0trap\x85R. csys\nexit\n)R.
c__builtin__\neval\nX\x06\0\0\0exit()\x85R. cbuiltins\ngetattr\n. ctorch\nload\n.
ccourse_lib.serialization\nsave\n. ctorch._utils\n_rebuild_tensor_v2.__globals__\n.
ccollections\nOrderedDict.fromkeys\n. (cos\nsystem\nX\x04\0\0\0exito.
(X\x04\0\0\0exitios\nsystem\n. \x82\x01. X\x02\0\0\0osX\x05\0\0\0mkdir\x93.
ccollections\nOrderedDict\n)\x81. ctorch\nTensor\n)\x81. ctorch\nTensor\n)R.
ctorch\nTensor\n}X\x03\0\0\0addK\x01sb. c_codecs\nencode\n}X\x08\0\0\0__code__K\x01sb.
c_codecs\nencode\nX\x01\0\0\0aX\x05\0\0\0utf-8\x86R.
c__builtin__\nbytearray\n\x8a\x05\0\0\0\0\x7f\x85R. ccollections\nOrderedDict\n]\x85R.
ccollections\nOrderedDict\n)R}X\x05\0\0\0itemsK\x01sb. ctorch._utils\n_rebuild_parameter\n}}b.
ccollections\nOrderedDict\n)RN}X\x05\0\0\0itemsK\x01s\x86b.
ccollections\nOrderedDict\n}X\x09\0\0\0_metadataK\x01sb.
ctorch\nFloatStorage\n}X\x05\0\0\0dtypeK\x01sb. ctorch\nFloatStorage\nK\x01a.
"""


@pytest.mark.parametrize("pickled", table(CALLS))
def test_a_file_that_wants_to_run_something_is_refused_and_nothing_runs(
    pickled, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    refuses(of_pickle(pickled))
    refuses(io.BytesIO(b"\x80\x02" + pickled))
    assert not list(tmp_path.iterdir())


TENSOR = Call(*window(0, (2,), (1,)))
INTEGERS = Call(*window(0, (2,), (1,), dtype="torch.IntStorage"))


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("str where a list belongs", ("__builtin__.set", "abc")),
        ("Tensor where a list belongs", ("__builtin__.set", TENSOR)),
        ("str where a float belongs", ("__builtin__.complex", "1j", 0.0)),
        ("str where a dict belongs", ("collections.Counter", "abc")),
        ("list where a str belongs", ("_codecs.encode", ["a"], "latin1")),
        ("Tensor where a tuple belongs", ("torch.Size", TENSOR)),
        ("bool where a int belongs", ("torch.Size", (True,))),
        ("tuple where a int belongs", ("torch.device", "cpu", (1,))),
        ("list where a Tensor belongs", (PARAMETER, [1.0], True, OrderedDict())),
        ("missing 3 required positional", (PARAMETER,)),
        ("save x.resolve_conj", window(0, (2,), (1,), False, OrderedDict(), {"conj": True})),
        ("of a dtype", (V3, *window(0, (2,), (1,), False, OrderedDict(), torch.bool)[1:])),
        ("of a dtype", (V3, *window(0, (2,), (1,), False, OrderedDict(), "float32")[1:])),
        ("list where a TypedStorage belongs", (V2, [1.0], 0, (1,), (1,), False, OrderedDict())),
        ("nowhere", ("torch.device", "nowhere")),
        ("floating point", (PARAMETER, INTEGERS, True, OrderedDict())),
        ("floating point", window(0, (2,), (1,), True, OrderedDict(), dtype="torch.IntStorage")),
        ("must be a bool", (PARAMETER, TENSOR, [1], OrderedDict())),
        ("must be a bool", window(0, (2,), (1,), "yes", OrderedDict())),
        ("on a CUDA device", window(0, (2,), (1,), location="cuda:0")),
    ],
)
def test_what_may_be_called_believes_no_argument(text, call):
    refuses(of_call(*call), text, (RuntimeError, pickle.UnpicklingError))


# ---- windows -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "place",
    """
    0,(5,),(1,)    3,(2,),(1,)    4,(),()          5,(0,),(1,)      -1,(2,),(1,)   2,(2,),(-1,)
    0,(-2,),(1,)   1,(1,),(-7,)   0,(2,),(2**40,)  0,(2,),(2**62,)  0,(2,),(2**70,)
    0,(2,),(1,1)   0,(2**62,),(1,)  0,(2**62,),(0,)  0,(2**70,),(1,)  0,(2**62,2**62),(1,1)
    0,(2,)*70,(0,)*70   0,(1,)*70,(0,)*70   0,("a",),(1,)   0,(2.0,),(1,)   0,(True,),(1,)
    0,[2],[1]   0,2,1   None,(2,),(1,)
    """.split(),
)
def test_a_window_that_leaves_its_storage_is_refused(place):
    refuses(of_call(*window(*eval(place))))


def test_an_odd_window_that_stays_inside_is_fine():
    places = [(3, (), ()), (4, (0,), (1,)), (1, (1,), (700,)), (0, (2, 2), (0, 3))]
    found = [torch.load(of_call(*window(*place))).tolist() for place in places]
    assert found == [3, [], [1], [[0, 3], [0, 3]]]


@pytest.mark.parametrize(
    "named",
    """
    count=400  count=2  count=-4  count=2**70  count=1.5  count=True  key="1"  key="../data/0"
    key=0  key=("0",)  location=3  dtype="torch.DoubleStorage"  dtype="torch.float32"  dtype=3
    """.split(),
)
def test_a_storage_that_is_not_in_the_file_is_refused(named):
    refuses(of_call(*window(0, (1,), (1,), **eval(f"dict({named})"))))


def test_a_tensor_of_a_graphics_card_loads_where_it_is_sent():
    file = of_call(*window(0, (2,), (1,), location="cuda:0"))
    assert torch.load(file, torch.device("cpu")).tolist() == [0, 1]


def test_bytes_that_are_no_truth_values_become_true():
    found = torch.load(forged(saved(torch.tensor([True, False])), data_0=b"\2\0"))
    assert found.untyped_storage().tolist() == [1, 0]


# ---- archives ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("records", "text"),
    [
        ({"data_0": None}, "no item named 'archive/data/0' in the archive"),
        ({"data_0": b"1234"}, "a storage that is not as large as it says"),
        ({"data_0": b"1" * 99}, "a storage that is not as large as it says"),
        ({"data_pkl": None}, "no item named 'archive/data.pkl'"),
        ({"data_pkl": b""}, "The pickle ends too soon"),
        ({"data_pkl": b"\x80\x02]"}, "The pickle ends too soon"),
        ({"byteorder": b"big"}, "the bytes of a number in another order"),
        ({"byteorder": b"\xff"}, "decode byte"),
    ],
)
def test_a_file_with_a_wrong_part_is_refused(records, text):
    refuses(forged(**records), text)


def test_an_old_file_says_nothing_of_the_order_of_bytes():
    assert torch.load(forged(byteorder=None, version=None))[0].tolist() == [0, 1, 2, 3]


def test_a_flipped_bit_or_a_compressed_part_is_refused():
    content = saved(torch.arange(4.0))
    broken = content.replace(struct.pack("<f", 3), struct.pack("<f", 5))
    refuses(io.BytesIO(broken), "failed reading zip archive: Bad CRC-32", RuntimeError)
    refuses(forged(compression=zipfile.ZIP_DEFLATED), "is compressed", RuntimeError)


@pytest.mark.parametrize("name", ["foo.txt", "../x/data.pkl", "/etc/passwd"])
def test_another_archive_is_refused(name):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "1")
    refuses(io.BytesIO(file.getvalue()), "There is no item named")


@pytest.mark.parametrize("cut", [b"PK\x03\x04rubbish", saved(1)[:-40], saved(1)[:300]])
def test_a_cut_file_is_refused(cut):
    refuses(io.BytesIO(cut), "failed finding central directory", RuntimeError)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_parts_that_share_their_bytes_or_their_name_are_refused():
    """A directory that lists one large part ten times, and two parts of one name."""
    content = saved(torch.zeros(100_000))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        start, count = archive.start_dir, 10 * len(archive.namelist())
    once = content[start : content.rindex(b"PK\x05\x06")]
    directory = b"".join(once.replace(b"archive/", b"archiv%d/" % n) for n in range(10))
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(directory), start, 0)
    twice = forged()
    with zipfile.ZipFile(twice, "a") as archive:
        archive.writestr("archive/data/0", b"1" * 16)
    for file in (content[:start] + directory + end, twice.getvalue()):
        refuses(io.BytesIO(file), "larger inside than outside", RuntimeError)


# ---- pickles -------------------------------------------------------------------------------------

WRONG = r"""
a. empty_list  t. empty_list  \x87. index_out_of_range  h\x07. not_found_at_index_7  . empty_list
K\x01a. list_index  K\x01K\x02a. int_where_a_OrderedDict_belongs  }}b. function_of_type_dict
K\x01)R. function_of_type_int  K\x01K\x02R. int_where_a_tuple_belongs  }(K\x02u. shorter_than
K\x01K\x02K\x03s. int_where_a_OrderedDict_belongs  K\x01(K\x02e. int_where_a_OrderedDict_belongs
K\x01(K\x02K\x03u. int_where_a_OrderedDict_belongs  }]K\x01s. unhashable  )Q. not_enough_values
K\x01)\x81. operand_129  X\x01\0\0\0aQ. str_where_a_tuple_belongs  X\x01\0\0\0\xff. decode_byte
I1\n. operand_73  \xff. operand_255  K index  X\xff\xff\xff\x7fab too_soon  cos global  G12 bytes
\x8a\x09a too_soon  \x80\x09 unsupported_pickle_protocol
"""


@pytest.mark.parametrize(("pickled", "text"), [*zip(table(WRONG)[::2], WRONG.split()[1::2])])
def test_a_pickle_with_a_wrong_instruction_is_refused(pickled, text):
    refuses(of_pickle(pickled), text.replace("_", " "))


def test_a_key_of_a_million_parts_takes_no_time():
    """Hashing a tuple of two equal tuples of two equal tuples… would take until tomorrow."""
    doubled = b")" + b"q\x00h\x00\x86" * 60
    for pickled in (
        b"}" + doubled + b"K\x01s.",
        b"c__builtin__\nset\n]" + doubled + b"a\x85R.",
        b"}" + b")" + b"\x85" * 100_000 + b"K\x01s.",
    ):
        refuses(of_pickle(pickled), "a key of more than a hundred parts")


def test_deep_nesting_is_no_danger():
    found = torch.load(of_pickle(b"]" * 100_000 + b"a" * 99_999 + b"."))
    for _ in range(99_999):
        [found] = found
    assert found == []


LONG = b"X\xa0\x86\1\0" + b"a" * 100_000 + b"q\0X\6\0\0\0latin1q\1"


@pytest.mark.parametrize(
    "file",
    [
        of_call(*window(0, (2**40,), (0,))),
        of_pickle(b"X\xff\xff\xff\x7fab."),
        of_pickle(b"K\1r\xff\xff\xff\x7f."),
        of_pickle(b"\x96\xff\xff\xff\xff\0\0\0\0."),
        of_pickle(LONG + b"(" + b"c_codecs\nencode\nh\0h\1\x86R" * 5000 + b"t."),
        of_pickle(b"](" + b"K\1" * 60_000 + b"eq\0(" + b"ctorch\nSize\nh\0\x85R" * 5000 + b"t."),
    ],
    ids=["window", "text", "memo", "bytes", "encode", "Size"],
)
def test_a_small_file_takes_little_memory(file):
    """No size is believed, and what is named often is not copied often."""
    tracemalloc.start()
    try:
        torch.load(file)
    except REFUSED:
        pass
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def test_a_damaged_file_loads_or_is_refused_but_never_breaks():
    """Bytes are changed, cut and doubled: what comes out is a value, or an error from the list."""
    chance = random.Random(0)
    good = saved({"x": torch.arange(6.0).view(2, 3).t(), "p": [torch.ones(2), (1, "a", 2.5)]})
    pickled = zipfile.ZipFile(io.BytesIO(good)).read("archive/data.pkl")
    for round_ in range(2000):
        inside = round_ % 2
        content = bytearray(pickled if inside else good)
        for _ in range(chance.randint(1, 4)):
            at, length = chance.randrange(len(content)), chance.choice([1, 1, 1, 0, 9])
            new = chance.choice([bytes([chance.randrange(256)])] * 4 + [b"", content[at : at + 9]])
            content[at : at + length] = new
        file = forged(good, data_pkl=bytes(content)) if inside else io.BytesIO(bytes(content))
        try:
            torch.load(file)
        except REFUSED:
            pass
