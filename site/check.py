"""Looks at a built site as its readers do: `python site/check.py DIR`.

    python site/check.py DIR                              links, requests, errors, widths, search
    python site/check.py DIR --axe node_modules/axe-core/axe.min.js    and accessibility
    python site/check.py DIR --screenshots FOLDER         and pictures of ten pages, to be looked at

Needs a Python with `playwright`, and a Chromium: the one on the PATH, the one that playwright
installs, or that of --chromium. axe-core is a package of npm: `npm install axe-core`.
The exit status is 0 if nothing was found.
"""

import argparse
import functools
import importlib.util
import itertools
import json
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

HERE = Path(__file__).resolve().parent
PHONE, DESK = 390, 1300
TEN = (
    *("index", "notebooks/00_welcome", "notebooks/13_graph", "notebooks/21_own_autograd"),
    *("exercises/ex05_storage_and_strides", "docs/lessons", "docs/gallery", "docs/cheat_sheet"),
    *("api/tensor", "search"),
)


class Links(HTMLParser):
    """What a page leads to, and the places on it that others may lead to."""

    def __init__(self, text: str):
        super().__init__()
        self.targets: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.places |= {name for key in ("id", "name") if (name := values.get(key))}
        self.targets += [url for key in ("href", "src") if (url := values.get(key))]


def pages_of(folder: Path) -> list[str]:
    """The pages of a site; the browser edition is an application of its own."""
    found = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))
    return [name for name in found if not name.startswith("browser/")]


def broken_links(folder: Path) -> list[str]:
    """Every link to a file that is not there, or to a place that its page does not have.

    Links to other hosts are for readers, and none of this check's business.
    """
    read = {name: Links((folder / name).read_text(encoding="utf-8")) for name in pages_of(folder)}
    found = []
    for name, page in read.items():
        for target in dict.fromkeys(page.targets):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            path = os.path.normpath(os.path.join(os.path.dirname(name), unquote(parts.path)))
            path = name if not parts.path else path.replace(os.sep, "/")
            if not (folder / path).is_file():
                found.append(f"{name}: {target} is not there")
            elif parts.fragment and path in read:
                if unquote(parts.fragment) not in read[path].places:
                    found.append(f"{name}: {target} is no place on its page")
    return found


class Quiet(SimpleHTTPRequestHandler):
    """What answers a request, and says nothing about it."""

    def log_message(self, format: str, *args: Any) -> None:
        """The check says what matters."""


class Server(ThreadingHTTPServer):
    """A server of files, which a browser may leave while it still answers."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def served(folder: Path) -> Iterator[str]:
    """The address of a server for `folder`, while it is needed."""
    server = Server(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


# ---- in the browser -------------------------------------------------------------------------


def visited(browser: Any, address: str, names: list[str]) -> list[str]:
    """What goes wrong when each page is opened on a phone: requests, errors, sideways scrolling."""
    found: list[str] = []
    context = browser.new_context(viewport={"width": PHONE, "height": 844})
    page = context.new_page()
    now = [""]
    page.on(
        "request",
        lambda asked: (
            asked.url.startswith((address, "data:", "blob:"))
            or found.append(f"{now[0]}: asks {asked.url}")
        ),
    )
    page.on(
        "console",
        lambda said: said.type == "error" and found.append(f"{now[0]}: {said.text}"),
    )
    page.on("pageerror", lambda error: found.append(f"{now[0]}: {error}"))
    for place, name in enumerate(names):
        now[0] = name
        page.goto(address + name)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > PHONE:
            found.append(f"{name}: {wide} pixels wide on a screen of {PHONE}")
        heads = page.evaluate("document.querySelectorAll('h1').length")
        if heads != 1:
            found.append(f"{name}: {heads} headings of the first level")
        tell(f"visited {place + 1} of {len(names)} pages")
    context.close()
    return found


TYPE_ALL = """() => [...document.querySelectorAll(".guess")].map((box) => {
  const about = JSON.parse(box.dataset.about);
  const [form, said] = [box.querySelector("form"), box.querySelector("output")];
  const answer = (typed) => {
    form.querySelector("input").value = typed;
    form.requestSubmit();
    return said.textContent;
  };
  const wanted = Object.entries(about.wrong ?? {});
  const plain = (words) => words.replaceAll("`", "");
  const lost = wanted.filter(([typed, words]) => !answer(typed).endsWith(plain(words)));
  if (about.right && !answer(about.right).startsWith("✓")) lost.push([about.right]);
  answer("something else");
  const shown = [...document.querySelectorAll("details.hide")].some((one) => one.open);
  return [...lost.map(([typed]) => typed), ...(shown ? [] : ["anything: nothing is shown"])];
})"""


def misjudged_guesses(browser: Any, address: str, names: list[str]) -> list[str]:
    """Guesses that a page answers in another way than the lesson's file, or without its cell."""
    page, found = browser.new_page(), []
    for name in names:
        if name.startswith("notebooks/"):
            page.goto(address + name)
            answered = page.evaluate(TYPE_ALL)
            if not answered:
                found.append(f"{name}: there is nothing to guess")
            found += [f"{name}: the guess {text}" for lost in answered for text in lost]
            tell(f"guessed: {name}")
    page.close()
    return found


def lost_questions(browser: Any, address: str) -> list[str]:
    """Questions of questions.json whose page is not among the first results, if they are many."""
    asked = json.loads((HERE / "questions.json").read_text(encoding="utf-8"))
    page, found = browser.new_page(), []
    for kind, folder, most in (("questions", "notebooks", 3), ("errors", "docs/errors", 4)):
        for question, pages in asked[kind].items():
            page.goto(f"{address}search.html?q={question.replace(' ', '+')}")
            page.wait_for_selector("ul.search li")
            page.wait_for_timeout(100)
            links = page.eval_on_selector_all("ul.search li a", "all => all.map(a => a.href)")
            names = [url.removeprefix(address).partition(".html")[0] for url in links[:most]]
            if not {f"{folder}/{one}" for one in pages} & set(names):
                found.append(f"search {question!r}: {', '.join(names)} instead of {pages[0]}")
            tell(f"asked {question}")
    page.close()
    return found if 20 * len(found) > sum(map(len, (asked["questions"], asked["errors"]))) else []


def barriers(browser: Any, address: str, axe: Path) -> list[str]:
    """What axe-core finds on ten pages in both themes, on a phone and on a desk, all unfolded."""
    script, found = axe.read_text(encoding="utf-8"), []
    for theme, width in itertools.product(("light", "dark"), (PHONE, DESK)):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=theme, bypass_csp=True
        )
        page = context.new_page()
        for name in TEN:
            page.goto(f"{address}{name}.html" + ("?q=view" if name == "search" else ""))
            page.wait_for_timeout(300)
            page.evaluate(
                "document.querySelectorAll('details').forEach((one) => (one.open = true))"
            )
            page.wait_for_timeout(600)  # what is unfolded fades in
            page.evaluate(script)
            for one in page.evaluate("axe.run().then((found) => found.violations)"):
                nodes = one["nodes"]
                what = f"{one['impact']}: {one['help']}: {len(nodes)}, {nodes[0]['target'][0]}"
                found.append(f"{name} ({theme}, {width}): {what}")
            tell(f"axe: {name}, {theme}")
        context.close()
    return found


def take_screenshots(browser: Any, address: str, folder: Path) -> None:
    """Pictures of ten pages, on a phone and on a desk, in both themes."""
    folder.mkdir(parents=True, exist_ok=True)
    for width in (PHONE, DESK):
        for theme in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme=theme
            )
            page = context.new_page()
            for name in TEN:
                page.goto(f"{address}{name}.html" + ("?q=view" if name == "search" else ""))
                page.wait_for_timeout(300)
                file = f"{name.replace('/', '-')}-{width}-{theme}.png"
                page.screenshot(path=str(folder / file))
            context.close()


def tell(line: str) -> None:
    if sys.stdout.isatty():
        print("\r  " + line[:76].ljust(76), end="\r", flush=True)


def parse(words: list[str]) -> argparse.Namespace:
    """What `words` ask for; leaves with a sentence where they are wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--axe", type=Path, metavar="FILE")
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--only", metavar="WORD", default="", help="only what has this word in its title"
    )
    parser.add_argument("--chromium", default=shutil.which("chromium"), metavar="PATH")
    options = parser.parse_args(words)
    if not (options.folder / "index.html").exists():
        parser.error(f"{options.folder} has no index.html: build the site there first")
    if importlib.util.find_spec("playwright") is None:
        parser.error("this Python has no playwright: pip install playwright in one of your own")
    return options


def looks(options: argparse.Namespace, names: list[str]) -> dict[str, Callable | None]:
    """What is looked for, by its title, given a browser and the address; None without its tool."""
    axe, partial = options.axe, functools.partial
    return {
        "requests to other hosts, errors, pages too wide": partial(visited, names=names),
        "guesses that are judged as they should not be": partial(misjudged_guesses, names=names),
        "questions whose page is not found": lost_questions,
        "barriers on ten pages in two themes": partial(barriers, axe=axe) if axe else None,
    }


def main(words: list[str]) -> int:
    """Return 0 if the site has none of what is looked for."""
    options = parse(words)
    from playwright.sync_api import sync_playwright

    names = pages_of(options.folder)
    found = [] if options.only else broken_links(options.folder)
    print(f"links of {len(names)} pages: {len(found)} broken")
    server = served(options.folder)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        address = next(server)
        for title, look in looks(options, names).items():
            if options.only in title and look is None:
                print(f"{title}: not looked for; give --axe")
            elif options.only in title:
                new = look(browser, address)
                print(f"{title}: {len(new)}".ljust(78))
                found += new
        if options.screenshots:
            take_screenshots(browser, address, options.screenshots)
            print(f"screenshots: {options.screenshots}")
        browser.close()
    server.close()
    print(*found, sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
