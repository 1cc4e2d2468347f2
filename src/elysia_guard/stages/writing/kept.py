"""What is kept of what a model wrote, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.claim import Manuscript, Proved
from elysia_guard.domain.document import Passage
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.domain.evidence import SourceFailure
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.reading import Named, topic_of
from elysia_guard.language.agreement import Asked
from elysia_guard.language.coverage import asked_of
from elysia_guard.stages.writing.sides import compared, sides_of

SOURCE = "writer"
LEAST_KEPT = 0.5
"""The share of an answer's sentences that has to hold for the others to be left out."""


def share(manuscript: Manuscript) -> float:
    """Return the share of sentences that hold, 0 to 1; of none it is 0."""
    total = len(manuscript.shown) + len(manuscript.withheld)
    return len(manuscript.shown) / total if total else 0.0


def still_answers(inquiry: Inquiry, manuscript: Manuscript) -> bool:
    """Tell whether what holds may answer: half of it at least, and as ``answers_alone`` says."""
    if not manuscript.answers or manuscript.cut or share(manuscript) < LEAST_KEPT:
        return False
    return answers_alone(inquiry, manuscript)


def answers_alone(inquiry: Inquiry, manuscript: Manuscript) -> bool:
    """Tell whether what holds agrees with what is asked, whatever was withheld.

    It is held against what is asked about: its words, its names and figures, the kind of thing
    asked for. What rests on documents that did not pass the gates may stand beside an answer, and
    is none. What agrees still does with more sentences behind it.
    """
    asks, sides = inquiry.asks, sides_of(inquiry)
    told = manuscript.passages
    cited = [each for item in manuscript.shown for each in _cited(item, told)]
    quoted = [each for item in manuscript.left_to_words for each in _cited(item, told)]
    passages = [passage for passage, _ in (*cited, *quoted)]
    if sides and not compared(passages, told, sides):
        return False
    if isinstance(asks, Named) and not asks.matter:
        return bool(cited)  # nothing beyond the documents is asked about
    aside = {hit.passage.document.id for hit in inquiry.decided().beside}
    own = [each for each in cited if each[0].document.id not in aside]
    return asked_by(inquiry).answered_by(own)


def asked_by(inquiry: Inquiry) -> Asked:
    """Return what an answer to a question has to agree with."""
    question, evidence = inquiry.question, inquiry.evidence
    topic = topic_of(inquiry.asks) or question.text
    return Asked(
        question=question.text,
        topic=topic,
        terms=asked_of(evidence, topic, question.lang),
        rarest=frozenset(word for word, rarity in evidence.rarity.items() if rarity >= 1.0),
    )


def rests_aside(inquiry: Inquiry, item: Proved, passages: Sequence[Passage]) -> bool:
    """Tell whether a sentence rests on documents alone that did not pass the gates."""
    aside = {hit.passage.document.id for hit in inquiry.decided().beside}
    cited = _cited(item, passages)
    return bool(cited) and all(passage.document.id in aside for passage, _ in cited)


def is_aside(inquiry: Inquiry, manuscript: Manuscript) -> bool:
    """Tell whether any sentence shown rests on documents alone that did not pass the gates."""
    return any(rests_aside(inquiry, item, manuscript.passages) for item in manuscript.shown)


def agrees(inquiry: Inquiry, item: Proved, passages: Sequence[Passage]) -> bool:
    """Tell whether the words that a sentence rests on may answer by themselves."""
    return asked_by(inquiry).answered_by(_cited(item, passages))


def _cited(item: Proved, passages: Sequence[Passage]) -> list[tuple[Passage, str]]:
    return [
        (passages[each.source - 1], each.words)
        for each in item.claim.supports
        if 1 <= each.source <= len(passages)
    ]


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
