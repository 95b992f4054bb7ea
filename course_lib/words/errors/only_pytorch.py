"""What PyTorch has and the course does not: by name, with the reason, and what to do."""

import functools
import os
import re
from typing import Any

FILE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "only_pytorch.txt")


@functools.cache
def families() -> list[tuple[str, str]]:
    """The words of names, as a regular expression, and what is said of them."""
    with open(FILE, encoding="utf-8") as file:
        entries = re.findall(r"^(\w.*(?:\n\w.*)*)((?:\n    .*)+)", file.read(), re.MULTILINE)
    return [("".join(words.split()), said.replace("\n", " ")) for said, words in entries]


def absent(spoken: str) -> str:
    """The sentence for something of PyTorch's, say "torch.jit", that the course does not have."""
    reasons = (said for words, said in families() if re.search(words, spoken))
    said = next(reasons, "Use PyTorch itself for it.")
    return f"PyTorch has {spoken}; the course does not. {said}"


def absent_call(place: str, name: str, keywords: Any) -> str:
    """The sentence for a call that PyTorch accepts and the course does not."""
    where = {"F": "torch.nn.functional", "Tensor": "torch.Tensor", "torch": "torch"}
    given = ", ".join(f"{key}=…" for key in keywords)
    return absent(f"{where.get(place, f'torch.{place}')}.{name}({given})")
