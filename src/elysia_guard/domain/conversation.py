"""What one conversation has settled: the question back under way, and the choices made."""

from __future__ import annotations

from dataclasses import dataclass, field

from elysia_guard.domain.question import Aspect, Lang, Reference


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """One of the meanings or documents that a question back offers."""

    names: tuple[str, ...]
    """What a person may call it: its labels, its vocabulary, its kind and number."""
    uri: str = ""
    """Of the concept; empty where the choice is a document."""
    reference: Reference | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionBack:
    """A question that was asked back: what about, and what there is to choose from."""

    subject: str
    lang: Lang
    choices: tuple[Choice, ...]
    aspect: Aspect = Aspect.SUBSTANCE
    topic: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class WaysOn:
    """What a refusal proposed to ask instead, in the order in which it was shown."""

    questions: tuple[str, ...]
    lang: Lang


@dataclass(kw_only=True)
class Conversation:
    """The memory of one conversation: kept by whoever leads it, filled by the pipeline.

    ``ways_on`` are those of the last reply. ``settled`` holds the URI chosen for a term, under the
    term's normal form. ``id`` is how its leader calls it, for the decision log.
    """

    id: str = ""
    question_back: QuestionBack | None = None
    ways_on: WaysOn | None = None
    settled: dict[str, str] = field(default_factory=dict)
