"""What files say of themselves, read by simple means: front matter, grep and triples.

Nothing of the stages is used, so that what they say can be held against it. A sentence is read back
into the template of the catalogue that it was made from.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pyoxigraph
import yaml

from elysia_guard.domain.question import Lang
from elysia_guard.language.catalogue import catalogue

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_IDENTIFIER = re.compile(r"([A-Z]+)-\d+D?")
_BOTH_WAYS = {"broader": "narrower", "narrower": "broader", "related": "related"}
KINDS = {"ADR": "decision", "PCP": "principle", "POL": "policy"}
_ENDING = re.compile(r"(?:s|en|e|n)$")
_MARKUP = re.compile(r"[`*]")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_SHORTEST = 5
"""A word of so many letters may end otherwise elsewhere."""


def one_line(text: str) -> str:
    """Write a text with one space between words.

    >>> one_line(" a  b ")
    'a b'
    """
    return " ".join(text.split())


def unmarked(text: str) -> str:
    """Write a text without the marks of emphasis and code."""
    return _MARKUP.sub("", text)


@dataclass(frozen=True)
class File:
    """A document as its file has it: ``front`` is its front matter, ``path`` within the folder."""

    path: str
    text: str
    front: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Its identifier."""
        return str(self.front["identifier"])

    @property
    def kind(self) -> str:
        """``record``, or the kind of document that its identifier tells."""
        prefix = self.name.partition("-")[0]
        return "record" if self.front.get("type") == "approval" else KINDS.get(prefix, "document")

    def says(self, key: str) -> str:
        """What the front matter says; empty where it is silent."""
        return str(self.front.get(key, ""))

    @cached_property
    def line(self) -> str:
        """The whole file on one line, and each row of a table with its heads."""
        return one_line(unmarked("\n".join([self.text, *_rows(self.text)])))

    @cached_property
    def body(self) -> str:
        """What it says beneath its front matter."""
        return re.sub(r"\A---\n.*?\n---\n", "", self.text, flags=re.DOTALL)

    def names(self, other: File) -> bool:
        """Tell whether it writes another's letters and number anywhere, or links to its file."""
        letters, _, number = other.name.partition("-")
        written = rf"\b{letters}[-. #]?0*{number.lstrip('0')}\b|{re.escape(Path(other.path).name)}"
        return other is not self and bool(re.search(written, self.body, re.IGNORECASE))

    def replaces(self, other: File) -> bool:
        """Tell whether its front matter, or the other's, says that it took the other's place."""
        return other.name in self.says("supersedes") or self.name in other.says("superseded-by")

    @cached_property
    def headings(self) -> set[str]:
        """What stands above its sections."""
        return set(re.findall(r"^#+ +(.+?) *$", self.body, re.MULTILINE))

    def people(self, role: str) -> set[str]:
        """Whom an approval record names in a role, in small letters; none where it names none.

        The driver by the head of its column, others by the section that the table stands in.
        """
        if role == "driver":
            return {each.casefold() for each in re.findall(r"Driver: ([^;]+)", self.line)}
        section = re.search(rf"^## {role}\n(.*?)(?=^## |\Z)", self.body, re.M | re.S | re.I)
        rows = section[1].splitlines()[3:] if section else []
        cells = {cell.strip().casefold() for row in rows for cell in row.strip("| ").split("|")}
        return {way for cell in cells for way in (cell, cell.partition(", ")[0])} - {""}

    @cached_property
    def units(self) -> list[str]:
        """Its sentences and items, but for headings: as many units as there may be."""
        said = (line for line in re.split(r"\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) )", self.body))
        found = (one_line(unmarked(each)) for each in said if not each.lstrip().startswith("#"))
        return [unit for each in found for unit in re.split(r"(?<=[.?!:;]) ", each) if unit]

    def holds(self, name: str, *, title: bool = False) -> bool:
        """Tell whether a name stands in it as whole words, or in its title."""
        text = self.says("title") if title else f"{self.says('title')} {one_line(self.body)}"
        form = rf"(?<![^\W_]){re.escape(name)}(?![^\W_])"
        return bool(re.search(form, f"{text} {unmarked(text)}", re.IGNORECASE))

    def mentions(self, words: str) -> bool:
        """Tell whether each of some words stands in it, as it is or with another ending.

        A word is found where a word of the file begins with it, less its ending.
        """
        return all(_begins(word, self.line) for word in words.split())


def _begins(word: str, text: str) -> bool:
    stem = _ENDING.sub("", word) if len(word) >= _SHORTEST else word
    return bool(re.search(rf"(?<!\w){re.escape(stem)}", text, re.IGNORECASE))


class Library:
    """Documents under some folders that bear an identifier, and the concepts of a vocabulary."""

    def __init__(self, folders: Iterable[Path], vocabularies: Iterable[Path]) -> None:
        """Read them all."""
        found = [file for folder in folders for file in _files(folder)]
        self.files = {file.name: file for file in found}
        self.records = {
            str(file.front["decision"]): file for file in found if file.kind == "record"
        }
        self.concepts: dict[str, dict[str, set[tuple[str, str]]]] = defaultdict(
            lambda: defaultdict(set)
        )
        for path in vocabularies:
            self._read(path)

    def _read(self, path: Path) -> None:
        for triple in pyoxigraph.parse(path=str(path)):
            about, of, what = triple.subject, triple.predicate, triple.object
            name = re.split(r"[/#]", of.value)[-1]
            if isinstance(what, pyoxigraph.Literal):
                self.concepts[about.value][name].add((what.value, what.language or ""))
            elif isinstance(what, pyoxigraph.NamedNode):
                self.concepts[about.value][name].add((what.value, ""))
                if of.value.startswith(_SKOS) and name in _BOTH_WAYS:
                    self.concepts[what.value][_BOTH_WAYS[name]].add((about.value, ""))

    def of_kind(self, kind: str) -> list[File]:
        """Return the documents of a kind; ``document`` is any but a record."""
        wanted = (lambda own: own != "record") if kind == "document" else kind.__eq__
        return [file for file in self.files.values() if wanted(file.kind)]

    def stated(self, name: str, key: str) -> set[str]:
        """Return what a document, or its approval record, says by a key of the front matter."""
        both = (self.files.get(name), self.records.get(name))
        return {file.says(key).casefold() for file in both if file and file.says(key)}

    def record(self, name: str) -> File | None:
        """Return the approval record of a document; a record is its own."""
        own = self.files.get(name)
        return own if own and own.kind == "record" else self.records.get(name)

    def states(self, name: str, key: str) -> set[str]:
        """Return what a document, or its approval record, says by a key or names in a role."""
        record = self.record(name) if key in ROLES else None
        return record.people(key) if record else self.stated(name, key)

    def decided(self, name: str) -> set[str]:
        """Return each cell of the rows of an approval record, with the date of the row."""
        record = self.record(name)
        lines = record.body.splitlines() if record else ()
        rows = [[cell.strip().casefold() for cell in line.split("|")] for line in lines]
        dated = ((row, at) for row in rows for at in row if _DATE.fullmatch(at))
        return {f"{cell} {at}" for row, at in dated for cell in row}

    def named(self, label: str) -> list[str]:
        """Return the concepts that bear a label, preferred, other or hidden, in any language."""
        kinds = ("prefLabel", "altLabel", "hiddenLabel", "notation")
        return [
            uri
            for uri, said in self.concepts.items()
            if ("ConceptScheme" not in {_last(kind) for kind, _ in said["type"]})
            and label.casefold() in {text.casefold() for key in kinds for text, _ in said[key]}
        ]

    def labels(self, uri: str, relation: str = "") -> set[str]:
        """Return the names of a concept, or of those that stand to it in a relation."""
        of = [uri] if not relation else [other for other, _ in self.concepts[uri][relation]]
        return {
            text for each in of for key in ("prefLabel", "altLabel")
            for text, _ in self.concepts[each][key]
        }  # fmt: skip

    def schemes(self, uri: str) -> set[str]:
        """Return the titles of the schemes that a concept is in."""
        return {
            title for scheme, _ in self.concepts[uri]["inScheme"]
            for key in ("title", "prefLabel", "label") for title, _ in self.concepts[scheme][key]
        }  # fmt: skip

    def stands(self, quote: str) -> bool:
        """Tell whether some words stand in a file or are a text of the vocabulary."""
        wanted = one_line(quote)
        return any(wanted in file.line for file in self.files.values()) or wanted in self._texts

    @cached_property
    def _texts(self) -> set[str]:
        said = (texts for concept in self.concepts.values() for texts in concept.values())
        return {one_line(text) for texts in said for text, _ in texts}


def _files(folder: Path) -> Iterator[File]:
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        head = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
        front = yaml.safe_load(head[1]) if head else {}
        if _IDENTIFIER.fullmatch(str(front.get("identifier", ""))):
            yield File(path.relative_to(folder).as_posix(), text, front)


def _rows(text: str) -> Iterator[str]:
    """Write the rows of tables as 'head: cell; head: cell'."""
    heads: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")] if "|" in line else []
        if heads and cells and not set(line) <= set("|-: "):
            yield "; ".join(f"{head}: {cell}" for head, cell in zip(heads, cells, strict=False))
        heads = (heads and cells and heads) or cells


def _last(uri: str) -> str:
    return re.split(r"[/#]", uri)[-1]


def alike(first: Iterable[str], second: Sequence[str] | set[str]) -> bool:
    """Tell whether two collections hold the same, without regard to order and case.

    >>> alike(["A", "b"], {"a", "B"})
    True
    """
    return {each.casefold() for each in first} == {each.casefold() for each in second}


WHOLE = (
    "refusal",
    "clarify",
    "suggest",
    "answer",
    "stale",
    "verified",
    "pointed",
    "transparency",
    "talk",
)
"""The sections whose messages are sentences; the others only stand within them."""
ROLES = ("driver", "approvers", "consulted", "informed")
RESTRICTIONS = tuple(
    """lang status denied owner period between since until topic titled apart naming named_by
    replacing replaced_by recorded unrecorded driver approvers consulted informed""".split()
)
"""The messages of the section ``list`` that tell what a list is restricted by."""
_SLOT = re.compile(r"\\\{(\w+)\\\}")
_TONGUE = r"[^\W\d_]+(?: \([\w-]+\))?"
_FILLS = {
    **dict.fromkeys(("count", "verified", "total", "part"), "[0-9]+"),
    "uri": r"\S+:\S+",
    "lang": _TONGUE,
}
"""What fills a slot, where that is not any text."""
_ANY = r"(?!\*\*).+?"
_ENDS = re.compile(r"(?<=[.?!\u00bb')]) (?=\S)")


class FilledTemplate(NamedTuple):
    """A template with what fills it."""

    key: str
    values: Mapping[str, str]


def instances(text: str, lang: Lang) -> list[FilledTemplate]:
    """Return the template that a line is made from, or those of its sentences; else nothing."""
    if found := instance(text, lang):
        return [found]
    for end in _ENDS.finditer(text):
        first, others = instance(text[: end.start()], lang), text[end.end() :]
        if first and (rest := instances(others, lang)):
            return [first, *rest]
    return []


def instance(text: str, lang: Lang, sections: tuple[str, ...] = WHOLE) -> FilledTemplate | None:
    """Return the template that says most of a text word for word; None where none fits it."""
    found = ((size, key, form.fullmatch(text)) for size, key, form in _forms(lang, sections))
    fits = [(size, FilledTemplate(key, match.groupdict())) for size, key, match in found if match]
    return max(fits, key=lambda item: item[0])[1] if fits else None


def restrictions(text: str, lang: Lang) -> list[FilledTemplate] | None:
    """Read a row of restrictions, with commas or spaces between; None if it is none."""
    if not text:
        return []
    for end in [*(at.start() for at in re.finditer(r",? ", text)), len(text)]:
        first = instance(text[:end], lang, ("list",))
        if first is None or first.key.removeprefix("list.") not in RESTRICTIONS:
            continue
        rest = restrictions(text[end:].removeprefix(",").strip(), lang)
        if rest is not None:
            return [first, *rest]
    return None


@cache
def _forms(lang: Lang, sections: tuple[str, ...]) -> list[tuple[int, str, re.Pattern[str]]]:
    return list(_made(lang, sections))


def _made(lang: Lang, sections: tuple[str, ...]) -> Iterator[tuple[int, str, re.Pattern[str]]]:
    for key, text in catalogue(lang).items():
        if key.partition(".")[0] in sections:
            whole = f"{text}{{value}}" if text.endswith(" ") else text
            literal = one_line(re.sub(r"\{\w+\}", "", whole))
            form = _SLOT.sub(_slot, re.escape(one_line(whole)))
            yield len(literal), key, re.compile(form)


def _slot(found: re.Match[str]) -> str:
    return f"(?P<{found[1]}>{_FILLS.get(found[1], _ANY)})"
