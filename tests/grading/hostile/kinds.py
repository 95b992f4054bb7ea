"""One kind of submission, hostile, broken, odd or good, and what grading it has to come to.

A kind is data: how its files are made, which questions keep their marks whatever happens to the
rest, which must not have them, and whether a person has to look. The submissions are those of the
welcome exercises: `t12345` are its six questions. All that is not said otherwise is answered
rightly, in the words of a recorded right answer, never in those of the solution: the solution's
own text in a result is a leak. A kind of another set says so, and its letters are that set's.
"""

import hashlib
import json
import re
import secrets
import textwrap
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from grading import submitting
from grading.submitting import EXERCISES, Notebook, record

FILE = "ex00_welcome.ipynb"
ALL = "t12345"
TRACE = "course-hostile-trace"  # in the name of every file and process that is left behind
SECONDS = 90  # what would run for ever ends by itself, where the grader does not end it

# An answer puts this before all that it should not have got hold of. Its two halves stand apart in
# the code, so that the page that shows the code does not hold the word.
GOT = "got-" + "through"
MARK = "private-" + "mark-"  # what the marks of all students begin with

WRONG = {
    "1": "y_holds = 36.0",
    "2": "def table(first, second):\n    return torch.tensor([first, second])",
    "3": "def mean_square(x):\n    return x.mean() * x.mean()",
    "4": 'made_y = "MulBackward0"\nbefore_that = "MeanBackward0"',
    "5": "def slope(numbers):\n    return torch.tensor(numbers)",
}


@dataclass(frozen=True)
class Place:
    """Where a run happens, and what lies there that no submission may have."""

    submissions: Path
    results: Path
    home: Path
    socket: str = ""  # the path of a Unix socket that listens
    port: int = 0  # of this machine, where something listens
    abstract: str = ""  # the name of a Unix socket that has no path
    bystander: int = 1  # a process that has nothing to do with grading
    neighbour: str = "good-all"  # a student whose notebook holds a secret
    secret: str = field(default_factory=lambda: secrets.token_hex(16))  # of this run alone

    @property
    def temporary(self) -> Path:
        """The folder for temporary files."""
        return self.home.parent / "tmp"

    @property
    def precious(self) -> Path:
        """A folder of the instructor's own, which has to be afterwards as it was before."""
        return self.home / "precious"

    def mark(self, student: str) -> str:
        """What stands in the notebook of that student and nowhere else in the world."""
        return MARK + hashlib.sha256(f"{self.secret} {student}".encode()).hexdigest()[:16]

    def fill(self, code: str) -> str:
        """`code` with the places of this run: whoever attacks is supposed to know them."""
        words = {
            "@SUBMISSIONS@": self.submissions,
            "@RESULTS@": self.results,
            "@HOME@": self.home,
            "@OWN_HOME@": Path.home(),  # of whoever runs this, with real keys in it
            "@PRECIOUS@": self.precious,
            "@SOCKET@": self.socket,
            "@PORT@": self.port,
            "@ABSTRACT@": self.abstract,
            "@BYSTANDER@": self.bystander,
            "@NEIGHBOUR@": self.neighbour,
            "@COURSE@": EXERCISES.parent,
            "@TRACE@": TRACE,
            "@SECONDS@": SECONDS,
        }
        for word, value in words.items():
            code = code.replace(word, str(value))
        return code


Plant = Callable[[Place, str], None]  # writes the submission of the student of that name


@dataclass(frozen=True)
class Kind:
    """One submission, named by what it does."""

    name: str
    plant: Plant
    keep: str = ""  # questions that must have full marks
    lose: str = ""  # questions that must not
    flagged: str = ""  # questions that have them only if a person is asked about just these
    review: bool | None = None  # must a person look? None: as the grader likes
    doubtful: bool = False  # tampers: whether it keeps its marks is for a person to say
    long: bool = False  # takes seconds of its time limit
    readable: bool = True  # False: there is no notebook in it that could be graded
    student: str = ""  # where the student is called otherwise than the kind
    set: str = "welcome"
    category: str = field(default="", compare=False)

    @property
    def who(self) -> str:
        """The name of the student, which is that of the folder."""
        return self.student or self.name

    def write(self, place: Place) -> None:
        """Hand the submission in."""
        self.plant(place, self.who)


# ---- notebooks -----------------------------------------------------------------------------------


@cache
def _released() -> str:
    return (EXERCISES / FILE).read_text(encoding="utf-8")


@cache
def right() -> dict[str, str]:
    """A right answer cell per question, none of them the solution."""
    return {
        ("t" if name == "welcome-try" else name[-1]): question["right"][0]
        for name, question in record("welcome")["questions"].items()
    }


def question(letter: str, name: str = "welcome") -> str:
    """The name of the question that a letter means, in the set of that name.

    >>> question("t"), question("3"), question("6", "views")
    ('welcome-try', 'welcome-3', 'views-6')
    """
    return f"{name}-try" if letter == "t" else f"{name}-{letter}"


def notebook(answers: dict[str, str] | None = None, stubs: str = "") -> Notebook:
    """The released notebook with every question answered: rightly, or by the code given here.

    `stubs` are questions left as they are: code that runs costs time, and these cost none.
    """
    book: Notebook = json.loads(_released())
    cells = right() | {
        letter: f"# Answer to {question(letter)}\n{code}"
        for letter, code in (answers or {}).items()
    }
    for letter, code in cells.items():
        if letter not in stubs:
            cell_of(book, letter)["source"] = code
    return book


def cell_of(
    book: Notebook, letter: str, role: str = "answer", name: str = "welcome"
) -> dict[str, Any]:
    """The cell of that role of a question."""
    return book["cells"][submitting.place(book, question(letter, name), role)]


def code_cell(text: str) -> dict[str, Any]:
    """A code cell as an editor makes it, without any mark of the course."""
    return submitting.code(text) | {"id": f"extra-{zlib.crc32(text.encode())}"}


def as_bytes(book: Any) -> bytes:
    """The file of a notebook."""
    return json.dumps(book, indent=1, ensure_ascii=False).encode("utf-8", "surrogatepass")


def folder_of(place: Place, student: str) -> Path:
    """The student's folder, made if need be."""
    folder = place.submissions / student
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def filled(book: Notebook, place: Place) -> Notebook:
    """The notebook, with the places of this run put into its code."""
    cells = book.get("cells")
    for cell in cells if isinstance(cells, list) else []:
        if isinstance(cell, dict) and isinstance(cell.get("source"), str):
            cell["source"] = place.fill(cell["source"])
    return book


# ---- ways to make a kind -------------------------------------------------------------------------


def of_file(name: str, make: Callable[[], bytes], file: str = FILE, **facts: Any) -> Kind:
    """A submission that is one file with these bytes."""

    def plant(place: Place, student: str) -> None:
        (folder_of(place, student) / file).write_bytes(make())

    return Kind(name, plant, **facts)


def _of_book(name: str, make: Callable[[], Notebook], file: str = FILE, **facts: Any) -> Kind:
    def plant(place: Place, student: str) -> None:
        (folder_of(place, student) / file).write_bytes(as_bytes(filled(make(), place)))

    return Kind(name, plant, **facts)


def of_notebook(name: str, change: Callable[[Notebook], object], **facts: Any) -> Kind:
    """The notebook with every answer right, after `change`."""

    def make() -> Notebook:
        book = notebook()
        change(book)
        return book

    return _of_book(name, make, **facts)


def of_answers(name: str, answers: dict[str, str], stubs: str = "", **facts: Any) -> Kind:
    """These answers, and right ones to the other questions but for those not begun."""
    return _of_book(name, lambda: notebook(answers, stubs), **facts)


def of_set(name: str, known: str, answers: dict[str, str], **facts: Any) -> Kind:
    """These answers to questions of another set, whose other questions are not begun."""
    file = record(known)["notebook"]

    def make() -> Notebook:
        book: Notebook = json.loads((EXERCISES / file).read_text(encoding="utf-8"))
        for letter, code in answers.items():
            head = f"# Answer to {question(letter, known)}\n"
            cell_of(book, letter, name=known)["source"] = head + _text(code)
        return book

    return _of_book(name, make, file, set=known, **facts)


# Modules and attributes by ways that the text of an answer does not give away: what is flagged is
# flagged for what it does.
QUIET = """
import operator, random, warnings
of, put = operator.attrgetter, type.__setattr__
sys, os = of('sys')(warnings), of('_os')(random)
known = of('modules')(sys)
leave = of('_exit')(os)

def callers(frame):
    while frame:
        yield dict(of('f_locals')(frame))
        frame = of('f_back')(frame)

def here(): return of('_getframe')(sys)()
"""


BOUND = f"import os, sys, time\nend = time.monotonic() + {SECONDS}\n"


def loaded(name: str, code: str, **facts: Any) -> Kind:
    """`code` runs when the answer cell of the fourth question, welcome-3, is run."""
    facts = {"keep": "t5", "lose": "3"} | facts
    return of_answers(name, {"3": BOUND + _text(code)}, "124", **facts)


def called(name: str, body: str, **facts: Any) -> Kind:
    """`body` runs when the check of welcome-3 calls the answer."""
    function = "def mean_square(x):\n" + textwrap.indent(_text(body), "    ")
    return loaded(name, BOUND + function, **facts)


def beside(name: str, code: str, **facts: Any) -> Kind:
    """`code` stands before a right answer to welcome-3, which may or may not survive it."""
    answer = BOUND + _text(code) + "\n" + right()["3"]
    return of_answers(name, {"3": answer}, "124", **({"keep": "t5"} | facts))


def cheat(name: str, code: str, **facts: Any) -> Kind:
    """`code` tampers, before wrong answers to the last three questions: it must win nothing."""
    answers = {"3": f"{BOUND}{_text(code)}\n{WRONG['3']}", "4": WRONG["4"], "5": WRONG["5"]}
    facts = {"keep": "t", "lose": "345", "doubtful": True} | facts
    return of_answers(name, answers, "12", **facts)


def reach(name: str, body: str, **facts: Any) -> Kind:
    """`body` returns what it got hold of, if anything: printed, raised and given as the answer."""
    code = f"""
def deed():
{textwrap.indent(_text(body), "    ")}

def mean_square(x):
    try:
        found = deed()
    except BaseException:
        found = None
    if not found:
        return x
    word = "got-" + "through " + str(found)[:1500]
    print(word)
    return word
"""
    return loaded(name, code, **facts)


MODULES = (
    "ast asyncio atexit builtins contextlib ctypes fcntl gc getpass glob itertools json"
    " linecache locale math mmap multiprocessing numpy pickle pwd random re resource shutil signal"
    " site socket stat struct subprocess tempfile threading types weakref"
).split()


def entries(text: str) -> dict[str, str]:
    """The parts of a text, each by its name, which stands before it in a line `== name`."""
    parts = re.split(r"^== (.+)\n", textwrap.dedent(text), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _text(code: str) -> str:
    """The code, after the import of each of these modules that it uses without saying so."""
    text = textwrap.dedent(code).strip("\n")
    used = [name for name in MODULES if re.search(rf"(?<![\w.]){name}\.\w", text)]
    made = [name for name in used if re.search(rf"import\b.*\b{name}\b|(?<!\.)\b{name} =", text)]
    return "\n".join([*(f"import {name}" for name in used if name not in made), text])
