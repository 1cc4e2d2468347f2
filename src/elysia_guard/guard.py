"""The guard as a program uses it: ask a question, get a response. The direct route."""

from __future__ import annotations

import uuid
from pathlib import Path

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.profiles import ProfileName
from elysia_guard.domain.response import RAGResponse
from elysia_guard.running import run_anywhere
from elysia_guard.wiring import Wiring


class Guard:
    """Answers questions on the direct route: the same stages as the tree, without Elysia.

    Example:
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
            profile: the policy to run, such as ``"relevance-guard"`` (docs/profiles.md).
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
        kind: DocumentKind | None = None,
        conversation: Conversation | None = None,
    ) -> RAGResponse:
        """Answer one question, or say why not; works in a running loop too (notebooks).

        Example:
            >>> guard, talk = Guard(), Conversation()
            >>> asked_back = guard.ask("What is CIM?", conversation=talk)
            >>> guard.ask("the second", conversation=talk).refused
            False
        """
        return run_anywhere(self.aask(question, kind=kind, conversation=conversation))

    async def aask(
        self,
        question: str,
        *,
        kind: DocumentKind | None = None,
        conversation: Conversation | None = None,
        request_id: str | None = None,
    ) -> RAGResponse:
        """Answer one question, or say why not.

        Args:
            question: what a person asks, in English, Dutch or German.
            kind: the one kind of document the question concerns, when the caller knows it.
            conversation: what was said before; a new one where each question stands alone. With
                it, a message may pick one of the meanings that were asked back ('the second').
            request_id: the id under which it appears in logs; made up when absent.
        """
        inquiry = self.pipeline.begin(
            question,
            request_id=request_id or f"req-{uuid.uuid4().hex[:12]}",
            route="direct",
            kind=kind,
            conversation=conversation,
        )
        return await self.pipeline.answer(inquiry)


def _path(named: Path | str | None) -> Path | None:
    return Path(named).expanduser() if named else None
