"""Write the exact pins again: `python3 requirements/refresh.py` (needs `uv` on the PATH).

    python3 requirements/refresh.py                            after a change in pyproject.toml
    python3 requirements/refresh.py --upgrade                  everything as new as it gets
    python3 requirements/refresh.py --upgrade-package numpy    one package

One answer serves Python 3.11 to 3.14 on Linux, macOS and Windows: what only one of them needs
carries a marker. Words after the command go to `uv pip compile`.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

COMPILE = (
    *("uv", "pip", "compile", "--quiet", "--universal", "--python-version=3.11"),
    "--fork-strategy=fewest",  # one NumPy for every Python: stored outputs are compared exactly
    # Hashes make the download trustworthy whatever mirror it comes from; no mirror is written down.
    *("--generate-hashes", "--no-emit-index-url", "--no-emit-find-links"),
    *("--only-binary=:all:", "--no-annotate"),  # nothing is ever compiled on a student's machine
    "--constraint=requirements/limits.in",
    "--custom-compile-command=python3 requirements/refresh.py",
)


def main(words: list[str]) -> int:
    """Return 0 when all files are written, else the exit status of the command that failed.

    `test.txt` holds all of `course.txt` at the same versions, so that one installs over the other.
    `site.txt` is for an environment of its own; what both have is at the same version there, too.
    """
    as_course = "--constraint=requirements/course.txt"
    lists = {
        "course": ["pyproject.toml", "--extra=lab"],
        "test": ["pyproject.toml", "--extra=lab", "--extra=test", as_course],
        "site": ["requirements/site.in", "requirements/browser.in", as_course],
    }
    for name, wanted in lists.items():
        output = f"--output-file=requirements/{name}.txt"
        if status := subprocess.call([*COMPILE, *wanted, output, *words], cwd=ROOT):
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
