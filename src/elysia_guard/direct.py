"""The guard as a program uses it: ask a question, get a response. The direct route."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path

from elysia_guard.domain.concept import Label, LabelRole, in_language
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Document, DocumentKind, Filters
from elysia_guard.domain.errors import ConfigError, GuardError, ScopeError
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.profiles import ProfileName
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import BatchReply, RAGResponse, Replies
from elysia_guard.domain.scope import EVERYTHING, NOTHING, CollectionScope
from elysia_guard.domain.showing import html_of
from elysia_guard.domain.tables import Row, Rows
from elysia_guard.running import run_anywhere
from elysia_guard.scoping import sources_in
from elysia_guard.wiring import Wiring

AT_ONCE = 4
"""Questions under way at a time, of many."""


class Guard:
    """Answers questions on the direct route: the same stages as the tree, without Elysia.

    Examples:
        >>> from elysia_guard import Guard
        >>> Guard().ask("What is CIMXML?").refused
        False
    """

    def __init__(
        self,
        *,
        config: Path | str | None = None,
        index: Path | str | None = None,
        vocabulary: Path | str | None = None,
        profile: ProfileName | str | None = None,
        wiring: Wiring | None = None,
    ) -> None:
        """Open the parts; a missing index is built from the configured folders.

        Args:
            config: a ``guard.yaml``; by default the one that ships.
            index: an index file to use in its place.
            vocabulary: a SKOS file to use in its place.
            profile: the policy to run, such as ``"relevance-guard"`` (docs/internals/profiles.md).
            wiring: parts already put together; the other arguments are then ignored.

        Raises:
            GuardError: a part cannot be had; the message names it and the way out.
        """
        self.wiring = wiring or Wiring.load(
            _path(config), index=_path(index), vocabulary=_path(vocabulary), profile=profile
        )
        self.wiring.ensure_index()
        self.pipeline = self.wiring.pipeline

    def ask(
        self,
        question: str,
        *,
        kind: DocumentKind | str | None = None,
        collections: Sequence[str] | None = None,
        conversation: Conversation | None = None,
        mode: Mode | str | None = None,
    ) -> RAGResponse:
        """Answer one question, or say why not; works in a running loop too (notebooks).

        Examples:
            >>> guard, talk = Guard(), Conversation()
            >>> asked_back = guard.ask("What is CIM?", conversation=talk)
            >>> guard.ask("the second", conversation=talk).refused
            False
        """
        return run_anywhere(
            self.aask(
                question, kind=kind, collections=collections, conversation=conversation, mode=mode
            )
        )

    async def aask(
        self,
        question: str,
        *,
        kind: DocumentKind | str | None = None,
        collections: Sequence[str] | None = None,
        conversation: Conversation | None = None,
        request_id: str | None = None,
        mode: Mode | str | None = None,
    ) -> RAGResponse:
        """Answer one question, or say why not.

        Args:
            question: what a person asks, in any language that has a pack.
            kind: the one kind of document that may be asked, or the name of its collection.
            collections: the names of the collections that may be asked; None is all, and an empty
                list none. Of the others nothing is shown, counted or suggested, and of the
                vocabulary only if it is named.
            conversation: what was said before; a new one where each question stands alone. With
                it, a message may pick one of the meanings that were asked back ('the second').
            request_id: the id under which it appears in logs; made up when absent.
            mode: how the answer is made, ``"instant"``, ``"auto"`` or ``"thinking"``,
                where not as the settings say (docs/models.md). Without a
                language model it is instant.

        Raises:
            ScopeError: none of these collections is there.
            QuestionError: it is empty, too long, or holds no words.
            ConfigError: there is no such mode.
        """
        inquiry = await self.pipeline.begin(
            question,
            request_id=request_id or f"req-{uuid.uuid4().hex[:12]}",
            route="direct",
            scope=self._known(kind) & self._known(collections),
            conversation=conversation,
            mode=None if mode is None else Mode.named(mode),
        )
        return await self.pipeline.answer(inquiry)

    def ask_many(
        self,
        questions: Iterable[str],
        *,
        kind: DocumentKind | str | None = None,
        collections: Sequence[str] | None = None,
        mode: Mode | str | None = None,
        at_once: int = AT_ONCE,
        progress: bool = True,
    ) -> Replies:
        """Answer many questions, each by itself; works in a running loop too (notebooks).

        A question that cannot be asked costs the others nothing: its reply holds the error.

        Args:
            questions: what is asked; a list, a column of a table.
            kind: as for ``aask``, as are ``collections`` and ``mode``.
            collections: which may be asked.
            mode: how the answers are made.
            at_once: how many are under way at a time; more than one is of use where a model writes.
            progress: whether a bar on standard error shows how far it is.

        Returns:
            The replies in the order of the questions; ``to_frame`` makes a table of them.

        Raises:
            ScopeError, ConfigError: as for ``aask``; nothing is asked then.

        Examples:
            >>> Guard().ask_many(["What is CIMXML?", ""], progress=False).outcomes["error"]
            1
        """
        how = None if mode is None else Mode.named(mode)
        self._known(kind), self._known(collections)
        asked = [questions] if isinstance(questions, str) else list(questions)

        async def ask(question: str) -> RAGResponse:
            return await self.aask(question, kind=kind, collections=collections, mode=how)

        return run_anywhere(_ask_all(ask, asked, at_once=max(1, at_once), progress=progress))

    def documents(self, *, kind: DocumentKind | str | None = None) -> Rows:
        """List the documents that may be asked about: a row each, in the order of the index.

        Args:
            kind: the one kind to list, or the name of its collection.

        Raises:
            ScopeError: there is no such kind.
            GuardError: the index cannot be had.

        Examples:
            >>> Guard().documents(kind="policy")[0]["identifier"]
            'POL-0001'
        """
        return run_anywhere(self.adocuments(kind=kind))

    async def adocuments(self, *, kind: DocumentKind | str | None = None) -> Rows:
        """List the documents that may be asked about, as ``documents`` does."""
        scope, wanted = self._known(kind), Filters(approval=None)
        seen = sources_in(scope, self.pipeline.terminology, self.pipeline.index)
        return Rows(map(_listed, await seen.index.documents(wanted)))

    def terms(self, *, lang: Lang | None = None) -> Rows:
        """List the terms of the vocabulary: a row a concept, with what else it is called.

        Args:
            lang: in which language, where there is one; by default that of the settings.

        Raises:
            ConfigError: the vocabulary is on a server, and no file says what it holds.
        """
        spoken, concepts = lang or self.pipeline.default_lang, self._concepts()
        if concepts is None:
            raise ConfigError(
                "the vocabulary's server tells single terms, and no list of them: name a copy of "
                "the vocabulary in terminology.files too"
            )
        return Rows(_term(uri, labels, spoken) for uri, labels in concepts.items())

    def parts(self) -> dict[str, str]:
        """Tell what it answers from: documents, terms, language model.

        Raises:
            GuardError: the index cannot be had.
        """
        info = run_anywhere(self.pipeline.index.info())
        kinds = ", ".join(f"{count} {name}" for name, count in sorted(info.by_type.items()))
        source, concepts = self.pipeline.terminology, self._concepts()
        told = str(len(concepts or ()))
        if source and concepts is None:
            told = f"those of {source.name}"
        model = self.pipeline.guidance.guide.model_id if self.pipeline.guidance else "none"
        return {"documents": f"{info.documents} ({kinds})", "terms": told, "model": model}

    def __repr__(self) -> str:
        """Say what it answers from: '<Guard: documents 3 (3 ADR), terms 12, model none>'."""
        try:
            told = ", ".join(f"{name} {text}" for name, text in self.parts().items())
        except GuardError as err:
            told = str(err)
        return f"<Guard: {told}>"

    def _repr_html_(self) -> str | None:
        return html_of(self)

    def _concepts(self) -> dict[str, list[Label]] | None:
        """Return the labels of each concept by URI; None where a server alone knows them."""
        source = self.pipeline.terminology
        found: dict[str, list[Label]] = {}
        for label in run_anywhere(source.labels()).all if source else ():
            found.setdefault(label.uri, []).append(label)
        if source and not found and self.wiring.config.terminology.kind == "skosmos":
            return None
        return found

    def _known(self, named: Sequence[str] | None) -> CollectionScope:
        """Return the scope of a name, or of some, of which one at least must be there."""
        if named is None:
            return EVERYTHING
        names, pipeline = (named,) if isinstance(named, str) else tuple(named), self.pipeline
        scope = pipeline.scope(names) if names else NOTHING
        if not names or not scope.is_empty:
            return scope
        there = [f"{kind} ({name})" for kind, name in pipeline.collections.items()]
        raise ScopeError(
            f"there is no collection {' or '.join(map(repr, map(str, names)))}; name one of: "
            f"{', '.join([*there, f'vocabulary ({pipeline.vocabulary_collection})'])}"
        )


async def _ask_all(
    ask: Callable[[str], Awaitable[RAGResponse]],
    questions: Sequence[str],
    *,
    at_once: int,
    progress: bool,
) -> Replies:
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress

    turnstile = asyncio.Semaphore(at_once)
    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), disable=not progress) as bar:
        asking = bar.add_task("Asking", total=len(questions))

        async def one(question: str) -> BatchReply:
            async with turnstile:
                began = time.perf_counter()
                reply, error = None, ""
                try:
                    reply = await ask(question)
                except GuardError as err:
                    error = str(err)
                bar.advance(asking)
                taken = (time.perf_counter() - began) * 1000
            return BatchReply(question=str(question), response=reply, error=error, elapsed_ms=taken)

        return Replies(await asyncio.gather(*map(one, questions)))


def _listed(document: Document) -> Row:
    return {
        "kind": str(document.kind),
        "identifier": document.identifier or str(document.identity or ""),
        "title": document.title,
        "status": document.status,
        "date": document.date,
        "path": document.path,
        "lang": document.lang,
    }


def _term(uri: str, labels: Sequence[Label], lang: Lang) -> Row:
    """What a concept is called in a language, or the nearest; never by a hidden label."""
    said = [each for each in labels if each.role is not LabelRole.HIDDEN]
    chief = in_language((e.text for e in said if e.role is LabelRole.PREFERRED), lang)
    term = chief.value if chief else uri
    spoken = {None, lang, chief.lang if chief else None}
    names = dict.fromkeys(each.text.value for each in said if each.text.lang in spoken)
    return {
        "term": term,
        "also": [name for name in names if name != term],
        "deprecated": labels[0].deprecated,
        "uri": uri,
    }


def _path(named: Path | str | None) -> Path | None:
    return Path(named).expanduser() if named else None
