"""How an answer was made, and what a reader is told of what a model wrote in vain."""

from __future__ import annotations

from dataclasses import dataclass, replace

from elysia_guard.domain.manuscript import Manuscript
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse, ResponseWarning, Validation
from elysia_guard.language.catalogue import say

_UNVERIFIED = "UNVERIFIED_FIELDS"


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """The mode that an answer came out in, and what a model wrote for it, if it did."""

    mode: Mode = Mode.INSTANT
    manuscript: Manuscript | None = None

    @property
    def written_by(self) -> str:
        """Who chose what is shown; nothing where code did."""
        chosen = None if self.mode in {Mode.INSTANT, Mode.RAW} else self.manuscript
        return chosen.written_by if chosen else ""

    @property
    def left_out(self) -> int:
        """How many sentences were not found, of a model that chose what is shown."""
        return self.manuscript.left_out if self.manuscript and self.written_by else 0

    def counted(self, validation: Validation) -> Validation:
        """Count beside the quotes the sentences that were written, and those found in sources."""
        if self.manuscript is None:
            return validation
        found, total = self.manuscript.located, self.manuscript.total
        return replace(validation, fields_verified=found, fields_total=total)

    def warnings(self, lang: Lang) -> tuple[ResponseWarning, ...]:
        """Tell how many sentences were not found; of their words nothing."""
        if not self.left_out:
            return ()
        message = say(lang, "written.unverified_fields", count=self.left_out)
        details: dict[str, object] = {"withheld": self.left_out}
        return (ResponseWarning(type=_UNVERIFIED, message=message, details=details),)


def vouched(reply: RAGResponse, quoted: Validation | None) -> RAGResponse:
    """Say to a person what was verified of an answer, and who chose it, where a model did.

    ``quoted`` is of what it quotes; titles that it lists are no quotes.
    """
    held, lang = quoted, reply.lang
    if held is None:
        return reply
    told = _quoted(lang, held)
    if reply.written_by:
        model, _, asked = reply.written_by.partition("@write+")
        key = "written.by_prompt" if asked else "written.by"
        told = f"{told} {say(lang, key, model=model, prompt=asked)}"
    return replace(reply, verified=told)


def _quoted(lang: Lang, held: Validation) -> str:
    """Tell how many quotes hold: of an answer that is shown all do, or it says how many."""
    verified, total = held.sources_verified, held.sources_total
    if verified < total:
        return say(lang, "written.quoted_of", verified=verified, total=total)
    if not total:
        return ""
    return say(lang, "written.quoted_one" if total == 1 else "written.quoted_many", count=total)


def left_out(warning: ResponseWarning) -> int:
    """Return how many sentences a warning says were not found."""
    count = warning.details.get("withheld") if warning.type == _UNVERIFIED else 0
    return count if isinstance(count, int) else 0
