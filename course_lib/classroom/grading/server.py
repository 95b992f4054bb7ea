"""The warm process: it has imported the library once, and forks a child for every run.

It is started with one frame of JSON on its input (what to prepare) and answers frame by frame. It
never runs a student's code, never parses it, never holds a solution and has one thread.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import struct
import sys
import threading
import time
from typing import Any, BinaryIO

from course_lib.classroom.grading import hooks, perform, splice
from course_lib.classroom.grading.limits import Limits
from course_lib.classroom.grading.sandbox import Sandbox
from course_lib.classroom.probe import Data

_LENGTH = struct.Struct(">I")


def receive(stream: BinaryIO) -> Any:
    """The next frame as JSON, None at the end."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    body = stream.read(length)
    return json.loads(body) if len(body) == length else None


def send(stream: BinaryIO, message: Any) -> None:
    """Write one frame."""
    body = json.dumps(message).encode()
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def main() -> None:
    """Serve until the input ends. With `once`, run one job in this process itself, and end."""
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    asked = receive(incoming)
    limits = Limits(**asked["limits"])
    warm_up(asked["exercises"])
    if asked.get("once"):
        send(outgoing, _once(receive(incoming), asked, limits))
        return
    walls = tuple(asked["without"])
    sandbox = Sandbox(limits, asked["slot"], walls, asked["inside"], asked["base"])
    sandbox.build()
    send(outgoing, {"holds": sandbox.holds})
    watch = hooks.Watch()
    gc.collect()
    gc.freeze()  # a child that looks for garbage would copy every page
    while (job := receive(incoming)) is not None:
        told = run_job(job, asked["exercises"], sandbox, watch, incoming.fileno())
        if told is None:
            break
        send(outgoing, told)


def warm_up(exercises: dict[str, Data]) -> None:
    """Import what the exercises import, and do once what a first use does."""
    import course_lib as torch

    for home in (torch, torch.Tensor):
        for name in dir(home):
            hasattr(home, name)  # reads its file now: later that would look like tampering
    for exercise in exercises.values():
        for question in exercise["questions"].values():
            names: dict[str, Any] = {"__name__": "__main__"}
            for text in question["before"]:
                with contextlib.suppress(Exception):
                    exec(compile(text, "<given>", "exec"), names)
    leaf = torch.tensor([[1.0, 2.0]], requires_grad=True)
    (leaf @ leaf.t() * leaf.exp()).sum().backward()
    perform.probe(lambda show: show(str(leaf), leaf.sum().item()), "warm-1")
    splice.splice({"notebook": b'{"nbformat": 4, "cells": []}'.hex()}, exercises)


def run_job(
    job: Data, exercises: dict[str, Data], sandbox: Sandbox, watch: hooks.Watch, incoming: int
) -> Data | None:
    """Fork a child for the job, and give back what it said and how it ended; None to stop."""
    reader, writer = os.pipe()
    begun = time.monotonic()
    child = sandbox.fork()
    if not child:
        _in_child(job, exercises, sandbox, watch, writer)
    os.close(writer)
    try:
        said, why = _listen(child, reader, begun + job["seconds"], sandbox.limits.output, incoming)
    finally:
        os.close(reader)
        _end(child)
    _, status, used = os.wait4(child, 0)
    sandbox.sweep()
    if why == "left":
        return None
    return {
        "said": said.decode("utf-8", "replace"),
        "why": why,
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
        "status": os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0,
        "wall": time.monotonic() - begun,
        "cpu": used.ru_utime + used.ru_stime,
    }


def _in_child(
    job: Data, exercises: dict[str, Data], sandbox: Sandbox, watch: hooks.Watch, writer: int
) -> None:
    """Everything a child does; it never returns."""
    try:
        gc.disable()
        sandbox.enter((writer,))
        os.environ.clear()
        os.environ.update(environment(sandbox.folder))
        _own_streams()
        gc.enable()
        perform.perform(job, exercises, writer, watch)
    except BaseException as error:
        line = json.dumps({"broke": f"{type(error).__name__}: {error}"[:500]}) + "\n"
        with contextlib.suppress(OSError):
            os.write(writer, line.encode())
    finally:
        os._exit(0)


def _once(job: Data, asked: Data, limits: Limits) -> Data:
    """One job in this process, where no child can be forked; the grader keeps the time."""
    reader, writer = os.pipe()
    os.environ.clear()
    os.environ.update(environment(os.getcwd()))
    said: list[bytes] = []
    thread = threading.Thread(target=lambda: said.extend(iter(lambda: os.read(reader, 65536), b"")))
    thread.start()
    perform.perform(job, asked["exercises"], writer, hooks.Watch())
    os.close(writer)
    thread.join()
    text = b"".join(said)[: limits.output].decode("utf-8", "replace")
    return {
        "said": text,
        "why": "",
        "signal": 0,
        "status": 0,
        "wall": 0.0,
        "cpu": time.process_time(),
    }


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


def _own_streams() -> None:
    """Streams of the child's own: what it prints goes nowhere, and what it reads is nothing."""
    sys.stdin = open(os.devnull, encoding="utf-8")
    sys.stdout = open(os.devnull, "w", encoding="utf-8")
    sys.stderr = sys.stdout
    for name in ("stdin", "stdout", "stderr"):
        setattr(sys, f"__{name}__", getattr(sys, name))
    signal.signal(signal.SIGINT, signal.default_int_handler)


# ---- while a child runs --------------------------------------------------------------------------


def _listen(child: int, reader: int, until: float, most: int, incoming: int) -> tuple[bytes, str]:
    """What the child writes until it ends, and why that was cut short, if it was."""
    ended = os.pidfd_open(child) if hasattr(os, "pidfd_open") else -1
    said = bytearray()
    poll = select.poll()
    poll.register(reader, select.POLLIN)
    poll.register(incoming, 0)  # tells only when the grader is gone
    if ended >= 0:
        poll.register(ended, select.POLLIN)
    try:
        while True:
            left = until - time.monotonic()
            if left <= 0:
                return bytes(said), "time"
            ready = {number for number, _ in poll.poll(left * 1000 + 1)}
            if incoming in ready:
                return bytes(said), "left"
            if reader in ready:
                part = os.read(reader, 65536)
                said += part
                if len(said) > most:
                    return bytes(said[:most]), "output"
                if not part:
                    return bytes(said), ""
            elif ended in ready:  # it ended, and what it started still holds the pipe
                return bytes(said), ""
    finally:
        if ended >= 0:
            os.close(ended)


def _end(child: int) -> None:
    """End the child and everything it started; behind namespaces the system does the second."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)


if __name__ == "__main__":
    main()
