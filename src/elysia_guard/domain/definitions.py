"""What the vocabulary says where a question names a term in other words, or several terms."""

from __future__ import annotations

from dataclasses import dataclass

from elysia_guard.domain.concept import Concept, TermMatch
from elysia_guard.domain.evidence import Evidence


@dataclass(frozen=True, kw_only=True, slots=True)
class Sense:
    """A term and every concept that it names."""

    term: str
    matches: tuple[TermMatch, ...]

    @property
    def defined(self) -> bool:
        """Whether it has one meaning, in force and with a definition."""
        concepts = [match.concept for match in self.matches]
        return len(concepts) == 1 and not concepts[0].deprecated and bool(concepts[0].definitions)


@dataclass(frozen=True, kw_only=True, slots=True)
class Definitions(Evidence):
    """Evidence from the vocabulary alone.

    ``written`` is what the question writes where that is no label, and another was found for it;
    ``compared`` are the other terms of a comparison, also those that cannot be defined;
    ``relatives`` are the concepts that stand to the term as the question asks.
    """

    written: str = ""
    compared: tuple[Sense, ...] = ()
    relatives: tuple[Concept, ...] = ()


def other_names(match: TermMatch, lang: str) -> tuple[str, ...]:
    """What a concept is called in a language beside the label by which it was found."""
    found = match.label.value.casefold()
    return tuple(name for name in match.concept.names(lang) if name.casefold() != found)
