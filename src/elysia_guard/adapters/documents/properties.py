"""What a file notes about itself beside its text: the properties of HTML, DOCX and PDF."""

from __future__ import annotations

import re
from collections.abc import Mapping

from elysia_guard.adapters.documents.front_matter import FrontMatter
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


def _dated(key: str, text: str) -> str:
    """Write the date of a time stamp; other text stays as it is."""
    if key == "date" and (match := _DATE.match(text)):
        return "-".join(match.groups())
    return text
