"""Answers in WebAssembly: what they cannot reach, what bounds them, and that they show the same."""

import importlib.util
import json
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath
from textwrap import indent
from types import SimpleNamespace
from unittest.mock import Mock, patch

import psutil
import pytest
from grading.submitting import WRONG, notebook

from course_grading import data, image, self_test, trials, unit, walls, warm
from course_grading.expected import run_job
from course_grading.trials import Trial
from course_grading.walls import Limits
from course_lib.classroom.prompt import pip_install
from course_lib.classroom.trouble import Trouble

ROOT = Path(__file__).resolve().parents[2]
LIMITS = Limits(seconds=2.0)


def shown(runner, body, seconds=2.0):
    """What a function with this body gives back or raises, or why it was ended."""
    questions = [["trial-1", [[1, f"def attempt():\n{indent(body, '    ')}"]]]]
    answer = runner.ask(run_job("trial", questions, "x", seconds, seconds / 8))
    told = data.lines(answer["said"], questions).get("trial-1", data.Told())
    if told.data is None or answer["why"]:
        return answer["why"] or f"ended with {answer['status'] or -answer['signal']}"
    error = told.data["error"]
    return error["type"] if error else told.data["entries"][0]["value"].get("value")


# ---- what it cannot reach ------------------------------------------------------------------------

ESCAPES = (
    "import js",
    "import pyodide_js",
    "from js import Deno",
    "from pyodide.code import run_js; run_js('1')",
    "import pyodide.http, asyncio; pyodide.http.open_url('file:///etc/passwd')",
    "from _pyodide import _importhook as h; h.jsfinder.jsproxies['pyodide_js']._api",
    "from _pyodide import _importhook as h; h.jsfinder.jsproxies['js'].Deno",
    "from pyodide.ffi import to_js; to_js([1]).constructor.constructor('return 1')()",
    "from pyodide.ffi import to_js; to_js(len).constructor('return Deno')()",
    "import pyodide_js._module",
    "import micropip",
    "import subprocess; subprocess.run(['ls'], check=True)",
    "import threading; t = threading.Thread(target=len, args=('x',)); t.start()",
    "import multiprocessing as m; p = m.Process(target=len); p.start()",
    "import os; os.fork()",
    "import os; os.execv('/bin/ls', ['ls'])",
    "import os; os.environ['PATH'].index('deno')",
    "import os; os.listdir('/image')",
    "import urllib.request; urllib.request.urlopen('http://127.0.0.1:1')",
    "import os; [os.mkdir(str(n)) for n in range(3000)]",
    "import os; os.truncate(open('big', 'w').name, 1 << 30)",
)
ENDED = (
    "import socket; socket.create_server(('', 0)).listen()",
    "import ctypes; ctypes.CDLL(None).emscripten_run_script(b'Deno.exit(7)'); 1 / 0",
)


def test_no_attempt_comes_to_its_end(in_wasm):
    tried = [Trial("files", code, code) for code in ESCAPES]
    seen = trials.attempt(in_wasm, tried, {})
    assert {code: why for code, why in seen.items() if not why} == {}
    assert set(seen) == set(ESCAPES)
    for code in ENDED:
        assert trials.attempt(in_wasm, [Trial("files", code, code)], {}).get(code) != ""


def test_all_promises_are_held_and_the_first_line_says_so(in_wasm):
    assert walls.open_promises(in_wasm.holds) == [] and not walls.words(in_wasm.holds)[1]


def test_nothing_is_left_for_the_next_answer(in_wasm):
    leave = (
        "import sys, course_lib, os\nopen('left', 'w').write('x')\ncourse_lib.left = 1\nreturn 1"
    )
    assert shown(in_wasm, leave) == 1
    look = "import course_lib, os\nreturn str([hasattr(course_lib, 'left'), *os.listdir('.')])"
    assert shown(in_wasm, look) == "[False]"


# ---- what bounds it ------------------------------------------------------------------------------

BOUNDS = {
    "while True:\n    pass": "TookTooLong",
    "import itertools\nreturn sum(itertools.count())": "time",
    "kept = []\nwhile True:\n    kept.append(bytes(1 << 24))": "MemoryError",
    "from pyodide.ffi import to_js\nmore = to_js(b'').constructor.new\nkept = []\n"
    "while True:\n    kept.append(more(1 << 30).fill(1))": "memory",
    "import os\nwhile True:\n    for n in range(3, 9):\n        try:\n"
    "            os.write(n, bytes(1 << 16))\n        except OSError:\n            pass": "output",
    "import os\nos._exit(0)": "ended with 1",
    "import os\nos.abort()": "ended with 1",
    "import ctypes\nctypes.string_at(-9)": "ended with 1",
}


@pytest.mark.parametrize("body", BOUNDS)
def test_time_memory_and_output_are_bounded(in_wasm, body):
    endless = BOUNDS[body] in ("TookTooLong", "time")
    # What ends for another reason has time to get there, also where two suites share the cores.
    assert shown(in_wasm, body, 2.0 if endless else 30.0) == BOUNDS[body]


def test_an_answer_may_draw_and_display_and_counts_its_seconds(in_wasm):
    assert shown(in_wasm, "import matplotlib\nreturn matplotlib.get_backend()", 9.0) == "Agg"
    assert shown(in_wasm, "from IPython.display import HTML\nreturn HTML('x').data", 9.0) == "x"
    assert shown(in_wasm, "import time\nat = time.process_time()\nreturn 0 < at < 60") is True


# ---- grading -------------------------------------------------------------------------------------


def test_a_row_is_the_same_as_behind_the_walls_of_linux(in_wasm, course, request):
    answer = f"# Answer to welcome-3\n{WRONG['code']}"
    made = json.dumps(notebook("welcome", {"welcome-3": answer})).encode()
    row = unit.grade(made, course, in_wasm)
    assert row.pop("cost")["runs"] == 4 and row["points"] == 9
    if sys.platform == "linux":
        other = unit.grade(made, course, request.getfixturevalue("runner"))
        assert row == {key: value for key, value in other.items() if key != "cost"}


def test_forged_results_win_nothing(in_wasm):
    _, _, held, how = next(self_test._forges(in_wasm))
    assert held, how


# ---- processes and parts -------------------------------------------------------------------------


def test_the_process_that_is_ready_ends_with_the_grader(in_wasm):
    code = (
        "import time\nfrom course_grading import wasm, walls\n"
        "runner = wasm.Wasm({}, walls.Limits())\n"
        "print(runner._next._popen.pid, flush=True); time.sleep(60)"
    )
    grader = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=ROOT)
    ready = psutil.Process(int(grader.stdout.readline()))
    grader.kill()
    grader.communicate()
    assert psutil.wait_procs([ready], timeout=30)[1] == []


def test_a_process_that_is_lost_costs_one_run(in_wasm):
    in_wasm._next._popen.kill()
    assert in_wasm._next._over.wait(30)
    with pytest.raises(warm.Lost):
        shown(in_wasm, "return 1")
    assert shown(in_wasm, "return 1") == 1


def test_an_empty_wheel_is_named_and_a_missing_one_too(monkeypatch):
    empty = SimpleNamespace(version="0.0.0", files=[PurePosixPath("deno-0.0.0.dist-info/WHEEL")])
    monkeypatch.setattr(image.metadata, "distribution", lambda name: empty)
    with pytest.raises(image.Unavailable, match="deno 0.0.0 is empty: there is none for"):
        image.ready()
    missing = Mock(side_effect=image.metadata.PackageNotFoundError("deno"))
    monkeypatch.setattr(image.metadata, "distribution", missing)
    with pytest.raises(Trouble, match=f"deno: {re.escape(pip_install(*walls.FOR_WASM))}"):
        warm.start({}, LIMITS, sandbox="wasm")


def test_an_image_that_fails_is_tried_once_and_says_why_in_a_sentence(tmp_path, capsys):
    trace = "\x1b[31merror\x1b[0m: Uncaught (in promise) RangeError: no room\n    at f (x.mjs:3)"
    run = Mock(side_effect=lambda *_, **__: time.sleep(0.2) or Mock(returncode=1, stderr=trace))
    none = Mock(return_value=[])
    parts = {"_runtime": none, "_wheels": none, "RUNTIME": {}, "CACHE": tmp_path, "PARTS": tmp_path}
    with patch.multiple(image, subprocess=Mock(run=run), **parts), ThreadPoolExecutor(2) as pool:
        for asked in [pool.submit(image.ready) for _ in range(2)]:
            with pytest.raises(Trouble, match="ready for WebAssembly: RangeError: no room; if it"):
                asked.result()
    assert capsys.readouterr().err.count("Getting Python for WebAssembly") == run.call_count == 1


def test_parts_with_another_hash_are_not_taken(monkeypatch, tmp_path):
    lock = {"packages": {"a": {"file_name": "a.whl", "sha256": "0" * 64, "depends": []}}}
    (tmp_path / "pyodide-lock.json").write_text(json.dumps(lock))
    monkeypatch.setattr(image, "PARTS", tmp_path)
    monkeypatch.setattr(image, "COMPILED", ("a",))
    for source in ("_from_pyodide", "_from_mirror"):
        write = lambda runtime, names, place: (place / "a.whl").write_bytes(b"another")  # noqa: E731
        monkeypatch.setattr(image, source, write)
    with pytest.raises(image.Unavailable, match="could not fetch a.whl as they are pinned"):
        image._wheels(tmp_path)


def test_what_runs_in_webassembly_needs_no_package_that_is_missing_there():
    missing = ["distributed", "jinja2", "markupsafe", "platformdirs", "psutil"]
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({missing})); "
        "from course_grading import server; server.warm_up({})"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_the_parts_are_those_of_the_browser_edition():
    spec = importlib.util.spec_from_file_location("parts", ROOT / "site" / "browser" / "parts.py")
    parts = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(parts)
    assert (image.PYODIDE, image.MIRROR) == (parts.PYODIDE, parts.MIRROR)
    assert {*image.PURE} <= {*parts.INTERACTIVE}
    assert {*image.COMPILED} == {*parts.COMPUTING, *parts.PLOTTING}
