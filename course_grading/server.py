"""The warm process: it has imported the library once, and forks a child for every run.

Note [Nothing of a student's in the process that forks]
Every child is a copy of this process, so whatever stood in its memory could be read by the next
student's code. It is told two numbers for each run: how many seconds, and which run it is. The
submission is in a file without a name, the answer goes into a pipe, and both are handed through as
open files that only the child reads and writes. This process never holds a submission, an answer,
an expected value or a seed. It has one thread, and it never runs or parses what a student wrote.
"""

import contextlib
import gc
import json
import os
import random
import select
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable
from typing import Any

from course_grading import hooks, kernel, perform, splice
from course_grading.sandbox import Sandbox
from course_grading.walls import Limits
from course_lib.classroom.probe import Data

RUN, STOP = b"R", b"S"
ORDER = struct.Struct(">cId")  # what to do, the number of the run, seconds; RUN brings two files
_LENGTH = struct.Struct(">I")
_OFTEN = 0.02  # seconds between two looks at what a child has written to the disk


def receive(read: Callable[[int], bytes]) -> Any:
    """The next frame as JSON, None at the end. `read` gives at most so many bytes."""
    head = _exactly(read, _LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    body = _exactly(read, length)
    return json.loads(body) if len(body) == length else None


def _exactly(read: Callable[[int], bytes], size: int) -> bytes:
    found = bytearray()
    while len(found) < size and (part := read(size - len(found))):
        found += part
    return bytes(found)


def send(write: Callable[[bytes], Any], message: Any) -> None:
    """Write one frame."""
    body = json.dumps(message).encode()
    write(_LENGTH.pack(len(body)) + body)


def main() -> None:
    """Serve the socket behind standard input until it is closed."""
    control = socket.socket(fileno=os.dup(0))
    _no_streams()
    asked = receive(control.recv)
    warm_up(asked["exercises"])
    sandbox = Sandbox(Limits(**asked["limits"]), asked["slot"], asked["without"])
    try:
        _build(sandbox, control)
        watch = hooks.Watch()
        gc.collect()
        gc.freeze()  # a child that looks for garbage would copy every page
        while _next(control, asked["exercises"], sandbox, watch):
            pass
    finally:
        sandbox.remove()


def _build(sandbox: Sandbox, control: socket.socket) -> None:
    """Build the walls, and tell the grader which stand, or why none could be built."""
    try:
        sandbox.build()
    except OSError as error:
        send(control.sendall, {"broke": f"{type(error).__name__}: {error}"})
        raise
    send(control.sendall, {"holds": sandbox.holds, "base": sandbox.base})


def inside() -> None:
    """Run one job in this process itself, in WebAssembly; see `wasm.py`."""
    output = os.dup(1)
    _no_streams()
    with open("job.json", encoding="utf-8") as file:
        told = json.load(file)
    os.unlink("job.json")
    random.seed()  # all begin as copies of one memory
    _alone(os.getcwd())
    say = perform.speaker(output, told["job"].pop("key"))
    try:
        perform.perform(told["job"], told["exercises"], say, hooks.Watch())
    except BaseException as error:
        say({"broke": f"{type(error).__name__}: {error}"[:500]})


def _no_streams() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def warm_up(exercises: dict[str, Data]) -> None:
    """Import what the exercises import, and do once what a first use does."""
    import course_lib as torch

    for home in (torch, torch.Tensor):
        for name in dir(home):
            hasattr(home, name)  # reads its file now: later that would look like tampering
    for exercise in exercises.values():
        for question in exercise["questions"].values():
            names: dict[str, Any] = {"__name__": "__main__"}
            for text in (*splice.given_cells(question), question["check"]):
                splice.same(text)
            for text in question["before"]:
                with contextlib.suppress(Exception):
                    exec(compile(text, "<given>", "exec", dont_inherit=True), names)
    for kind in hooks.nodes():
        with contextlib.suppress(Exception):
            kind.run(None, None, False)  # there is nothing to run: it is compiled
    leaf = torch.tensor([[1.0, 2.0]], requires_grad=True)
    (leaf @ leaf.t() * leaf.exp()).sum().backward()
    perform.probe(lambda show: show(str(leaf), leaf.sum().item()), "warm-1")
    splice.splice({"notebook": b'{"nbformat": 4, "cells": []}'.hex()}, exercises)


def _next(
    control: socket.socket, exercises: dict[str, Data], sandbox: Sandbox, watch: hooks.Watch
) -> bool:
    """Do what the grader asks for next; False when it is gone."""
    order, files, _, _ = socket.recv_fds(control, ORDER.size, 2)
    if not order:
        return False
    what, number, seconds = ORDER.unpack(order)
    if what == STOP:  # of a run that had ended by itself meanwhile
        return True
    job, output = files
    begun = time.monotonic()
    child = sandbox.fork()
    if not child:
        _in_child(job, exercises, sandbox, watch, output)
    os.close(job)
    os.close(output)
    try:
        why = _watch_child(child, number, begun + seconds, control, sandbox)
    finally:
        _end(child)
    _, status, used = os.wait4(child, 0)
    sandbox.sweep()
    if why == "left":
        return False
    ended = {
        "why": why,
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
        "status": os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0,
        "wall": time.monotonic() - begun,
        "cpu": used.ru_utime + used.ru_stime,
    }
    send(control.sendall, ended)
    return True


def _in_child(
    job: int, exercises: dict[str, Data], sandbox: Sandbox, watch: hooks.Watch, output: int
) -> None:
    """Everything a child does; it never returns."""
    status, say = 1, None
    try:
        gc.disable()
        sandbox.enter((job, output))
        _alone(sandbox.folder)
        with open(job, encoding="utf-8") as file:
            told = json.load(file)
        gc.enable()
        say = perform.speaker(output, told.pop("key"))
        perform.perform(told, exercises, say, watch)
        status = 0
    except BaseException as error:
        with contextlib.suppress(OSError):
            if say is not None:
                say({"broke": f"{type(error).__name__}: {error}"[:500]})
    finally:
        os._exit(status)


def environment(folder: str) -> dict[str, str]:
    """All that a student's code finds in its environment."""
    return {
        "HOME": folder,
        "TMPDIR": folder,
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "MPLBACKEND": "Agg",
        "MPLCONFIGDIR": folder,
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }


def _alone(folder: str) -> None:
    """An environment and streams of its own: what it prints goes nowhere, it reads nothing.

    So nobody is there to answer a `breakpoint()` that was left in: it stops nothing.
    """
    os.environ.clear()
    os.environ.update(environment(folder))
    sys.breakpointhook = lambda *_, **__: None
    sys.stdin = open(os.devnull, encoding="utf-8")
    sys.stdout = open(os.devnull, "w", encoding="utf-8")
    sys.stderr = sys.stdout
    for name in ("stdin", "stdout", "stderr"):
        setattr(sys, f"__{name}__", getattr(sys, name))
    signal.signal(signal.SIGINT, signal.default_int_handler)


# ---- while a child runs --------------------------------------------------------------------------


def _watch_child(
    child: int, number: int, until: float, control: socket.socket, sandbox: Sandbox
) -> str:
    """Wait until the child ends, and say why it has to be ended before, if it has."""
    ended = kernel.ending(child)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(control, select.POLLIN)
    try:
        while (left := until - time.monotonic()) > 0:
            wait = left if sandbox.work is None else min(left, _OFTEN)
            ready = {one for one, _ in poll.poll(wait * 1000 + 1)}
            if control.fileno() in ready:
                order = control.recv(ORDER.size)
                if not order:
                    return "left"
                if ORDER.unpack(order)[:2] == (STOP, number):
                    return "output"
            elif ended in ready:
                return ""
            elif sandbox.too_full():
                return "disk"
        return "time"
    finally:
        os.close(ended)


def _end(child: int) -> None:
    """End the child and everything it started; behind namespaces the system does the second."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
