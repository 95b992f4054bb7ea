"""`course mark`: a desk in the browser, where people mark essays, look at flags, answer requests.

What they decide becomes lines of `overrides.csv`, which `course grade` reads. Answers are hostile:
the page, which is served to this machine alone, takes them for nothing but text.

Note [Two markers]
With each decision a tab sends what it has seen in its place. The file is read, compared and written
under a lock that holds for every program on the folder. Where somebody else has decided meanwhile,
nothing is written, and the tab shows what stands there.
"""

import argparse
import contextlib
import hmac
import json
import os
import re
import secrets
import socketserver
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from course_grading import class_folder, overrides, reference, row, tables
from course_grading.overrides import COLUMNS, EVERYBODY, Rubrics
from course_grading.results import SCHEMA, whole
from course_grading.row import plural
from course_lib.classroom import content
from course_lib.classroom.commands.lab import (
    HOST,
    can_show_browser,
    port_number,
    port_problem,
    private_page,
)
from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import Trouble, writing

ESSAY, FLAG, REQUEST, OTHER = "essay", "flag", "request", "other"
FIELDS = ("items", "points", "reason", "who")  # what is decided, as the columns have it
Key = tuple[str, str]  # a student or a group, and a question
Whom = Callable[[tables.Line], str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the words of `course mark`."""
    add = parser.add_argument
    add("results", type=Path, metavar="RESULTS", help="the folder that `grade` has written")
    says = "the class's folder, where overrides.csv is written (default: RESULTS)"
    add("--class", dest="class_", type=Path, metavar="FOLDER", help=says)
    says = "exercises of your own, as for `grade` (default: the course's)"
    add("--exercises", type=Path, metavar="FOLDER", help=says)
    says = "a table of regrade requests, with the columns student, question, request"
    add("--requests", type=Path, metavar="FILE", help=says)
    add("--who", default="", metavar="NAME", help="your name, as students will read it")
    add("--no-browser", action="store_true", help="only print the address to open")
    add("--port", type=port_number, default=0, metavar="N", help="serve on this port and no other")
    add("--json", action="store_true", help="only print, as JSON, how much is decided")


def run(arguments: argparse.Namespace) -> int:
    """Serve the desk until Ctrl-C, which is how it is meant to end."""
    folder, class_, port = arguments.results, arguments.class_, arguments.port
    work = Work(folder, class_, arguments.exercises, arguments.requests)
    if arguments.json:
        print(json.dumps(work.progress()))
        return 0
    if port and (problem := port_problem(port)):
        raise Trouble(f"port {port} is {problem}; give another --port, or none")
    browser = not arguments.no_browser and can_show_browser(os.environ)
    with Desk(work, arguments.who, port) as desk, contextlib.ExitStack() as stack:
        print("The desk opens in your browser:" if browser else "Open this in a browser:")
        print(f"  {desk.address}\nPress Ctrl-C here to end.", flush=True)
        stack.enter_context(contextlib.suppress(KeyboardInterrupt))
        if browser:
            page = stack.enter_context(private_page(folder.resolve() / "open_desk.html"))
            page.write_text(f'<meta http-equiv="refresh" content="0; url={desk.address}">')
            webbrowser.open(page.as_uri())
        desk.serve_forever()
    now, path = work.progress(), work.decisions.path  # waits for a decision that is being written
    print(f"\n{now['decided']} of {plural(now['of'], 'answer')} decided.")
    if path.exists():
        moved = "" if class_ else f" once {overrides.FILE} lies in FOLDER"
        print(f"Decisions are in {path}")
        print(f"`grade … --class {class_ or 'FOLDER'} --resume` puts them into the results{moved}.")
    return 0


# ---- what there is to decide ---------------------------------------------------------------------


class Work:
    """All answers in `results`, the questions that they are to, and the decisions about them."""

    def __init__(
        self, results: Path, class_: Path | None, exercises: Path | None, requests: Path | None
    ) -> None:
        grades = results / "grades.json"
        try:
            listing = json.loads(grades.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise Trouble(f"there are no grades in {results}; name what --out named", 2) from None
        if type(listing) is not dict or listing.get("schema") != SCHEMA:
            raise Trouble(f"the grades in {results} are of another version; grade again", 2)
        known, records = reference.load(exercises)
        with row.reading(grades):
            rows, sets = listing["rows"], listing["exercises"]
            together = any(made["by"] for made in rows)
        if unknown := sets.keys() - known:
            raise Trouble(f"where is the set {min(unknown)}? Name its folder after --exercises", 2)
        about = class_folder.read(class_, {name: known[name] for name in sets})
        if class_ is None and together:
            raise Trouble("students hand in together here; name your folder after --class", 2)
        self.questions: dict[str, Data] = {}
        for name in sets:
            self.questions |= _questions(known[name], records[name], exercises)
        worth = {name: one["points"] for name, one in self.questions.items()}

        def whom(line: tables.Line) -> str:
            return class_folder.whom(line, about.roster, groups=True)

        asked = _requests(requests, worth, lambda line: about.roster.team(whom(line)))
        with row.reading(grades):
            answers = _answers(rows, about.roster, asked)
        self.answers = sorted(answers, key=lambda one: list(worth).index(one["question"]))
        for student, name in asked.keys() - {_key(one) for one in answers}:
            raise Trouble(f"{requests}: {student} has handed in no answer to {name}", 2)
        path = (class_ or results).resolve() / overrides.FILE
        self.decisions = Decisions(path, worth, about.rubrics, whom)

    def decided(self) -> dict[int, Data]:
        """The decisions by the place of the answer, those for everybody too."""
        found = self.decisions.all()
        made = {}
        for place, one in enumerate(self.answers):
            if decision := found.get(_key(one)) or found.get((EVERYBODY, one["question"])):
                made[place] = decision
        return made

    def progress(self) -> dict[str, int]:
        """How many of the answers that wait are decided."""
        waiting = {place for place, one in enumerate(self.answers) if one["kind"] != OTHER}
        return {"decided": len(waiting & self.decided().keys()), "of": len(waiting)}


def _questions(exercise: reference.Exercise, record: Data, folder: Path | None) -> dict[str, Data]:
    """What a marker has to know of each question: what it asks, what is right, the rubric."""
    path = (folder or content.root() / "exercises") / exercise.file
    released = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"cells": []}
    made, asks = {}, {}
    for cell in released["cells"]:
        if (role := cell["metadata"].get("course", {})).get("role") == "prompt":
            asks[role["question"]] = "".join(cell["source"])
    for name, points in exercise.marks.items():
        about = exercise.by_hand.get(name, {})
        model = about.get("model", "") if about else record["questions"][name]["solution"]["code"]
        made[name] = {"points": points, "asks": asks.get(name, ""), "model": model}
        made[name]["rubric"] = about.get("rubric", [])
    return made


def _answers(rows: list[Data], roster: Any, asked: dict[Key, str]) -> list[Data]:
    """Every answer once, what a group has handed in too; `facts` is that part of a row."""
    found: dict[Key, Data] = {}
    for made in rows:
        student = roster.team(made["student"])
        for one in made["questions"]:
            kind = ESSAY if one["word"] == row.FOR_A_PERSON else FLAG if one["review"] else OTHER
            about = {"student": student, "question": one["question"], "facts": one}
            about["members"] = roster.group(student) if roster.is_group(student) else []
            about["request"] = asked.get(_key(about), "")
            about["kind"] = REQUEST if about["request"] else kind
            found.setdefault(_key(about), about)
    return [one for one in found.values() if one["student"] != EVERYBODY]  # a folder of that name


def _key(answer: Data) -> Key:
    return answer["student"], answer["question"]


def _requests(path: Path | None, worth: dict[str, Any], whom: Whom) -> dict[Key, str]:
    """What students ask to have looked at again, in their words."""
    asked = {}
    for line in tables.read(path, ["student", "question", "request"]) if path else ():
        if (question := line.needed("question")) not in worth:
            raise line.wrong(f"there is no question {question} in these results")
        asked[whom(line), question] = line.needed("request")
    return asked


# ---- the file ------------------------------------------------------------------------------------


class Decisions:
    """`overrides.csv`, read and written line by line. See Note [Two markers]."""

    def __init__(self, path: Path, worth: dict[str, Any], rubrics: Rubrics, whom: Whom) -> None:
        self.path, self._known = path, (worth, rubrics, whom)
        self._mine = threading.Lock()  # among the threads of this program
        self.all()  # a line that cannot be meant is told before anything is served

    def all(self) -> dict[Key, Data]:
        """Every decision: its cells as they stand in the file, and the points that they give."""
        with self._locked():
            return self._read(self.path)

    def change(self, key: Key, seen: Data | None, wanted: Data | None) -> bool:
        """Write a decision, or take it back; False where something else than `seen` stands there.

        Comments and all other lines stay. Raises `Trouble` where `grade` would refuse the line.
        """
        wanted = wanted and {name: " ".join(wanted[name].split()) for name in FIELDS}
        with self._locked():
            now = self._read(self.path).get(key)
            if _cells(now) != _cells(seen):
                return False
            lines = dict(tables.rows(self.path, strip=False)) if self.path.is_file() else {}
            head = lines.pop(min(lines)) if lines else list(COLUMNS)
            names = [name.strip().lower().replace(" ", "_") for name in head]
            head += [name for name in FIELDS if name not in names]
            names += [name for name in FIELDS if name not in names]
            place = now["line"] if now else max(lines, default=1) + 1
            old = lines.pop(place, [])
            if wanted:
                values = {"student": key[0], "question": key[1], **wanted}
                old += [""] * (len(names) - len(old))
                lines[place] = [values.get(name, cell) for name, cell in zip(names, old)]
            self._write([head, *(lines[number] for number in sorted(lines))], key, wanted)
        return True

    def _read(self, path: Path) -> dict[Key, Data]:
        if not path.is_file():
            return {}
        lines = {line.number: line for line in tables.read(path, ["student"], None)}
        made: dict[Key, Data] = {}
        for key, one in overrides.read(path, *self._known).items():
            made[key] = {name: lines[one["line"]][name] for name in FIELDS}
            made[key] |= {"gives": one["points"], "line": one["line"], "all": key[0] == EVERYBODY}
        return made

    def _write(self, lines: list[list[str]], key: Key, wanted: Data | None) -> None:
        """Put these lines in the place of the old ones, once `grade` can read them."""
        new = self.path.with_name(f".{self.path.name}.new")
        with writing(self.path):
            try:
                with whole(self.path) as file:
                    file.write("\ufeff" + tables.as_text(map(tables.unguard, one) for one in lines))
                    file.flush()
                    if _cells(self._read(new).get(key)) != _cells(wanted):
                        what = "a letter gets lost"
                        raise Trouble(f"a table cannot hold this about {key[0]}: {what}")
            except Trouble as trouble:
                new.unlink(missing_ok=True)
                raise Trouble(str(trouble).replace(str(new), str(self.path))) from None

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Alone with the file, among all programs; the lock is a hidden file beside it."""
        path = self.path.with_name(f".{self.path.name}.lock")
        with self._mine, contextlib.ExitStack() as stack:
            with writing(path):
                file = stack.enter_context(open(path, "a+b"))
            for _ in range(500):
                if row.lock(file):
                    yield
                    return
                time.sleep(0.02)
            raise Trouble(f"another program holds {path}; end it, and try again")


def _cells(decision: Data | None) -> list[str] | None:
    return [decision[name] for name in FIELDS] if decision else None


# ---- what serves it ------------------------------------------------------------------------------

PAGE = {"/": ("mark.html", "html"), "/mark.js": ("mark.js", "javascript")}
PAGE |= {f"/{name}.css": (f"{name}.css", "css") for name in ("mark", "page")}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
NOT_MEANT: tuple[int, Data] = (400, {"said": "this was not understood"})


class Desk(socketserver.ThreadingTCPServer):
    """Serves the page to this machine, and what is on it to whoever has the token."""

    daemon_threads = True
    allow_reuse_address = os.name != "nt"  # there it would let two servers share a port

    def __init__(self, work: Work, who: str, port: int = 0) -> None:
        super().__init__((HOST, port), _Visit)
        self.work, self.who, self.token = work, who, secrets.token_urlsafe(24)
        self.hosts = [f"{name}:{self.server_address[1]}" for name in (HOST, "localhost")]
        self.origins = [f"http://{host}" for host in self.hosts]
        self.address = f"http://{self.hosts[0]}/#{self.token}"

    def reply(self, path: str, body: bytes = b"") -> tuple[int, Data]:
        """The status, and what is answered; the `body` is a decision."""
        work = self.work
        try:
            if path.startswith("/answer/"):
                return 200, work.answers[int(path[8:])]["facts"]
            if path not in ("/work", "/decide", "/decided"):
                return NOT_MEANT
            status = 200
            if path == "/decide":
                sent = json.loads(body)
                key = _key(work.answers[sent["answer"]])
                status = 200 if work.decisions.change(key, sent["seen"], sent["wanted"]) else 409
            made: Data = {"decided": work.decided()}
            if path == "/work":
                made |= {"questions": work.questions, "who": self.who}
                made["answers"] = [one | {"facts": None} for one in work.answers]
            return status, made
        except Trouble as trouble:
            return 422, {"said": str(trouble)}
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
            return NOT_MEANT

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Tell what went wrong, but for a browser that went away."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Visit(BaseHTTPRequestHandler):
    server: Desk
    timeout = 30

    def do_GET(self) -> None:
        if self.path in PAGE and self.headers["Host"] in self.server.hosts:
            name, kind = PAGE[self.path]
            file = Path(__file__).with_name("pages") / name
            self._send(200, f"text/{kind}", file.read_bytes())
        else:
            self._answer()

    def do_POST(self) -> None:
        """A decision; a browser says from which page it comes."""
        size = self.headers["Content-Length"] or ""
        if self.headers["Origin"] in self.server.origins and re.fullmatch(r"[0-9]{1,5}", size):
            self._answer(self.rfile.read(int(size)))
        else:
            self._send(403, "application/json", b"{}")

    def _answer(self, body: bytes = b"") -> None:
        token, desk = (self.headers["X-Token"] or "").encode(), self.server
        status, made = 403, {"said": "open the address that `course mark` has printed"}
        if self.headers["Host"] in desk.hosts and hmac.compare_digest(token, desk.token.encode()):
            status, made = desk.reply(self.path, body)
        self._send(status, "application/json", json.dumps(made).encode())

    def _send(self, status: int, kind: str, data: bytes) -> None:
        self.send_response(status)
        about = {"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(data))}
        for name, value in (HEADERS | about).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Nothing: the terminal is for people."""
