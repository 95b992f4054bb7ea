"""Every sentence of tests/claims.txt is taught or refuted by a cell of some lesson."""

import json
import re

from write_index import ROOT

LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def listed() -> list[str]:
    """The numbers that need a cell; background (BG) needs prose only."""
    lines = (ROOT / "tests" / "claims.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if re.fullmatch(r"(?!BG)[A-Z]+\d+", line)]


def answered(notebook: dict) -> set[str]:
    """The numbers that the code cells of a notebook carry as tags."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    tags = [tag for cell in cells for tag in cell["metadata"].get("tags", [])]
    return {tag.removeprefix("claim-") for tag in tags if tag.startswith("claim-")}


def test_every_claim_has_a_cell():
    found = set().union(*(answered(json.loads(path.read_text("utf-8"))) for path in LESSONS))
    assert [number for number in listed() if number not in found] == []


def test_the_list_is_the_whole_list():
    assert len(listed()) == len(set(listed())) == 313


def test_a_tag_on_prose_answers_nothing():
    tagged = {"metadata": {"tags": ["claim-NS06", "raises-exception"]}}
    cells = [{**tagged, "cell_type": "markdown"}, {"cell_type": "code", "metadata": {}}]
    assert answered({"cells": cells}) == set()
    assert answered({"cells": [{**tagged, "cell_type": "code"}]}) == {"NS06"}
