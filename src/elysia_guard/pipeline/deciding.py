"""What becomes of a question, by the gates and by what would be shown of what they let through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.refusal import Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.stages import answering, gates, telling
from elysia_guard.stages.answering.citing import CollectionOf


@dataclass(frozen=True, kw_only=True)
class Decider:
    """Decides by limits. ``shadow`` are candidate ones, which decide for the record alone."""

    thresholds: Thresholds
    collections: Mapping[DocumentKind, str]
    collection: CollectionOf
    shadow: Thresholds | None = None

    def decided(self, inquiry: Inquiry) -> Verdict:
        """Hold the evidence of a part against the gates, and what would be quoted against it."""
        verdict = gates.judge(inquiry, thresholds=self.thresholds, collections=self.collections)
        if not self.thresholds.profile.answer_type or not telling.judged(inquiry, verdict):
            return verdict

        def drafted() -> Draft:
            judged = replace(inquiry, verdict=verdict)
            return answering.draft(judged, collection=self.collection)

        return telling.held(inquiry, verdict, drafted)

    def for_parts_of(self, whole: Inquiry) -> Decider:
        """Return who decides on the parts of a question, of which there may be but one."""
        return replace(self, thresholds=self.thresholds.in_parts) if whole.further else self

    def shadowed(self, inquiry: Inquiry) -> Verdict | None:
        """Judge the same evidence by the candidate limits, where the gates judged it at all."""
        if self.shadow is None or not any(step.stage == "gates" for step in inquiry.trace):
            return None
        return replace(self, thresholds=self.shadow).for_parts_of(inquiry).decided(inquiry)
