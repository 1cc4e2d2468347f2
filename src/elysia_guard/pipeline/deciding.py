"""What becomes of a question, by the gates and by what would be shown of what they let through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.refusal import Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.stages import answering, gates
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
        if not self.thresholds.profile.answer_type:
            return verdict
        return gates.told(inquiry, verdict, lambda: self.quoted(replace(inquiry, verdict=verdict)))

    def quoted(self, inquiry: Inquiry) -> Draft:
        """Draft an answer from what the gates let through."""
        return answering.draft(inquiry, collection=self.collection)
