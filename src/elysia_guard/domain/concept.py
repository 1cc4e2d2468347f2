"""Concepts of a governed SKOS vocabulary, and how a term found them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, kw_only=True, slots=True)
class Text:
    """A literal with its language tag (BCP 47), or None where the vocabulary gives none."""

    value: str
    lang: str | None = None

    @property
    def primary(self) -> str | None:
        """The language of its tag without region or script, in lower case: 'en' of 'en-GB'."""
        return self.lang.partition("-")[0].lower() if self.lang else None

    def is_in(self, lang: str) -> bool:
        """Tell whether it is in a language, or in none that is known."""
        return self.primary in (None, lang)


def in_language(texts: Iterable[Text], lang: str) -> Text | None:
    """Choose the text to show: the asked language, then untagged, then English, then the first.

    Of those in a language the one without a region.
    """
    candidates = list(texts)
    for wanted in (lang, None, "en"):
        if spoken := [text for text in candidates if text.primary == wanted]:
            return next((text for text in spoken if text.lang == wanted), spoken[0])
    return candidates[0] if candidates else None


def more(count: int) -> str:
    """Say that some names are left out of a row, and how many.

    >>> more(16)
    '… (+16)'
    """
    return f"\u2026 (+{count})"


@dataclass(frozen=True, kw_only=True, slots=True)
class Concept:
    """One ``skos:Concept`` with the properties a person may read.

    ``vocabulary`` is the id of the vocabulary (Skosmos) or scheme it belongs to and
    ``vocabulary_title`` its name. Relations hold URIs; ``mappings`` are links to other
    vocabularies, each with the name of the SKOS property ('exactMatch').
    """

    uri: str
    vocabulary: str
    vocabulary_title: str = ""
    preferred: tuple[Text, ...] = ()
    alternative: tuple[Text, ...] = ()
    hidden: tuple[Text, ...] = ()
    definitions: tuple[Text, ...] = ()
    scope_notes: tuple[Text, ...] = ()
    descriptions: tuple[Text, ...] = ()
    examples: tuple[Text, ...] = ()
    notation: str = ""
    broader: tuple[str, ...] = ()
    narrower: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    mappings: tuple[tuple[str, str], ...] = ()
    top: bool = False
    """Whether it is a top concept of its vocabulary."""
    deprecated: bool = False
    replaced_by: tuple[str, ...] = ()

    def label(self, lang: str) -> str:
        """The preferred label in a language, or the nearest there is; the URI if there is none."""
        text = in_language(self.preferred, lang)
        return text.value if text else self.uri

    def names(self, lang: str) -> tuple[str, ...]:
        """All that it is called in a language, or the nearest there is; the preferred label first.

        Like the label and the definition: a vocabulary has words in few of the languages that
        questions are in.
        """
        labels = (*self.preferred, *self.alternative)
        nearest = in_language(labels, lang)
        spoken = (nearest and nearest.primary) or lang
        known = (text.value for text in labels if text.is_in(spoken))
        return tuple(dict.fromkeys(known))

    @property
    def stated(self) -> str:
        """What it says of itself, a line for each: what an answer quotes of it."""
        texts = (*self.definitions, *self.descriptions, *self.preferred, *self.alternative)
        return "\n".join(text.value for text in texts)

    def definition(self, lang: str) -> Text | None:
        """The definition in a language, or the nearest there is; None if it is not defined."""
        return in_language(self.definitions, lang)


class LabelRole(StrEnum):
    """Which SKOS label a term matched."""

    PREFERRED = "prefLabel"
    ALTERNATIVE = "altLabel"
    HIDDEN = "hiddenLabel"

    @classmethod
    def of(cls, concept: Concept) -> Iterator[tuple[Text, LabelRole]]:
        """Give each label of a concept with its role: the preferred ones first, then the others."""
        for texts, role in (
            (concept.preferred, cls.PREFERRED),
            (concept.alternative, cls.ALTERNATIVE),
            (concept.hidden, cls.HIDDEN),
        ):
            yield from ((text, role) for text in texts)


@dataclass(frozen=True, kw_only=True, slots=True)
class Label:
    """One label of a concept, by which a text may name it."""

    uri: str
    text: Text
    role: LabelRole = LabelRole.PREFERRED
    deprecated: bool = False
    """Whether its concept is no longer to be used."""

    @classmethod
    def of(cls, concept: Concept) -> Iterator[Label]:
        """Give each label of a concept, in the order of ``LabelRole.of``."""
        for text, role in LabelRole.of(concept):
            yield cls(uri=concept.uri, text=text, role=role, deprecated=concept.deprecated)


@dataclass(frozen=True, kw_only=True, slots=True)
class Labels:
    """The labels of a vocabulary, and a version that changes whenever they do."""

    version: str = ""
    all: tuple[Label, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class TermMatch:
    """A concept found for a term, and the label through which it was found."""

    concept: Concept
    label: Text
    role: LabelRole


@dataclass(frozen=True, kw_only=True, slots=True)
class RelatedConcept:
    """A neighbour of a concept, for the reader to go on to."""

    uri: str
    label: str
    relation: str
    """``broader``, ``narrower``, ``related``; or ``replaced_by``, where the vocabulary says so."""
    defined: bool = True
    """Whether it has a definition that is in force."""
    living: bool = True
    """Whether it is still to be used, so that a question for it would be answered."""
