"""Running forever: in Python, inside C, asleep, waiting, and in every place where code may hide."""

from textwrap import indent

from grading.hostile.kinds import BOUND, Kind, beside, called, entries, loaded, of_answers

HANG = BOUND + "while time.monotonic() < end: pass"
FUNCTIONS = {"t": "doubled_sum(x)", "2": "table(first, second)", "3": "mean_square(x)"}
FUNCTIONS |= {"5": "slope(numbers)"}
HANGS = {letter: f"def {name}:\n{indent(HANG, '    ')}" for letter, name in FUNCTIONS.items()}
HANGS |= {"1": HANG, "4": HANG}

IN_THE_CELL = {
    "loop-in-a-cell": "while time.monotonic() < end: pass",
    "loop-inside-c": "sum(range(10**11))",
    "loop-in-a-regex": "re.match(r'(a+)+$', 'a' * 38 + 'b')",
    "loop-in-a-factorial": "math.factorial(10**7)",
    "sleep-in-a-cell": "time.sleep(@SECONDS@)",
    "input-in-a-cell": "input('your name? ')",
    "reads-standard-input": "sys.stdin.read()",
    "password-prompt": "getpass.getpass()",
    "waits-for-a-pipe": "r, w = os.pipe()\nimport select\nselect.select([r], [], [], @SECONDS@)",
    "waits-for-a-child": "subprocess.run(['sleep', '@SECONDS@'])",
    "waits-with-await": "await asyncio.sleep(@SECONDS@)",
    "holds-the-interpreter-asleep": "ctypes.PyDLL(None).sleep(@SECONDS@)",
    "stops-itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "prints-now-and-then": "while time.monotonic() < end: print('.'), time.sleep(.1)",
    **entries("""
        == waits-for-a-lock
        lock = threading.Lock()
        lock.acquire()
        lock.acquire(timeout=@SECONDS@)
        == catches-everything
        while time.monotonic() < end:
            try:
                while time.monotonic() < end: pass
            except BaseException:
                pass
        == ignores-every-signal
        for number in range(1, 65):
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        while time.monotonic() < end: pass
        == blocks-every-signal
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        signal.setitimer(signal.ITIMER_REAL, 0)
        while time.monotonic() < end: pass
        == handler-that-never-returns
        def again(*_):
            while time.monotonic() < end: pass
        signal.signal(signal.SIGALRM, again)
        os.kill(os.getpid(), signal.SIGALRM)
        == loop-in-a-trace
        def slow(*_):
            while time.monotonic() < end: pass
        sys.settrace(slow)
        (lambda: 1)()
        == loop-shown-by-its-repr
        class Shown:
            def __repr__(self):
                while time.monotonic() < end: pass
        Shown()
    """),
}

WHEN_CALLED = {
    "loop-when-called": "while time.monotonic() < end: pass",
    "sleep-when-called": "time.sleep(@SECONDS@)",
}

# What comes back is what never ends. The grader must not even ask; or if it asks, not for ever.
GIVEN_BACK = {
    "endless-iterator": "return itertools.count()",
    "endless-generator": "return (n for n in iter(int, 1))",
    **entries("""
        == endless-equality
        class Endless:
            def __eq__(self, other):
                while time.monotonic() < end: pass
            __repr__ = __str__ = __len__ = __bool__ = __iter__ = __hash__ = __float__ = __eq__
        return Endless()
        == endless-tolist
        class Endless(torch.Tensor):
            def tolist(self):
                while time.monotonic() < end: pass
        return Endless([1.0])
        == endless-class-attribute
        class Meta(type):
            def __getattribute__(cls, name):
                while time.monotonic() < end: pass
        class Endless(metaclass=Meta): pass
        return Endless()
    """),
}

# The answer is right, and something stays behind that does not end by itself.
LEFT_BEHIND = entries("""
    == thread-that-stays
    def stay():
        while time.monotonic() < end: time.sleep(.01)
    threading.Thread(target=stay).start()
    == busy-daemon-threads
    def stay():
        while time.monotonic() < end: pass
    for _ in range(3): threading.Thread(target=stay, daemon=True).start()
    sys.setswitchinterval(5)
    == loop-at-exit
    def stay():
        while time.monotonic() < end: pass
    atexit.register(stay)
    == loop-when-collected
    class Leaving:
        def __del__(self):
            while time.monotonic() < end: pass
    sys.kept_until_the_end = Leaving()
    == timer-that-comes-again
    def again(*_):
        time.sleep(.05)
    signal.signal(signal.SIGVTALRM, again)
    signal.setitimer(signal.ITIMER_VIRTUAL, .05, .05)
    == child-that-stays
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
""")


KINDS: list[Kind] = [
    *[loaded(name, code, long=True) for name, code in IN_THE_CELL.items()],
    *[called(name, code, long=True) for name, code in WHEN_CALLED.items()],
    *[called(name, code, long=True) for name, code in GIVEN_BACK.items()],
    *[beside(name, code, long=True) for name, code in LEFT_BEHIND.items()],
    of_answers("loops-in-every-question", HANGS, lose="t12345", long=True),
    beside("slow-but-in-time", "time.sleep(.3)", keep="t35"),
]
