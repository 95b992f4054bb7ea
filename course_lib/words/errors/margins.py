"""Errors of margin losses, and of losses for distributions."""

from __future__ import annotations
