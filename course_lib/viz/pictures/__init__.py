"""The pictures: one file for each `draw_…` and its kin."""
