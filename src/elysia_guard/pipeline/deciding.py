"""What becomes of a question, by the gates and by what would be shown of what they let through."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.refusal import Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.stages import answer_types, answering, gates
from elysia_guard.stages.answering.citing import CollectionOf


@dataclass(frozen=True, kw_only=True)
class Decider:
    """Decides by limits, and drafts what would be shown."""

    thresholds: Thresholds
    collections: Mapping[DocumentKind, str]
    collection: CollectionOf

    def decided(self, inquiry: Inquiry) -> Verdict:
        """Hold the evidence of a part against the gates, and what would be quoted against it."""
        verdict = gates.judge(inquiry, thresholds=self.thresholds, collections=self.collections)
        return self._held(inquiry, verdict, lambda: self.quoted(replace(inquiry, verdict=verdict)))

    def quoted(self, inquiry: Inquiry) -> Draft:
        """Draft an answer from what the gates let through."""
        return answering.draft(inquiry, collection=self.collection)

    def _held(self, inquiry: Inquiry, verdict: Verdict, drafted: Callable[[], Draft]) -> Verdict:
        if not self.thresholds.profile.answer_type or not answer_types.judged(inquiry, verdict):
            return verdict
        return answer_types.held(inquiry, verdict, drafted)
