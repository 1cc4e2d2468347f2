"""What is kept of what a model wrote, and what is said of it."""

from __future__ import annotations

from dataclasses import replace

from elysia_guard.domain.claim import Manuscript
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.domain.evidence import SourceFailure
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.reading import Named, topic_of
from elysia_guard.language.agreement import Asked
from elysia_guard.language.coverage import asked_of

SOURCE = "writer"
LEAST_KEPT = 0.5
"""The share of an answer's sentences that has to hold for the others to be left out."""


def share(manuscript: Manuscript) -> float:
    """Return the share of sentences that hold, 0 to 1; of none it is 0."""
    total = len(manuscript.shown) + len(manuscript.withheld)
    return len(manuscript.shown) / total if total else 0.0


def still_answers(inquiry: Inquiry, manuscript: Manuscript) -> bool:
    """Tell whether what holds may answer: half of it at least, and by the rules of agreement.

    Those are of what is asked about: its words, its names and figures, the kind of thing asked for.
    """
    if not manuscript.answers or share(manuscript) < LEAST_KEPT:
        return False
    question, evidence, asks = inquiry.question, inquiry.evidence, inquiry.asks
    cited = [
        (manuscript.passages[each.source - 1], each.words)
        for item in manuscript.shown
        for each in item.claim.supports
        if 1 <= each.source <= len(manuscript.passages)
    ]
    if isinstance(asks, Named) and not asks.matter:
        # Nothing beyond the documents is asked about; of several it is told of two at least.
        told = {passage.document.id for passage, _ in cited}
        return len(told) >= min(2, len(evidence.documents))
    topic = topic_of(asks) or question.text
    asked = Asked(
        question=question.text,
        topic=topic,
        terms=asked_of(evidence, topic, question.lang),
        rarest=frozenset(word for word, rarity in evidence.rarity.items() if rarity >= 1.0),
    )
    return asked.answered_by(cited)


def noted(manuscript: Manuscript) -> str:
    """Say for the trace what became of what was written; no word of it."""
    if not manuscript.answers:
        return f"{manuscript.written_by} says that {len(manuscript.passages)} source(s) answer not"
    faults = [finding.fault for item in manuscript.withheld for finding in item.findings]
    why = f": {', '.join(sorted(set(faults)))}" if faults else ""
    total = len(manuscript.shown) + len(manuscript.withheld)
    return (
        f"{manuscript.written_by} wrote {total} sentence(s) from {len(manuscript.passages)} "
        f"source(s); {len(manuscript.withheld)} withheld{why}"
    )


def late() -> SourceTimeoutError:
    """Make the error for an answer that took too long."""
    return SourceTimeoutError("the answer was not written in time", source=SOURCE)


def flags_of(err: SourceUnavailableError | TimeoutError, source: str = SOURCE) -> tuple[str, ...]:
    """Return the fallback flags of a failure: ``writer_timeout``, ``writer_error``."""
    if isinstance(err, TimeoutError):
        err = late()
    return replace(SourceFailure.of(err), source=source).flags
