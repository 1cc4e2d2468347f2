"""The verification stage: every quote stands word for word in its source, as that is now."""

from elysia_guard.stages.verification.quotes import standing, verify

__all__ = ["standing", "verify"]
