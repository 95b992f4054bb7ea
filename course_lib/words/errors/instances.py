"""Errors of the layers for instance norm, embedding bags and margin losses."""

from __future__ import annotations
