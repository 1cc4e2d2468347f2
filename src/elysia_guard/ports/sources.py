"""What the stages need of what is asked: vocabulary, passages, origins, and what is kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from elysia_guard.ports.models import Vector

if TYPE_CHECKING:
    from datetime import datetime

    from elysia_guard.domain.concept import Concept, Labels, TermMatch
    from elysia_guard.domain.document import Document, Filters, Hit, IndexInfo, Passage
    from elysia_guard.domain.origin import Origin
    from elysia_guard.domain.question import Lang
    from elysia_guard.domain.saved import (
        ConversationKey,
        KeptAnswer,
        ListedConversation,
        SavedConversation,
        Standing,
        Thumb,
        Turn,
    )


class TerminologySource(Protocol):
    """A governed vocabulary."""

    @property
    def name(self) -> str:
        """How the source is called before a reader, for example 'Skosmos'."""

    async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
        """Return every concept that the term names; empty means the term is not there.

        Preferred and alternative labels win over hidden ones, living concepts over deprecated
        ones. More than one concept means that the term is ambiguous. The order is stable.

        Raises:
            SourceTimeoutError: the vocabulary did not answer within its deadline.
            SourceUnavailableError: the vocabulary could not be asked.
        """

    async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
        """Return the concepts with these URIs, unknown ones left out."""

    async def suggest(self, term: str, *, lang: Lang, limit: int = 3) -> Sequence[Concept]:
        """Return the concepts whose labels are nearest to a term that was not found."""

    async def synonyms(self, text: str, *, lang: Lang) -> Sequence[Sequence[str]]:
        """Return, for each label that occurs in the text, all labels of its concept."""

    async def labels(self) -> Labels:
        """Return the labels that are at hand, with those of deprecated concepts; asks no server.

        A source that keeps none beside returns none. What is returned is the same object for as
        long as it is the same.
        """


class ExampleTerm(Protocol):
    """Names a term that the vocabulary defines, for help."""

    def __call__(self, lang: Lang, /) -> str:
        """Return a label in a language; empty where there is none."""


def no_term(_lang: Lang, /) -> str:
    """Name no term: the example where no labels are at hand."""
    return ""


class PassageIndex(Protocol):
    """The knowledge base, cut into passages."""

    async def search(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int = 10,
    ) -> Sequence[Hit]:
        """Search by words and, where a vector is given, by meaning; return the best, fused by rank.

        With a vector every hit carries its true cosine distance, also those found by words alone.
        The three best by words alone and the three nearest by meaning alone are always among
        them, so that a passage in another language is not crowded out by shared words. An index
        may count what a word is called in another language (``language.glossary``) as shared.

        Raises:
            PassageIndexError: the vector is not of the index's model.
            SourceUnavailableError: the index could not be asked.
        """

    async def rarity(self, words: Sequence[str], *, lang: Lang) -> Mapping[str, float]:
        """Tell how rare each word (or its stem) is among the passages.

        From 0 (in every passage) to 1 (in none): log((n + 1) / (df + 1)) / log(n + 1), with n
        passages, of which df hold the word.

        Raises:
            SourceUnavailableError: the index could not be asked.
        """

    async def spelt_like(self, words: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        """Tell, for each word that stands in no passage, those written nearly alike that do.

        A word that a passage or a title holds, or whose stem in any language one holds, is left
        out. Each near word comes with the number of passages that hold it, the nearest first; an
        index may know it without its diacritics.

        Raises:
            SourceUnavailableError: the index could not be asked.
        """

    async def holding(self, words: Sequence[str], *, filters: Filters) -> Sequence[Passage]:
        """Return every passage that holds all of some words, however many there are.

        A word counts by its stem too, in the language of the document, and in the title and the
        headings as in the text. None is left out; one that holds other words may be among them.

        Raises:
            SourceUnavailableError: the index could not be asked.
        """

    async def documents(self, filters: Filters) -> Sequence[Document]:
        """Return the documents that pass the filters, ordered by kind, number, approval, path."""

    async def passages(self, document_id: str) -> Sequence[Passage]:
        """Return a document's passages in reading order."""

    async def info(self) -> IndexInfo:
        """Describe the index."""

    async def version(self) -> str:
        """Name what is held now: another name whenever a document may be another, and cheap to ask.

        Raises:
            SourceUnavailableError: the index could not be asked.
        """


class Origins(Protocol):
    """What the index was filled from, as it is now."""

    async def documents(
        self, documents: Sequence[Document], *, read: Collection[str] = ()
    ) -> Mapping[str, Origin]:
        """Look at what some documents were read from, within a moment; by document id.

        What has changed is read again, and so is what ``read`` names by id. What cannot be looked
        at in time is unreachable; what has changed and cannot be read again in time has no text.
        A document that is not among those returned has no source beyond the index.
        """

    async def concepts(self, uris: Sequence[str]) -> Mapping[str, Origin]:
        """Look at what some concepts were read from; by URI, as for documents."""


class NoOrigins:
    """Knows of no source: the origins where there are none to look at."""

    async def documents(
        self, documents: Sequence[Document], *, read: Collection[str] = ()
    ) -> Mapping[str, Origin]:
        return {}

    async def concepts(self, uris: Sequence[str]) -> Mapping[str, Origin]:
        return {}


Lines = tuple[int, int]
"""The first and the last line of a file that something stands on, from 1."""


class LineFinder(Protocol):
    """Knows on which lines of their files words of documents stand."""

    async def __call__(self, quoted: Sequence[tuple[Document, str]], /) -> Sequence[Lines | None]:
        """Return the lines of each, within a moment; None where they are not at hand."""


async def no_lines(quoted: Sequence[tuple[Document, str]], /) -> Sequence[Lines | None]:
    """Know of no line: where there are no files to look at."""
    return [None] * len(quoted)


class ConversationStore(Protocol):
    """Keeps conversations, each under its user and its id.

    Every method raises ``ConversationStoreError`` where the store cannot be had in time.
    """

    async def add_turn(
        self, key: ConversationKey, turn: Turn, standing: Standing, *, at: datetime
    ) -> None:
        """Add a turn to a conversation, which begins with its first; the standing is the new one.

        ``at`` is when: a conversation is as old as its last turn.
        """

    async def load(self, key: ConversationKey) -> SavedConversation | None:
        """Return a conversation as it was added, None where it is not there."""

    async def listed(self, user_id: str | None = None) -> Sequence[ListedConversation]:
        """Return a user's conversations, or everybody's, the last changed first."""

    async def rename(self, key: ConversationKey, title: str) -> bool:
        """Give a conversation another title; tell whether it is there."""

    async def delete(self, key: ConversationKey) -> bool:
        """Delete a conversation with all that was said of it; tell whether it was there."""

    async def give_thumb(self, key: ConversationKey, query_id: str, thumb: Thumb) -> bool:
        """Keep what was said last of a reply; tell whether the reply is there."""

    async def take_thumb(self, key: ConversationKey, query_id: str) -> bool:
        """Forget what was said of a reply; tell whether the reply is there."""

    async def thumbs(self, user_id: str) -> Sequence[Thumb]:
        """Return all that a user has said of replies, each with its ids, in the order of time."""

    async def purge(self, before: datetime, *, dry_run: bool = False) -> int:
        """Delete what has not changed since; return how many conversations that is."""

    def close(self) -> None:
        """Close what is open; what is under way is still done."""


class ConversationLocks(Protocol):
    """Keeps other processes out of a conversation while a question is answered in it.

    A process asks for a conversation that it is in itself only after it has left it. What one held
    that has ended is let go of by whatever keeps the locks, so that nobody waits for the dead.
    """

    async def enter(self, key: ConversationKey) -> None:
        """Wait until no other process is in a conversation, and keep others out.

        Whoever is cancelled while waiting is not in.

        Raises:
            ConversationStoreError: the locks cannot be had.
        """

    def leave(self, key: ConversationKey) -> None:
        """Let others into a conversation that was entered; waits for nothing and never fails."""

    def close(self) -> None:
        """Let go of everything."""


class AnswerStore(Protocol):
    """Where answers are kept for a while, each under all that it depends on.

    One that cannot be reached keeps nothing, silently. Callers may be in any loop.
    """

    async def get(self, key: str) -> KeptAnswer | None:
        """Return the answer kept under a key; None if there is none, or no longer."""

    async def put(
        self, key: str, answer: KeptAnswer, /, *, ttl_s: float, scopes: Collection[str] = ()
    ) -> None:
        """Keep an answer for so many seconds, or until one of its scopes is forgotten."""

    async def forget(self, scope: str) -> None:
        """Forget all answers of a scope: of an index, or of a vocabulary, that is no more."""
