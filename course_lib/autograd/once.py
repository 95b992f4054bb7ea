"""Gradients that cannot be differentiated again."""

from __future__ import annotations

__all__ = []
