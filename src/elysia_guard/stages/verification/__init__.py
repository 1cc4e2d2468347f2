"""The verification stage: every quote stands word for word in its source, as that is now."""

from __future__ import annotations

from collections.abc import Callable

from elysia_guard.domain.draft import Draft, HeldDraft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.ports import Origins
from elysia_guard.stages.verification import sources
from elysia_guard.stages.verification.quotes import standing, verify

__all__ = ["hold", "standing_now", "verify"]


async def hold(
    inquiry: Inquiry, draft: Draft, drafted: Callable[[Inquiry], Draft], origins: Origins
) -> tuple[Inquiry, HeldDraft]:
    """Hold a draft against its sources; where one has changed, what is drafted from it as it is.

    Returns:
        The inquiry with its sources as they are now, and what of the draft stands in them.
    """
    found = await sources.look(origins, draft)
    now = sources.of_sources(draft, found)
    staleness = sources.staleness(draft.cited, now)
    if sources.is_stale(now):
        inquiry = sources.as_now(inquiry, found)
        again = drafted(inquiry)
        later = sources.of_sources(again, await sources.look(origins, again, found))
        kept, standing_ = standing(again, later)
        staleness = sources.staleness(
            (*draft.cited, *again.cited), (*now, *later), sources.withheld(draft, kept)
        )
        draft, now = kept, standing_
    validation = verify(draft, now)
    return inquiry, HeldDraft(draft=draft, validation=validation, staleness=staleness)


async def standing_now(draft: Draft, origins: Origins) -> Draft:
    """Return what of a draft stands in its sources as they are now."""
    now = sources.of_sources(draft, await sources.look(origins, draft))
    return standing(draft, now)[0]
