"""A server on loopback that speaks OpenAI's chat completions, and plays recorded answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from elysia_guard.evaluation.adversaries.server import AdversaryServer
from elysia_guard.evaluation.adversaries.told import Reply, sources_of, written
from elysia_guard.evaluation.recorded import Recorded, Replayed, hash_of, replayed


class RecordedServer(AdversaryServer):
    """Plays the answer that was recorded to the question that it is asked.

    Asked once more, it says the same again. To a question without a recording it says that the
    sources do not answer.

    Attributes:
        played: what was played, by the hash of the question; the last time counts.
        unknown: how many questions had no recording.
    """

    def __init__(self, answers: Iterable[Recorded]) -> None:
        """Take the answers to play."""
        super().__init__()
        self.played: dict[str, Replayed] = {}
        self.unknown = 0
        self._answers = {each.question: each for each in answers}

    def _played(self, request: Mapping[str, Any]) -> Reply:
        asked = _asked(request.get("messages", ()))
        answer = self._answers.get(hash_of(str(asked.get("question", ""))))
        if answer is None:
            self.unknown += 1
            return written((), can_answer=False)
        found = self.played[answer.question] = replayed(
            answer, sources_of(asked.get("sources", ()))
        )
        return written(
            found.made,
            can_answer=answer.can_answer and bool(found.made),
            confidence=answer.confidence,
        )


def _asked(messages: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the data of a prompt for a writer; nothing where it is none."""
    for message in messages:
        try:
            said = json.loads(str(message.get("content", "")))
        except json.JSONDecodeError:
            continue
        if isinstance(said, dict) and "question" in said and "sources" in said:
            return said
    return {}
