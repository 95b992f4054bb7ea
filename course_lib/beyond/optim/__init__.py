"""Optimizers and schedules that the course does not run."""
