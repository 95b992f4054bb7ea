"""Open the browser edition in headless Chromium, run a notebook, and note every request.

    python site/browser/smoke.py DIR                       lesson 00, two visits
    python site/browser/smoke.py DIR --notebook exercises/ex00_welcome.ipynb
    python site/browser/smoke.py DIR --megabits 20         as over such a network
    python site/browser/smoke.py DIR --json                for programs

DIR is what build.py made. The first visit comes with nothing kept. The second, in a window as
narrow as a phone, has what the service worker kept and nothing else: the server is stopped. The
address names a cell, which has to be the current one; the bar has to say how much of Python comes,
and to go; a page that was not kept has to say so; opened again, the desk is clean.
Chromium reaches the server and, for all other hosts, a proxy that notes what it is asked for and
gives nothing. The exit status is 0 if a lesson shows what is stored for it, each visit ran to its
end, and no other host was asked; 2 where no Chromium is installed.
"""

import argparse
import contextlib
import functools
import http.server
import json
import re
import shutil
import socketserver
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import compare
import parts

QUIET = (  # Chromium's own requests are not the site's
    *("--no-sandbox", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run", "--disable-default-apps"),
    "--disable-features=OptimizationHints,MediaRouter,Translate,CertificateTransparencyComponentUpdater",
)
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")  # what it is called, here and there
CHROMIUMS_OWN = {  # hosts that Chromium asks about itself; no page of the site does
    *("accounts.google.com", "clients2.google.com", "content-autofill.googleapis.com"),
    *("optimizationguide-pa.googleapis.com", "update.googleapis.com"),
}
DESK, PHONE = 1300, 390  # pixels
OPEN = """() => {
  const shown = window.jupyterapp?.shell.currentWidget;
  return Boolean(shown?.sessionContext?.session?.kernel && shown.content.model?.cells?.length);
}"""
RUN = """() => { window.jupyterapp.commands.execute("notebook:run-all-cells"); }"""
CELLS = """() => window.jupyterapp.shell.currentWidget.content.widgets
  .filter((cell) => cell.model.type === "code")
  .map((cell) => ({
    id: cell.model.id,
    done: cell.model.executionCount !== null && cell.model.executionState !== "running",
    outputs: cell.model.outputs.toJSON(),
  }))"""
CURRENT = """() => window.jupyterapp.shell.currentWidget.content.activeCell.model.id"""
WATCH = """globalThis.barSaid = [];
setInterval(() => {
  const said = document.querySelector("#course-python [role=status]")?.textContent ?? "";
  if (said !== barSaid.at(-1)) barSaid.push(said);
}, 20);"""
BAR = {  # what it says, in some order; nothing once Python is ready
    "first visit": {"", "Python is loading", "Python starts"},
    "second visit": {"", "Python starts"},
}
UNKEPT = "docs/glossary.md"
OFFLINE = f"this file was not loaded before you went offline: {UNKEPT}"
DIALOG = ".jp-Dialog-body"
OPEN_UNKEPT = """(path) => {
  window.jupyterapp.commands.execute("docmanager:open", {path});
}"""
TABS = """async () => {
  await window.jupyterapp.restored;
  return [...window.jupyterapp.shell.widgets("main")].map((tab) => tab.title.label);
}"""
ROOM = """() => window.jupyterapp.shell.currentWidget.node.getBoundingClientRect().width"""
PROGRESS = """async () => {
  const contents = window.jupyterapp.serviceManager.contents;
  try { return (await contents.get(".course/progress.jsonl", {content: true})).content; }
  catch { return null; }
}"""


class Files(http.server.SimpleHTTPRequestHandler):
    """A server of files that says nothing, over a network of so many bytes a second."""

    speed = float("inf")
    busy, until = threading.Lock(), 0.0  # one network for all: when it is free again

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file as slowly as the network is."""
        while piece := source.read(1 << 15):
            with self.busy:
                Files.until = max(time.monotonic(), Files.until) + len(piece) / self.speed
                wait = Files.until - time.monotonic()
            time.sleep(max(0, wait))
            outputfile.write(piece)

    def log_message(self, *_: object) -> None:
        """Nothing."""

    def end_headers(self) -> None:
        """Chromium asks again for each file: what it has kept by itself does not count."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()


class Refusing(socketserver.BaseRequestHandler):
    """A proxy that notes what it is asked for and hangs up."""

    asked: list[str] = []

    def handle(self) -> None:
        """Note the first line of the request: it names the host."""
        first = self.request.recv(2000).split(b"\r\n")[0].decode("latin-1")
        host = re.sub(r"^\w+ (?:\w+://)?([^/: ]*).*", r"\1", first)
        if host and host not in CHROMIUMS_OWN:
            self.asked.append(first)


@contextlib.contextmanager
def serving(handler: Any) -> Iterator[int]:
    """A server on a free port of this machine."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


def visit(context: Any, address: str, notebook: str, patience: float, width: int) -> dict[str, Any]:
    """Open a notebook and run all of it; when it was open, when its first cell was done, and so on.

    Raises `parts.Missing` when it is not done in time, or has no room in a window of this width.
    """
    begin, page = time.monotonic(), context.new_page()
    page.set_viewport_size({"width": width, "height": 844})
    page.add_init_script(WATCH)
    complaints: list[str] = []
    cell = json.loads((parts.ROOT / notebook).read_text("utf-8"))["cells"][-1]["id"]
    page.on("console", lambda m: m.type == "error" and complaints.append(m.text[:200]))
    page.on("pageerror", lambda error: complaints.append(str(error)[:200]))
    try:
        page.goto(f"{address}/lab/index.html?path={notebook}#cell-id={cell}", wait_until="commit")
        page.wait_for_function(OPEN, timeout=patience * 1000)
        seen: dict[str, Any] = {"open": time.monotonic() - begin}
        page.wait_for_function(f"() => ({CURRENT})() === {cell!r}", timeout=patience * 1000)
        cells = len(page.evaluate(CELLS))
        page.evaluate(RUN)
        while waiting := [cell["id"] for cell in page.evaluate(CELLS) if not cell["done"]]:
            if time.monotonic() - begin > patience:
                raise parts.Missing(f"not done after {patience:g} s: {waiting[0]}; {complaints}")
            if len(waiting) < cells:
                seen.setdefault("first cell", time.monotonic() - begin)
            time.sleep(0.2)
        seen.setdefault("first cell", time.monotonic() - begin)
        seen["all cells"] = time.monotonic() - begin
        time.sleep(1)  # the last message of the kernel
        seen["bar"] = page.evaluate("() => barSaid")
        if (room := page.evaluate(ROOM)) < width / 2:
            raise parts.Missing(f"in a window of {width} pixels the notebook has {room:.0f}")
        seen |= {"cells": page.evaluate(CELLS), "progress": page.evaluate(PROGRESS)}
        if width == PHONE:
            page.evaluate(OPEN_UNKEPT, UNKEPT)
            page.wait_for_selector(DIALOG)
            seen["offline"] = page.inner_text(DIALOG)
            page.goto(f"{address}/lab/index.html")
            page.wait_for_function("() => window.jupyterapp?.shell.currentWidget")
            seen["tabs"] = page.evaluate(TABS)
        return seen | {"complaints": complaints}
    finally:
        page.close()


def amiss(name: str, seen: dict[str, Any]) -> Iterator[str]:
    """What the page should have said in this visit and has not."""
    if set(seen["bar"]) != BAR[name] or seen["bar"][-1]:
        yield f"the bar said {seen['bar']}"
    if not seen.get("offline", OFFLINE).endswith(OFFLINE):
        yield f"{UNKEPT} showed {seen['offline']!r}"
    if seen.get("tabs", ["Home"]) != ["Home"]:
        yield f"the next day begins with {seen['tabs']}"


def differing(notebook: str, cells: list[dict[str, Any]]) -> list[str]:
    """The ids of the cells that show something else than what is stored, without a reason."""
    path = parts.ROOT / notebook
    answer = {"cells": [cell["outputs"] for cell in cells]}
    return [one.cell for one in compare.differences(path, answer) if not one.reason]


def main(words: list[str]) -> int:
    """Visit twice and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path, help="what build.py made")
    parser.add_argument("--notebook", default="notebooks/00_welcome.ipynb")
    parser.add_argument("--chromium", metavar="PROGRAM", help=f"one of {', '.join(CHROMIUM)}")
    parser.add_argument("--patience", type=float, default=300, metavar="SECONDS")
    parser.add_argument("--megabits", type=float, metavar="N", help="a network of N a second")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(words)
    names = (options.chromium,) if options.chromium else CHROMIUM
    options.program = next(filter(None, map(shutil.which, names)), None)
    if options.program is None:
        print(f"smoke.py: there is no {' or '.join(names)} here", file=sys.stderr)
        return 2
    try:
        seen = visits(options)
    except parts.Missing as missing:
        print(f"smoke.py: {missing}", file=sys.stderr)
        return 1
    wrong = [name for name, one in seen.items() if one["differing"] or one["amiss"]]
    if options.json:
        print(json.dumps({"visits": seen, "other hosts": Refusing.asked}))
    else:
        for name, one in seen.items():
            times = ", ".join(f"{k} {one[k]:.1f} s" for k in ("open", "first cell", "all cells"))
            print(f"{name}: {times}; {one['count']} cells, differing: {one['differing'] or 'none'}")
            for complaint in one["amiss"] + one["complaints"]:
                print(f"    {complaint}")
        print(f"requests to other hosts: {len(Refusing.asked)}")
        for line in Refusing.asked:
            print(f"    {line}")
    return 1 if wrong or Refusing.asked else 0


def visits(options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """What was seen in each visit."""
    from playwright.sync_api import sync_playwright

    if options.megabits:
        Files.speed = options.megabits * 1e6 / 8
    seen, asked = {}, (options.notebook, options.patience)
    files = functools.partial(Files, directory=str(options.site))
    with (
        tempfile.TemporaryDirectory() as profile,
        serving(Refusing) as proxy,
        sync_playwright() as playwright,
        playwright.chromium.launch_persistent_context(
            profile,
            executable_path=options.program,
            headless=True,
            args=[*QUIET, f"--proxy-server=127.0.0.1:{proxy}"],
        ) as context,
    ):
        with serving(files) as port:
            address = f"http://127.0.0.1:{port}"
            seen["first visit"] = visit(context, address, *asked, DESK)
        seen["second visit"] = visit(context, address, *asked, PHONE)
    for name, one in seen.items():
        cells = one.pop("cells")
        one["count"] = len(cells)
        lesson = options.notebook.startswith("notebooks/")
        one["differing"] = differing(options.notebook, cells) if lesson else []
        one["amiss"] = list(amiss(name, one))
    return seen


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
