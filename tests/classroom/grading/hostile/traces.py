"""What a run of hostile submissions must not leave: files, connections, secrets, markup."""

from __future__ import annotations

import csv
import os
import socket
import threading
from html.parser import HTMLParser
from pathlib import Path

from classroom.grading.hostile.injecting import INJECTED
from classroom.grading.hostile.kinds import EXERCISES, GOT, TRACE
from classroom.grading.hostile.neighbours import SECRET

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


def modes_and_sizes(folder: Path) -> dict[str, tuple[int, int]]:
    """Everything in `folder`, so that two moments can be compared."""
    found = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        about = os.lstat(path)
        size = 0 if path.is_dir() and not path.is_symlink() else about.st_size
        found[os.fsdecode(os.fsencode(path.relative_to(folder)))] = (about.st_mode, size)
    return found


# ---- connections ---------------------------------------------------------------------------------


class Listening:
    """Sockets of this machine that write down who reaches them; none should be reached."""

    def __init__(self, folder: Path) -> None:
        self.reached: list[str] = []
        self.path = str(folder / "listening")
        tcp = socket.create_server(("127.0.0.1", 0))
        self.port = tcp.getsockname()[1]
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("127.0.0.1", self.port))
        named, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        named.bind(self.path)
        os.chmod(self.path, 0o777)
        abstract.bind(f"\0{TRACE}")
        self._sockets = {"tcp": tcp, "udp": udp, "a unix socket": named, "an abstract": abstract}
        for name, one in self._sockets.items():
            threading.Thread(target=self._wait, args=(name, one), daemon=True).start()

    def _wait(self, name: str, one: socket.socket) -> None:
        one.settimeout(None)
        if name != "udp":
            one.listen()
        while True:
            try:
                if name == "udp":
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


class _Tags(HTMLParser):
    """Complains about tags that a submission's text made."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag if tag in ("script", "style") else ""
        for name, value in attrs:
            reaches_out = name in ("src", "href", "data", "action", "style", "content", "srcdoc")
            local = name in ("href", "src") and (value or "").startswith(
                ("#", "data:", "students/")
            )
            if name.startswith("on") or (reaches_out and not local and INJECTED in (value or "")):
                self.found.append(f"<{tag} {name}={value!r}>"[:200])
            if name in ("src", "href") and (value or "").strip().lower().startswith("javascript"):
                self.found.append(f"<{tag} {name}={value!r}>"[:200])
        if tag in ("iframe", "object", "embed", "base", "foreignobject"):
            self.found.append(f"<{tag}>")

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside and INJECTED in data:
            self.found.append(f"<{self.inside}>: {data[:200]}")

    def handle_comment(self, data: str) -> None:
        if INJECTED in data:
            self.found.append(f"a comment: {data[:200]}")


def markup_injected(results: Path) -> list[str]:
    """Tags, handlers and scripts that come from a submission."""
    found = []
    for path in sorted(results.rglob("*.html")):
        tags = _Tags()
        tags.feed(path.read_text(encoding="utf-8"))
        tags.close()
        found += [f"{path.relative_to(results)}: {what}" for what in tags.found]
    return found


def formulas(results: Path) -> list[str]:
    """Cells that a table program would compute."""
    found = []
    for path in sorted(results.rglob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                found += [
                    cell for cell in row if cell[:1] in "=+-@\t\r" and cell and not _number(cell)
                ]
    return found


def _number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


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
