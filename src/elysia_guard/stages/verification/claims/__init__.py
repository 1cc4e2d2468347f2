"""Proving what a model wrote from the words that it names for it: by code, without a model.

A sentence **fails** where something in it is surely wrong: a number, a date, a name that its
sources do not have, a denial or a duty turned, a source that was not given. It **holds** where
nothing is turned and its words are those of its sources, as far as code can tell. In between it is
**open**: a second opinion decides, and without one it is not shown.
"""

from elysia_guard.stages.verification.claims.proving import prove

__all__ = ["prove"]
