"""What Skosmos says it has: vocabularies, their languages, and the URIs of their concepts."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from elysia_guard.adapters.skosmos.errors import SKOSMOSError
from elysia_guard.adapters.skosmos.rest import folder
from elysia_guard.adapters.skosmos.wire import NOT_FOUND, OK, Answer, Wire
from elysia_guard.language.text import clean

NAMED = 20
"""How many vocabularies an error names."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class _Scheme(_Part):
    uri: str


class About(_Part):
    """A vocabulary: its title, the languages of its index, and its schemes."""

    id: str
    title: str = ""
    languages: tuple[str, ...] = ()
    schemes: tuple[_Scheme, ...] = Field(default=(), alias="conceptschemes")


class _Listed(_Part):
    id: str
    title: str = ""


class _List(_Part):
    vocabularies: tuple[_Listed, ...]


class Entry(_Part):
    """A label of the alphabetical index: a concept's own, or another beside it."""

    uri: str
    preferred: str = Field(default="", alias="prefLabel")
    alternative: str = Field(default="", alias="altLabel")


class _Index(_Part):
    entries: tuple[Entry, ...] = Field(alias="indexConcepts")


class _Counted(_Part):
    count: int


class _Statistics(_Part):
    concepts: _Counted


Part = TypeVar("Part", bound=_Part)


class Catalogue:
    """The calls that tell what there is to fetch."""

    def __init__(self, wire: Wire, *, name: str) -> None:
        self._wire = wire
        self._name = name

    async def vocabularies(self) -> dict[str, str]:
        """Return the ids of all vocabularies, with their titles."""
        answer = await self._wire.get("/vocabularies", {"lang": "en"})
        listed = self._read(_List, answer).vocabularies
        return {item.id: clean(item.title) for item in listed}

    async def about(self, vocabulary: str) -> About:
        """Return what there is to know of a vocabulary.

        Raises:
            SKOSMOSError: there is no such vocabulary (the message names those there are), or
                Skosmos cannot be asked.
        """
        answer = await self._wire.get(f"{folder(vocabulary)}/", {"lang": "en"})
        if answer.status == NOT_FOUND and b"Vocabulary id" in answer.body:
            known = sorted(await self.vocabularies())
            more = f" and {len(known) - NAMED} more" if len(known) > NAMED else ""
            there = f"{', '.join(map(clean, known[:NAMED]))}{more}" or "none"
            raise SKOSMOSError(f"{self._name} has no vocabulary {vocabulary!r}; there are: {there}")
        return self._read(About, answer)

    async def concepts(self, about: About) -> dict[str, str]:
        """Return the URI of each concept in the alphabetical index, with a label of it.

        The index of a language holds the concepts that have a label in it, deprecated ones only
        where the server shows those.
        """
        found: dict[str, str] = {}
        for lang in about.languages or ("en",):
            answer = await self._wire.get(f"{folder(about.id)}/index/*", {"lang": lang})
            for entry in self._read(_Index, answer).entries:
                found.setdefault(entry.uri, entry.preferred)
        return found

    async def entries(self, vocabulary: str, lang: str, *, limit: int) -> tuple[Entry, ...]:
        """Return the first labels of the alphabetical index in a language."""
        params = {"lang": lang, "limit": str(limit)}
        answer = await self._wire.get(f"{folder(vocabulary)}/index/*", params)
        return self._read(_Index, answer).entries[:limit]

    async def count(self, vocabulary: str, *, default: int) -> int:
        """Return how many concepts a vocabulary has; ``default`` where the server does not say."""
        params = {"lang": "en"}
        answer = await self._wire.get(f"{folder(vocabulary)}/vocabularyStatistics", params)
        try:
            # Some stores cannot count, and the server then answers with an error.
            return self._read(_Statistics, answer).concepts.count
        except SKOSMOSError:
            return default

    async def download(self, vocabulary: str, media_type: str) -> Answer | None:
        """Return the answer to the call for a whole vocabulary; None where it is not offered.

        It is a redirect to a file, or the file itself.
        """
        params = {"format": media_type}
        answer = await self._wire.get(f"{folder(vocabulary)}/data", params)
        return answer if answer.status == OK or answer.is_redirect else None

    def _read(self, model: type[Part], answer: Answer) -> Part:
        if answer.status != OK:
            led = (
                "; does it want a login, or stand at another address?" if answer.is_redirect else ""
            )
            raise SKOSMOSError(f"{self._name} answered with status {answer.status}{led}")
        try:
            if answer.is_json:
                return model.model_validate_json(answer.body)
        except ValidationError:
            pass
        raise SKOSMOSError(
            f"{self._name} answered with something else than a list of its vocabularies or "
            "concepts; is it a login page, or another address?"
        )
