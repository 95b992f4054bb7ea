"""Whatever an answer is or does, a check comes back with a verdict, soon and in few words."""

import itertools
import json
import signal
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

import course_lib as torch
from course_lib.classroom import check, stop
from course_lib.classroom.probe import describe, probe
from course_lib.classroom.stop import AGAIN, time_limit
from course_lib.classroom.verdict import judge


def never(*_, **__):
    while True:
        pass


def refuse(*_, **__):
    raise RuntimeError("do not touch")


class Endless:
    __repr__ = __str__ = __format__ = __eq__ = __hash__ = __bool__ = __len__ = __iter__ = never


class Refusing:
    __repr__ = __str__ = __format__ = __eq__ = __hash__ = __bool__ = __len__ = refuse
    __iter__ = __getattr__ = refuse


class Liar:
    """Says that it is a tensor, and that its shape, numbers and dtype are whatever it likes."""

    __class__ = torch.Tensor
    requires_grad = False
    dtype = "torch.float32"

    def __init__(self, shape=(2,), numbers=()):
        self.shape, self.numbers = shape, numbers

    def detach(self):
        return self

    def tolist(self):
        return self.numbers


class FalseFloat:
    __class__ = float
    __eq__ = never


class Meta(type):
    def __getattribute__(cls, name):
        raise SystemError("asked for " + name)


class OfMeta(metaclass=Meta):
    pass


class Leaves(Exception):
    args = property(never)
    __traceback__ = property(refuse)
    __str__ = never


def recursing(n=0):
    return recursing(n + 1)


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


RIGHT = {"entries": [{"label": "x", "value": describe(torch.tensor([1.0, 2.0]))}], "error": None}
RECORD = {
    "type": "puzzle",
    "answers": ["x"],
    "solution": {"code": "", "data": RIGHT},
    "stub": {"data": {"entries": [], "error": None}, "code": "x = ..."},
    "wrong": [{"data": RIGHT, "message": ""}],
    "hints": ["a", "b"],
    "explanation": "",
}


@pytest.fixture
def verdict(tmp_path, monkeypatch, capsys):
    """Check one answer as a notebook would; the word and all that was displayed."""
    (tmp_path / ".records").mkdir()
    record = {"schema": 1, "questions": {"hostile-1": RECORD}}
    (tmp_path / ".records" / "hostile.json").write_text(json.dumps(record), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(stop, "SECONDS", 0.3)
    for switch in ("NBGRADER_EXECUTION", "COURSE_GRADE"):
        monkeypatch.delenv(switch, raising=False)

    def run(answer):
        capsys.readouterr()
        begun = time.monotonic()
        word = check("hostile-1")(lambda show: show("x", answer())).word
        assert time.monotonic() - begun < 300  # a thousand times the limit
        shown = capsys.readouterr()
        assert len(shown.out + shown.err) < 3 * stop.LETTERS
        return word, shown.out

    return run


VALUES = {
    "infinite repr": Endless(),
    "refuses everything": Refusing(),
    "no numbers": Liar(),
    "too many numbers": Liar((2,), [1.0, 2.0, 3.0]),
    "numbers for ever": Liar((2,), itertools.count()),
    "false numbers": Liar((2,), [FalseFloat(), Endless()]),
    "endless shape": Liar(itertools.repeat(2), [1.0]),
    "false shape": Liar((Endless(), 2), [1.0]),
    "negative shape": Liar((-1,), []),
    "false metaclass": OfMeta(),
    "infinite generator": (n for n in itertools.count()),
    "infinite iterator": itertools.count(),
    "dict of endless": {"a": Endless()},
    "a million places": [0.0] * 10**6,
    "a long text": "x" * 10**7,
    "nested": nested(10**5),
    "a class": Endless,
    "a module": json,
    "a huge tensor": torch.zeros(1).expand(10**5, 10**4),
}


@pytest.mark.parametrize("name", VALUES)  # pytest itself must not touch them
def test_a_hostile_value_is_not_yet(verdict, name):
    word, shown = verdict(lambda: VALUES[name])
    assert word in ("not yet", "your code raised") and "hostile-1" in shown


def raising(error):
    def answer():
        raise error

    return answer


def print_much(times=1):
    for _ in range(times):
        for stream in (sys.stdout, sys.stderr):
            print("x" * 10**7, file=stream)


def catch_everything():
    while True:
        try:
            while True:
                pass
        except:  # noqa: E722
            pass


DEEDS = {
    "exit": lambda: sys.exit(3),
    "quit": raising(SystemExit()),
    "stop button": raising(KeyboardInterrupt()),
    "generator exit": raising(GeneratorExit()),
    "an error that lies": raising(Leaves()),
    "an error of endless parts": raising(ValueError(Endless())),
    "key error": raising(KeyError(Refusing())),
    "out of memory": raising(MemoryError()),
    "recursion": recursing,
    "a loop": never,
    "a loop that catches everything": catch_everything,
    "a sleep": lambda: time.sleep(60),
    "prints for ever": lambda: print_much(10**9),
    "endless list": lambda: list(n for n in itertools.count()),
    "a warning that is an error": lambda: warnings.warn("no", stacklevel=1),
}


@pytest.mark.parametrize("name", DEEDS)
def test_a_hostile_deed_is_told_and_does_not_leave_the_check(verdict, monkeypatch, name):
    if name != "a sleep":  # on a crowded machine what computes is stopped by the clock, too
        monkeypatch.setattr(stop, "CLOCK", 1000.0)
    word, shown = verdict(DEEDS[name])
    lost = name == "an error that lies"  # about its traceback: nobody knows whose line it was
    assert word == ("not yet" if lost else "your code raised") and "hostile-1" in shown
    assert name != "a loop" or "Does it repeat something too often, or for ever?" in shown


def test_much_that_is_printed_is_cut_and_an_odd_check_is_no_error(verdict):
    word, shown = verdict(print_much)
    assert word == "not yet" and "the check shows no more" in shown
    for look in (None, 3, Refusing()):
        assert check("hostile-1")(look).word == "not yet"
    assert check("hostile-1")(never).word == "your code raised"
    for question in (None, 3, Refusing(), Endless, "", "hostile-2", "../../x-1", "\0-1"):
        assert check(question)(lambda show: show("x", 1)).word == ""


def test_a_description_compares_whatever_it_is(verdict):
    for value in VALUES.values():
        if not isinstance(value, Liar):
            data = {"entries": [{"label": "x", "value": describe(value)}], "error": None}
            json.dumps(data, allow_nan=False)
            assert judge("hostile-1", data, RECORD).word == "not yet"


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="Windows has no alarm")
def test_after_a_check_no_timer_runs_and_the_old_one_is_back():
    before = signal.getsignal(signal.SIGALRM)
    probe(lambda show: show("x", 1), "demo-1")
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_late_signal_after_the_check_is_no_error():
    with time_limit(never.__code__, 0.01):
        time.sleep(5 * AGAIN)  # outside the function that is limited


def test_without_an_alarm_or_in_another_thread_a_check_still_gives_its_verdict(monkeypatch):
    monkeypatch.setattr(stop, "_tick", stop._thread_that_ticks)
    monkeypatch.setattr(stop, "SECONDS", 0.1)
    before = set(threading.enumerate())
    data = probe(lambda show: show("x", never()), "demo-1")
    assert data["error"]["type"] == "TookTooLong"
    assert set(threading.enumerate()) <= before
    with ThreadPoolExecutor(1) as other:
        found = other.submit(probe, lambda show: show("x", 1), "demo-1").result()
    assert found["error"] is None
