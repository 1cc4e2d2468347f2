"""A language model as a judge: TD-080's option 3, with the sentence that answers named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from elysia_guard.adapters.judges import prompt
from elysia_guard.adapters.judges.errors import NoJudgementError
from elysia_guard.adapters.models.chat import Chat, json_in
from elysia_guard.domain.document import Passage
from elysia_guard.domain.judgement import Judgement
from elysia_guard.domain.question import Lang
from elysia_guard.language.text import clean

MOST_REASONING, MOST_SENTENCE = 200, 2_000
"""Characters: more of a reason is not kept, and no sentence is longer."""
MAX_CHARS = 4_000


class LanguageModelJudge:
    """Asks a language model about all passages at once, and once again where the form is wrong.

    Args:
        chat: is asked.
        max_chars: of each passage, so much is told.
    """

    def __init__(self, chat: Chat, *, max_chars: int = MAX_CHARS) -> None:
        self._chat = chat
        self._max_chars = max_chars

    @property
    def model_id(self) -> str:
        """The model, and the version of what it is asked."""
        return f"{self._chat.model}@chat+p{prompt.VERSION}"

    async def __call__(
        self, question: str, passages: Sequence[Passage], /, *, lang: Lang
    ) -> Sequence[Judgement]:
        """Ask the model; see ``ports.Judge``."""
        form = prompt.schema(len(passages))
        told = prompt.messages(question, passages, lang, max_chars=self._max_chars)
        written = await self._chat(told, schema=form)
        said = judgements(written, len(passages))
        if said is None:
            written = await self._chat(prompt.again(told, written), schema=form)
            said = judgements(written, len(passages))
        if said is None:
            raise NoJudgementError(f"{self._chat.model} wrote no judgement of the passages, twice")
        return said


def judgements(written: str, count: int) -> tuple[Judgement, ...] | None:
    """Return what a model says of so many passages, in their order; None where it is of no use."""
    said = json_in(written)
    rows = said.get("passages") if isinstance(said, dict) else None
    if not isinstance(rows, list) or len(rows) != count:
        return None
    found = {row["id"]: _judgement(row) for row in rows if _has_id(row)}
    every = [found.get(n) for n in range(1, count + 1)]
    kept = tuple(item for item in every if item is not None)
    return kept if len(kept) == count else None


def _has_id(row: object) -> bool:
    return isinstance(row, dict) and type(row.get("id")) is int


def _judgement(row: Mapping[str, Any]) -> Judgement | None:
    match row:
        case {"can_answer": bool(answers), "confidence": int() | float() as sure, **others}:
            sentence, why = others.get("sentence", ""), others.get("reasoning", "")
        case _:
            return None
    fit = isinstance(sentence, str) and isinstance(why, str) and len(sentence) <= MOST_SENTENCE
    if isinstance(sure, bool) or not fit or not 0 <= sure <= 1:
        return None
    # Less sure than a guess is no other answer: models write the chance of 'yes' there, or none.
    chance = max(float(sure), 0.5)
    return Judgement(
        chance=chance if answers else 1.0 - chance,
        answers=answers,
        sentence=sentence if answers else "",
        reasoning=clean(why)[:MOST_REASONING],
    )
