"""A language model as a writer: it writes sentences, and names the words that each rests on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from elysia_guard.adapters.models.chat import json_in
from elysia_guard.adapters.writers import prompt
from elysia_guard.adapters.writers.guarded import FormChat
from elysia_guard.adapters.writers.incremental import RowReader
from elysia_guard.domain.claim import Claim, Proved, Support, Told, Written
from elysia_guard.domain.question import Lang
from elysia_guard.language.text import clean

MOST_TEXT, MOST_WORDS = 600, 2_000
"""Characters: no sentence is longer, nor the words that it rests on."""
MAX_CHARS = 3_000
_CITED = re.compile(r"\s*\[(?:source:\s*)?\d+(?:\s*,\s*\d+)*\]")
_LEADING = re.compile(r"\A(?:[^\w\"'\u2018\u201c\u201e\u00ab(*`]+|\d{1,2}[.)]\s+)+")
"""What stands before a sentence and is none of it: the dash or the number of an item."""


class LanguageModelWriter:
    """Asks a language model for an answer.

    Args:
        chat: is asked.
        max_chars: of each source, so much is told.
        language: whether each sentence is written in the language of its source, near whose words
            code can prove it, or all of them in that of the question.
    """

    def __init__(
        self,
        chat: FormChat,
        *,
        max_chars: int = MAX_CHARS,
        language: prompt.Language = "sources",
    ) -> None:
        self._chat = chat
        self._max_chars = max_chars
        self._language = language

    @property
    def model_id(self) -> str:
        """The model, the version of what it is asked, and whose language it writes in."""
        return f"{self._chat.model}@write+{prompt.version()}.{self._language}"

    async def __call__(
        self,
        question: str,
        told: Sequence[Told],
        /,
        *,
        lang: Lang,
        failed: Sequence[Proved] = (),
    ) -> Written:
        """Ask the model; see ``ports.Writer``."""
        spoken = self._spoken(told, lang)
        asked = self._messages(question, told, spoken, failed)
        return await self._chat.asked(asked, schema=prompt.SCHEMA, lang=spoken, read=written)

    async def streamed(
        self,
        question: str,
        told: Sequence[Told],
        /,
        *,
        lang: Lang,
        heard: Callable[[Claim], None],
    ) -> Written:
        """Ask the model, and tell each sentence; see ``ports.StreamedWriter``."""
        spoken = self._spoken(told, lang)
        asked = self._messages(question, told, spoken)
        rows, claims = RowReader(rows="sentences", given="can_answer"), 0

        def pieces(piece: str) -> None:
            nonlocal claims
            for row in rows.take(piece):
                claims += 1
                for claim in _claims([row] if claims <= prompt.MOST_SENTENCES else []):
                    heard(claim)

        return await self._chat.asked(
            asked, schema=prompt.SCHEMA, lang=spoken, read=written, heard=pieces
        )

    def _spoken(self, told: Sequence[Told], lang: Lang) -> Lang:
        # A task in the reader's language would draw the sentences into that language.
        return prompt.language_of(told, lang) if self._language == "sources" else lang

    def _messages(
        self, question: str, told: Sequence[Told], spoken: Lang, failed: Sequence[Proved] = ()
    ) -> Sequence[prompt.Message]:
        return prompt.messages(
            question,
            told,
            spoken,
            language=self._language,
            max_chars=self._max_chars,
            failed=failed,
        )


def written(text: str) -> Written | None:
    """Return what a model wrote; None where it is of no use.

    Marks of sources in a sentence are left out: those that a reader sees are ours.
    """
    match json_in(text):
        case {"can_answer": bool(answers), "sentences": list(rows)}:
            pass
        case _:
            return None
    if not answers:
        return Written(answers=False)
    claims = tuple(_claims(rows[: prompt.MOST_SENTENCES]))
    return Written(answers=True, claims=claims) if claims else None


def _claims(rows: Sequence[object]) -> Iterator[Claim]:
    """Return the claims of some rows; a row of another form is none."""
    for row in rows:
        match row:
            case {"text": str(text), "evidence": list(named)}:
                told = _LEADING.sub("", _CITED.sub("", clean(text)))
                if 0 < len(told) <= MOST_TEXT:
                    yield Claim(text=told, supports=tuple(_supports(named[: prompt.MOST_EVIDENCE])))


def _supports(named: Sequence[Any]) -> Iterator[Support]:
    for each in named:
        if not isinstance(each, Mapping):
            continue
        source, words = each.get("source"), each.get("words")
        if type(source) is int and isinstance(words, str) and len(words) <= MOST_WORDS:
            yield Support(source=source, words=clean(words))
