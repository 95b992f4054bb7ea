#!/usr/bin/env python3
"""Run what compares text or bits as if on other processors.

    python tools/profiles.py                    every profile that this processor can imitate
    python tools/profiles.py oldest -x          the ones named; words with a dash go to pytest
    python tools/profiles.py --list             which tests run under which profile, and why

NumPy and OpenBLAS choose their code by the processor when they are loaded. NPY_DISABLE_CPU_FEATURES
and OPENBLAS_CORETYPE make them choose as on a lesser one; a better one cannot be imitated. The
suite itself (`start.py test`) runs as this processor is, whatever it is.
"""

import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]

EXAMPLES = (
    *("tests/test_docstrings.py", "tests/test_readme.py", "tests/test_glossary.py"),
    "tests/test_error_index.py",
)
FACTS = (
    "tests/test_oracle.py",  # values, messages and printed text, as PyTorch gave them
    "tests/rng/test_rng.py",  # random numbers, bit by bit
    "tests/autograd/test_random_programs.py",
    "tests/nn",
    "tests/optim",
)
BITS = ("tests/autograd", "tests/ops", "tests/viz/test_own_engine.py")
PICTURES = ("tests/viz/test_pinned.py",)
VERDICTS = ("tests/test_solutions.py", "tests/classroom/test_judgement.py")
NOTEBOOKS = ("notebooks", "solutions")  # nbval: every cell against its stored output

NO_AVX512 = "X86_V4"
NO_AVX2 = "X86_V3 X86_V4"  # what is left is the baseline that NumPy was compiled for


class Profile(NamedTuple):
    """A kind of processor, and the tests that may turn out differently there."""

    features: str  # that NumPy must not use
    core: str  # for which OpenBLAS multiplies matrices
    threads: int  # of OpenBLAS
    needs: str  # feature without which the profile cannot be imitated
    tests: tuple[str, ...]
    why: str


PROFILES = {
    "oldest": Profile(
        *(NO_AVX2, "Nehalem", 1, ""),
        (*EXAMPLES, *FACTS, *BITS, *PICTURES, *VERDICTS, *NOTEBOOKS),
        "everything: the farthest from a new processor, and no fused multiply-add, as on no other",
    ),
    "laptop": Profile(
        *(NO_AVX512, "Haswell", 2, "X86_V3"),
        (*EXAMPLES, "tests/test_oracle.py", "tests/optim", *PICTURES, "notebooks"),
        "all that a reader sees, on the commonest kind; training adds rounding up, step by step",
    ),
    "zen": Profile(
        *(NO_AVX512, "Zen", 1, "X86_V3"),
        (*EXAMPLES, "tests/test_oracle.py", *PICTURES),
        "NumPy's part is that of laptop; only products of matrices can differ, and one thread adds",
    ),
    "server": Profile(
        *("", "SkylakeX", 2, "X86_V4"),
        (*EXAMPLES, "tests/test_oracle.py", *PICTURES),
        "AVX-512 throughout: the suite itself, where the processor has it; here with two threads",
    ),
}


def main(words: list[str]) -> int:
    """Return 0 if every profile passed that this processor can imitate."""
    if "--list" in words:
        print("\n".join(table()))
        return 0
    if platform.machine().lower() not in ("x86_64", "amd64"):
        print(
            f"These profiles are of x86-64; here is {platform.machine()}, and the suite ran on it."
        )
        return 0
    named = [word for word in words if not word.startswith("-")]
    unknown = sorted(set(named) - set(PROFILES))
    if unknown:
        print(f"there is no profile {', '.join(unknown)}; there are {', '.join(PROFILES)}")
        return 2
    options = [word for word in words if word.startswith("-")]
    failed = [name for name in named or PROFILES if not passes(name, options)]
    print("failed: " + ", ".join(failed) if failed else "all profiles passed")
    return 1 if failed else 0


def passes(name: str, options: list[str]) -> bool:
    """Run one profile; True if its tests pass, or if this processor cannot imitate it."""
    profile = PROFILES[name]
    print(f"\n== profile {name}: {describe(profile)} ==", flush=True)
    if profile.needs and profile.needs not in features():
        print(f"left out: this processor lacks {profile.needs}")
        return True
    begin = time.monotonic()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run([*command, *options, *profile.tests], cwd=ROOT, env=variables(profile))
    print(
        f"{name}: exit status {done.returncode} after {time.monotonic() - begin:.0f} s", flush=True
    )
    return done.returncode == 0


def variables(profile: Profile) -> dict[str, str]:
    """The environment that makes NumPy and OpenBLAS choose as on that processor."""
    chosen = {
        "NPY_DISABLE_CPU_FEATURES": profile.features,
        "OPENBLAS_CORETYPE": profile.core,
        "OPENBLAS_NUM_THREADS": str(profile.threads),
    }
    kept = {name: value for name, value in os.environ.items() if name not in chosen}
    return kept | {name: value for name, value in chosen.items() if value}


def features() -> set[str]:
    """What NumPy can use of this processor, in its own names."""
    from numpy._core._multiarray_umath import __cpu_features__

    return {name for name, here in __cpu_features__.items() if here}


def describe(profile: Profile) -> str:
    """The profile in a few words."""
    without = f"NumPy without {profile.features}" if profile.features else "NumPy as it is"
    threads = "one thread" if profile.threads == 1 else f"{profile.threads} threads"
    return f"{without}, OpenBLAS for {profile.core}, {threads}"


def table() -> list[str]:
    """The profiles as docs/systems.md shows them."""
    rows = ["| Profile | As if on | Tests | Why these |", "|---|---|---|---|"]
    for name, profile in PROFILES.items():
        tests = ", ".join(f"`{test.removeprefix('tests/')}`" for test in profile.tests)
        rows.append(f"| {name} | {describe(profile)} | {tests} | {profile.why} |")
    return rows


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
