"""Reading its own memory, where the bytes of another student or of a solution may lie.

The notebook of each keeper among the neighbours has a mark that is nowhere else in the world. An
answer made of such a mark, or of a line of a solution, is a leak. What is looked for stands in
halves in the code, so that nobody finds it there.
"""

from textwrap import dedent

from grading.hostile.kinds import Kind, entries, reach

# A mark may also lie there in the digits that it travels in. There is time for half a second.
LOOKING = r"""
import os, re, sys, time
begins = b'private-' + b'mark-'
signs = (begins, begins.hex().encode(), b'dtype=torch' + b'.float32)\n    # END')
wanted = begins + b'[0-9a-f]{16}|' + begins.hex().encode() + b'[0-9a-f]{32}|'
wanted += rb'return torch' + rb'\.tensor\(\[first, second\], dtype=torch\.float32\)'
wanted = re.compile(wanted)
until = time.monotonic() + .5

def found_in(pieces):
    found = set()
    for piece in pieces:
        if any(sign in piece for sign in signs): found.update(wanted.findall(piece))
        if len(found) > 8 or time.monotonic() > until: break
    words = [one.decode() for one in found]
    return [bytes.fromhex(one).decode() if one.isalnum() else one for one in words]
"""

# Windows on all memory around an address: a pipe refuses what cannot be read, and nothing crashes.
AROUND = """
def around(view_at, address, reach=16 * 2**20, step=65536):
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    start = address - address % 4096
    steps = range(0, reach, step)
    for place in [start + side * far for far in steps for side in (-1, 1)]:
        try:
            size = os.write(writer, view_at(place, step))
        except (OSError, ValueError):
            continue
        yield os.read(reader, size)

import json, numpy
kept = [numpy.empty(size, numpy.uint8) for size in (60_000, 5_000, 300_000, 2_000_000)]
addresses = [one.__array_interface__['data'][0] for one in kept] + [id(object()), id(json)]
"""

READERS = entries("""
    == its-memory-by-an-array-interface
    class At:
        def __init__(self, place, size):
            self.__array_interface__ = {
                'data': (place, True), 'shape': (size,), 'typestr': '|u1', 'version': 3}
    def view_at(place, size): return numpy.asarray(At(place, size))
    return found_in(piece for address in addresses for piece in around(view_at, address))
    == its-memory-by-strides
    from numpy.lib.stride_tricks import as_strided
    first = numpy.zeros(1, numpy.uint8)
    here = first.__array_interface__['data'][0]
    below = as_strided(first, (2**46,), (-1,))
    above = as_strided(first, (2**46,), (1,))
    def view_at(place, size):
        if place > here: return above[place - here : place - here + size]
        return below[here - place - size : here - place][::-1]
    return found_in(piece for address in addresses for piece in around(view_at, address))
    == its-memory-as-a-file
    pieces = []
    memory = open('/proc/self/mem', 'rb', 0)
    for line in open('/proc/self/maps'):
        start, end_ = (int(n, 16) for n in line.split()[0].split('-'))
        if 'rw' in line.split()[1] and end_ - start < 2**29:
            memory.seek(start)
            pieces.append(memory.read(end_ - start))
    return found_in(pieces)
    == memory-that-nobody-cleared
    import numpy
    def pieces():
        kept = []
        for size in (*range(2_000, 200_000, 2_000), *range(500, 2_000, 100)) * 4:
            kept.append(numpy.empty(size, numpy.uint8))
            yield kept[-1].tobytes()
    return found_in(pieces())
    == every-object
    import gc
    seen, waiting = set(), gc.get_objects()
    def pieces():
        while waiting and len(seen) < 400_000:
            one = waiting.pop()
            if id(one) in seen: continue
            seen.add(id(one))
            if type(one) is str: yield one.encode('utf-8', 'replace')
            elif type(one) in (bytes, bytearray): yield bytes(one)
            elif type(one) not in (int, float, type): waiting.extend(gc.get_referents(one))
    return found_in(pieces())
    == every-caller
    def pieces():
        frame = sys._getframe()
        while frame:
            for names in (frame.f_locals, frame.f_globals):
                for value in list(names.values()): yield repr(value)[:200_000].encode()
            frame = frame.f_back
    return found_in(pieces())
    == every-buffer
    import gc, io
    def pieces():
        for one in gc.get_objects():
            if isinstance(one, io.BufferedReader):
                os.set_blocking(one.fileno(), False)
                yield bytes(one.peek(1))
                yield one.read1(2**20)
    return found_in(pieces())
    == every-open-file
    import stat
    def pieces():
        for fd in range(64):
            try:
                if not stat.S_ISCHR(os.fstat(fd).st_mode): os.set_blocking(fd, False)
                for _ in range(3):
                    yield os.read(fd, 2**20)
                    time.sleep(.01)
            except OSError: pass
    return found_in(pieces())
""")


def _reader(name: str, body: str) -> Kind:
    parts = (LOOKING, AROUND if "around(" in body else "", body)
    return reach(f"searches-{name}", "\n".join(map(dedent, parts)))


KINDS: list[Kind] = [_reader(name, body) for name, body in READERS.items()]
