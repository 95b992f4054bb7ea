"""Who is in the class, and whom the name of a hand-in means.

Moodle, Canvas, Blackboard, Brightspace and GitHub put the student into the name of a folder or of a
file, and some put the time there. A name that follows none of these patterns is left as it is: it
is the student's.
"""

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from course_grading import tables

BLACKBOARD, GITHUB = "Blackboard", "GitHub"


@dataclass(frozen=True)
class Named:
    """Who handed something in, as a platform has it, and when, if the name says so."""

    platform: str
    student: str  # a name or a user name; before it may be a group (Moodle) or the assignment
    number: str = ""  # the platform's own number of this student
    when: datetime | None = None  # by the clock of the platform
    late: bool = False  # the platform says so, and does not say how late
    file: str = ""  # as the student named it, where the platform has put its own words before it

    def names(self) -> Iterator[str]:
        """What may be the student, the longest first, as names have hyphens and underscores too.

        >>> list(Named(BLACKBOARD, "Lab 1_ada_lee").names())
        ['Lab 1_ada_lee', 'ada_lee', 'lee']
        """
        mark = "_" if self.platform == BLACKBOARD else "-"
        parts = self.student.split(mark)
        return (mark.join(parts[first:]) for first in range(len(parts)))


_PATTERNS = {
    "Moodle": re.compile(
        r"(?P<student>.+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)"
    ),
    BLACKBOARD: re.compile(
        r"(?P<student>.+_[^_]+)_attempt_(?P<when>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|\.txt)"
    ),
    "Brightspace": re.compile(
        r"(?P<number>\d+)-\d+ - (?P<student>.+?) - "
        r"(?P<when>[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}[:_]?\d\d [AP]M)(?: - (?P<file>.+))?"
    ),
    "Canvas": re.compile(  # the last: it asks for least; a text or a link was typed, and is no file
        r"(?P<student>[^_\s]+)_(?P<late>LATE_)?(?P<number>\d{2,})_"
        r"(?:\d{2,}_|(?=(?:text|link)\.html$))(?P<file>.+)",
        re.IGNORECASE,
    ),
}


def parse_name(name: str) -> Named | None:
    """What the name of a folder or file says; None where it follows no platform's pattern.

    >>> parse_name("Ada Lovelace_48213_assignsubmission_file_").student
    'Ada Lovelace'
    >>> parse_name("lovelaceada_LATE_1234_5678_00_welcome.ipynb").late
    True
    >>> str(parse_name("Lab 1_ada_attempt_2026-11-20-17-05-09_work.ipynb").when)
    '2026-11-20 17:05:09'
    """
    for platform, pattern in _PATTERNS.items():
        if found := pattern.fullmatch(name):
            said = found.groupdict()
            return Named(
                platform,
                said["student"],
                said.get("number") or "",
                _parse_time(said.get("when")),
                bool(said.get("late")),
                said["file"] or "",
            )
    return None


def _parse_time(said: str | None) -> datetime | None:
    if not said:
        return None
    try:
        if said[0].isdigit():
            return datetime.strptime(said, "%Y-%m-%d-%H-%M-%S")
        day, hour, half = said.rsplit(" ", 2)
        hour = re.sub(r"\D", "", hour).zfill(4)
        return datetime.strptime(f"{day} {hour} {half}", "%b %d, %Y %I%M %p")
    except ValueError:  # it looks like a time and is none, such as month 13
        return None


def wrote(folder: Path) -> bool:
    """True for a folder with names of a platform's in it, or with repositories."""
    entries = list(os.scandir(folder))  # all, so that the folder is closed again
    return any(parse_name(one.name) or _is_repository(one) for one in entries)


def _is_repository(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) and Path(entry.path, ".git").is_dir()


def assignments(folder: Path) -> dict[str, str]:
    """What the names of GitHub's repositories and of Blackboard's files begin with, as `lab1-`.

    Both put the assignment before the student. The names alone do not say where the one ends; what
    all of them share does.
    """
    entries = list(os.scandir(folder))
    repositories = [entry.name for entry in entries if _is_repository(entry)]
    files = {
        said.student
        for entry in entries
        if (said := parse_name(entry.name)) is not None and said.platform == BLACKBOARD
    }
    alone = next(iter(files)) if len(files) == 1 else ""
    return {
        GITHUB: common_prefix(repositories),
        BLACKBOARD: common_prefix(files, "_") or alone[: alone.rfind("_") + 1],
    }


def common_prefix(names: Iterable[str], mark: str = "-") -> str:
    """What all names begin with, up to a hyphen or another mark; "" for fewer than two.

    >>> common_prefix(["lab-1-ada", "lab-1-alan"]), common_prefix(["ada"])
    ('lab-1-', '')
    """
    names = list(names)
    if len(names) < 2:
        return ""
    common = os.path.commonprefix(names)
    return common[: common.rfind(mark) + 1]


FILE = "roster.csv"
_NAMES = ("student", "name", "email", "username", "id", "github")  # columns that say who is meant


def plain(name: str) -> str:
    """A name without what platforms change in it: case, accents, spaces, punctuation.

    >>> plain("Zoë O'Neil")
    'zoeoneil'
    """
    apart = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in apart if letter.isalnum())


def orders(name: str) -> Iterator[str]:
    """A name in every order of first and last names, as platforms differ in that.

    >>> sorted(orders("Ada Lovelace"))
    ['adalovelace', 'lovelaceada']
    """
    words = re.split(r"[\s,]+", name.strip())[:6]
    for first in range(len(words)):
        yield plain("".join(words[first:] + words[:first]))


@dataclass(eq=False)
class Person:
    """One student of the class."""

    student: str  # as the results name them
    name: str = ""
    group: str = ""
    words: set[str] = field(default_factory=set)  # plain names, user names, addresses
    numbers: set[str] = field(default_factory=set)  # that platforms have given them

    def known_as(self, *names: str) -> None:
        """Take over names of any kind: in any order of first and last, with or without a domain."""
        for name in filter(None, names):
            self.words.update(orders(name))
            if re.fullmatch(r"[^@\s]+@[^@\s]+", name):
                self.words.add(plain(name.partition("@")[0]))
            if name.isdecimal():
                self.numbers.add(name)
        self.words.discard("")


class Roster:
    """The students of a class. One that is empty knows nobody, and nobody is missing from it."""

    def __init__(self, people: Iterable[Person] = ()) -> None:
        self.people = list(people)
        self._index()

    def _index(self) -> None:
        self._words: dict[str, list[Person]] = {}
        self._numbers: dict[str, list[Person]] = {}
        self._groups: dict[str, list[Person]] = {}
        self._students = {one.student: one for one in self.people}
        for one in self.people:
            for word in one.words:
                self._words.setdefault(word, []).append(one)
            for number in one.numbers:
                self._numbers.setdefault(number, []).append(one)
            if one.group:
                self._groups.setdefault(one.group, []).append(one)

    def __bool__(self) -> bool:
        return bool(self.people)

    def __iter__(self) -> Iterator[Person]:
        return iter(self.people)

    def group(self, student: str) -> list[str]:
        """The students who share what this one, or the group of this name, hands in."""
        one = self._students.get(student)
        members = self._groups.get(one.group if one else student, [])
        return [member.student for member in members] or [student]

    def team(self, student: str) -> str:
        """The name of the group that a student is in; the student's own where it is none."""
        one = self._students.get(student)
        return one.group if one and one.group else student

    def find(self, said: Named) -> list[Person]:
        """Whom a hand-in may be from: one person if all is well, none or several if not.

        The number that a platform gives comes first; then all that is known of a person's names.
        """
        by_number = self._numbers.get(said.number, []) if said.number else []
        if len(by_number) == 1:
            return by_number
        found = self._by_name(said)
        if len(found) > 1 and by_number:
            both = [one for one in found if one in by_number]
            return both or found
        return found or by_number

    def _by_name(self, said: Named) -> list[Person]:
        for name in said.names():
            for word in orders(name):
                if found := self._words.get(word):
                    return found
        return []

    def is_group(self, name: str) -> bool:
        """True when a group of the class has this name."""
        return name in self._groups

    def find_group(self, said: Named) -> str:
        """The group that hands in under this name, as `lab-1-team-1` for Team 1; "" for none."""
        for name in said.names():
            if name in self._groups:
                return name
            those = [group for group in self._groups if plain(group) == plain(name)]
            if those or plain(name) in self._words:
                return those[0] if len(those) == 1 and plain(name) not in self._words else ""
        return ""

    def add(self, other: "Roster") -> None:
        """Take over what another list, such as a platform's, knows of the people of this one."""
        if not self.people:
            self.people = list(other.people)
            self._index()
            return
        for theirs in other.people:
            if same := self._find_person(theirs):
                same.words |= theirs.words
                same.numbers |= theirs.numbers
        self._index()

    def _find_person(self, theirs: Person) -> Person | None:
        """Whom another list means: two of one name are told apart by their addresses or logins."""
        those = {one.student: one for word in theirs.words for one in self._words.get(word, [])}
        shared = {name: len(one.words & theirs.words) for name, one in those.items()}
        best = [name for name, count in shared.items() if count == max(shared.values())]
        return those[best[0]] if len(best) == 1 else None


def read(path: Path) -> Roster:
    """The class in a file `roster.csv`. Raises `Trouble`, which names the line."""
    people: dict[str, Person] = {}
    for line in tables.read(path, ["student"], None):
        student = line.needed("student")
        if student in people:
            raise line.wrong(f"{student} stands in an earlier line too; keep one of the two")
        one = Person(student, line["name"], line["group"])
        one.known_as(*(line[column] for column in _NAMES))
        people[student] = one
    groups = {one.group for one in people.values() if one.group}
    if both := sorted(groups & set(people)):
        said = f"{both[0]} is the name of a student and of a group; rename the group"
        raise tables.Line(path, 1, {}).wrong(said)
    return Roster(people.values())
