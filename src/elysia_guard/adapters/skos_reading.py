"""A SKOS file read whatever is broken in it, with what that mends, passes over and loses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from pyoxigraph import Literal, Quad

from elysia_guard.adapters.skos_findings import Finding, Findings, Problem, finding
from elysia_guard.adapters.skos_graph import SKOS, Graph
from elysia_guard.adapters.skos_rdf import (
    Allowance,
    Broken,
    no_concept,
    parse_quads,
    read_into,
    sound_quads,
    with_whole_tags,
)
from elysia_guard.domain.errors import DocumentError

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


def in_file(path: Path, graph: Graph, allowance: Allowance) -> list[Finding]:
    """Read a file into a graph, and tell what that mends or passes over.

    Raises:
        DocumentError: it cannot be read, holds no concept, or goes beyond a limit.
    """
    data = mended = allowance.read(path)
    broken: list[Broken] = []
    quads, flaws = parse_quads(path, data)
    if flaws:
        mended = with_whole_tags(data, flaws)
        quads, broken = sound_quads(path, mended)
    if not read_into(graph, path, quads):
        if broken:
            raise DocumentError(f"{broken[0].place(path)}: {broken[0].what}")
        raise no_concept(path)
    found = list(_mended_tags(path, data, mended))
    for item in broken:
        near = (item.after,) if item.after else ()
        found.append(finding(Problem.BROKEN, *near, text=item.what, place=item.place(path.name)))
    return [*found, *_passed_over(path, quads)]


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
