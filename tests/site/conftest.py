"""The modules of the folder `site`, which is no package: Python has a module of that name."""

import importlib.util
import sys
from pathlib import Path

import pytest

SITE = Path(__file__).resolve().parents[2] / "site"
sys.path.append(str(SITE))


@pytest.fixture(scope="session")
def build():
    spec = importlib.util.spec_from_file_location("site_build", SITE / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
