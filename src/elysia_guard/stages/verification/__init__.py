"""The verification stage: what is shown stands in its sources, or follows from them.

Quotes are held word for word against their source as it is now; sentences that a model wrote are
proved from the words that they name (``claims``).
"""

from elysia_guard.stages.verification.quotes import standing, verify

__all__ = ["standing", "verify"]
