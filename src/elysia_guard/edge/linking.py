"""Where an answer's sources are opened, and how its caveat is marked: links, and what is bold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote, urlencode

from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse, ReplyOutcome, Source
from elysia_guard.language.catalogue import has, say

DOCUMENTS = "/guard/documents"
CONCEPTS = "/guard/concepts"
ANSWERS = "/guard/answers"
VOCABULARY = "Vocabulary"
"""The type of a source that is a concept."""
QUOTED = "quoted"
"""The place on a document's page where its first quoted words stand."""
GAP = " \u2026 "
"""Stands in an address for the middle of long words."""
LONGEST_WORDS = 240
LONGEST_QUERY = 1_800
"""Of an address, in bytes: servers and proxies cut longer ones."""

_MARK = re.compile(r"\[source:(\d+)\]")
_ENTRY = re.compile(r"^- (?P<named>.*?)(?P<status> \([^()]*\))? \[source:(?P<n>\d+)\]$")
_LEFT = " \u2026 (+"
"""What begins the number of names that are left out of a line."""
_URI = re.compile(r"<((?:https?|urn):[^<>\s]+)>")
_BRACKET = re.compile(r"(?<!\\)[\[\]]")
_NUMBERED = re.compile(r"^(> ?\d{1,9})([.)])(?=\s)")


Opens = Callable[[str], str]
"""Gives the address at which a URI is opened."""


@dataclass(frozen=True, kw_only=True)
class Links:
    """The pages that one person's answers in one conversation link to."""

    user_id: str
    conversation_id: str

    def why(self, reply: RAGResponse) -> str:
        """Return the address of the page that tells how a reply came about."""
        place = "/".join(
            quote(part, safe="") for part in (self.user_id, self.conversation_id, reply.request_id)
        )
        return f"{ANSWERS}/{place}?{urlencode({'lang': reply.lang})}#{reply.outcome}"


def address(source: Source, words: Sequence[str] = (), *, lang: str) -> str:
    """Return where a source is opened, at some of its words; empty where it has no page of ours.

    What a tool of somebody else returned has none.
    """
    if source.doc_type == VOCABULARY:
        return concept(source.doc_id, lang=lang)
    if source.is_elsewhere:
        return ""
    return document(source.collection, source.doc_id, words, lang=lang)


def concept(uri: str, *, lang: str) -> str:
    """Return where a concept is opened."""
    return f"{CONCEPTS}?{urlencode({'uri': uri, 'lang': lang})}"


def document(collection: str, doc_id: str, words: Sequence[str] = (), *, lang: str) -> str:
    """Return where a document is opened, at the first of some words of it."""
    place = f"{DOCUMENTS}/{quote(collection, safe='')}/{quote(doc_id, safe='')}"
    query = urlencode({"lang": lang})
    for said in dict.fromkeys(map(shortened, filter(None, words))):
        more = f"{query}&{urlencode({'words': said})}"
        if len(more) <= LONGEST_QUERY:
            query = more
    return f"{place}?{query}" + (f"#{QUOTED}" if "words=" in query else "")


def placed(lines: tuple[int, int] | None) -> str:
    """Return lines as editors and code hosts write them behind a path; empty where none is known.

    >>> placed((12, 14))
    ':12-14'
    """
    if lines is None:
        return ""
    first, last = lines
    return f":{first}" if first == last else f":{first}-{last}"


def shortened(words: str) -> str:
    """Return words on one line; of long ones how they begin and end."""
    said = " ".join(words.split())
    if len(said) <= LONGEST_WORDS:
        return said
    half = LONGEST_WORDS // 2
    return f"{said[:half].rsplit(' ', 1)[0]}{GAP}{said[-half:].split(' ', 1)[-1]}"


def linked(reply: RAGResponse, text: str) -> str:
    """Return the text of a reply with each mark of a source as a link to what it stands for.

    An entry of a list is that link itself, and a concept that is offered leads to its page.
    """
    known = {str(source.n): source for source in reply.sources}
    named = dict(_neighbours(reply))
    mentioned = {_plain(source.quote): source for source in reply.mentions}
    lines: list[str] = []
    held: list[str] = []
    near: Source | None = None
    for line in text.split("\n"):
        quoted = line.removeprefix(">").strip() if line.startswith(">") else ""
        held = [*held, quoted] if line.startswith(">") else []
        near = mentioned.get(_plain(quoted), near if line.startswith(">") else None)
        told, *left = line.partition(_LEFT)
        if told in named:
            lines.append(named[told] + "".join(left))
            continue
        said = _linked(as_numbered(line), _said(held), known, reply)
        lines.append(said + (_mention(near, quoted, reply.lang) if near and quoted else ""))
        if _MARK.search(line):
            held = []
    return "\n".join(lines)


def around(source: Source, lang: str, *, to: Opens | None = None) -> Iterator[tuple[str, str]]:
    """Yield each line that names concepts beside one, as it is told and with them as links.

    ``to`` gives the address of a URI, empty where it is no link; our own page without it.
    """
    opens = to or partial(concept, lang=lang)
    for relation in dict.fromkeys(item.relation for item in source.related):
        found = [item for item in source.related if item.relation == relation]
        links = (_as_link(item.label, opens(item.uri)) for item in found)
        told = (", ".join(item.label for item in found), ", ".join(links))
        key = f"answer.{relation}"
        if has(key):
            yield say(lang, key, labels=told[0]), say(lang, key, labels=told[1])


def _as_link(label: str, place: str) -> str:
    return f"[{_named(label)}]({place})" if place else label


def _neighbours(reply: RAGResponse) -> Iterator[tuple[str, str]]:
    for source in reply.sources:
        yield from around(source, reply.lang)


def _named(label: str) -> str:
    """A label as the words of a link."""
    return _BRACKET.sub(r"\\\g<0>", label)


def _mention(source: Source, words: str, lang: str) -> str:
    """A link to where a refused matter is mentioned; empty where that has no page."""
    place = address(source, [words], lang=lang)
    return f" [{say(lang, 'page.open')}]({place})" if place else ""


def quotes(reply: RAGResponse) -> Mapping[int, Sequence[str]]:
    """Return, for each source, all of its words that a reply quotes, in order."""
    found: dict[int, list[str]] = {source.n: [] for source in reply.sources}
    held: list[str] = []
    for line in reply.answer.split("\n"):
        held = [*held, line.removeprefix(">").strip()] if line.startswith(">") else []
        for number in _MARK.findall(line):
            if int(number) in found:
                found[int(number)] += _said(held)
        if _MARK.search(line):
            held = []
    return {source.n: found[source.n] or [_quote(source)] for source in reply.sources}


def as_numbered(text: str) -> str:
    """Let quoted items of a list keep their numbers: Markdown counts on from the first of them."""
    return "\n".join(_NUMBERED.sub(r"\1\\\2", line) for line in text.split("\n"))


def _linked(line: str, said: Sequence[str], known: Mapping[str, Source], reply: RAGResponse) -> str:
    if reply.intent == "list" and (entry := _ENTRY.match(line)):
        source = known.get(entry["n"])
        place = address(source, lang=reply.lang) if source else ""
        return f"- [{_named(entry['named'])}]({place}){entry['status'] or ''}" if place else line

    def mark(found: re.Match[str]) -> str:
        source = known.get(found[1])
        place = address(source, said or [_quote(source)], lang=reply.lang) if source else ""
        return rf"[\[source:{found[1]}\]]({place})" if place else found[0]

    if not line.startswith(">") and reply.refusal_reason == "terminology_ambiguous":
        told = say(reply.lang, "page.open_concept")
        line = _URI.sub(lambda uri: f"[{told}]({concept(uri[1], lang=reply.lang)})", line)
    return _MARK.sub(mark, line)


def _quote(source: Source) -> str:
    """The words of a source; what stands for the whole of it are none."""
    return "" if source.quote == source.title else source.quote


def _plain(words: str) -> str:
    """Words on one line, without emphasis."""
    return " ".join(words.replace("**", "").split())


def _said(held: Sequence[str]) -> list[str]:
    """The paragraphs of quoted lines, each on one line, without the marks among them."""
    parts = _MARK.sub("", "\n".join(held)).split("\n\n")
    return [said for part in parts if (said := " ".join(part.split()))]


def headline(reply: RAGResponse) -> str:
    """Say how a reply is meant, by a sign and in words, and what keeps it from an answer."""
    told = [f"{reply.outcome.mark} {say(reply.lang, f'page.{reply.outcome}')}"]
    if reply.refusal_reason:
        told.append(say(reply.lang, f"reason.{reply.refusal_reason}"))
    return " \u00b7 ".join(told)


def by_document(sources: Iterable[Source]) -> list[list[Source]]:
    """Put together the sources that are of one document, or of one concept."""
    found: dict[tuple[str, str], list[Source]] = {}
    for source in sources:
        found.setdefault((source.collection, source.doc_id), []).append(source)
    return list(found.values())


def marks(sources: Iterable[Source]) -> str:
    """Return the marks of sources as they stand in a reply."""
    return " ".join(f"[source:{source.n}]" for source in sources)


def emphasised(reply: RAGResponse) -> str:
    """Return the answer with its caveat in bold behind the mark of what is hedged.

    In a question of several parts each that is hedged has its own; any other reply is as it was.
    """
    return marked(reply.answer, reply.lang)


def marked(text: str, lang: Lang) -> str:
    """Return what an answer says, or begins with, with its caveat as in ``emphasised``."""
    caveat = say(lang, "transparency.hedged")
    return text.replace(caveat, f"**{ReplyOutcome.HEDGED.mark} {caveat}**")
