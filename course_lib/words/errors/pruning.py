"""Sentences of `torch.nn.utils.prune`."""

from __future__ import annotations
