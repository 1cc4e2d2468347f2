"""Which of some documents are about the topics of a list: all of them, by every text there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from elysia_guard.domain.document import Document, Filters, Passage
from elysia_guard.domain.evidence import About, Match, Topics
from elysia_guard.domain.question import Lang
from elysia_guard.language.topics import Topic, TopicMatch, topics_of
from elysia_guard.ports import PassageIndex

Synonyms = tuple[tuple[str, ...], ...]
Ids = frozenset[str]
_NONE: Ids = frozenset()


@dataclass(frozen=True, kw_only=True)
class _Borne:
    """Who bears one topic, and how: by ids of documents."""

    found: Mapping[str, TopicMatch]
    titled: Mapping[str, TopicMatch]
    apart: Ids = _NONE

    @property
    def words(self) -> Ids:
        return frozenset(id_ for id_, item in self.found.items() if item.match is Match.WORDS)

    def written(self, ids: Ids, *matches: Match) -> tuple[str, ...]:
        """How else than asked some documents write it, each way once."""
        every = [*self.found.items(), *self.titled.items()]
        found = [item for id_, item in every if id_ in ids and item.match in matches]
        ways = {item.written.casefold(): item.written for item in found}
        return tuple(ways[key] for key in sorted(ways) if key)


@dataclass(frozen=True, kw_only=True)
class Finder:
    """Looks through all texts of ``documents``, or through their titles alone."""

    index: PassageIndex
    filters: Filters
    documents: Sequence[Document]
    titles_alone: bool = False

    async def about(
        self, written: str, lang: Lang, synonyms: Synonyms
    ) -> tuple[list[Document], About]:
        """Return the documents about what is written, in groups, and by what they are listed.

        Where none is, those that come nearest: by another form, by one of several topics, by its
        words apart. That is another restriction then, and the one that was asked for is unmet. Of
        several topics of which one suffices, those that none bears are.
        """
        asked = topics_of(written, lang)
        each = {name: await self._borne(Topic.of(name, lang, synonyms)) for name in asked.names}
        there = tuple(name for name in asked.names if each[name].found) if asked.any_of else ()
        sought = replace(asked, names=there) if there else asked
        borne = [each[name] for name in sought.names]
        for topics, match in _ways(sought):
            if ids := _ids(topics, match, borne):
                about = self._told(topics, match, ids, borne)
                if (topics, match) != (sought, Match.WORDS):
                    about = replace(about, unmet=sought)
                elif lacking := tuple(name for name in asked.names if name not in sought.names):
                    about = replace(about, unmet=replace(asked, names=lacking))
                among = [item for item in self.documents if item.id in ids | about.kindred]
                return [item for group in about.groups(among) for item in group], about
        return [], About(topics=asked)

    def _told(self, topics: Topics, match: Match, ids: Ids, borne: Sequence[_Borne]) -> About:
        formed = _ids(topics, Match.FORMS, borne)
        kindred = formed - ids if match is Match.WORDS else _NONE
        titled = (frozenset(each.titled) for each in borne)
        return About(
            topics=topics,
            match=match,
            titled=_joined(topics, list(titled)),
            kindred=kindred,
            forms=tuple(each.written(ids, Match.WORDS, match) for each in borne),
            kindred_forms=tuple(
                form for each in borne for form in each.written(kindred, Match.FORMS)
            ),
            apart=0 if match is Match.APART else len(borne[0].apart - formed),
            partly=len(_union(frozenset(each.found) for each in borne) - formed),
        )

    async def _borne(self, topic: Topic) -> _Borne:
        texts = {item.id: [item.title] for item in self.documents}
        in_titles = self._found(topic, texts)
        passages = [] if self.titles_alone else await self._passages(topic)
        for passage in passages:
            texts[passage.document.id] += (passage.section, passage.text)
        found = self._found(topic, texts)
        apart = (
            each.document.id
            for each in passages
            if each.document.id not in found and topic.words_in(each.in_context, each.document.lang)
        )
        titled = {id_: item for id_, item in in_titles.items() if item.match is Match.WORDS}
        return _Borne(found=found, titled=titled, apart=frozenset(apart))

    def _found(self, topic: Topic, texts: Mapping[str, Sequence[str]]) -> dict[str, TopicMatch]:
        each = ((item.id, topic.found_in(texts[item.id], item.lang)) for item in self.documents)
        return {id_: found for id_, found in each if found}

    async def _passages(self, topic: Topic) -> list[Passage]:
        among = {item.id for item in self.documents}
        held = [await self.index.holding(words, filters=self.filters) for words in topic.sought]
        every = {passage.id: passage for found in held for passage in found}
        return [each for each in every.values() if each.document.id in among]


def _ways(asked: Topics) -> Iterator[tuple[Topics, Match]]:
    """What may be told of a list: what is asked for first, then what comes nearest to it."""
    either = asked if len(asked.names) == 1 else replace(asked, any_of=True)
    for match in (Match.WORDS, Match.FORMS):
        yield asked, match
        yield either, match
    if either is asked:
        yield asked, Match.APART


def _ids(topics: Topics, match: Match, borne: Sequence[_Borne]) -> Ids:
    if match is Match.APART:
        return borne[0].apart
    return _joined(
        topics, [each.words if match is Match.WORDS else frozenset(each.found) for each in borne]
    )


def _joined(topics: Topics, ids: Sequence[Ids]) -> Ids:
    if topics.any_of:
        return _union(ids)
    return frozenset.intersection(*ids) if ids else _NONE


def _union(ids: Iterable[Ids]) -> Ids:
    return _NONE.union(*ids)
