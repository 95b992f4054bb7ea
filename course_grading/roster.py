"""Who is in the class, and whom the name of a hand-in means."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from course_grading import tables
from course_grading.platforms import Named

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

    def group_named(self, said: Named) -> str:
        """The group that hands in under this name, as `lab-1-team-1` for Team 1; "" for none."""
        for name in said.names():
            if name in self._groups:
                return name
            those = [group for group in self._groups if plain(group) == plain(name)]
            if those or plain(name) in self._words:
                return those[0] if len(those) == 1 and plain(name) not in self._words else ""
        return ""

    def add(self, other: Roster) -> None:
        """Take over what another list, such as a platform's, knows of the people of this one."""
        if not self.people:
            self.people = list(other.people)
            self._index()
            return
        for theirs in other.people:
            if same := self._most_alike(theirs):
                same.words |= theirs.words
                same.numbers |= theirs.numbers
        self._index()

    def _most_alike(self, theirs: Person) -> Person | None:
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
