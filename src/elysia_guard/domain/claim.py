"""What a model writes, sentence by sentence: what each rests on, and whether that was proved."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from elysia_guard.domain.document import Passage
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import Lang


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A source as a model was told it; ``text`` is what stands in the index, whole."""

    text: str
    title: str = ""
    section: str = ""
    status: str = ""
    identifiers: tuple[str, ...] = ()
    """How the document is named: 'ADR-0012', 'ADR.12'."""
    lang: Lang = "en"
    heading: str = ""
    """The heading that narrows what stands under it; empty where none does."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Support:
    """The number of a source, from 1, and the words of it that a sentence rests on."""

    source: int
    words: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """One sentence that a model wrote, and what it names for it; a comparison names two."""

    text: str
    supports: tuple[Support, ...]


class Fault(StrEnum):
    """What is wrong with a sentence."""

    NO_SOURCE = "no_source"
    """It names none, or one that was not given."""
    SNIPPET = "snippet"
    """The words do not stand in the source."""
    NUMBER = "number"
    UNIT = "unit"
    DATE = "date"
    IDENTIFIER = "identifier"
    NAME = "name"
    QUOTATION = "quotation"
    NEGATION = "negation"
    MODALITY = "modality"
    COMPARISON = "comparison"
    CONDITION = "condition"
    """A condition, an exception or a limit of the source is left out, or another put in."""
    STATUS = "status"
    ACTORS = "actors"
    """Who does what to whom is swapped."""
    UNSUPPORTED = "unsupported"
    """It says what the words do not say, nor in other words as far as code can tell."""


class Proof(StrEnum):
    """What code can tell of a sentence."""

    HOLDS = "holds"
    OPEN = "open"
    """Nothing is turned, yet its words are too far from the source's: a second opinion decides."""
    FAILS = "fails"


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """A fault, and the words of the sentence, or of the source, that it is about."""

    fault: Fault
    about: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Proved:
    """A claim as code has found it; without findings it holds.

    One that holds says what its source says with it: what introduces it there, what it points at.
    """

    claim: Claim
    proof: Proof
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """What a model wrote to a question; it ``answers`` where it says that the sources do."""

    answers: bool
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Manuscript:
    """What a model wrote, proofread: source n of a claim is passage n, from 1.

    ``answers`` is what the model says of the sources, ``flags`` how it failed where it did not
    write a second time or a second opinion could not be had.
    """

    passages: tuple[Passage, ...]
    answers: bool
    mode: Mode = Mode.AUTO
    shown: tuple[Proved, ...] = ()
    withheld: tuple[Proved, ...] = ()
    left_to_words: tuple[Proved, ...] = ()
    """Of those withheld, the ones that code left open over words that may answer by themselves."""
    bound: tuple[Proved, ...] = ()
    """Those of them that the answer begins with, come what may: they may have been shown."""
    cut: bool = False
    """Whether the model failed before it had written to the end."""
    written_by: str = ""
    flags: tuple[str, ...] = ()
