"""Errors of `ctc_loss`."""

from __future__ import annotations
