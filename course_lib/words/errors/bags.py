"""Errors of embedding bags and bilinear products."""

from __future__ import annotations
