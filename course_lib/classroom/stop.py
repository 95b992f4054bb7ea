"""Bounds for what a check runs: how long it takes, how much it prints, which settings it meets.

Note [A check comes back]
An answer may loop for ever or print without end. A timer stops the check with `TookTooLong` once it
has computed for so many seconds: on a busy machine the clock says nothing about an answer. One that
only waits is stopped by the clock, much later, and the verdict says so. An answer may catch that
(`except:` in a loop), so it is raised once more at the next line, where it leaves the handler that
caught the first, and both come again soon. Neither is raised unless the check's own frame is on the
stack: once the check is over, nothing is interrupted. No Python code can stop a loop inside C, such
as `sum(itertools.count())`; there, as for the stop button, the kernel has to be restarted.

Python in a browser has neither timers nor threads. There the interpreter calls us at each line and
each jump of the answer's own code, and we look at the clock.
"""

import _thread
import contextlib
import io
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any, TextIO

SECONDS = 20.0  # of computing, for one check: the course's own take a few thousandths of that
CLOCK = 5.0  # times as many by the clock
AGAIN = 0.05  # seconds until the next attempt to stop
LETTERS = 10_000  # printed by one check
WATCHER = 4  # our number in sys.monitoring; debuggers and profilers have 0 to 2, Python itself 5


class TookTooLong(BaseException):
    """The check was stopped. No `Exception`: an answer's `except Exception` is not meant."""


@contextlib.contextmanager
def time_limit(code: CodeType | None, seconds: float | None = None) -> Iterator[None]:
    """Raise `TookTooLong` in the function of that code once it has computed for so long.

    Signals are for the main thread; in another one, as under some servers, there is no limit.
    """
    seconds = SECONDS if seconds is None else seconds
    over = _stopwatch(seconds)
    if code is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    if sys.platform == "emscripten":
        with limit_time(seconds):
            yield
        return

    def at_next_line(frame: FrameType, event: str, _: object) -> Any:
        if event == "line" and _frames_up_to(code, frame):
            raise TookTooLong(over())
        return at_next_line

    def at_once(_: int, frame: FrameType | None) -> None:
        frames = _frames_up_to(code, frame)
        if frames and (reason := over()):
            for one in frames:
                one.f_trace = at_next_line
            sys.settrace(at_next_line)
            raise TookTooLong(reason)

    tracing = sys.gettrace()
    number = _signal()
    before = signal.signal(number, at_once)
    stop_ticking = _tick(number, seconds)
    try:
        yield
    finally:
        stop_ticking()
        sys.settrace(tracing)
        signal.signal(number, before)


def _frames_up_to(code: CodeType, frame: FrameType | None) -> list[FrameType]:
    """The frames up to the check's own, none when that is not among them."""
    frames = []
    while frame is not None:
        frames.append(frame)
        if frame.f_code is code:
            return frames
        frame = frame.f_back
    return []


def _stopwatch(seconds: float) -> Callable[[], str]:
    """Begin to measure; what comes back says why it is enough, and "" as long as it is not."""
    clock, processor = time.monotonic, time.process_time  # whatever an answer puts in their place
    begun, before = clock(), processor()

    def over() -> str:
        waited, computed = clock() - begun, processor() - before
        if computed >= seconds:
            after = f"it was stopped after {seconds:g} seconds of computing"
            return f"{after}. Does it repeat something too often, or for ever?"
        if waited >= CLOCK * seconds:
            return f"{by_clock(waited, computed)}. Does it wait for something?"
        return ""

    return over


def by_clock(waited: float, computed: float) -> str:
    """That something was stopped although it had hardly computed.

    >>> by_clock(50.004, 0.02)
    'it was stopped after 50 seconds by the clock, of which 0.0 were computing'
    """
    after = f"it was stopped after {waited:.3g} seconds by the clock"
    return f"{after}, of which {computed:.1f} were computing"


@contextlib.contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """Raise `TookTooLong` at each line of the notebook's own code once `seconds` are over.

    Needs Python 3.12, where the interpreter reports each line; one limit at a time is watched.
    """
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined]
    if monitoring.get_tool(WATCHER):
        yield
        return
    # Its lines need no watch, and stay fast; ours must not be interrupted.
    library = ("<frozen", __file__, *filter(None, sys.path))
    over = _stopwatch(seconds)

    def look(code: CodeType, *_: object) -> Any:
        if code.co_filename.startswith(library):
            return monitoring.DISABLE
        if reason := over():
            raise TookTooLong(reason)
        return None

    events = (monitoring.events.LINE, monitoring.events.JUMP)  # an empty loop only jumps
    monitoring.use_tool_id(WATCHER, __name__)
    for event in events:
        monitoring.register_callback(WATCHER, event, look)
    monitoring.set_events(WATCHER, sum(events))
    try:
        yield
    finally:
        monitoring.set_events(WATCHER, 0)
        monitoring.free_tool_id(WATCHER)


def _signal() -> signal.Signals:
    """The alarm, or on Windows, which has none, the signal that no notebook uses."""
    return signal.SIGALRM if hasattr(signal, "SIGALRM") else signal.Signals["SIGBREAK"]


def _tick(number: signal.Signals, seconds: float) -> Any:
    """Send the signal after `seconds` and again and again; return what ends that."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
        return lambda: signal.setitimer(signal.ITIMER_REAL, 0)
    return _thread_that_ticks(number, seconds)


def _thread_that_ticks(number: signal.Signals, seconds: float) -> Any:
    over = threading.Event()

    def send() -> None:
        wait = seconds
        while not over.wait(wait):
            _thread.interrupt_main(number)
            wait = AGAIN

    thread = threading.Thread(target=send, daemon=True)
    thread.start()

    def end() -> None:
        over.set()
        thread.join()

    return end


# ---- what is printed -----------------------------------------------------------------------------


class _Short(io.TextIOBase):
    """A stream that passes on the first letters and drops the rest."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.room = LETTERS

    def write(self, text: str) -> int:
        """Pass on what there is room for."""
        if self.room > 0:
            self.stream.write(text[: self.room])
            if len(text) > self.room:
                self.stream.write("\n… the check shows no more of what is printed\n")
        self.room -= len(text)
        return len(text)

    def writable(self) -> bool:
        """It is there to be written to."""
        return True

    def flush(self) -> None:
        """Pass on what is waiting."""
        self.stream.flush()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """That of the stream behind it."""
        return getattr(self.stream, "encoding", None) or "utf-8"


@contextlib.contextmanager
def short_output() -> Iterator[None]:
    """Within the block, only the first letters that are printed are shown."""
    out, err = _Short(sys.stdout), _Short(sys.stderr)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield


# ---- settings ------------------------------------------------------------------------------------


@contextlib.contextmanager
def ordinary_settings() -> Iterator[None]:
    """Within the block the library is as after its import; after it, as it was before.

    An answer may switch recording off and not on again, or a cell above may have: the next check
    would judge another answer by it. Warnings that come once in a process come each time, though.

    Random numbers go on from where they were within the block, and after it from there once more.

    >>> import course_lib as torch
    >>> with ordinary_settings():
    ...     _ = torch.set_grad_enabled(False)
    >>> torch.is_grad_enabled()
    True
    """
    torch = sys.modules.get("course_lib")
    if torch is None:  # then no answer uses it
        yield
        return
    before = torch.is_grad_enabled(), torch.get_default_dtype(), torch.get_default_device()
    numbers, warned = torch.get_rng_state(), torch.is_warn_always_enabled()
    _set(torch, True, torch.float32, torch.device("cpu"))
    torch.set_warn_always(True)  # else an answer would be judged by what warned before it
    try:
        yield
    finally:
        _set(torch, *before)
        torch.set_rng_state(numbers)
        torch.set_warn_always(warned)


def _set(torch: Any, recording: bool, dtype: object, device: object) -> None:
    torch.set_grad_enabled(recording)
    torch.set_default_dtype(dtype)
    if torch.get_default_device() != device:
        torch.set_default_device(device)
