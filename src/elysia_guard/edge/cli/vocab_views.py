"""What ``elysia-guard vocab`` shows of schemes, look-ups and concepts, for a person and as JSON."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import click

from elysia_guard.adapters.skos.check import relations
from elysia_guard.domain.concept import Concept, LabelRole, TermMatch, Text
from elysia_guard.edge.cli.screen import Screen, one_line, print_json
from elysia_guard.language.text import fold, normalise

UNTAGGED = "–"
NARROWEST = 40


Branch = tuple[str, Sequence["Branch"]]
"""A line of a tree, and what hangs below it."""


def show_list(concepts: Sequence[Concept], limit: int, *, lang: str, as_json: bool) -> None:
    """Print schemes, with their labels counted per language, and the first concepts."""
    schemes = _schemes(concepts)
    shown = concepts[:limit]
    if as_json:
        listed = [_named(concept, lang) for concept in shown]
        print_json({"schemes": schemes, "total": len(concepts), "concepts": listed})
        return
    screen = Screen()
    header = ("scheme", "concepts", "deprecated", "prefLabels", "definitions", "title")
    rows = [header, *map(_scheme_row, schemes)]
    screen.table(rows, styles=("bold", "", "", "", "", "dim"))
    screen.line()
    named = [(item.label(lang), item.vocabulary, _mark(item)) for item in shown]
    screen.table([tuple(map(one_line, row)) for row in named], styles=("", "cyan", "yellow"))
    if len(shown) < len(concepts):
        click.echo(f"{len(shown)} of {len(concepts)} concepts; --limit shows more", err=True)


def _schemes(concepts: Sequence[Concept]) -> list[dict[str, Any]]:
    """Count concepts per scheme, and those with a label or definition in each language."""
    groups: dict[str, list[Concept]] = {}
    for concept in concepts:
        groups.setdefault(concept.vocabulary, []).append(concept)
    return [
        {
            "id": id_,
            "title": next((item.vocabulary_title for item in group if item.vocabulary_title), ""),
            "concepts": len(group),
            "deprecated": sum(item.deprecated for item in group),
            "labels": _languages(item.preferred for item in group),
            "definitions": _languages(item.definitions for item in group),
        }
        for id_, group in groups.items()
    ]


def _languages(texts: Iterator[tuple[Text, ...]]) -> dict[str, int]:
    counts = Counter(lang for found in texts for lang in {_lang(text) for text in found})
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _lang(text: Text) -> str:
    return text.lang or UNTAGGED


def _scheme_row(scheme: Mapping[str, Any]) -> tuple[str, ...]:
    counts = (str(scheme["concepts"]), str(scheme["deprecated"]))
    spoken = (
        ", ".join(f"{lang} {count}" for lang, count in scheme[key].items())
        for key in ("labels", "definitions")
    )
    return scheme["id"], *counts, *spoken, one_line(scheme["title"])


def _mark(concept: Concept) -> str:
    return "deprecated" if concept.deprecated else ""


def _named(concept: Concept, lang: str) -> dict[str, object]:
    return {
        "uri": concept.uri,
        "label": concept.label(lang),
        "scheme": concept.vocabulary,
        "deprecated": concept.deprecated,
    }


def show_search(
    term: str,
    matches: Sequence[TermMatch],
    nearest: Sequence[Concept],
    *,
    lang: str,
    as_json: bool,
) -> None:
    """Print what a term finds, each with the label that did it, or what is nearest."""
    if as_json:
        found = [_match(term, match, lang) for match in matches]
        near = [_named(concept, lang) for concept in nearest]
        print_json({"term": term, "lang": lang, "found": found, "nearest": near})
        return
    screen = Screen()
    concepts = [match.concept for match in matches] or nearest
    if not matches:
        end = "nearest are:" if nearest else "and nothing is near it."
        screen.line(f"'{term}' is not in the vocabulary; {end}", "yellow")
    elif len(concepts) > 1:
        screen.line(f"{len(concepts)} concepts: a question is asked back which is meant.", "yellow")
    ways = [_through(term, match) for match in matches] or [""] * len(concepts)
    rows = [
        tuple(map(one_line, (item.label(lang), item.vocabulary, way, _mark(item), item.uri)))
        for item, way in zip(concepts, ways, strict=True)
    ]
    if screen.fancy:
        # A URI in a column of its own would leave no room for the others.
        for *cells, uri in rows:
            screen.line(" · ".join(filter(None, cells)))
            screen.line(f"  {uri}", "dim")
    elif rows:
        screen.table(rows, styles=("", "", "", "", ""))


def _through(term: str, match: TermMatch) -> str:
    text = match.label
    return f"{match.role} '{text.value}' ({_lang(text)}), {_way(term, text.value)}"


def _match(term: str, match: TermMatch, lang: str) -> dict[str, object]:
    way = {"role": match.role, "matched": asdict(match.label), "as": _way(term, match.label.value)}
    return {**_named(match.concept, lang), **way}


def _way(term: str, label: str) -> str:
    """How a term was written, beside the label that it found."""
    if normalise(term) == normalise(label):
        return "as written"
    return "other spelling" if fold(term) == fold(label) else "other form"


def show_concepts(
    concepts: Sequence[Concept], neighbours: Mapping[str, Concept], *, lang: str, as_json: bool
) -> None:
    """Print concepts, each as a small tree; those that they point to are named."""
    if as_json:
        print_json({"concepts": [_whole(concept, neighbours, lang) for concept in concepts]})
        return
    screen = Screen()
    for place, concept in enumerate(concepts):
        if place:
            screen.line()
        title = " · ".join(filter(None, (concept.label(lang), _scheme(concept), _mark(concept))))
        screen.line(one_line(title), "bold")
        screen.line(concept.uri, "dim")
        # Off a terminal, lines are those of the texts: word for word.
        width = max(shutil.get_terminal_size().columns, NARROWEST) if screen.fancy else None
        for line in _drawn(list(_branches(concept, neighbours, lang)), width):
            screen.line(line)


def _scheme(concept: Concept) -> str:
    title = concept.vocabulary_title
    return f"{concept.vocabulary} ({title})" if title else concept.vocabulary


def _whole(concept: Concept, neighbours: Mapping[str, Concept], lang: str) -> dict[str, object]:
    pointed = {
        name: [
            {"uri": uri, "label": neighbours[uri].label(lang) if uri in neighbours else None}
            for uri in uris
        ]
        for name, uris in relations(concept).items()
    }
    pointed["replaced_by"] = pointed.pop("isReplacedBy")
    return {**asdict(concept), **pointed}


def _branches(concept: Concept, neighbours: Mapping[str, Concept], lang: str) -> Iterator[Branch]:
    groups = {
        LabelRole.PREFERRED: concept.preferred,
        LabelRole.ALTERNATIVE: concept.alternative,
        LabelRole.HIDDEN: concept.hidden,
        "definition": concept.definitions,
        "scopeNote": concept.scope_notes,
        "example": concept.examples,
    }
    for name, texts in groups.items():
        if texts:
            yield name, [(_tagged(text), ()) for text in texts]
    if not concept.definitions:
        yield "definition: none", ()
    if concept.notation:
        yield f"notation: {concept.notation}", ()
    for name, uris in relations(concept).items():
        if uris:
            yield name, [(_neighbour(uri, neighbours, lang), ()) for uri in uris]


def _tagged(text: Text) -> str:
    tag = f"{_lang(text):2}  "
    return tag + text.value.replace("\n", "\n" + " " * len(tag))


def _neighbour(uri: str, neighbours: Mapping[str, Concept], lang: str) -> str:
    if uri not in neighbours:
        return f"{uri}  (no concept here)"
    mark = f", {_mark(neighbours[uri])}" if neighbours[uri].deprecated else ""
    return f"{one_line(neighbours[uri].label(lang))}{mark}  {uri}"


def _drawn(branches: Sequence[Branch], width: int | None, left: str = "") -> Iterator[str]:
    """Draw a tree; long lines are broken where a width is given."""
    for place, (text, below) in enumerate(branches, start=1):
        corner, trunk = ("└─ ", "   ") if place == len(branches) else ("├─ ", "│  ")
        first, *rest = _lines(text, width and width - len(left) - len(corner))
        yield left + corner + first
        yield from (left + trunk + line for line in rest)
        yield from _drawn(below, width, left + trunk)


def _lines(text: str, width: int | None) -> list[str]:
    lines = text.split("\n")
    if width is None:
        return lines
    return [
        part
        for line in lines
        for part in textwrap.wrap(
            line, width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
        )
        or [""]
    ]
