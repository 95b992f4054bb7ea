"""Probability distributions: parameters, values, and what a distribution does not have."""

from __future__ import annotations
