"""Sentences of `torch.nn.utils.parametrize`."""

from __future__ import annotations

from typing import Any


def _kind(value: Any) -> str:
    return type(value).__name__
