"""Where to go on, what is done, where to look things up: in `home`, and after a correct answer.

Note [The home page is a notebook]
In JupyterLab home is a page of its own: Note [Home without a kernel] in `jupyter_home.py`. For VS
Code, Colab and Notebook 7 `home.ipynb` in the workspace holds one cell that matters, and what it
shows was made when the workspace was. Running the cell brings it up to date.

Note [The moment]
Each right answer fills a square of its set. The last one is told what the lesson has promised, as
done, beside a picture from that lesson, which one can read now. The last one of the course is shown
the first picture of the course again. A picture here stands still: a film is ten times as heavy.
"""

import contextlib
import json
import re
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from course_lib.classroom import content, progress
from course_lib.classroom.copies import guess_in
from course_lib.classroom.guess import lesson_of
from course_lib.classroom.lessons import Lesson, lesson, stage_of
from course_lib.classroom.page import Page, inline, show, squares
from course_lib.classroom.progress import GUESS, Event, Standing, guesses, latest, standings
from course_lib.classroom.sets import Desk, ExerciseSet, desk
from course_lib.classroom.trouble import Trouble
from course_lib.classroom.verdict import CORRECT, Verdict
from course_lib.classroom.workspace import Workspace, write_whole

NAME = "home.ipynb"
HARD = 4  # of 5: from this difficulty on a right answer is worth a word more
ROLE = {"role": "home"}  # of the cell whose output is made anew at each start
TEMPLATE = Path(__file__).with_suffix(".ipynb")


def home() -> None:
    """Show where you stand: where to go on, every lesson with its exercises, and where to look."""
    show(home_page(desk(None), progress.to_root()))


def home_page(place: Desk, root: str = "") -> Page:
    """The page about the course on this desk; its links begin with `root`."""
    events = place.journal.read()[0]
    known, guessed = standings(events), guesses(events)
    courses = [Course(one, known, guessed) for one in place.sets]
    here, ahead = way_on(courses, events, known)
    count = sum(course.solved for course in courses), sum(len(c.questions) for c in courses)
    made = sum(course.guessed for course in courses), sum(len(c.asked) for c in courses)
    total = f"{count[0]} of {count[1]} questions solved, {made[0]} of {made[1]} guesses made."
    key = "Minutes: lesson + exercises, without the deeper parts."
    top = f"<p><strong>{_link(ahead, root)}</strong><br>{total}<br>{key}</p>"
    texts, parts = [ahead, total, key], [top]
    for title, group in groupby(courses, key=lambda course: course.one.stage):
        members = list(group)
        done = sum(course.done for course in members)
        head = f"{title}: {done} of {len(members)} done"
        texts += ["", head, *(f"  {course.line()}" for course in members)]
        lines = (inline(c.line(lambda words, to: f"[{words}]({root}{to})")) for c in members)
        unfold = " open" if here in members else ""
        parts.append(
            f"<details{unfold}><summary><strong>{escape(head)}</strong></summary>"
            f"{'<br>'.join(lines)}</details>"
        )
    look = " · ".join(f"[{name}]({file})" for name, file in reference_pages(place.folder))
    parts.append(f"<p>{_link(look, root)}</p>")
    return Page("\n".join(texts), html="".join(parts))


def reference_pages(folder: Path) -> list[tuple[str, str]]:
    """The pages to look things up in that this folder has: what they are called, and the file."""
    pages = content.PAGES | {"errors/README.md": "Errors and what they mean"}
    files = [(name, f"{content.LOOK_UP}/{file}") for file, name in pages.items()]
    return [(name, file) for name, file in files if (folder / file).is_file()]


class Course:
    """A lesson and its exercises, beside what was done with them."""

    def __init__(self, one: ExerciseSet, known: dict[str, Standing], made: dict[str, str]) -> None:
        self.one = one
        self.file = one.lesson
        self.sheet = f"{content.FOLDERS[1]}/{one.notebook.name}"
        self.lesson: Lesson | None = None  # None for an instructor's set or a damaged file
        with contextlib.suppress(ValueError):
            self.lesson = lesson(content.root() / self.file)
        self.questions = one.questions
        self.solved = sum(one.solved(known))
        self.asked = dict(_guesses(content.root() / self.file)) if self.lesson else {}
        self.made = {name for name in made if lesson_of(name) == one.name}
        self.guessed = len(self.made & set(self.asked))
        self.done = self.solved == len(self.questions)
        self.title = self.lesson.title if self.lesson else one.label

    def line(self, link: Callable[[str, str], str] = lambda words, file: words) -> str:
        """One line about it; `link` makes a link of words and the file they lead to."""
        title = link(self.title, self.file) if self.lesson else self.title
        solved = link(f"{self.solved} of {len(self.questions)} exercises", self.sheet)
        found = self.lesson
        time = f", {found.minutes} + {found.exercises} minutes" if found else ""
        guesses = f"{self.guessed} of {len(self.asked)} guesses"
        return f"{'✓' if self.done else '·'} {title}: {guesses}, {solved}{time}"


def way_on(
    courses: list[Course], events: list[Event], known: dict[str, Standing]
) -> tuple[Course | None, str]:
    """The lesson where the reader goes on, and a sentence with a link to the very place.

    It is where the last guess was made or the last answer checked; from a set that is done it goes
    on to the next lesson, and after the last one to what was left out.
    """
    named = {course.one.name: course for course in courses}
    mine = [event for event in events if _set_of(event) in named]
    if not mine:
        return courses[0], f"Begin: {_entry(courses[0], known)}"
    last = latest(mine)
    course = named[_set_of(last)]
    if last["event"] == GUESS and (cell := _next_guess(course)) is not None:
        return course, f"Continue: [{course.title}]({course.file}{content.cell_place(cell)})"
    if not course.done:
        return course, f"Continue: {_exercise(course, known, str(last['question']))}"
    behind = courses[courses.index(course) + 1 :]
    ahead = next((one for one in [*behind, *courses] if not one.done), None)
    if ahead is None:
        return None, "Everything is solved. Well done."
    return ahead, f"Continue: {_entry(ahead, known)}"


def _entry(course: Course, known: dict[str, Standing]) -> str:
    """A link to a lesson, or to the set of one whose guesses are made."""
    if course.lesson and _next_guess(course) is not None:
        return f"[{course.title}]({course.file})"
    return _exercise(course, known)


def _exercise(course: Course, known: dict[str, Standing], after: str = "") -> str:
    """A link to the next question of a set: the one that was tried last, until it is solved."""
    one = course.one
    tried = after in one.questions and not known[after].solved
    question = after if tried else one.next_question(known, after)
    sheet = f"{content.FOLDERS[1]}/{one.place(str(question))}"
    return f"[{question} · {one.title(str(question))}]({sheet})"


def _set_of(event: Event) -> str:
    question = str(event["question"])
    return lesson_of(question) if event["event"] == GUESS else question.rpartition("-")[0]


def _next_guess(course: Course) -> str | None:
    """The cell with the text above the first guess that is not made; None if all are made."""
    return next((cell for name, cell in course.asked.items() if name not in course.made), None)


def _guesses(path: Path) -> Iterator[tuple[str, str]]:
    """The names of the guesses of a lesson, each with the id of the text cell above it."""
    text = ""
    for cell in content.cells_of(path):
        if cell["cell_type"] == "markdown":
            text = str(cell.get("id", ""))
        elif name := guess_in(cell):
            yield name, text


def _link(sentence: str, root: str) -> str:
    """HTML of a sentence whose links lead into the workspace."""
    return inline(sentence.replace("](", f"]({root}"))


# ---- after a correct answer ----------------------------------------------------------------------


def leading_on(verdict: Verdict, record: dict[str, Any]) -> Verdict:
    """A correct verdict with its explanation and the way on; as it is where nobody keeps progress.

    An instructor who runs a set, a grader and the course's own tests keep none.
    """
    if progress.home() is None:
        return verdict
    try:
        place = desk(None)
        one = place.question(verdict.question)
        now = {verdict.question: Standing(word=CORRECT, solved=True)}
        known = place.journal.standings() | now
        ahead = next_of_set(place, one, verdict.question, known)
        solved = one.solved(known)
        drawn = moment(place, one, known) if all(solved) else ""
    except (Trouble, OSError, ValueError):
        ahead, solved, drawn = "", (), ""
    hard = "That was a hard one. " if record.get("difficulty", 0) >= HARD else ""
    said = f"{hard}Well done. {record.get('explanation', '')}".strip()
    return replace(verdict, message=said, onward=ahead, solved=solved, moment=drawn)


def next_of_set(place: Desk, one: ExerciseSet, question: str, known: dict[str, Standing]) -> str:
    """How many questions of the set are solved, and a link to the next one or the next lesson."""
    count = f"{sum(one.solved(known))} of {len(one.questions)}"
    if following := one.next_question(known, question):
        return f"{count} · next: [{one.title(following)}]({one.place(following)}) (`{following}`)"
    done = f"{count} · the set **{one.label}** is done."
    where = place.sets.index(one) + 1
    last = where == len(place.sets)
    stage = stage_of(one.notebook.stem)
    if stage and (last or place.sets[where].stage != one.stage):
        done += f" So is the stage “{stage.title}”. {stage.afterwards}"
    if last:
        return done
    after = place.sets[where]
    if (place.folder / after.lesson).is_file():
        return f"{done} Next: [lesson {after.label}](../{after.lesson})"
    return f"{done} Next: [{after.label}]({after.notebook.name})"


def moment(place: Desk, one: ExerciseSet, known: dict[str, Standing]) -> str:
    """HTML for a set that is done: what the lesson promised, a picture of it, and the stage."""
    try:
        path = content.root() / one.lesson
        points = "".join(f"<li>{inline(ability)}</li>" for ability in lesson(path).abilities)
        shown = f"<p><strong>Now you can</strong></p><ul>{points}</ul>{_picture(path)}"
    except (Trouble, OSError, ValueError, KeyError):  # a set of an instructor's has no lesson
        shown = ""
    done = [all(each.solved(known)) for each in place.sets]
    stage = [ended for each, ended in zip(place.sets, done) if each.stage == one.stage]
    if len(stage) > 1:
        said = f"{sum(stage)} of {len(stage)} sets of “{escape(one.stage)}” are done."
        shown += f"<p>{squares(tuple(stage))}{said}</p>"
    return shown + (_whole_course(place) if all(done) else "")


def _whole_course(place: Desk) -> str:
    """HTML for a course that is done: its first picture, which one can make by oneself now."""
    first = content.root() / place.sets[0].lesson
    said = (
        f"<p><strong>All {len(place.sets)} sets are done, and with them the course.</strong> "
        "It began with this picture. Today you can write every line behind it yourself.</p>"
    )
    return said + _picture(first) if first.is_file() else said


def _picture(path: Path) -> str:
    """The first picture that the lesson shows, of a film the image; "" where it has none."""
    outputs = [output for cell in content.cells_of(path) for output in cell.get("outputs", ())]
    shown = ["".join(output.get("data", {}).get("text/html", "")) for output in outputs]
    figure = next((html for html in shown if html.startswith("<figure")), "")
    image = re.search("<img [^>]*>", figure)
    still = re.sub('(?<=base64,)[^"]+', _still, image[0]) if image else ""
    return f'<figure style="margin:0.5em 0">{still}</figure>' if image else ""


def _still(found: re.Match[str]) -> str:
    """A drawing without what a film changes in it."""
    return b64encode(re.sub(b' data-changes="[^"]*"', b"", b64decode(found[0]))).decode()


# ---- the notebook --------------------------------------------------------------------------------


def renew_home(write: Callable[[], None]) -> None:
    """Bring a page up to date, or say why it is not: its reader can work without it."""
    try:
        write()
    except (Trouble, OSError) as trouble:
        print(f"The start page is not up to date: {trouble}", file=sys.stderr)


def write_home(workspace: Workspace) -> None:
    """Write `home.ipynb`, or bring the output of its cell up to date; own cells in it stay."""
    path = workspace.file(NAME)
    notebook = _read(path) or json.loads(TEMPLATE.read_bytes())
    page = home_page(desk(workspace.folder))
    for cell in notebook["cells"]:
        if cell.get("metadata", {}).get("course") == ROLE:
            bundle = {"text/plain": page.text, "text/html": page.html}
            shown = {"output_type": "display_data", "metadata": {}, "data": bundle}
            cell |= {"outputs": [shown], "execution_count": None}
    data = (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()
    if not path.is_file() or path.read_bytes() != data:
        write_whole(path, data)


def _read(path: Path) -> dict[str, Any] | None:
    """The notebook as the reader left it; None where there is none that can be read."""
    try:
        notebook = json.loads(path.read_bytes())
        own = [cell for cell in notebook["cells"] if cell["metadata"].get("course")]
        return dict(notebook) if own else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
