"""What a check of SKOS files can find, and what is found where a file is read all the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Self

from pyoxigraph import Literal, Quad

from elysia_guard.adapters.skos.graph import SKOS, Graph
from elysia_guard.adapters.skos.rdf import (
    BY_LINES,
    Broken,
    BytesLeft,
    no_concept,
    parse_mended,
    parse_quads,
    read_into,
)
from elysia_guard.domain.concept import Concept
from elysia_guard.domain.errors import DocumentError

RESTARTS = 50
"""How often the reading of a broken file begins anew behind what is broken."""

_DIRECTIVE = re.compile(rb"\s*(?:@(?:prefix|base)\b|(?i:prefix|base)\s)")
_NAME = rb"(?:<[^>\s]*>|[^\s:;,.\"'<>\[\]()@#]*:[^\s;,\"'<>\[\]()]*)"
_BEGINNING = re.compile(rb"(?:%b\s+(?:a\s|%b\s)|%b\s*$)" % (_NAME, _NAME, _NAME))
_TYPED = re.compile(rb"%b\s+a\s+%b" % (_NAME, _NAME))
_END = re.compile(rb"\.\s*(?:#.*)?$")
_PROPERTIES = frozenset(
    """altLabel broadMatch broader broaderTransitive changeNote closeMatch definition editorialNote
    exactMatch example hasTopConcept hiddenLabel historyNote inScheme mappingRelation member
    memberList narrowMatch narrower narrowerTransitive notation note prefLabel related relatedMatch
    scopeNote semanticRelation topConceptOf""".split()
)
# BCP 47 (RFC 5646, 2.1), without languages of four letters and more: none is registered.
_LANGUAGE = re.compile(
    r"""(?: [a-z]{2,3} (?:-[a-z]{3}){0,3}             # language, extended
            (?:-[a-z]{4})? (?:-(?:[a-z]{2}|\d{3}))?   # script, region
            (?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*       # variants
            (?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*         # extensions
            (?:-x(?:-[a-z\d]{1,8})+)?                 # private use
        | (?:x|i)(?:-[a-z\d]{1,8})+ )""",
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)
_TAG = re.compile(r"(?<=[\"'])@[\w-]*")


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
    NO_DEFINITION = "no-definition", Severity.WARNING, "told by labels and neighbours alone"
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
class VocabularyFinding:
    """One thing that is wrong: with which concepts (URIs), and what or where, as far as known."""

    problem: Problem
    concepts: tuple[str, ...] = ()
    text: str = ""
    place: str = ""


Findings = Iterator[VocabularyFinding]


def finding(problem: Problem, *concepts: str, text: str = "", place: str = "") -> VocabularyFinding:
    """Write a finding down."""
    return VocabularyFinding(problem=problem, concepts=concepts, text=text, place=place)


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """The findings about files, the worst problem first."""

    files: tuple[Path, ...]
    concepts: tuple[Concept, ...]
    findings: tuple[VocabularyFinding, ...]
    schemes: Mapping[str, str] = field(default_factory=dict)
    """The scheme that gives a concept its vocabulary, by the concept's URI."""


def in_file(path: Path, graph: Graph, allowance: BytesLeft) -> list[VocabularyFinding]:
    """Read a file into a graph, and tell what that mends or passes over.

    Raises:
        DocumentError: it cannot be read, holds no concept, or goes beyond a limit.
    """
    data = allowance.read(path)
    quads, broken, mended = sound_quads(path, data)
    if not read_into(graph, path, quads):
        if broken:
            more = f"; {len(broken) - 1} more statements do not parse" if broken[1:] else ""
            raise DocumentError(f"{broken[0].place(path)}: {broken[0].what}{more}")
        raise no_concept(path)
    found = list(_mended_tags(path, data, mended))
    for item in broken:
        near = (item.after,) if item.after else ()
        found.append(finding(Problem.BROKEN, *near, text=item.what, place=item.place(path.name)))
    return [*found, *_passed_over(path, quads)]


def sound_quads(path: Path, data: bytes) -> tuple[list[Quad], list[Broken], bytes]:
    """Parse what can be parsed, and tell every statement that cannot, and the data as parsed.

    In Turtle and N-Triples a broken statement costs itself alone: an open quotation mark takes
    what follows with it, so reading begins anew behind each error. Other formats end at the first.
    """
    quads, flaws, data = parse_mended(path, data)
    broken: list[Broken] = []
    lines = data.split(b"\n") if path.suffix.lower() in BY_LINES else []
    while flaws:
        broken.append(flaws[0])
        start = _next_beginning(lines, broken[-1].line)
        if start is None or len(broken) > RESTARTS:
            break
        # Blank lines in place of what was read keep the numbers of the others.
        before = (line if _DIRECTIVE.match(line) else b"" for line in lines[:start])
        found, flaws = parse_quads(path, b"\n".join([*before, *lines[start:]]))
        quads = [*quads, *found]
    return list(dict.fromkeys(quads)) if broken else quads, broken, data


def _next_beginning(lines: Sequence[bytes], line: int | None) -> int | None:
    """The place of the next line, behind one by its number, in which a statement begins."""
    if line is None:
        return None
    ended = False
    for place in range(line - 1, len(lines)):
        text = lines[place].rstrip()
        begins = _BEGINNING.match(text) or _DIRECTIVE.match(text)
        # What does not parse may lack its full stop, so 'x a y' is enough without one before it.
        if place >= line and (_TYPED.match(text) or (ended and begins)):
            return place
        if text and not text.startswith(b"#"):
            ended = bool(_END.search(text))
    return None


def _passed_over(path: Path, quads: Iterable[Quad]) -> Findings:
    """Tags that are no language, and properties that nothing reads."""
    for quad in quads:
        uri, value = getattr(quad.subject, "value", ""), getattr(quad.object, "value", "")
        tag = quad.object.language if isinstance(quad.object, Literal) else None
        if tag and not _LANGUAGE.fullmatch(tag):
            yield finding(Problem.BROKEN_TAG, uri, text=f"'{value}'@{tag}", place=path.name)
        name = quad.predicate.value.removeprefix(SKOS)
        if name != quad.predicate.value and name not in _PROPERTIES:
            yield finding(Problem.UNKNOWN_PROPERTY, uri, text=f"skos:{name} '{value}'")


def _mended_tags(path: Path, data: bytes, mended: bytes) -> Findings:
    lines = zip(data.split(b"\n"), mended.split(b"\n"), strict=True)
    for number, pair in enumerate(lines, start=1):
        before, after = (Counter(_TAG.findall(line.decode(errors="replace"))) for line in pair)
        for tag in (before - after).elements():
            yield finding(Problem.BROKEN_TAG, text=tag, place=f"{path.name}, line {number}")
