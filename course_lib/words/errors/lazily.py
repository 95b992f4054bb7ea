"""Layers whose parameters have no shape yet."""

from __future__ import annotations
