"""What a check of SKOS files can find, and what it looks at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Self

from elysia_guard.domain.concept import Concept, LabelRole, Text


class Severity(StrEnum):
    """How bad a problem is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Problem(StrEnum):
    """What can be wrong, the worst first."""

    severity: Severity
    meaning: str

    def __new__(cls, value: str, severity: Severity, meaning: str) -> Self:
        """Make a member that is its id, and knows how bad it is and what it means."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.severity, member.meaning = severity, meaning
        return member

    # fmt: off
    UNREADABLE = "unreadable-file", Severity.ERROR, "cannot be read; the rest is checked without it"
    BROKEN = "broken-statement", Severity.ERROR, "does not parse; the rest is read without it"
    BROKEN_TAG = "broken-language-tag", Severity.ERROR, "a language tag that is none"
    NO_NAME = "no-preferred-label", Severity.ERROR, "no skos:prefLabel"
    TWO_NAMES = "two-preferred-labels", Severity.ERROR, "more than one prefLabel in a language"
    TWO_ROLES = "label-in-two-roles", Severity.ERROR, "one label in two roles"
    CYCLE = "broader-cycle", Severity.ERROR, "broader leads back to where it started"
    BROADER_RELATED = "broader-and-related", Severity.ERROR, "related to what is above it"
    UNKNOWN_PROPERTY = "unknown-property", Severity.WARNING, "SKOS has no such property; not read"
    NO_DEFINITION = "no-definition", Severity.WARNING, "nothing to answer with"
    UNTAGGED = "untagged-definition", Severity.WARNING, "without language: not found by Skosmos"
    NODE = "definition-is-a-node", Severity.WARNING, "a node where a text belongs"
    LANGUAGE = "missing-language", Severity.WARNING, "no prefLabel in a main language"
    HOMONYM = "homonym", Severity.WARNING, "one name for several concepts; the guard asks back"
    HIDDEN_TAKEN = "hidden-label-taken", Severity.WARNING, "is another's prefLabel, and finds that"
    BLANKS = "blanks-around-label", Severity.WARNING, "Skosmos does not find the label"
    DANGLING = "dangling-relation", Severity.WARNING, "a relation to what is no concept here"
    DEAD_END = "replaced-by-deprecated", Severity.WARNING, "replaced by what is deprecated too"
    SHARED = "shared-label", Severity.NOTE, "one name in several vocabularies"
    NO_REPLACEMENT = "no-replacement", Severity.NOTE, "deprecated, and replaced by nothing"
    # fmt: on


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing that is wrong: with which concepts (URIs), and what or where, as far as known."""

    problem: Problem
    concepts: tuple[str, ...] = ()
    text: str = ""
    place: str = ""


Findings = Iterator[Finding]


def finding(problem: Problem, *concepts: str, text: str = "", place: str = "") -> Finding:
    """Write a finding down."""
    return Finding(problem=problem, concepts=concepts, text=text, place=place)


@dataclass(frozen=True, kw_only=True, slots=True)
class Label:
    """A label as the file has it, blanks and all."""

    concept: str
    role: LabelRole
    text: Text


@dataclass(frozen=True, kw_only=True, slots=True)
class DefinitionNode:
    """A definition that is no text, and whether a text can be read through it."""

    concept: str
    node: str
    readable: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Vocabulary:
    """Concepts as the guard reads them, and what that reading mends."""

    concepts: Sequence[Concept]
    labels: Sequence[Label] = ()
    definition_nodes: Sequence[DefinitionNode] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """The findings about files, the worst problem first."""

    files: tuple[Path, ...]
    concepts: tuple[Concept, ...]
    findings: tuple[Finding, ...]
    schemes: Mapping[str, str] = field(default_factory=dict)
    """The scheme that gives a concept its vocabulary, by the concept's URI."""
