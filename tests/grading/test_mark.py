"""`course mark`: what waits, what becomes of a decision, who is let in, and the page itself."""

import http.client
import itertools
import json
import re
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from classroom.test_lab_home import CHROMIUM, Page
from grading.submitting import ROOT, hand_in, lines_of, notebook, rows, words, write_class
from grading.test_decisions import WHY, markdown

from course_grading import mark
from course_grading.joining import Before
from course_grading.mark import Desk, Work
from course_lib import cli
from course_lib.classroom.trouble import Trouble

HOSTILE = "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>"
MODEL = "<!-- BEGIN SOLUTION -->\nOnly its strides are new.\n<!-- END SOLUTION -->"
ODD = "# Answer to welcome-3\nimport os\ndef mean_square(x):\n    return (x * x).mean()"
ROSTER = "student,name,group\nada,ada,Team 1\nbob,bob,Team 1\neve,eve,\n'=zoe,zoe,\n"
MINE = {"items": "1", "points": "", "reason": "", "who": "Dr. Lee"}
THEIRS = {"items": "", "points": "0.5", "reason": "near", "who": "Kim"}
TEAM, ZOE, EVE = ("Team 1", "welcome-why"), ("=zoe", "welcome-why"), ("eve", "welcome-3")


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class of four in which an essay of a team, one that is hostile, and a flag wait."""
    folder = tmp_path_factory.mktemp("marking")
    source = json.loads((ROOT / "solutions" / "ex00_welcome.ipynb").read_text(encoding="utf-8"))
    texts = [WHY[0], f"# Answer to welcome-why\n{MODEL}", WHY[2]]
    source["cells"] += [markdown(text) for text in texts]
    (folder / "source").mkdir()
    (folder / "source" / "ex00_welcome.ipynb").write_text(json.dumps(source), encoding="utf-8")
    made = ["release", str(folder / "source"), str(folder / "handout")]
    assert cli.main([*made, "--graded", str(folder / "sets")]) == 0
    for student, text in {"ada": "Nothing is copied.", "zoe": HOSTILE, "eve": ""}.items():
        made = notebook("welcome", {"welcome-3": ODD} if student == "eve" else {})
        essay = [markdown(WHY[0]), markdown(f"# Answer to welcome-why\n{text}")]
        made["cells"] += essay if text else []
        hand_in(folder / "in", student, made)
    write_class(folder, {"roster.csv": ROSTER})
    assert cli.main(words(folder, folder / "sets")) == 1
    return folder


@pytest.fixture
def place(tmp_path, graded):
    """The same class, for one test."""
    return Path(shutil.copytree(graded, tmp_path / "marking"))


def work(folder, requests=None):
    return Work(folder / "out", folder / "class", folder / "sets", requests)


def waiting(found):
    return [(a["student"], a["question"]) for a in found.answers if a["kind"] != mark.OTHER]


def test_what_waits_is_there_once_with_its_question_and_so_is_what_a_student_asks(place):
    found = work(place)
    assert waiting(found) == [EVE, ZOE, TEAM]
    asked, team = found.questions["welcome-why"], next(a for a in found.answers if a["members"])
    assert (asked["model"], asked["asks"]) == ("Only its strides are new.", WHY[0])
    assert asked["rubric"] == [[2, "nothing is copied"], [1, "names the storage"]]
    assert team["members"] == ["ada", "bob"]
    texts = [path.read_text("utf-8") for path in (place / "handout").rglob("*.*[bn]")]
    assert len(texts) == 2 and not any("strides are new" in text for text in texts)
    table = place / "requests.csv"
    table.write_text("student,question,request\nbob,welcome-1,I meant 14\n", encoding="utf-8")
    assert ("Team 1", "welcome-1") in waiting(work(place, table))
    for wrong in ("bob,welcome-9,why?", "bob,welcome-1,", "nobody,welcome-1,why?"):
        table.write_text(f"student,question,request\n{wrong}\n", encoding="utf-8")
        with pytest.raises(Trouble, match=r"requests.csv, line 2"):
            work(place, table)
    with pytest.raises(Trouble, match="there is no file .*lost.csv; is its name"):
        work(place, place / "lost.csv")
    with pytest.raises(Trouble, match="name your folder after --class"):  # else a team is unknown
        Work(place / "out", None, place / "sets", None)


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ('"word": "correct"', '"wort": "correct"', "it has no 'word' where"),
        ('"questions": [', '"questions": 3, "others": [', "something in it is not as"),
        ('"question": "welcome-1"', '"question ": "welcome-1"', "it has no 'question' where"),
    ],
)
def test_grades_that_were_changed_by_hand_are_named_with_a_remedy(place, was, now, said):
    path = place / "out" / "grades.json"
    path.write_text(path.read_text(encoding="utf-8").replace(was, now, 1), encoding="utf-8")
    told = f"grades.json was changed by hand: {said}.*; put it back as it was"
    with pytest.raises(Trouble, match=told):
        work(place)
    with pytest.raises(Trouble, match=told):
        Before(place / "out")


HEAD = "student,question,points,reason,who\n"
WRITTEN = [
    ("", 0),
    (HEAD + '"# keep, this"\n*,welcome-2,2,it was broken,Kim\n\neve,welcome-3,,,Kim\n', 3),
    ("Who;Reason;Points;Question;Student\nKim;a, b;0,5;welcome-2;eve\n", 1),
]


@pytest.mark.parametrize(("before", "kept"), WRITTEN)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_decision_comes_and_goes_and_all_other_lines_stay(place, before, kept, encoding):
    path, found = place / "class" / "overrides.csv", work(place).decisions
    if before:
        path.write_text(before, encoding=encoding)
    old = found.all()
    said = MINE | {"reason": "=1+1; @you,\nsee \x0b ‘ü’"}
    assert found.change(TEAM, None, said) and found.change(ZOE, None, MINE)
    made = found.all()[TEAM]
    assert made["reason"] == "=1+1; @you, see ‘ü’" and made["gives"] == 2
    assert "'=1+1;' @you" in path.read_text("utf-8-sig") and len(lines_of(path)) == kept + 2
    assert found.change(TEAM, made, THEIRS) and found.all()[TEAM]["gives"] == 0.5
    assert found.change(TEAM, THEIRS, None) and found.change(ZOE, MINE, None)
    assert found.all() == old and len(lines_of(path)) == kept
    assert ('\n"# keep, this"' in path.read_text("utf-8-sig")) == (kept == 3)


def test_what_grade_would_refuse_is_not_written(place):
    found = work(place).decisions
    assert found.change(TEAM, None, THEIRS)
    before = found.path.read_bytes()
    wrong = ({"points": "99"}, {"points": "", "items": "3"}, {"reason": ""}, {"reason": "\ud800"})
    for change in (*wrong, {"who": ""}):
        with pytest.raises(Trouble, match=r"overrides.csv, line 2|a letter gets lost"):
            found.change(TEAM, THEIRS, THEIRS | change)
    assert found.path.read_bytes() == before and not [*found.path.parent.glob(".*.new")]


def test_two_markers_lose_nothing_and_the_later_of_both_is_told(place):
    here, there = work(place).decisions, work(place).decisions
    assert here.change(TEAM, None, MINE)
    assert not there.change(TEAM, None, THEIRS) and not there.change(TEAM, None, None)
    assert there.all()[TEAM]["who"] == "Dr. Lee"
    assert there.change(TEAM, MINE, THEIRS) and not here.change(TEAM, MINE, None)
    others = [(one["student"], one["question"]) for one in work(place).answers]
    others.remove(TEAM)
    with ThreadPoolExecutor(3) as pool:  # each of the two has a lock of its own, as two programs
        some = zip(itertools.cycle([here, there]), others)
        done = [*pool.map(lambda pair: pair[0].change(pair[1], None, THEIRS), some)]
    assert all(done) and here.all().keys() == {TEAM, *others}


@pytest.fixture
def desk(place):
    """A desk that serves."""
    with Desk(work(place), "Dr. Lee") as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield made
        made.shutdown()


SENT = {"answer": 0, "seen": None, "wanted": THEIRS}
VISITS = [
    ("GET", "/", {"X-Token": ""}, 200),
    ("GET", "/", {"Host": "evil.example"}, 403),  # a name that leads to this machine
    ("GET", "/work", {}, 200),
    ("GET", "/work", {"X-Token": "no"}, 403),
    ("GET", "/work", {"Host": "evil.example"}, 403),
    ("GET", "/answer/0", {"X-Token": "é"}, 403),
    ("GET", "/answer/999", {}, 400),
    ("GET", "/../mark.py", {}, 400),
    ("GET", "/decide", {}, 400),
    ("POST", "/decide", {}, 200),
    ("POST", "/decide", {"Origin": "http://evil.example"}, 403),
    ("POST", "/decide", {"X-Token": ""}, 403),
    ("POST", "/decide", {"Content-Length": "100000"}, 403),
    ("POST", "/decide", {"body": "[" * 9999}, 400),
    ("POST", "/decide", {"body": json.dumps(SENT | {"wanted": {"items": 1}})}, 400),
    ("POST", "/decide", {"body": json.dumps(SENT | {"wanted": THEIRS | {"points": "x"}})}, 409),
]


def test_only_the_page_itself_with_the_token_is_let_in(desk):
    host = desk.hosts[0]
    for method, path, other, status in VISITS:
        heads = {"Host": host, "X-Token": desk.token, "Origin": f"http://{host}"} | other
        body = heads.pop("body", json.dumps(SENT)) if method == "POST" else None
        visit = http.client.HTTPConnection(host, timeout=60)
        visit.request(method, path, body, {name: heads[name].encode() for name in heads})
        reply = visit.getresponse()
        assert (reply.status, bool(reply.read())) == (status, True), (method, path, other)
        policy = reply.getheader("Content-Security-Policy")
        assert policy.startswith("default-src 'none'") and "unsafe" not in policy
        visit.close()
    script = (Path(mark.__file__).with_name("pages") / "mark.js").read_text(encoding="utf-8")
    assert not re.search(r"(inner|outer)HTML|insertAdjacent|document\.write|eval|import", script)


def test_the_command_opens_a_private_page_and_says_where_things_stand(place, monkeypatch, capsys):
    def interrupted(self):
        raise KeyboardInterrupt

    def opened(address):
        (page,) = (place / "out").glob("open_desk*")
        assert address == page.as_uri() and "http://127.0.0.1:" in page.read_text(encoding="utf-8")
        assert work(place).decisions.change(TEAM, None, MINE)

    monkeypatch.setattr(mark, "can_show_browser", lambda environment: True)
    monkeypatch.setattr(mark.webbrowser, "open", opened)
    monkeypatch.setattr(Desk, "serve_forever", interrupted)
    folders = ["--class", str(place / "class"), "--exercises", str(place / "sets")]
    command = ["mark", str(place / "out"), *folders]
    assert cli.main(command) == 0 and not list((place / "out").glob("open_desk*"))
    said = capsys.readouterr().out
    assert "1 of 3 answers decided" in said and "--resume" in said
    assert cli.main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"decided": 1, "of": 3}
    absent, damaged = "there are no grades", "cannot be read: it is no JSON (Expecting property"
    for text, told in ((None, absent), ("[]", "of another version"), ("{", damaged)):
        if text:
            (place / "grades.json").write_text(text)
        assert cli.main(["mark", str(place)]) == 2 and told in capsys.readouterr().err


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium to look at it")
def test_a_browser_marks_by_keyboard_alone(desk, place, tmp_path):
    with ExitStack() as stack:
        page = Page(tmp_path / "chromium", stack)

        def press(*names, says):
            for name in names:
                text = {"Enter": "\r", "Escape": ""}.get(name, name)
                page.tell("Input.dispatchKeyEvent", type="keyDown", key=name, text=text)
                page.tell("Input.dispatchKeyEvent", type="keyUp", key=name)
            page.ask(f"document.querySelector('#decision').innerText.includes({says!r})")

        page.tell("Page.navigate", url=desk.address)
        page.ask("document.title.startsWith('0 of 3')")
        press("g", says="Saved: 2 points")  # the flag: as graded
        press("Enter", says="=zoe")
        assert page.ask("document.querySelector('article .prose').textContent") == HOSTILE
        press("1", "2", says="Saved: 3 points")
        press("u", says="2 points by Dr. Lee")
        assert desk.work.decisions.change(TEAM, None, THEIRS)  # another marker
        press("k", "j", "b", says="2 of 3: essay")
        page.ask("document.querySelectorAll('.beside article').length === 2")
        press("j", says="0.5 points by Kim")
        assert desk.work.decisions.change(TEAM, THEIRS, MINE)
        press("0", says="Dr. Lee has given 2 points")
        press("Enter", says="2 points by Dr. Lee")  # keep that
        press("c", *"Why?", "Enter", says="The list ends here")
        assert page.ask("[document.title, document.images.length].join()") == "3 of 3 · Marking,0"
    assert cli.main([*words(place, place / "sets"), "--resume"]) == 0
    found = rows(place / "out")
    said = {name: found[name]["questions"][-1]["override"] for name in ("ada", "bob", "=zoe")}
    assert [one["points"] for one in said.values()] == [2, 2, 2]
    assert said["bob"]["reason"] == "Why? (nothing is copied)"
