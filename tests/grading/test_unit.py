"""One submission becomes one row: right is right, wrong is wrong, and odd is for a person."""

import functools
import json
import pickle
import re

import pytest
from grading.conftest import SEED
from grading.submitting import EXERCISES, WRONG, code, notebook, place, record

from course_grading import Limits, data, unit

RIGHT = record("welcome")["questions"]["welcome-3"]["right"][0]
HEAD = "# Answer to welcome-3\n"


def graded(made, course, runner):
    """What came of each question of a notebook."""
    row = unit.grade(json.dumps(made).encode(), course, runner)
    return {one["question"]: one for one in row["questions"]}


@pytest.fixture
def third(course, runner):
    """Grade a submission with this answer to the third question, the others being right."""

    def grade(answer):
        made = notebook("welcome", {"welcome-3": HEAD + answer.removeprefix(HEAD)})
        words = graded(made, course, runner)
        one = words.pop("welcome-3")
        assert {other["word"] for other in words.values()} == {"correct"}
        return one

    return grade


def test_recorded_answers_are_told_apart(third):
    known = record("welcome")["questions"]["welcome-3"]
    for text in (known["solution"]["code"], *known["right"]):
        one = third(text)
        assert one["word"] == "correct" and one["review"] == []
    for wrong in known["wrong"]:
        one = third(wrong["code"])
        assert (one["word"], one["message"], one["points"]) == ("not yet", wrong["message"], 0)
        assert one["review"] == []


def test_a_right_answer_costs_two_processes_and_a_wrong_one_two_more(course, runner):
    for answers, runs in (({}, 2), ({"welcome-3": WRONG["code"]}, 4)):
        made = json.dumps(notebook("welcome", answers)).encode()
        assert unit.grade(made, course, runner)["cost"]["runs"] == runs


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("def mean_square(x):\n    return 1 / 0", "line 3: ZeroDivisionError"),
        ("1 / 0\ndef mean_square(x): pass", "cell 13, line 2: ZeroDivisionError"),
        ("def mean_square(x)\n    return 1", "cell 13, line 2: SyntaxError"),
        ("raise SystemExit", "cell 13, line 2: SystemExit"),
        ("import os\nos._exit(0)", "cell 13 ended its process"),
        ("import os, signal\nos.abort()", "cell 13 ended its process"),
        ("import ctypes\nctypes.string_at(0)", "cell 13 ended its process: it crashed"),
        ("def mean_square(x):\n    while True: pass", "after 5 seconds of computing. Does"),
        # where others keep the machine busy, the clock may be first
        ("while True:\n    try:\n        while True: pass\n    except: pass", "computing"),
        ("x = bytearray(8 << 30)", "cell 13, line 2: it used more than 1024 MB of memory"),
        ("def mean_square(x): return bytearray(8 << 30)", "line 2: it used more than 1024 MB"),
        ("import pdb\ndef mean_square(x):\n    pdb.set_trace()\n    x", "line 5: a debugger"),
        ("true\ndef mean_square(x): pass", "with a capital letter"),
    ],
)
def test_what_ends_badly_is_a_failure_with_a_reason(third, answer, said):
    one = third(answer)
    assert one["word"] == "your code raised" and one["points"] == 0
    assert said in one["reason"] + one["message"]


OF_TORCH = [
    "import math, torch\ndef mean_square(x): return torch.mean(x**2)",
    "import torch.nn as nn\ndef mean_square(x): return nn.MSELoss()(x, x * 0)",
    "from torch import (\n    nn,\n)\ndef mean_square(x): return nn.MSELoss()(x, x * 0)",
    "def mean_square(x):\n    import torch.nn.functional as F; return F.mse_loss(x, x * 0)",
    "import torch.nn.functional\ndef mean_square(x): return torch.nn.functional.mse_loss(x, x * 0)",
]


IPYTHON = [
    'get_ipython().run_line_magic("matplotlib", "inline")',
    'get_ipython().run_cell_magic("html", "", "<b>hello</b>")',
    "get_ipython().magic(\"config InlineBackend.figure_format = 'retina'\")",
    'get_ipython().system("pip install torch")',
    'found = get_ipython().getoutput("ls")\nassert len(found) == 0',
    'get_ipython().events.register("post_run_cell", print)',
    'get_ipython().enable_matplotlib("inline")',
    'assert get_ipython().user_ns["get_ipython"] is get_ipython',
    "ip = get_ipython()\nif ip is not None:\n    ip.run_line_magic('load_ext', 'autoreload')",
]


def test_a_function_taken_along_may_speak_to_ipython_and_wrong_answers_stay_wrong(course, runner):
    made = notebook("welcome", {"welcome-3": f"quietly()\n{RIGHT}"})
    made["cells"].insert(0, code(f"def quietly():\n    {IPYTHON[0]}"))
    assert graded(made, course, runner)["welcome-3"]["word"] == "correct"
    made = notebook("welcome", {"welcome-3": f"{IPYTHON[0]}\n{WRONG['code']}"})
    one = graded(made, course, runner)["welcome-3"]
    assert (one["word"], one["points"]) == ("not yet", 0)


def test_another_answer_that_was_not_run_is_for_a_person_unless_the_first_is_right(course, runner):
    for first, flags in ((RIGHT, 0), ("def mean_square(x): return x", 1), ("", 1)):
        made = notebook("welcome", {"welcome-3": HEAD + first} if first else {})
        if not first:
            made["cells"] = json.loads((EXERCISES / "ex00_welcome.ipynb").read_text())["cells"]
        where = place(made, "welcome-3", "check") + 1 if first else 1
        made["cells"].insert(where, code("def mean_square(x): return x.mean()"))
        one = graded(made, course, runner)["welcome-3"]
        assert len(one["review"]) == flags and len(one["notes"]) == 1


def test_a_breakpoint_stops_nothing_and_torch_is_no_way_around_the_screen(third):
    one = third("def mean_square(x):\n    breakpoint()\n    return (x * x).mean()")
    assert one["word"] == "correct" and one["review"] == ["cell 13 uses breakpoint"]
    one = third("import course_grading.unit\n" + RIGHT)
    assert "imports course_grading" in str(one["review"])


def test_who_runs_out_of_memory_is_accused_of_nothing(third):
    left = "import sys\ndef mean_square(x):\n    sys.settrace(print)\n    raise MemoryError"
    kept = "kept = []\ndef mean_square(x):\n    while True: kept.append(bytearray(10**8))"
    for answer in (left, kept):
        one = third(answer)
        assert "used more than 1024 MB" in one["reason"] and one["review"] == []
        assert (one["word"], one["points"]) == ("your code raised", 0)


@pytest.fixture
def hurried(course, runner):
    """Grade an answer to the third question that may compute for half a second."""
    hurried = unit.Course(course.exercises, course.expected, Limits(seconds=0.5))

    def grade(answer):
        made = notebook("welcome", {"welcome-3": HEAD + answer})
        return graded(made, hurried, runner)["welcome-3"]

    return grade


def test_the_clock_fails_no_answer_that_hardly_computes(hurried):
    one = hurried("import time\ndef mean_square(x): time.sleep(0.4); return (x * x).mean()")
    assert one["word"] == "correct" and one["review"] == []


@pytest.mark.parametrize("where", ["", "def mean_square(x): "])
def test_who_waits_too_long_is_told_so_and_is_for_a_person(hurried, where):
    one = hurried(f"import time\n{where}time.sleep(60)")
    assert one["word"] == "your code raised"
    assert re.search(r"after 2\.\d* seconds by the clock, of which 0\.\d were", one["reason"])
    assert "by the clock" in one["review"][0]


FORGING = {
    "a check's name": RIGHT + "\ntorch = __import__('types').SimpleNamespace(**vars(torch))",
    "a trace": RIGHT + "\nimport sys\nsys.settrace(lambda *a: None)",
    "the probe": RIGHT + "\nimport sys\n"
    "sys.modules['course_lib.classroom.probe'].describe = lambda v: {'kind': 'None'}",
    "equality": "class Same:\n    def __eq__(self, other): return True\n" + RIGHT,
    "a builtin": RIGHT + "\nimport builtins\nbuiltins.sum = max",
    "random numbers": RIGHT + "\nimport random\nrandom.Random.sample = lambda s, p, k: [1, 2, 3]",
    "frames": RIGHT + "\nimport sys\nsys._getframe(0)",
    "what looks at frames": RIGHT + "\nimport contextlib\n"
    "class Mine(contextlib.redirect_stdout): _stream = ''.join(['_get', 'frame'])\n"
    "with Mine(lambda depth=0: None): pass",
    "all objects": RIGHT + "\nimport gc\ngc.get_objects()",
    "a process": RIGHT + "\nimport os\ntry:\n    os.fork()\nexcept OSError: pass",
    "a dead end": RIGHT + "\nimport atexit, os\nold = mean_square\ncount = []\n"
    "def mean_square(x):\n    count.append(1)\n"
    "    return old(x) if len(count) < 3 else os._exit(0)",
}


@pytest.mark.parametrize("name", FORGING)
def test_what_is_odd_is_for_a_person(third, name):
    assert third(FORGING[name])["review"]


HONEST = {
    "everything of the course": "from course_lib import *\n"
    "def mean_square(x): return sum(x * x) / numel(x)",
    "a count": "count = 0\ndef squared(x):\n    global count\n    count += 1\n    return x * x\n"
    "def mean_square(x): return squared(x).mean()",
    "names of Python's": "def sum(x): return x.sum()\nlist = max = None\n"
    "def mean_square(x): return sum(x**2) / len(x)",
    "a decorator": "import functools\ndef logged(f):\n    @functools.wraps(f)\n"
    "    def call(*a): return f(*a)\n    return call\n"
    "@logged\ndef mean_square(x): return (x * x).mean()",
    "an object": "class Power:\n    def __init__(self, n): self.n, self.signal = n, 1\n"
    "    def __call__(self, x): return (x**self.n).mean()\nmean_square = Power(2)",
    "annotations": "import functools, typing\nclass Pair(typing.NamedTuple):\n    x: int = 1\n"
    "def mean_square(x):\n    class Mine: __slots__ = ('n',)\n    @functools.singledispatch\n"
    "    def of(one): return (one * one).mean()\n    @of.register\n    def _(one: Mine): return 1\n"
    "    return of(x) if of.registry and Pair.__annotations__['x'] is int else of(Mine())",
    "numbers as bytes": "import numpy as np\ndef mean_square(x):\n"
    "    with np.testing.assert_raises(ValueError): int('x')\n"
    "    return torch.tensor(np.frombuffer((x * x).numpy().tobytes(), np.float32).mean())",
    "imports": "from collections import Counter, namedtuple\nfrom operator import mul, itemgetter\n"
    "from typing import NamedTuple\nfrom dataclasses import dataclass\nimport copy, enum, time\n"
    "Pair = namedtuple('Pair', 'x y', defaults=[1])\n"
    "@dataclass\nclass Kept:\n    value: object = None\n"
    "class Way(enum.Enum): A = 1\n"
    "def mean_square(x): return copy.deepcopy(Kept(mul(*Pair(x, x)))).value.mean()",
    "streams and warnings": "import contextlib, warnings\ndef mean_square(x):\n"
    "    with contextlib.redirect_stdout(None), warnings.catch_warnings():\n"
    "        warnings.simplefilter('ignore')\n        print(x)\n        return x.square().mean()",
    "a layer": "class Mean(torch.nn.Module):\n    def forward(self, x): return (x * x).mean()\n"
    "layer = copy = Mean()\nlayer.mode, layer.numel_ = 1, 2\n"
    "def mean_square(x): return [layer(x) for part in layer.modules()][0]",
}


HONEST |= {text: text for text in OF_TORCH} | {line: f"{line}\n{RIGHT}" for line in IPYTHON}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_answer_in_other_words_is_correct_and_for_nobody(third, name):
    one = third(HONEST[name])
    assert (one["word"], one["reason"], one["review"]) == ("correct", "", [])
    assert HONEST[name] in one["cells"][0][1]  # a person reads what the student wrote


WRITING = """
import os
for number in range(3, 60):
    try:
        os.write(number, (%r + chr(10)).encode())
    except OSError: pass
def mean_square(x): return 0
"""


@pytest.mark.parametrize(
    "text",
    [
        '{"data": {"entries": [], "error": null}, "changed": []}',
        *('{"end": true, "changed": []}', "nonsense", '{"question": "welcome-4"}', "[" * 50_000),
    ],
)
def test_lines_of_the_students_are_not_believed(third, text):
    one = third(WRITING % text)
    assert one["points"] == 0 and one["review"]


INSIDE = """
import json, os, signal, sys, threading
from course_lib.classroom.probe import probe
frame = sys._getframe()
while "say" not in frame.f_locals:
    frame = frame.f_back
given, check = frame.f_locals["exercise"], frame.f_locals["job"]
names, found = dict(globals()), []
exec(RIGHT, names)
names["check"] = lambda question: found.append
exec(given["check"], names)
shown = probe(found[0], "welcome-3", check["seed"])  # what a right answer shows, for this seed
names["mean_square"] = lambda *_: None
nothing = probe(found[0], "welcome-3", check["seed"])
names["mean_square"] = lambda x: torch.tensor(-1.0)
spoilt = probe(found[0], "welcome-3", check["seed"])
lines = [
    {"at": 0},
    {"data": shown, "changed": [], "holds": []},
    {"decoy": "spoilt", "data": spoilt},
    {"decoy": "nothing", "data": nothing},
    {"decoy": "copied", "data": shown},
    {"changed": [], "end": True},
]
sealed = frame.f_locals["say"]  # without it no line would be believed
def say(these):
    for line in these: sealed(line)
def mean_square(x): return torch.tensor(0.0)
"""
FORGED = {
    "killed after the data": "say(lines[:2])\nos.kill(os.getpid(), 9)",
    "killed after the end": "say(lines)\nos.kill(os.getpid(), 9)",
    "left after the data": "say(lines[:2])\nos._exit(0)",
    "left with another status": "say(lines)\nos._exit(7)",
    "without decoys": "say([*lines[:2], lines[-1]])\nos._exit(0)",
    "decoys that come to nothing": "say([*lines[:3], lines[3] | {'data': None}, *lines[4:]])",
    "decoys that are right": "say([*lines[:2], *(one | {'data': shown} for one in lines[2:5])])",
    "twice": "say(lines + lines)\nos._exit(0)",
    "beside the real ones": "say(lines)",
    "beside the real ones, later": "def mean_square(x):\n    say(lines[1:])\n    return x[0] * 0",
    "in a thread": "threading.Timer(0.05, say, (lines,)).start()",
    "another question's": 'say([*lines, {"question": "welcome-4"}, *lines])',
}


@pytest.mark.parametrize("name", FORGED)
def test_right_data_that_the_answer_writes_itself_are_not_correct(third, name):
    answer = f"RIGHT = {RIGHT!r}\n{INSIDE}\n{FORGED[name]}"
    one = third(answer)
    assert one["word"] != "correct" and one["points"] == 0 and one["review"], one["reason"]


def test_the_lines_of_these_forgeries_are_those_of_a_right_answer(third):
    """With the writer in its hands nothing but its own words give it away to a person."""
    answer = f"RIGHT = {RIGHT!r}\n{INSIDE}\nsay(lines)\nos._exit(0)"
    one = third(answer)
    assert one["review"] and "uses _getframe" in str(one["review"])
    assert one["word"] == "correct" or "a person has to look" in one["reason"]


OF_ITS_OWN = {
    "derived": "class Mine(torch.Tensor):\n    def tolist(self): return 14 / 3\n"
    "    shape, dtype = (), 'torch.float32'\ndef mean_square(x): return Mine([1.0])",
    "alike": "class Mine:\n    shape, dtype, requires_grad = (), 'torch.float32', False\n"
    "    def detach(self): return self\n    def tolist(self): return 14 / 3\n"
    "def mean_square(x): return Mine()",
    "disguised": "class Tensor:\n    __module__, __qualname__ = 'course_lib', 'Tensor'\n"
    "    shape, dtype, requires_grad = (), 'torch.float32', False\n"
    "    def detach(self): return self\n    def tolist(self): return 14 / 3\n"
    "def mean_square(x): return Tensor()",
}


@pytest.mark.parametrize("name", OF_ITS_OWN)
def test_a_tensor_of_ones_own_is_an_object(third, name):
    one = third(OF_ITS_OWN[name])
    assert one["word"] == "not yet" and "yours is" in one["reason"]


def test_an_answer_that_wavers_is_for_a_person(third):
    text = "import os\ndef mean_square(x):\n    chance, *_ = os.urandom(1)\n"
    text += "    return (x * x).mean() if chance < 128 else torch.tensor(chance)"
    rows = [third(text) for _ in range(12)]  # by chance, a row may be right throughout
    assert any(row["review"] for row in rows)


def test_a_row_has_neither_seed_nor_solution_even_of_a_notebook_that_is_too_large(course, runner):
    made = json.dumps(notebook("welcome", {"welcome-3": HEAD + "mean_square = None"})).encode()
    text = json.dumps(unit.grade(made, course, runner))
    solution = record("welcome")["questions"]["welcome-3"]["solution"]["code"]
    assert SEED not in text and solution.splitlines()[-1].strip() not in text
    made = unit.grade(b" " * (course.limits.notebook + 1), course, runner)
    assert made["status"] == "unreadable" and made["reason"].startswith("it has more than 8 MB;")
    assert made["cost"]["runs"] == 0


def test_the_key_changes_with_what_a_row_depends_on_and_a_course_can_be_sent_elsewhere(course):
    keys = {course.key(b"a"), course.key(b"b")}
    other = unit.Course(course.exercises, course.expected, unit.Limits(seconds=1))
    assert len(keys | {other.key(b"a")}) == 3
    course.expected.of("welcome")
    sent = pickle.dumps(course)
    again = pickle.loads(sent)
    assert again.key(b"a") == course.key(b"a") and again.kits == course.kits
    for question in record("welcome")["questions"].values():
        if question["type"] not in ("predict", "read the graph"):
            assert question["solution"]["code"].encode() not in sent


@pytest.mark.parametrize(
    "value",
    [
        {"kind": "tensor", "shape": [2], "dtype": "x", "values": [1]},
        {"kind": "tensor", "shape": [-1], "dtype": "x", "values": []},
        {"kind": "tensor", "shape": "2", "dtype": "x"},
        {"kind": "list"},
        {"kind": "list", "items": [{"kind": "list", "items": [1]}]},
        functools.reduce(lambda inner, _: {"kind": "list", "items": [inner]}, range(300), None),
        {"kind": "tensor", "shape": [2], "dtype": "x", "values": [{}, [1, 2, 3]]},
        {"kind": "tensor", "shape": [1] * 500, "dtype": "x", "values": [1.0]},
        {"kind": "dict", "items": [[{"kind": "None"}]]},
        {"kind": "graph", "nodes": [["x", [99, -1]], [1]]},
        {"kind": 3},
        {"kind": "int"},
        {"kind": "object"},
        {"kind": "something else", "value": 1},
        {"kind": "int", "value": {"a": 1}},
        {"kind": "int", "value": 1 << 4000},
        {"kind": "graph", "nodes": [["x", [-1]]]},
        None,
    ],
)
def test_data_of_another_shape_is_refused(value):
    with pytest.raises((ValueError, TypeError, KeyError)):
        data.rebuild_data({"entries": [{"label": "x", "value": value}], "error": None})


def test_names_that_are_no_names_are_refused_and_enormous_empty_tensors_not_written_out():
    with pytest.raises(data.Malformed):
        data.rebuild_data({"entries": [], "error": None, "unset": ["x", "[x](javascript:x)"]})
    for size in (10**12, 20_000):
        value = {"kind": "tensor", "shape": [size, 0], "dtype": "torch.float32", "values": []}
        made = data.rebuild_data({"entries": [{"label": "x", "value": value}], "error": None})
        assert made["entries"][0]["value"]["kind"] == "object"


WELL = ["at 3", "at 0", "data", "decoy spoilt", "decoy nothing", "decoy copied", "end"]
LINES = {
    "at 3": {"at": 3},
    "raised": {"raised": [3, {"type": "ValueError", "message": "", "line": 1}]},
    "at 0": {"at": 0},
    "data": {"data": {"entries": [], "error": None}, "changed": [], "holds": []},
    "decoy spoilt": {"decoy": "spoilt", "data": None},
    "decoy nothing": {"decoy": "nothing", "data": {"entries": [], "error": None}},
    "decoy copied": {"decoy": "copied", "data": None},
    "end": {"changed": [], "end": True},
}


def told(names):
    said = "\n".join(json.dumps(line) for line in [{"question": "a-1"}, *map(LINES.get, names)])
    return data.lines(said + "\n", [["a-1", [[3, "code"]]]])["a-1"]


def test_lines_are_read_and_one_that_is_missing_twice_or_elsewhere_is_noticed():
    assert told(WELL).ended and not told(WELL).forged
    assert told(["at 3", "raised", *WELL[1:]]).raised[0][0] == 3
    for where, line in enumerate(WELL):
        others = [one for one in WELL if one != line]
        orders = [[*others[:other], line, *others[other:]] for other in range(len(WELL))]
        for order in (*orders, others, [*WELL[:where], line, *WELL[where:]]):
            if order not in (WELL, WELL[:-1]):  # its process may have ended there
                assert told(order).forged, order
