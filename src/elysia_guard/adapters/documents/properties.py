"""What a file notes about itself beside its text: the properties of HTML, DOCX and PDF."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain

from elysia_guard.adapters.documents.content import Block, Section
from elysia_guard.adapters.documents.front_matter import FrontMatter
from elysia_guard.adapters.documents.states import known_state
from elysia_guard.language.text import clean

# Names that only somebody who means them writes; they count like front matter.
_SAID = {
    "identifier": "identifier",
    "type": "type",
    "status": "status",
    "decision": "decision",
    "principle": "principle",
    "policy": "policy",
    "approves": "approves",
    "owner": "owner",
    "deciders": "deciders",
    "decision-makers": "decision-makers",
    "supersedes": "supersedes",
    "replaces": "supersedes",
    "superseded-by": "superseded-by",
    "isreplacedby": "superseded-by",
    "issued": "date",
    "date": "date",
}
# Names that a word processor or a site fills in by itself.
_NOTED = {
    "author": "author",
    "creator": "author",
    "title": "title",
    "language": "lang",
    "lang": "lang",
    "creationdate": "date",
    "created": "date",
    "article:published-time": "date",
    "contentstatus": "status",
}
_DATE = re.compile(r"\s*(?:D:)?(\d{4})-?(\d{2})-?(\d{2})(?=\D|\d{6}|\Z)")
_VOCABULARY = re.compile(r"\A(?:dc|dct|dcterms)[.:]")

# What a line at the top of a document calls a particular, in three languages.
_LABELS = {
    "status": "status",
    "date": "date",
    "datum": "date",
    "owner": "owner",
    "eigenaar": "owner",
    "verantwortlich": "owner",
    "deciders": "deciders",
    "decision makers": "deciders",
    "decision-makers": "deciders",
    "besluitnemers": "deciders",
    "entscheider": "deciders",
    "driver": "driver",
    "superseded by": "superseded-by",
    "vervangen door": "superseded-by",
    "ersetzt durch": "superseded-by",
    "supersedes": "supersedes",
    "vervangt": "supersedes",
    "ersetzt": "supersedes",
}
_LINE = re.compile(rf"[-*•\s]*({'|'.join(_LABELS)})\s*:\s*(\S.*)", re.IGNORECASE)
_NUMBERING = re.compile(r"\A\d+(?:\.\d+)*\.?\s+")
_LONGEST = 120


def said(properties: Mapping[str, str]) -> tuple[FrontMatter, FrontMatter]:
    """Sort properties into what somebody said on purpose, and what a program noted."""
    front: dict[str, str] = {}
    noted: dict[str, str] = {}
    for key, value in properties.items():
        name = re.sub(r"[\s_]+", "-", clean(key).casefold())
        vocabulary, name = bool(_VOCABULARY.match(name)), _VOCABULARY.sub("", name)
        text = clean(value)
        if not text:
            continue
        if name in _SAID and (name != "type" or not vocabulary):
            front.setdefault(_SAID[name], _dated(_SAID[name], text))
        elif name in _NOTED:
            noted.setdefault(_NOTED[name], _dated(_NOTED[name], text))
    if "lang" in noted:
        noted["lang"] = short_lang(noted["lang"])
    return front, noted


def short_lang(tag: str) -> str:
    """Return the language of a BCP 47 tag; nothing for English, which tools write unasked.

    >>> short_lang("nl-NL"), short_lang("en-US")
    ('nl', '')
    """
    lang = re.split(r"[-_]", tag.strip().lower())[0]
    return "" if lang == "en" else lang


def particulars(sections: Iterable[Section]) -> FrontMatter:
    """Read what the text says about its document: lines under the title, and a status section."""
    found: dict[str, str] = {}
    for section in sections:
        if not section.path:
            for key, text in chain.from_iterable(map(_labelled, section.blocks)):
                found.setdefault(key, text)
        elif _is_status(section) and (state := _state(section.blocks)):
            found.setdefault("status", state)
    return found


def _labelled(block: Block) -> Iterable[tuple[str, str]]:
    """Yield what the lines of a block, or the cells of a row, say by name."""
    for line in re.split(r"\n|;\s", block.text):
        match = _LINE.fullmatch(line.strip())
        if match and len(line) <= _LONGEST:
            key = _LABELS[match[1].casefold()]
            value = match[2].strip().rstrip(".")
            if key != "status" or known_state(value):
                yield key, value


def _is_status(section: Section) -> bool:
    return _NUMBERING.sub("", section.path[-1]).strip(" :.").casefold() == "status"


def _state(blocks: Iterable[Block]) -> str:
    """Return the line that says the status; one that names a successor says it best."""
    lines = (line.strip(" -*•.") for block in blocks for line in block.text.split("\n"))
    states = [line for line in lines if len(line) <= _LONGEST and known_state(line)]
    replaced = [line for line in states if known_state(line) == "superseded"]
    return next(iter(replaced or states), "")


def _dated(key: str, text: str) -> str:
    """Write the date of a time stamp; other text stays as it is."""
    if key == "date" and (match := _DATE.match(text)):
        return "-".join(match.groups())
    return text
