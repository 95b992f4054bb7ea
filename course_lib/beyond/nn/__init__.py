"""Layers, and functions of layers, that the course does not run."""
