"""Deadlines: which of several attempts counts, whether it came late, and what that costs.

And which question of a pool each student has.
"""

import difflib
import hashlib
import math
import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from course_grading import tables
from course_lib.classroom.credit import number
from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import Trouble

FILE, EXTENSIONS, TIMES = "rules.toml", "extensions.csv", "times.csv"
ATTEMPTS = ("last on time", "last", "first", "best")


@dataclass(frozen=True)
class Rule:
    """The rule of one set: a deadline, what a late hand-in costs, and who has which questions.

    >>> Rule(penalty=10, most=25).percent(days=4)
    25
    """

    deadline: datetime | None = None
    grace: float = 0.0  # minutes
    penalty: float = 0.0  # percent of the points that a set has, for each day begun
    most: float = 100.0  # percent, whatever the number of days
    days: float = math.inf  # after so many no points are given
    attempt: str = ATTEMPTS[0]
    passing: float = 0.0  # percent of the points that a student needs to pass; 0 says nothing
    pools: tuple[tuple[str, ...], ...] = ()  # questions of which every student has one

    def percent(self, days: int) -> float:
        """What is taken off for so many days begun."""
        return 100.0 if days > self.days else min(self.most, self.penalty * days)

    def dealt(self, question: str, student: str) -> str:
        """Which question of the same pool the student, or the group, has.

        It follows from the name alone, so it is the same in every run and on every machine.

        >>> rule = Rule(pools=(("demo-1", "demo-2"),))
        >>> [rule.dealt("demo-1", name) for name in ("ada", "bob", "eve")], rule.dealt("demo-3", "")
        (['demo-2', 'demo-1', 'demo-2'], 'demo-3')
        """
        pool = self.pool(question)
        drawn = hashlib.sha256("/".join([student, *pool]).encode()).digest()
        return pool[int.from_bytes(drawn) % len(pool)]

    def possible(self, marks: Mapping[str, float], without: Collection[str] = ()) -> float:
        """The points of a set for one student, but for the questions `without` and their pools."""
        pools = dict.fromkeys(self.pool(question) for question in marks)
        counted = [marks[pool[0]] for pool in pools if not set(pool).intersection(without)]
        return number(round(sum(counted), 2))

    def pool(self, question: str) -> tuple[str, ...]:
        """The questions of which a student has one, or the question alone."""
        return next((pool for pool in self.pools if question in pool), (question,))


@dataclass
class Rules:
    """Everything about time that a class folder says."""

    rule: Rule = field(default_factory=Rule)
    sets: dict[str, Rule] = field(default_factory=dict)
    zone: tzinfo | None = None  # None for the zone of this machine
    files: bool = False  # the time of a file is when it was handed in
    column: str = ""  # the assignment in Canvas's gradebook
    zero: bool = False  # who has handed in nothing gets 0 in a platform's sheet
    extensions: dict[tuple[str, str], datetime] = field(default_factory=dict)  # student, set or ""
    times: dict[str, datetime] = field(default_factory=dict)  # of students' hand-ins

    def of(self, name: str) -> Rule:
        """The rule of a set."""
        return self.sets.get(name, self.rule)

    def passes(self, name: str, made: Data) -> bool:
        """Whether points are enough to pass a set, or for all sets where none is named."""
        return bool(100 * made["points"] >= self.of(name).passing * made["possible"])

    def local(self, when: datetime) -> datetime:
        """A time with its zone: one without is meant by the clock of the class."""
        if when.tzinfo is not None:
            return when
        return when.replace(tzinfo=self.zone) if self.zone else when.astimezone()

    def deadline(self, name: str, students: list[str]) -> datetime | None:
        """When a set is due for a student, or for a group: the latest that any member has."""
        general = self.of(name).deadline
        if general is None:
            return None
        own = [
            self.extensions[key]
            for student in students
            for key in ((student, name), (student, ""))
            if key in self.extensions
        ]
        return max([general, *own])

    def late(self, name: str, students: list[str], when: datetime | None) -> Data | None:
        """How late a hand-in is, and what that costs; None when it is on time or nobody knows."""
        due, rule = self.deadline(name, students), self.of(name)
        if due is None or when is None or when <= due + timedelta(minutes=rule.grace):
            return None
        days = math.ceil((when - due) / timedelta(days=1))
        return {
            "deadline": due.isoformat(),
            "days": days,
            "percent": rule.percent(days),
            "taken_off": 0,
        }


def take_off(made: Data) -> Data:
    """The row with what its lateness costs taken off, as points that the row then tells."""
    late = made.get("late")
    if not late:
        return made
    worth = made["possible"] + made["open"]
    cost = min(made["points"], round(late["percent"] / 100 * worth, 2))
    points = number(round(made["points"] - cost, 2))
    return made | {"points": points, "late": late | {"taken_off": number(cost)}}


# ---- several attempts ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Attempt:
    """One of a student's notebooks of one set."""

    row: Data
    when: datetime | None
    work: str  # equal for equal notebooks


def choose(attempts: list[Attempt], rule: Rule) -> Data:
    """The row of the attempt that counts; it tells of the others."""
    if len({one.work for one in attempts}) == 1:
        return _earliest(attempts).row
    timed = len({one.when for one in attempts if one.when}) == len(attempts)
    if rule.attempt == "best" or not timed:
        counts = max(attempts, key=lambda one: one.row["points"])
    elif rule.attempt == "first":
        counts = _earliest(attempts)
    else:
        on_time = [one for one in attempts if not one.row["late"]]
        those = on_time if rule.attempt == ATTEMPTS[0] and on_time else attempts
        counts = max(those, key=_attempt_time)
    others = [one for one in attempts if one is not counts]
    if not timed and rule.attempt != "best":
        names = ", ".join(one.row["file"] for one in others)
        said = f"{_several(len(attempts))} of this set were handed in; {counts.row['file']} counts"
        return counts.row | {"review": [*counts.row["review"], f"{said}, not {names}"]}
    which = "the one with most points" if rule.attempt == "best" else _which(counts, others, rule)
    there = "; ".join(f"{_describe_attempt(one)}: {one.row['points']}" for one in others)
    said = (
        f"{_several(len(attempts))} of this set were handed in. "
        f"{_describe_attempt(counts)} counts, {which}. Points of the others: {there}"
    )
    return counts.row | {"notes": [said[:600], *counts.row["notes"]]}


def _earliest(attempts: list[Attempt]) -> Attempt:
    return min(attempts, key=lambda one: (one.when is None, _attempt_time(one)))


def _attempt_time(one: Attempt) -> float:
    return one.when.timestamp() if one.when else 0.0


def _several(count: int) -> str:
    return f"{ {2: 'two', 3: 'three'}.get(count, count) } notebooks"


def _describe_attempt(one: Attempt) -> str:
    return f"{one.row['file']} ({one.when:%Y-%m-%d %H:%M})" if one.when else str(one.row["file"])


def _which(counts: Attempt, others: list[Attempt], rule: Rule) -> str:
    if rule.attempt == "first":
        return "the first"
    if rule.attempt == ATTEMPTS[0] and not counts.row["late"] and rule.deadline:
        return "the last on time"
    return "the last"


# ---- files ---------------------------------------------------------------------------------------


def read(path: Path, sets: list[str]) -> Rules:
    """The rules in a file `rules.toml`. Raises `Trouble`, which says what was expected."""
    try:
        said = tomllib.loads(tables.text(path))
    except tomllib.TOMLDecodeError as error:
        raise Trouble(
            f'{path}: {error}; expected lines such as deadline = "2026-11-20 18:00"', 2
        ) from None
    rules = Rules()
    if "timezone" in said:
        rules.zone = _zone(path, said.pop("timezone"))
    if "times" in said:
        rules.files = _one_of(path, "times", said.pop("times"), ("names", "files")) == "files"
    if "missing" in said:
        rules.zero = _one_of(path, "missing", said.pop("missing"), ("empty", "zero")) == "zero"
    rules.column = str(said.pop("column", ""))
    own = said.pop("sets", {})
    rules.rule = _rule(path, said, Rule(), rules)
    if not isinstance(own, dict):
        raise _wrong_value(path, "sets", own, "a table such as [sets.welcome]")
    for name, facts in own.items():
        if name not in sets:
            near = ", ".join(difflib.get_close_matches(name, sets) or sets)
            raise Trouble(f"{path}: [sets.{name}] names no set; the sets are {near}", 2)
        if not isinstance(facts, dict):
            raise _wrong_value(path, f"sets.{name}", facts, f"a table [sets.{name}]")
        rules.sets[name] = _rule(path, facts, rules.rule, rules)
    return rules


def _rule(path: Path, said: Mapping[str, Any], general: Rule, rules: Rules) -> Rule:
    made: dict[str, Any] = {}
    for key, value in said.items():
        if key not in _KEYS:
            known = [*_KEYS, *_GENERAL]
            near = difflib.get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(known)}"
            raise Trouble(f"{path}: there is no rule {key}; {hint}", 2)
        made[key] = _KEYS[key](path, key, value, rules)
    return replace(general, **made)


def _moment(path: Path, key: str, value: Any, rules: Rules) -> datetime:
    when = end(value) if isinstance(value, str) else value
    if isinstance(when, date) and not isinstance(when, datetime):
        when = end(when.isoformat())
    if not isinstance(when, datetime):
        raise _wrong_value(path, key, value, 'a day and a time such as "2026-11-20 18:00"')
    return rules.local(when)


def _amount(path: Path, key: str, value: Any, rules: Rules) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e6:
        raise _wrong_value(path, key, value, "a number that is not below 0")
    if key in ("penalty", "most", "passing") and value > 100:
        raise _wrong_value(path, key, value, "percent, from 0 to 100")
    return value


def _pools(path: Path, key: str, value: Any, rules: Rules) -> tuple[tuple[str, ...], ...]:
    """Lists of two questions or more, none of them in two of the lists."""
    lists = value if isinstance(value, list) else [value]
    if not all(isinstance(one, list) and len(one) > 1 for one in lists):
        raise _wrong_value(path, key, value, 'lists such as [["demo-1", "demo-2"], …]')
    names = [str(name) for one in lists for name in one]
    if len(set(names)) < len(names):
        raise _wrong_value(path, key, value, "each question once")
    return tuple(tuple(map(str, one)) for one in lists)


def _attempt(path: Path, key: str, value: Any, rules: Rules) -> str:
    return _one_of(path, key, value, ATTEMPTS)


_KEYS: dict[str, Callable[[Path, str, Any, Rules], Any]] = {
    "deadline": _moment,
    "grace": _amount,
    "penalty": _amount,
    "most": _amount,
    "days": _amount,
    "attempt": _attempt,
    "passing": _amount,
    "pools": _pools,
}

_GENERAL = ("timezone", "times", "missing", "column", "sets")  # not for a set of its own


def _one_of(path: Path, key: str, value: Any, words: tuple[str, ...]) -> str:
    if value not in words:
        raise _wrong_value(path, key, value, " or ".join(f'"{word}"' for word in words))
    return str(value)


def _zone(path: Path, name: Any) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, TypeError, OSError):
        raise _wrong_value(path, "timezone", name, 'a zone such as "Europe/Berlin"') from None


def _wrong_value(path: Path, key: str, value: Any, what: str) -> Trouble:
    shown = f'"{value}"' if isinstance(value, str) else value
    return Trouble(f"{path}: {key} = {shown} cannot be meant; expected {what}", 2)


_FORMS = (
    "%A, %d %B %Y, %I:%M %p",  # Moodle, in English
    "%A, %d %B %Y, %H:%M",
    "%A, %B %d, %Y, %I:%M %p",
    "%d %B %Y, %I:%M %p",
    "%d %B %Y, %H:%M",
    "%d.%m.%Y %H:%M",
)


def moment(said: str) -> datetime | None:
    """A time as people and platforms write it; None for anything else.

    >>> print(moment("2026-11-20 18:00"), moment("Friday, 20 November 2026, 6:03 PM"))
    2026-11-20 18:00:00 2026-11-20 18:03:00
    """
    said = said.strip().replace("\u202f", " ")
    try:
        return datetime.fromisoformat(said)
    except ValueError:
        pass
    for form in _FORMS:
        try:
            return datetime.strptime(said, form)
        except ValueError:
            continue
    return None


def end(said: str) -> datetime | None:
    """The time until which something may be handed in: a day alone lasts until midnight.

    >>> print(end("2026-11-20"), end("20.11.2026"), end("2026-11-20 18:00"))
    2026-11-20 23:59:59 2026-11-20 23:59:59 2026-11-20 18:00:00
    """
    said = said.strip()
    if re.fullmatch(r"\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{4}", said):
        day = moment(f"{said} 23:59")
        return day and day.replace(second=59)
    return moment(said)


def read_extensions(path: Path, rules: Rules, sets: list[str], student: Callable[..., str]) -> None:
    """Take over the later deadlines in `extensions.csv`. Raises `Trouble`, which names the line."""
    for line in tables.read(path, ["student", "until"], ["set", "reason"]):
        name = line["set"]
        if name and name not in sets:
            raise line.wrong(f"there is no set {name}; the sets are {', '.join(sets)}")
        rules.extensions[student(line), name] = _of_line(line, "until", rules, end)


def read_times(path: Path, rules: Rules, student: Callable[..., str]) -> None:
    """Take over when students have handed in, from `times.csv`. Raises `Trouble`."""
    for line in tables.read(path, ["student", "handed_in"], ["reason"]):
        rules.times[student(line)] = _of_line(line, "handed_in", rules, moment)


def _of_line(
    line: tables.Line, column: str, rules: Rules, reading: Callable[[str], datetime | None]
) -> datetime:
    when = reading(line.needed(column))
    if when is None:
        raise line.wrong(f"{line[column]} is no time; expected one such as 2026-11-20 18:00")
    return rules.local(when)
