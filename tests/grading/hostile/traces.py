"""What a run of hostile submissions must not leave: files, connections, secrets, markup."""

import csv
import json
import os
import re
import secrets
import socket
import subprocess
import threading
import unicodedata
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from grading.hostile.injecting import INJECTED
from grading.hostile.kinds import EXERCISES, GOT, MARK, TRACE, Place
from grading.hostile.neighbours import SECRET

SECRETS = {
    "environment": "secret-of-the-environment-9d31",
    "home": "secret-of-the-home-27ac",
    "neighbour": SECRET,
}
# Lines of the solutions that no right answer of the collection has.
SOLUTIONS = (
    "return torch.tensor([first, second], dtype=torch.float32)",
    "return (x * x).mean()",
)


# ---- files ---------------------------------------------------------------------------------------


def files_left(places: list[Path]) -> list[str]:
    """Files whose name says that a submission wrote them, where it might have."""
    course = EXERCISES.parent
    shared = [Path(name) for name in ("/tmp", "/var/tmp", "/dev/shm", "/etc/cron.d")]
    folders = [*shared, course / "course_lib", EXERCISES, course / "solutions", course]
    folders += [Path.cwd(), Path.home()]
    found = [path for folder in folders if folder.is_dir() for path in folder.glob(f"{TRACE}*")]
    for place in places:
        found += place.rglob(f"{TRACE}*")
    return sorted(str(path) for path in set(found))


def plant(folder: Path) -> None:
    """Files of the instructor's, in a folder that is to stay as it is."""
    (folder / "inner").mkdir(parents=True)
    (folder / "one.txt").write_text("one")
    (folder / "inner" / "two.txt").write_text("two")
    (folder / "link").symlink_to("one.txt")
    (folder / "inner" / "two.txt").chmod(0o600)


Facts = dict[str, tuple[object, ...]]


def facts(folder: Path) -> Facts:
    """All that is known of everything in `folder`, so that two moments can be compared."""
    found: Facts = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        about = os.lstat(path)
        size = 0 if path.is_dir() and not path.is_symlink() else about.st_size
        owner, names = (about.st_uid, about.st_gid), _attributes(path)
        name = os.fsdecode(os.fsencode(path.relative_to(folder)))
        found[name] = (about.st_mode, size, about.st_mtime_ns, owner, about.st_nlink, names)
    return found


def _attributes(path: Path) -> tuple[str, ...]:
    try:
        return tuple(os.listxattr(path, follow_symlinks=False))
    except OSError:  # the file system has none
        return ()


# ---- connections ---------------------------------------------------------------------------------


class Listening:
    """Sockets of this machine that write down who reaches them; none should be reached."""

    def __init__(self, folder: Path) -> None:
        self.reached: list[str] = []
        self.path = str(folder / "listening")
        self.name = f"{TRACE}-{secrets.token_hex(8)}"  # of the whole machine, not of a run
        tcp = socket.create_server(("127.0.0.1", 0))
        self.port = tcp.getsockname()[1]
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("127.0.0.1", self.port))
        self._sockets = {"tcp": tcp, "udp": udp}
        for kind, ending in ((socket.SOCK_STREAM, ""), (socket.SOCK_DGRAM, "-datagrams")):
            named, abstract = (socket.socket(socket.AF_UNIX, kind) for _ in range(2))
            named.bind(self.path + ending)
            os.chmod(self.path + ending, 0o777)
            abstract.bind(f"\0{self.name}{ending}")
            self._sockets |= {f"a unix socket{ending}": named, f"an abstract{ending}": abstract}
        for name, one in self._sockets.items():
            threading.Thread(target=self._wait, args=(name, one), daemon=True).start()

    def _wait(self, name: str, one: socket.socket) -> None:
        one.settimeout(None)
        if one.type == socket.SOCK_STREAM:
            one.listen()
        while True:
            try:
                if one.type == socket.SOCK_DGRAM:
                    one.recv(100)
                else:
                    one.accept()[0].close()
            except OSError:  # closed: the run is over
                return
            self.reached.append(name)

    def close(self) -> None:
        """Listen no more."""
        for one in self._sockets.values():
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()


# ---- another process -----------------------------------------------------------------------------


class Bystander:
    """A process of the same user as the grader's, which has nothing to do with grading."""

    def __init__(self, user: int) -> None:
        becomes = {"user": user, "group": user} if user != os.geteuid() else {}
        self._process = subprocess.Popen(["sleep", "3600"], start_new_session=True, **becomes)
        self.pid = self._process.pid
        self._before = self._state()

    def changes(self) -> list[str]:
        """In words, what became of it; nothing when it is as it was."""
        if self._process.poll() is not None:
            return [f"it ended with {self._process.returncode}"]
        now = self._state()
        return [f"{name} is {now[name]}" for name in now if now[name] != self._before[name]]

    def _state(self) -> dict[str, object]:
        return {
            "one of its limits": Path(f"/proc/{self.pid}/limits").read_text(encoding="ascii"),
            "where it may run": os.sched_getaffinity(self.pid),
            "how it is run": os.sched_getscheduler(self.pid),
            "its priority": os.getpriority(os.PRIO_PROCESS, self.pid),
            "its score": Path(f"/proc/{self.pid}/oom_score_adj").read_text(encoding="ascii"),
        }

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()


# ---- what stands in the results ------------------------------------------------------------------


def leaks(results: Path) -> list[str]:
    """Secrets, solutions and the word of success, wherever they stand in the results."""
    found = []
    words = {f"the secret of the {name}": word for name, word in SECRETS.items()}
    words |= {"what was got hold of": GOT} | {f"the solution: {line}": line for line in SOLUTIONS}
    for path in sorted(results.rglob("*")):
        if path.is_file() and not path.is_symlink():
            text = path.read_bytes().decode("utf-8", "replace")
            for what, word in words.items():
                if word in text or word.encode().hex() in text:
                    around = text[max(0, text.find(word) - 150) : text.find(word) + 150]
                    found.append(f"{path.relative_to(results)} holds {what}: …{around}…")
    return found


def marks_astray(place: Place, rows: list[dict[str, Any]]) -> list[str]:
    """Marks of a student that stand on the page or in a row of another one, or of nobody."""
    found = []
    for row in rows:
        page = (place.results / row["page"]).read_text(encoding="utf-8")
        for mark in {*_MARK.findall(page), *_MARK.findall(json.dumps(row))}:
            if mark != place.mark(row["student"]):
                found.append(f"{row['student']} has {mark}")
    for name in ("index.html", "grades.csv"):
        for mark in _MARK.findall((place.results / name).read_text(encoding="utf-8")):
            found.append(f"{name} has {mark}")
    return found


_MARK = re.compile(rf"{MARK}[0-9a-f]{{16}}")


OUR_TAGS = set(
    "html head meta title style body main h1 h2 h3 p a table thead tbody tr th td section div span"
    " pre code ul li details summary svg rect line text figure br strong".split()
)
OUR_LINKS = re.compile(r"students/[\w-]+\.html|#\w+|\w+\.(csv|json)")


class Tags(HTMLParser):
    """Complains about tags, handlers and links that are not those of the pages themselves."""

    word = INJECTED  # what marks a submission's text

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag if tag == "style" else ""
        for name, value in attrs:
            own = OUR_LINKS.fullmatch(value or "")
            link = name in ("src", "href") or self.word in (value or "")
            if name.startswith("on") or link and not own:
                self.found.append(f"<{tag} {name}={value!r}>"[:200])
        if tag not in OUR_TAGS:
            self.found.append(f"<{tag}>")

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside and self.word in data:
            self.found.append(f"<{self.inside}>: {data[:200]}")

    def handle_comment(self, data: str) -> None:
        if self.word in data:
            self.found.append(f"a comment: {data[:200]}")


def markup_injected(results: Path) -> list[str]:
    """Tags, handlers and scripts that come from a submission."""
    found = []
    for path in sorted(results.rglob("*.html")):
        tags = Tags()
        tags.feed(path.read_text(encoding="utf-8"))
        tags.close()
        found += [f"{path.relative_to(results)}: {what}" for what in tags.found]
    return found


def formulas(results: Path) -> list[str]:
    """Cells that a table program would compute, after blanks and in full width too."""
    seen = {cell: unicodedata.normalize("NFKC", cell).strip() for cell in cells(results)}
    return [cell for cell in seen if seen[cell][:1] in {*"=+-@"} and not _NUMBER.fullmatch(cell)]


_NUMBER = re.compile(r"-?[\d.]*")


def cells(results: Path) -> Iterator[str]:
    """What stands in all tables."""
    for path in sorted(results.rglob("*.csv")):
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from (cell for row in csv.reader(file) for cell in row)


def control_letters(results: Path) -> list[str]:
    """Results that would command a terminal or a viewer, or that cannot be read as text."""
    found = []
    for path in sorted(results.rglob("*")):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            odd = {letter for letter in text if ord(letter) < 32 and letter not in "\n\r\t"}
            odd |= {letter for letter in text if letter in "\x7f\x9b\u202e\u2066"}
            if odd:
                found.append(f"{path.relative_to(results)}: {sorted(map(hex, map(ord, odd)))}")
    return found
