"""`record_memory`: a film of memory, line by line: what has a name, and what only a graph keeps."""

from typing import Any

from course_lib.viz.pictures.memory import GRADIENTS, GRAPH, NAMED, picture_of_memory
from course_lib.viz.pictures.memory_chart import Memory, Row
from course_lib.viz.reading.code import LONGEST, Lines
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.saved import in_bytes, saved_tensors, storages_of, total


class MemoryFilm(Lines):
    """How many bytes were alive after each line of a `with` block; shows itself as its picture."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self.error = ""

    def look(self, where: str, what: str) -> None:
        """The bytes that are alive now, each storage in the first kind that it belongs to."""
        names = Names(None, None, self.frame)
        named = storages_of(names.tensors)
        grads = [t.grad for t in names.tensors if t.is_leaf and t.grad is not None]
        gradients = storages_of(grads)
        roots = [t.grad_fn for t in names.tensors if t.grad_fn is not None]
        graph = storages_of(saved_tensors(roots))
        parts = (total(named), total(gradients, named), total(graph, named | gradients))
        again = any(row.where == where for row in self.rows)
        if not (again and parts == self.rows[-1].parts):  # a loop in which nothing changes
            self.rows.append(Row(where, what, parts))

    def full(self) -> bool:
        return len(self.rows) >= LONGEST

    def end(self, error: Exception) -> None:
        self.error = f"{type(error).__name__}: {error}"

    def memory(self) -> Memory:
        """The film as plain data."""
        return Memory(
            "Memory, line by line", (NAMED, GRADIENTS, GRAPH), tuple(self.rows), self._captions()
        )

    def _captions(self) -> tuple[str, ...]:
        captions = []
        if self.rows:
            most = max(self.rows, key=lambda row: row.total)
            after = f"{most.where}: {most.what}" if most.what else most.where
            captions.append(f"Most: {in_bytes(most.total)}, after {after}")
        drops = [
            (before.parts[2] - after.parts[2], after)
            for before, after in zip(self.rows, self.rows[1:], strict=False)
        ]
        freed, at = max(drops, key=lambda drop: drop[0], default=(0, None))
        if freed > 0 and at is not None:
            what = f": {at.what}" if at.what else ""
            captions.append(f"{at.where} frees {in_bytes(freed)} that only the graph kept{what}")
        captions.append(
            "Counted between two lines: tensors that have a name here, their .grad, and what "
            "their graphs saved. What lives only inside a line is not seen."
        )
        captions += ["The film was full and stopped."] if self.full() else []
        captions += [f"The program stopped with {self.error}"] if self.error else []
        return tuple(captions)

    def __repr__(self) -> str:
        return repr(picture_of_memory(self.memory()))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return picture_of_memory(self.memory())._repr_mimebundle_(include, exclude)


def record_memory() -> MemoryFilm:
    """A film of the bytes that are alive after each line of a `with` block.

    >>> import course_lib as torch
    >>> with record_memory() as film:
    ...     x = torch.ones(100, requires_grad=True)
    ...     y = x.exp().exp().sum()
    ...     y.backward()
    >>> [row.parts for row in film.rows[1:4]]
    [(400, 0, 0), (404, 0, 800), (404, 400, 0)]
    """
    return MemoryFilm()
