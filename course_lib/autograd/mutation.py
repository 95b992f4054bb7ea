"""Allowing writes into saved tensors: the old values are copied before they are overwritten."""

from __future__ import annotations

__all__ = []
