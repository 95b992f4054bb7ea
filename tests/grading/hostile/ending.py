"""Ending the process that runs the code, or another one, or making it useless."""

from grading.hostile.kinds import Kind, beside, called, loaded, of_answers

# `kill(-1)` ends all that its user may end. Where that user is the machine's own root, and the
# processes of the machine are in sight, the code leaves it.
MAY_KILL_ALL = """
    outside = open('/proc/self/uid_map').read().split()
    is_root = os.getuid() - int(outside[0]) + int(outside[1]) == 0
    if not is_root or os.getpid() < 100:
"""

IN_THE_CELL = {
    "sys-exit": "sys.exit(0)",
    "raises-system-exit": "raise SystemExit",
    "raises-keyboard-interrupt": "raise KeyboardInterrupt",
    "raises-a-base-exception": "class Out(BaseException): pass\nraise Out",
    "exit-at-once": "os._exit(0)",
    "exit-of-c": "ctypes.CDLL(None).exit(0)",
    "abort": "os.abort()",
    "segmentation-fault": "ctypes.string_at(0)",
    "illegal-instruction": "os.kill(os.getpid(), signal.SIGILL)",
    "kills-itself": "os.kill(os.getpid(), 9)",
    "interrupts-itself": "os.kill(os.getpid(), signal.SIGINT)",
    "terminates-itself": "os.kill(os.getpid(), 15)",
    "kills-its-parent": "os.kill(os.getppid(), 9)",
    "stops-its-parent": "os.kill(os.getppid(), signal.SIGSTOP)",
    "interrupts-its-parent": "os.kill(os.getppid(), signal.SIGINT)",
    "kills-its-group": "os.killpg(0, 9)",
    "kills-its-session": "os.killpg(os.getsid(0), 9)",
    "kills-all": MAY_KILL_ALL + "        os.kill(-1, 9)",
    "becomes-another-program": "os.execv('/bin/true', ['true'])",
    "becomes-a-sleeping-program": "os.execv('/bin/sleep', ['sleep', '60'])",
    "no-time-left": "resource.setrlimit(resource.RLIMIT_CPU, (0, 0))",
    "no-memory-left": "resource.setrlimit(resource.RLIMIT_AS, (1, 1))",
    "closes-every-file": "os.closerange(0, 4096)",
    "closes-standard-output": "sys.stdout.close()\nsys.stderr.close()\nos.close(1)\nos.close(2)",
    "leaves-by-ipython": "get_ipython().ask_exit()\nget_ipython().kernel.do_shutdown(False)",
    "reset-magic": "%reset -f",
    "without-builtins": "__builtins__.__dict__.clear()",
    "without-modules": "sys.modules.clear()",
    "without-names": "globals().clear()",
    "fork-in-two": "os.fork()",
    "fork-and-the-first-leaves": "if os.fork(): os._exit(0)",
    "moves-away": "os.chdir('/')",
    "deletes-its-folder": "shutil.rmtree(os.getcwd())",
}

WHEN_CALLED = {
    "exit-when-called": "sys.exit(0)",
    "exit-at-once-when-called": "os._exit(0)",
    "kills-itself-when-called": "os.kill(os.getpid(), 9)",
    "deletes-the-input": "del x\ngc = __import__('gc')\ngc.collect()\nraise SystemExit(0)",
    "exit-in-a-repr": """
        class Leaving:
            def __repr__(self): os._exit(0)
            __str__ = __format__ = __eq__ = __bool__ = __len__ = __repr__
        return Leaving()
    """,
    "exit-in-an-error": """
        class Leaving(Exception):
            def __str__(self): os._exit(0)
            __repr__ = __str__
        raise Leaving
    """,
}

# A right answer beside something that ends the process later, or ends only a part of it.
BESIDE = {
    "exit-in-a-thread": "threading.Thread(target=lambda: (time.sleep(.02), os._exit(0))).start()",
    "error-in-a-thread": "threading.Thread(target=lambda: 1 / 0).start()",
    "exit-at-exit": "atexit.register(os._exit, 0)",
    "exit-when-collected": """
        class Leaving:
            def __del__(self): os._exit(0)
        sys.kept_until_the_end = Leaving()
    """,
    "exit-by-a-timer": """
        signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
        signal.setitimer(signal.ITIMER_REAL, .02, .02)
    """,
    "error-in-the-error-hook": "sys.excepthook = None\nsys.unraisablehook = None",
}

EXITS = {
    "t": "def doubled_sum(x): raise SystemExit(0)",
    "1": "import os\nos._exit(0)",
    "2": "def table(first, second): os._exit(0)",
    "3": "os.abort()",
    "4": "exit()",
    "5": "def slope(numbers): os.kill(os.getpid(), 9)",
}

KINDS: list[Kind] = [
    *[loaded(name, code, long="sleeping" in name) for name, code in IN_THE_CELL.items()],
    *[called(name, code) for name, code in WHEN_CALLED.items()],
    *[beside(name, code) for name, code in BESIDE.items()],
    of_answers("ends-in-every-question", EXITS, lose="t12345"),
]
