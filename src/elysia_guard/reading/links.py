"""Questions for documents by how they are linked with one that is named: 'what refers to ADR-12'.

Who names or replaces whom is told by a few verbs, their voice and number, and by what stands where.
A word that is left over asks for more than that, and then the question is none of these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from elysia_guard.domain.document import Document
from elysia_guard.domain.question import Lang, Link, LinkWay, Question, Reference, Scope
from elysia_guard.domain.reading import Listing
from elysia_guard.language.kinds import kinds_named, numbered
from elysia_guard.language.own_kinds import own_kinds
from elysia_guard.language.references import find_references
from elysia_guard.language.stems import stem
from elysia_guard.language.text import words
from elysia_guard.reading.listing_words import listed_kinds
from elysia_guard.reading.spans import Span
from elysia_guard.reading.tagged import Wording, wording

_TAKING = ("link_refers", "link_builds")  # a preposition
_ONE, _MANY = ("link_cites_one", "link_replaces_one"), ("link_cites_many", "link_replaces_many")
_EITHER, _DONE = ("link_cites", "link_replaces"), ("link_cited", "link_replaced")
_NAMING, _REPLACING = zip(_ONE, _MANY, _EITHER, _DONE, strict=True)
_VERBS = (*_TAKING, *_NAMING, *_REPLACING)
_BY, _TO = ("link_by", "link_by_which"), ("link_to", "link_to_which")
_OPEN = ("link_which", "link_subjects", "link_objects", _BY[1], _TO[1], "anything", "everything")
"""Words that ask for documents of any kind."""
_SILENT = tuple(
    """definite indefinite determiners quantifiers fillers openers commands additive alternative
    persons existing counting kinds_of of link_particles""".split()
)
"""Words that restrict nothing."""
_NEVER, _STATUSES = ("denying", "allowing"), ("accepted", "proposed", "rejected", "deprecated")


def linked(
    question: Question, spans: Sequence[Span], documents: Sequence[Document]
) -> Listing | None:
    """Return the list that a question asks for by a link with a document; None where it asks none.

    ``spans`` stand in it; ``documents`` tell the kind of a bare number, and titles.
    """
    named = [span for span in spans if isinstance(span.means, Reference)]
    meant = [item for span in named for item in span.candidates]
    found = [item for item in meant if isinstance(item, Reference)]
    if len(found) < len(meant) or len({(i.number, i.approval, i.id) for i in found}) != 1:
        return None
    # 'Which decisions mention open standards' asks for a matter, though a title holds it.
    exact = [span.text for span in named if span.exact]
    if not any(re.search(r"\d", text) or kinds_named(text) for text in exact):
        return None
    said = wording(question.text, question.lang, named, "relations", "listings", quotes=False)
    if not (at := [place for place, token in enumerate(said.tokens) if token.is_mention]):
        return None
    # The kind that is asked for is none of a bare number's: 'which principles cite 17'.
    bare = replace(found[0], kind=None)
    reference = next((item for item in found if not item.written.isdecimal()), bare)
    bearers = [item for item in documents if Reference.of(item).fits(reference)]
    if len(kinds := {item.kind for item in bearers}) == 1:
        reference = replace(reference, kind=kinds.pop())
    title = frozenset(stem(each, question.lang) for item in bearers for each in words(item.title))
    asked = _LinkWording(said, question.lang, title, range(at[0], at[-1] + 1))
    while (start := asked.name.start) and asked.is_name(start - 1):
        asked = asked._replace(name=range(start - 1, asked.name.stop))
    link = asked.link(reference)
    if link is None or asked.is_more():
        return None
    listed = () if asked.places("document") else numbered()
    listed = tuple(kind for kind in listed if asked.places(kind))
    every = (question.scope.only,) if question.scope.only else own_kinds().every
    statuses = tuple(role for role in _STATUSES if asked.places(role))
    records = bool(asked.places("record")) and not listed
    if records and not any(each.approval for each in find_references(question.text)):
        link = replace(link, reference=replace(reference, approval=False))
    return Listing(
        kinds=listed or (numbered() if records else every),
        filters=Scope(statuses=statuses, approval=records, link=link),
        counted=bool(asked.places("counting")),
    )


class _LinkWording(NamedTuple):
    """The words around the one document named, which stands at ``name``; stems of its title."""

    said: Wording
    lang: Lang
    title: frozenset[str]
    name: range

    def is_name(self, at: int) -> bool:
        """Tell whether a word belongs to what follows: 'the decision', 'the Angular modules of'."""
        if self.said.plays(at, "of"):
            return at > 0 and self._is_of_title(at - 1)
        is_one = self.said.plays(at, *listed_kinds()) and not self.said.plays(at, "many")
        leads = self.said.plays(at, *_TO, *_BY)  # 'a' leads to a name in Spanish, in English not
        is_titled = not leads and self._is_of_title(at)
        return is_one or is_titled or self.said.plays(at, "definite")

    def _is_of_title(self, at: int) -> bool:
        parts = words(self.said.tokens[at].word.replace("-", " "))
        return bool(parts) and self.title.issuperset(stem(part, self.lang) for part in parts)

    def places(self, *roles: str) -> list[int]:
        """Where words around the name play one of these roles."""
        return [at for at in self.said.places(*roles) if at not in self.name]

    def link(self, reference: Reference) -> Link | None:
        """Return who names or replaces whom, where the words decide it."""
        verbs = [at for at in self.places(*_VERBS) if at or not self.said.plays(at, "commands")]
        replacing = [self.said.plays(at, *_REPLACING) for at in verbs]
        found = self._acts(verbs) if len(set(replacing)) == 1 else None
        if found is None:
            return None
        acts, is_sure = found  # 'what does it mention', 'what does it build on': any matter
        of_documents = replacing[0] or self.places("link_refers") or (is_sure and not acts)
        if not (self.places(*listed_kinds()) or (of_documents and self.places(*_OPEN))):
            return None
        ways = (LinkWay.REPLACING, LinkWay.REPLACED_BY), (LinkWay.NAMING, LinkWay.NAMED_BY)
        nearly = not is_sure or bool(self.places("link_builds"))
        return Link(way=ways[not replacing[0]][acts], reference=reference, nearly=nearly)

    def _acts(self, verbs: Sequence[int]) -> tuple[bool, bool] | None:
        """Tell whether the document named is who names or replaces, and whether that is sure."""
        roles = {role for at in verbs for role in self.said.roles[at]}
        is_done, is_after = not roles.isdisjoint(_DONE), self.name.start > verbs[0]
        to, by = (self.said.before(self.name.start, 0, role) for role in ("link_to", "link_by"))
        if not roles.isdisjoint(_TAKING):
            is_object = to < self.name.start
            return (not is_object, True) if is_object or self.places(*_TO) else None
        if by < self.name.start:
            return (True, True) if is_done else None
        if (is_done and self.places(*_BY)) or not roles.isdisjoint(_MANY):
            return False, True
        if self.places("link_subjects", "link_objects"):
            return not self.places("link_subjects"), True
        if not roles.isdisjoint(_ONE):
            many = any(self.said.plays(at, "many") for at in self.places(*listed_kinds()))
            return (True, True) if many else (False, False) if is_after else None
        return (not is_after, True) if is_after or not roles.isdisjoint(_EITHER) else None

    def is_more(self) -> bool:
        """Tell whether it says anything that a list by a link does not take into account."""
        known = ("requests", *_SILENT, *_OPEN, *_BY, *_TO, *_VERBS, *listed_kinds())
        near, end = {at + by for at in self.places(*listed_kinds()) for by in (-1, 1)}, 0
        for at, token in enumerate(self.said.tokens):
            if at < end or at in self.name or not token.is_word:
                continue
            roles = self.said.roles[at]
            step = self.said.length(at, *known, *(_STATUSES if at in near else ()))
            is_denied = "requests" not in roles and not roles.keys().isdisjoint(_NEVER)
            is_told = at >= self.name.stop and ("thing" in roles or self._is_of_title(at))
            if is_denied or not (step or is_told):
                return True
            end = at + step
        return False
