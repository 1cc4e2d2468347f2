"""A language model as a writer and a planner, asked in a form and once for the same.

The words that it is asked in stand in ``prompts/``. What it wrote to the last prompts is remembered
where it was of use: the same question over the same sources is answered the same, also by a model
that varies.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from elysia_guard.adapters.models import ModelCaller, NothingUsableError
from elysia_guard.adapters.models.chat import (
    Chat,
    Form,
    Message,
    asked_in_form,
    closed,
    json_in,
    messages_of,
)
from elysia_guard.domain.document import Passage
from elysia_guard.domain.manuscript import Pointer, Written
from elysia_guard.domain.question import Lang
from elysia_guard.language.text import clean

_FOLDER = files("elysia_guard.adapters.writers") / "prompts"
_FIRST = "en"
MOST_SENTENCES = 8
MOST_TEXT = 2_000
"""Characters: no sentence is longer."""
MAX_CHARS = 3_000
_CITED = re.compile(r"\[source:\s*(\d{1,4})\]")
MOST_SEARCHES, LONGEST_SEARCH = 4, 300
"""Searches, and characters of each: what is longer is no search."""


SCHEMA = closed(
    {
        "can_answer": {"type": "boolean"},
        "sentences": {
            "type": "array",
            "items": closed({"text": {"type": "string"}, "source": {"type": "integer"}}),
        },
    }
)
PLAN = closed({"searches": {"type": "array", "items": {"type": "string"}}})


@cache
def sections(lang: Lang) -> Mapping[str, str]:
    """Return the parts of a language's prompt by their headings.

    They are task, repair and plan. A language without a prompt is asked in the first one's words.
    """
    file = _FOLDER / f"{lang}.md"
    text = (file if file.is_file() else _FOLDER / f"{_FIRST}.md").read_text(encoding="utf-8")
    parts = (part.partition("\n") for part in f"\n{text}".split("\n# ")[1:])
    return {heading.strip(): body.strip() for heading, _, body in parts}


@cache
def version() -> str:
    """Return the hash of all prompts and of the form, eight digits."""
    found = sha256(json.dumps([SCHEMA, PLAN], sort_keys=True).encode())
    named = sorted((each.name, each) for each in _FOLDER.iterdir() if each.name.endswith(".md"))
    for name, file in named:
        found.update(f"\n{name}\n".encode() + file.read_bytes())
    return found.hexdigest()[:8]


def language_of(told: Sequence[Passage], lang: Lang) -> Lang:
    """Return the language of most sources, of as many the first's; that of a question if none."""
    counted = Counter(each.document.lang or _FIRST for each in told)
    return max(counted, key=counted.__getitem__, default=lang)


def messages(
    question: str, told: Sequence[Passage], lang: Lang, *, max_chars: int
) -> list[Message]:
    """Return what a model is told: the task apart from the data, and the data as JSON.

    Args:
        question: what is asked.
        told: the sources.
        lang: the language that the task stands in.
        max_chars: so many characters of each source are told, at most.
    """
    sources = [_source(n, each, max_chars) for n, each in enumerate(told, start=1)]
    return messages_of(sections(lang)["task"], SCHEMA, {"question": question, "sources": sources})


def to_plan(question: str, lang: Lang) -> list[Message]:
    """Return what a model is told that is to take a question apart."""
    return messages_of(sections(lang)["plan"], PLAN, {"question": question})


def _source(n: int, told: Passage, max_chars: int) -> dict[str, Any]:
    document = told.document
    source = {
        "id": n,
        "document": document.identifier or str(document.identity or ""),
        "title": document.title,
        "section": told.section,
        "status": document.status,
        "text": told.text[:max_chars],
    }
    return {key: value for key, value in source.items() if value}


class LanguageModelWriter:
    """Asks a language model for an answer, or to take a question apart.

    Args:
        chat: is asked.
        caller: asks it; what it wrote of use to the same prompt is not asked for again.
        max_chars: of each source, so much is told.
    """

    def __init__(self, chat: Chat, caller: ModelCaller, *, max_chars: int = MAX_CHARS) -> None:
        self._chat = chat
        self._caller = caller
        self._max_chars = max_chars

    @property
    def model_id(self) -> str:
        """The model, and the version of what it is asked."""
        return f"{self._chat.model}@write+{version()}"

    async def __call__(self, question: str, told: Sequence[Passage], /, *, lang: Lang) -> Written:
        """Ask for an answer; see ``ports.Writer``."""
        # A task in the reader's language would draw the sentences into that language.
        spoken = language_of(told, lang)
        asked = messages(question, told, spoken, max_chars=self._max_chars)
        return await self._asked(asked, schema=SCHEMA, lang=spoken, read=written)

    async def plan(self, question: str, /, *, lang: Lang) -> Sequence[str]:
        """Ask to take a question apart; what it writes is searched for, and shown to nobody."""
        return await self._asked(to_plan(question, lang), schema=PLAN, lang=lang, read=searches)

    async def _asked(
        self,
        asked: Sequence[Message],
        *,
        schema: Mapping[str, Any],
        lang: Lang,
        read: Callable[[str], Form | None],
    ) -> Form:
        """Return what ``read`` makes of what the model writes; a second try is part of the call.

        Raises:
            SourceUnavailableError: it could not be asked, was late, or wrote nothing of use.
        """

        async def usable() -> str:
            repair = sections(lang)["repair"]
            made = await asked_in_form(self._chat, asked, schema=schema, read=read, repair=repair)
            if made is None:
                # What it wrote stands in no message.
                raise NothingUsableError(
                    "the language model wrote nothing of the form asked, twice"
                )
            return made[0]

        found = read(await self._caller.once(json.dumps(asked), usable, purpose="write"))
        if found is None:
            raise NothingUsableError("what is kept of the language model is of no use any more")
        return found


def written(text: str) -> Written | None:
    """Return what a model wrote; None where it is of no use."""
    match json_in(text):
        case {"can_answer": False, "sentences": list()}:
            return Written(answers=False)
        case {"can_answer": True, "sentences": list(rows)}:
            pointers = tuple(_pointers(rows[:MOST_SENTENCES]))
            return Written(answers=True, pointers=pointers) if pointers else None
        case _:
            return None


def _pointers(rows: Sequence[object]) -> Iterator[Pointer]:
    """Return what some rows point with; a row of another form points nowhere."""
    for row in rows:
        match row:
            case {"text": str(text), **more}:
                said, source = clean(text), more.get("source")
                named = [source] if type(source) is int else []
                named += map(int, _CITED.findall(said))
                if 0 < len(said) <= MOST_TEXT:
                    yield Pointer(text=said, sources=tuple(dict.fromkeys(named)))


def searches(text: str) -> tuple[str, ...] | None:
    """Return the searches that a model wrote; None where it is of no use."""
    match json_in(text):
        case {"searches": list(rows)}:
            found = [clean(row) for row in rows if isinstance(row, str)]
            return tuple(each for each in found if 0 < len(each) <= LONGEST_SEARCH)[:MOST_SEARCHES]
        case _:
            return None
