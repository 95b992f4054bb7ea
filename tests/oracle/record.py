"""Records what PyTorch does with every case: `python tests/oracle/record.py [family …]`.

Needs a Python that has torch. Writes `facts/<family>.json`, or into the folder after `--into`.
"""

import argparse
from pathlib import Path

import torch
from observe import observe
from snippets import asked, cases, fingerprint
from verdict import FACTS, save


def main() -> None:
    """Records the families named on the command line, all of them without a name."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("family", nargs="*")
    parser.add_argument("--into", type=Path, default=FACTS, help="folder for the records")
    options = parser.parse_args()
    names = asked(parser, options.family)
    if torch.version.cuda or not torch.__version__.startswith("2.13."):
        parser.exit(
            2, f"the facts are those of PyTorch 2.13 without CUDA, not {torch.__version__}\n"
        )
    options.into.mkdir(parents=True, exist_ok=True)
    total = 0
    for family in names:
        items = cases(family)
        facts = {case.id: observe(case.code, torch) for case in items}
        version = torch.__version__.partition("+")[0]
        save(family, fingerprint(items), version, facts, options.into)
        total += len(facts)
        print(f"{family:<24} {len(facts):>5} cases")
    print(f"{'all':<24} {total:>5} cases")


if __name__ == "__main__":
    main()
