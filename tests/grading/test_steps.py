"""What the terminal says about the time left: near the truth from the first time it says it."""

import io
import re

import pytest

from course_grading import steps
from course_grading.steps import Pace, Steps, words


def evenly(rows, start, each, lot=1):
    """One process that takes `start` seconds to begin, and `each` for a row of a lot."""
    return [start + each * lot * (number // lot + 1) for number in range(rows)]


def unevenly(rows, start, each):
    """Most rows are quick; one in twenty has endless loops."""
    now, times = start, []
    for number in range(rows):
        now += each * (60 if number % 20 == 10 else 1)
        times.append(now)
    return times


def recording_first(rows, sets, record, each):
    """While rows of a new set are met, each set's right answers are recorded first."""
    now, times = 3.0, []
    for number in range(rows):
        now += each + (record if number < sets else 0.0)
        times.append(now)
    return times


TIMES = {
    "one a second": (evenly(600, 0.0, 1.0), 1.1),
    "a slow start": (evenly(600, 30.0, 0.1), 1.3),
    "a very slow start": (evenly(300, 120.0, 0.1), 1.3),
    "slow rows": (evenly(40, 3.0, 20.0), 1.2),
    "two processes": (evenly(300, 3.0, 0.2, 2), 1.3),
    "lots of 32": (evenly(640, 10.0, 0.15, 32), 1.3),
    "endless loops": (unevenly(2000, 3.0, 0.2), 4.5),
    "27 sets to record": (recording_first(600, 27, 1.2, 0.2), 8.0),
}


@pytest.mark.parametrize("name", TIMES)
def test_what_is_said_to_be_left_is_near_the_truth(name):
    times, factor = TIMES[name]
    pace, said = Pace(), 0
    for done, now in enumerate(times, 1):
        pace.add(now, done)
        left = pace.left(len(times))
        if left is not None:
            said += 1
            truth = times[-1] - now
            assert truth / factor - 6 < left < truth * factor + 6, (now, done, left, truth)
    assert said > len(times) / 3


def test_what_was_slow_at_first_is_forgotten_and_rows_of_an_earlier_run_say_nothing():
    times = recording_first(2000, 27, 1.2, 0.2)
    pace = Pace()
    for done, now in enumerate(times, 1):
        pace.add(now, done)
        if 100 < now < times[-1] - 10:
            truth = times[-1] - now
            assert truth * 0.9 < pace.left(2000) < truth * 1.1
    pace = Pace()
    for done in range(501, 511):
        pace.add(float(done), done)
    assert pace.left(600) == pytest.approx(90, rel=0.1)


def test_nothing_is_said_before_it_is_known_and_a_line_tells_how_long_it_takes():
    pace = Pace()
    assert pace.left(100) is None
    for done in range(1, 33):
        pace.add(60.0 + done / 1000, done)  # all at once, a minute after the start
        assert pace.left(100) is None
    pace.add(61.0, 33)
    pace.add(61.5, 34)
    assert pace.left(100) is None  # less than two seconds seen
    assert words(10, 10, 0, 5.0) == f"[{'#' * 24}] 10 of 10"
    assert words(1, 601, 0, None) == f"[{'.' * 24}] 1 of 601"
    assert words(1, 601, 2, 600.0).endswith("1 of 601 · 2 for a person · about 10 min left")
    assert words(500, 601, 0, 20.2).endswith("500 of 601 · about 20 s left")


def test_a_terminal_never_shows_hours_for_what_takes_a_minute(monkeypatch):
    clock = [1000.0]
    monkeypatch.setattr(steps.time, "monotonic", lambda: clock[0])
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    with Steps(stream=terminal) as drawn:
        for done, now in enumerate(evenly(320, 50.0, 0.2, 32), 1):
            clock[0] = 1000.0 + now
            drawn.step(done, 320, 0)
    text = terminal.getvalue()
    assert text.endswith("320 of 320" + " " * (78 - len(f"[{'#' * 24}] 320 of 320")) + "\n")
    minutes = [int(found) for found in re.findall(r"about (\d+) min", text)]
    seconds = [int(found) for found in re.findall(r"about (\d+) s ", text)]
    assert seconds and max(minutes, default=0) <= 1
