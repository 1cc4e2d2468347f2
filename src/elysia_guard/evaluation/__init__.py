"""Measuring the guard: a golden set of questions, a run over it, its figures and their calibration."""
