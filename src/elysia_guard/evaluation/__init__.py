"""Measuring the guard: a golden set of questions, a run over it, its figures, a fit to them."""
