"""One submission becomes one row: right is right, wrong is wrong, and odd is for a person."""

import json

import pytest
from classroom.grading.conftest import SEED
from classroom.grading.submitting import notebook, record

from course_lib.classroom.grading import data, unit

RIGHT = record("welcome")["questions"]["welcome-3"]["right"][0]
HEAD = "# Answer to welcome-3\n"


@pytest.fixture
def third(course, runner):
    """Grade a submission with this answer to the third question, the others being right."""

    def grade(answer):
        made = notebook("welcome", {"welcome-3": HEAD + answer.removeprefix(HEAD)})
        row = unit.grade(json.dumps(made).encode(), course, runner)
        words = {one["question"]: one for one in row["questions"]}
        one = words.pop("welcome-3")
        assert {other["word"] for other in words.values()} == {"correct"}
        return one

    return grade


def test_recorded_answers_are_told_apart(third):
    known = record("welcome")["questions"]["welcome-3"]
    for code in (known["solution"]["code"], *known["right"]):
        one = third(code)
        assert one["word"] == "correct" and one["review"] == []
    for wrong in known["wrong"]:
        one = third(wrong["code"])
        assert (one["word"], one["message"], one["points"]) == ("not yet", wrong["message"], 0)
        assert one["review"] == []


def test_a_right_answer_costs_two_processes_and_a_wrong_one_two_more(course, runner):
    wrong = record("welcome")["questions"]["welcome-3"]["wrong"][0]["code"]
    for answers, runs in (({}, 2), ({"welcome-3": wrong}, 4)):
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
        ("def mean_square(x):\n    while True:\n        pass", "does a loop never end?"),
        ("while True:\n    try:\n        while True: pass\n    except: pass", "within 5 seconds"),
        ("x = bytearray(8 << 30)", "MemoryError"),
        ("def mean_square(x): return bytearray(8 << 30)", "MemoryError"),
    ],
)
def test_what_ends_badly_is_a_failure_with_a_reason(third, answer, said):
    one = third(answer)
    assert one["word"] == "your code raised" and one["points"] == 0
    assert said in one["reason"]


FORGING = {
    "a check's name": RIGHT + "\ntorch = __import__('types').SimpleNamespace(**vars(torch))",
    "a trace": RIGHT + "\nimport sys\nsys.settrace(lambda *a: None)",
    "the probe": RIGHT + "\nimport sys\n"
    "vars(sys.modules['course_lib.classroom.probe'])['describe'] = lambda v: {'kind': 'None'}",
    "equality": "class Same:\n    def __eq__(self, other): return True\n" + RIGHT,
    "a builtin": RIGHT + "\nimport builtins\nbuiltins.sum = max",
    "random numbers": RIGHT + "\nimport random\nrandom.Random.sample = lambda s, p, k: [1, 2, 3]",
    "frames": RIGHT + "\nimport sys\nsys._getframe(0)",
    "all objects": RIGHT + "\nimport gc\ngc.get_objects()",
    "a process": RIGHT + "\nimport os\ntry:\n    os.fork()\nexcept OSError: pass",
    "a dead end": RIGHT + "\nimport atexit, os\nold = mean_square\ncount = []\n"
    "def mean_square(x):\n    count.append(1)\n"
    "    return old(x) if len(count) < 3 else os._exit(0)",
}


@pytest.mark.parametrize("name", FORGING)
def test_what_is_odd_is_for_a_person(third, name):
    assert third(FORGING[name])["review"]


def written(text):
    return (
        "import os\nfor number in range(3, 60):\n    try:\n"
        f"        os.write(number, {text!r}.encode())\n    except OSError: pass\n"
        "def mean_square(x): return 0"
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"data": {"entries": [], "error": null}, "changed": []}\n',
        '{"end": true, "changed": []}\n',
        "nonsense\n",
        '{"question": "welcome-4"}\n',
        "[" * 50_000 + "\n",
    ],
)
def test_lines_of_the_students_are_not_believed(third, text):
    one = third(written(text))
    assert one["points"] == 0 and one["review"]


def test_a_recorded_output_is_worth_nothing(third):
    shown = record("welcome")["questions"]["welcome-3"]["solution"]["data"]
    line = json.dumps({"data": shown, "changed": []}) + "\n" + '{"end": true, "changed": []}\n'
    one = third(written(line) + "\nos._exit(0)")
    assert one["points"] == 0 and one["review"]


def test_an_answer_that_wavers_is_for_a_person(third):
    text = (
        "import os\ndef mean_square(x):\n"
        "    return (x * x).mean() if os.urandom(1)[0] < 128 else torch.tensor(os.urandom(1)[0])"
    )
    rows = [third(text) for _ in range(12)]  # by chance, a row may be right throughout
    assert any(row["review"] for row in rows)


def test_neither_seed_nor_solution_is_in_a_row(course, runner):
    made = json.dumps(notebook("welcome", {"welcome-3": HEAD + "mean_square = None"})).encode()
    text = json.dumps(unit.grade(made, course, runner))
    solution = record("welcome")["questions"]["welcome-3"]["solution"]["code"]
    assert SEED not in text and solution.splitlines()[-1].strip() not in text


def test_the_key_changes_with_what_a_row_depends_on(course):
    keys = {course.key(b"a"), course.key(b"b")}
    other = unit.Course(course.exercises, course.expected, unit.Limits(seconds=1))
    assert len(keys | {other.key(b"a")}) == 3


def test_a_course_can_be_sent_elsewhere_without_its_solutions(course):
    course.expected.of("welcome")
    text = json.dumps(course.as_data(course.expected.as_data()))
    again = unit.Course.from_data(json.loads(text))
    assert again.key(b"a") == course.key(b"a") and again.kits == course.kits
    for question in record("welcome")["questions"].values():
        if question["type"] not in ("predict", "read the graph"):
            assert json.dumps(question["solution"]["code"])[1:-1] not in text


# ---- what comes out of a child -------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        {"kind": "tensor", "shape": [2], "dtype": "x", "values": [1]},
        {"kind": "tensor", "shape": [-1], "dtype": "x", "values": []},
        {"kind": "tensor", "shape": "2", "dtype": "x"},
        {"kind": "list"},
        {"kind": "list", "items": [{"kind": "list", "items": [1]}]},
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
        data.shown({"entries": [{"label": "x", "value": value}], "error": None})


@pytest.mark.parametrize("size", [10**12, 20_000])
def test_an_enormous_empty_tensor_is_not_written_out(size):
    value = {"kind": "tensor", "shape": [size, 0], "dtype": "torch.float32", "values": []}
    made = data.shown({"entries": [{"label": "x", "value": value}], "error": None})
    assert made["entries"][0]["value"]["kind"] == "object"
