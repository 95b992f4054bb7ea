"""Exhausting a resource. Each one stops by itself long before the machine is harmed."""

from grading.hostile.kinds import Kind, beside, called, entries, loaded

MEMORY = {
    "memory-by-tensor": "kept = torch.zeros(1).expand(2**10, 2**19).clone() * 1.0",
    **entries("""
        == memory-by-list
        kept = []
        while len(kept) < 40: kept.append([0] * (100 * 2**20 // 8))
        == memory-mapped
        kept = mmap.mmap(-1, 4 * 2**30)
        for place in range(0, len(kept), 4096): kept[place] = 1
        == memory-in-a-file-of-memory
        fd = os.memfd_create('@TRACE@')
        for _ in range(40): os.write(fd, bytes(100 * 2**20))
        == memory-in-many-children
        for _ in range(12):
            if os.fork() == 0:
                kept = bytearray(os.urandom(2**20)) * 300
                time.sleep(20)
                os._exit(0)
        time.sleep(3)
    """),
}

DISK = {
    "a-file-with-a-hole": "open('@TRACE@', 'wb').truncate(2**40)",
    **entries("""
        == one-large-file
        with open('@TRACE@', 'wb') as file:
            for _ in range(100): file.write(bytes(10 * 2**20))
        == many-files
        for n in range(20_000):
            with open(f'@TRACE@-{n}', 'w') as file: file.write('x')
        == folders-that-resist
        os.makedirs('@TRACE@/inside')
        open('@TRACE@/inside/file', 'w').write('x')
        os.chmod('@TRACE@/inside', 0)
        os.chmod('@TRACE@', 0)
        os.chmod('.', 0)
        == large-file-in-tmp
        with open('/tmp/@TRACE@', 'wb') as file:
            for _ in range(100): file.write(bytes(10 * 2**20))
        == large-file-in-shared-memory
        with open('/dev/shm/@TRACE@', 'wb') as file:
            for _ in range(100): file.write(bytes(10 * 2**20))
    """),
}

PROCESSES = {
    "open-files": "kept = [open('/dev/null') for _ in range(5000)]",
    "open-pipes": "kept = [os.pipe() for _ in range(3000)]",
    "open-sockets": "kept = [socket.socket() for _ in range(3000)]",
    "many-commands": "kept = [subprocess.Popen(['sleep', '30']) for _ in range(100)]",
    "deep-syntax": "eval('(' * 10**5 + ')' * 10**5)",
    "huge-number-in-text": "sys.set_int_max_str_digits(0)\nstr(7 ** (2 * 10**6))",
    **entries("""
        == many-threads
        for _ in range(2000): threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
        == children-of-children
        for _ in range(8):
            os.fork()
        time.sleep(20)
        os._exit(0)
        == higher-limits
        for limit in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE):
            resource.setrlimit(limit, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        kept = []
        while len(kept) < 40: kept.append([0] * (100 * 2**20 // 8))
        == deep-recursion
        sys.setrecursionlimit(10**9)
        def deeper(n): return deeper(n + 1)
        deeper(0)
        == deep-recursion-in-c
        sys.setrecursionlimit(10**9)
        class Deep:
            def __repr__(self): return repr(self)
        repr(Deep())
    """),
}

# Much is printed before a right answer, which may have its marks; results must stay small.
OUTPUT = {
    "prints-much": "for _ in range(2000): print('x' * 10**5)",
    "prints-much-to-stderr": "for _ in range(2000): print('x' * 10**5, file=sys.stderr)",
    "prints-past-the-stream": "for _ in range(2000): os.write(1, b'x' * 10**5)",
    "prints-one-long-line": "print('x' * 10**8)",
    "displays-much": """
        from IPython.display import HTML, display
        for _ in range(2000): display(HTML('x' * 10**5))
    """,
}

ANSWERS = {
    "a-huge-text": "return 'x' * 10**8",
    "a-huge-list": "return [0.0] * 10**7",
    "a-huge-dict": "return {n: n for n in range(10**6)}",
    "a-huge-number": "return 1 << 10**8",
    "a-list-in-itself": "value = []\nvalue.append(value)\nreturn value",
    "a-dict-in-itself": "value = {}\nvalue[1] = value\nreturn value",
    "a-huge-tensor": "return torch.zeros(1).expand(10**5, 10**5)",
    "a-tensor-of-many-dimensions": "return torch.zeros([1] * 64)",
    "a-huge-type-name": "return type('x' * 10**7, (), {})()",
    "a-huge-error": "raise ValueError('x' * 10**8)",
    "an-error-of-many-lines": "raise ValueError('line\\n' * 10**6)",
    "an-error-of-a-huge-type": "raise type('x' * 10**7, (Exception,), {})()",
    "a-text-of-half-letters": "return '\\ud800' * 100",
    "a-text-of-control-letters": "return ''.join(map(chr, range(32))) * 10 + '\\x1b[2J\\x7f\\x9b'",
    "numbers-json-has-no-word-for": "return [float('nan'), float('inf'), -0.0, 1j, 10**400]",
    **entries("""
        == a-deep-list
        value = []
        for _ in range(10**5): value = [value]
        return value
        == a-chain-of-errors
        error = ValueError('first')
        for _ in range(10**5):
            later = ValueError('later')
            later.__cause__, error = error, later
        raise error
        == a-graph-of-many-nodes
        x = x.clone().requires_grad_()
        for _ in range(50_000): x = x + 1
        return x
    """),
}

KINDS: list[Kind] = [
    *[loaded(name, code, long=name == "memory-in-many-children") for name, code in MEMORY.items()],
    *[loaded(name, code) for name, code in DISK.items()],
    *[loaded(name, code, long=name == "children-of-children") for name, code in PROCESSES.items()],
    *[beside(name, code) for name, code in OUTPUT.items()],
    *[called(name, code) for name, code in ANSWERS.items()],
]
