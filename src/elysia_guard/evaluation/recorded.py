"""Answers that a capable model wrote to our prompt, recorded: what each sentence rests on, by name.

A source is named by its document, its section and the words themselves, not by its number, so that
an answer can be played back where the sources are told in another order.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation.adversaries.told import Evidence, Made, Source
from elysia_guard.evaluation.golden import CaseId, Split
from elysia_guard.evaluation.spoken import SpokenLang

Language = Literal["sources", "question"]
Words = Annotated[str, Field(min_length=1)]


class RecordedError(GuardError):
    """The recorded answers cannot be used; the message names file and line."""


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Named(_Record):
    """Words of a section of a document that a sentence rests on."""

    document: str
    section: str
    words: Words


class Sentence(_Record):
    """One sentence that was written."""

    text: Words
    evidence: tuple[Named, ...]


class Recorded(_Record):
    """An answer as it was written.

    ``id``, ``lang`` and ``split`` are those of the golden question; ``question`` is the hash of
    the text that was asked of the writer (see ``hash_of``), ``prompt`` the version of the prompt.
    ``languages`` say what it was asked for: sentences in the language of their sources, or in that
    of the question; where both are one, it serves for both. ``confidence`` is 0 to 1.
    """

    id: CaseId
    lang: SpokenLang
    split: Split
    prompt: Annotated[str, Field(pattern=r"^[0-9a-f]{8}$")]
    languages: Annotated[tuple[Language, ...], Field(min_length=1)]
    question: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    can_answer: bool
    confidence: Annotated[float, Field(ge=0, le=1)]
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Replayed:
    """A recorded answer beside the sources that are told now.

    ``made`` are its sentences, each with the numbers of its sources; ``not_told`` those that rest
    on words of which no source is told any more.
    """

    made: tuple[Made, ...]
    not_told: tuple[Sentence, ...] = ()


def hash_of(question: str) -> str:
    """Return the hash of a question as a writer is asked it: sixteen hexadecimal digits."""
    return sha256(" ".join(question.split()).encode()).hexdigest()[:16]


def replayed(answer: Recorded, sources: Sequence[Source]) -> Replayed:
    """Give the sentences of an answer the numbers that their sources have now.

    A sentence is played where one source at least of those that it names is told.
    """
    made, missing = [], []
    for sentence in answer.sentences:
        found = [(each, _number(each, sources)) for each in sentence.evidence]
        told = tuple(Evidence(source=n, words=each.words) for each, n in found if n)
        if told or not sentence.evidence:
            made.append(Made(text=sentence.text, evidence=told))
        else:
            missing.append(sentence)
    return Replayed(made=tuple(made), not_told=tuple(missing))


def _number(named: Named, sources: Sequence[Source]) -> int:
    """Return the number of the source that some words stand in; 0 where none is told.

    Words that stand in no source stay with the section that they were said to be of.
    """
    of_document = [each for each in sources if each.document == named.document]
    of_section = [each for each in of_document if each.section == named.section]
    words = " ".join(named.words.split())
    holding = (e for e in (*of_section, *of_document) if words in " ".join(e.text.split()))
    found = next(holding, None) or next(iter(of_section), None)
    return found.id if found else 0


def load_all(paths: Iterable[Path], splits: Iterable[Split] = tuple(Split)) -> tuple[Recorded, ...]:
    """Read the recorded answers of several files; of the same question the last file counts.

    Raises:
        RecordedError: as for ``load``.
    """
    wanted = tuple(splits)
    answers = [each for path in paths for each in load(path, wanted)]
    last = {
        (each.id, each.question, language): n
        for n, each in enumerate(answers)
        for language in each.languages
    }
    counts: dict[int, list[Language]] = {}
    for (_, _, language), n in last.items():
        counts.setdefault(n, []).append(language)
    return tuple(
        answers[n].model_copy(update={"languages": tuple(languages)})
        for n, languages in sorted(counts.items())
    )


def load(path: Path, splits: Iterable[Split] = tuple(Split)) -> tuple[Recorded, ...]:
    """Read the recorded answers (JSON lines) to the questions of some halves.

    A golden question of several parts has an answer to each.

    Raises:
        RecordedError: the file cannot be read, a line is no answer, or a question has two in what
            is asked for the same language.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as err:
        raise RecordedError(f"{path}: cannot be read: {err}") from err
    found: list[Recorded] = []
    known: set[tuple[str, str, str]] = set()
    for n, line in enumerate(lines, start=1):
        try:
            row = Recorded.model_validate(json.loads(line))
        except (json.JSONDecodeError, ValidationError):
            # Who reads a held-out answer starts to tune on it, so its values stay hidden.
            raise RecordedError(f"{path}:{n}: is no recorded answer") from None
        answered = {(row.id, row.question, language) for language in row.languages}
        if answered & known or len(answered) < len(row.languages):
            raise RecordedError(f"{path}:{n}: {row.id} is answered twice")
        known |= answered
        found.append(row)
    wanted = set(splits)
    return tuple(row for row in found if row.split in wanted)


def in_language(answers: Iterable[Recorded], language: Language) -> tuple[Recorded, ...]:
    """Return the answers to what was asked for in the language of the sources or the question."""
    return tuple(each for each in answers if language in each.languages)
