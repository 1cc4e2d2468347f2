"""How an answer was made, and what a reader is told of what a model wrote in vain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from elysia_guard.domain.claim import Fault, Manuscript, Proof, Proved
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse, ResponseWarning, Validation
from elysia_guard.language.catalogue import say

_TYPES = {Fault.NO_SOURCE: "PHANTOM_FILE", Fault.SNIPPET: "SNIPPET_MISMATCH"}
_UNVERIFIED = "UNVERIFIED_FIELDS"
_LEFT_OUT = frozenset({*_TYPES.values(), _UNVERIFIED})


@dataclass(frozen=True, kw_only=True)
class Made:
    """The mode that an answer came out in, and what a model wrote for it, if it did."""

    mode: Mode = Mode.INSTANT
    manuscript: Manuscript | None = None
    untold: tuple[str, ...] = ()
    """Words of the question that the part of it which is answered does not hold."""

    @property
    def written_by(self) -> str:
        """Who wrote what is shown; nothing where the sources speak for themselves."""
        written = None if self.mode in {Mode.INSTANT, Mode.RAW} else self.manuscript
        return written.written_by if written else ""

    @property
    def is_cut(self) -> bool:
        """Whether sentences were left out, or not written any more, or a part is not answered."""
        made = self.manuscript
        if made is None:
            return bool(self.untold)
        in_vain = made.shown and not self.written_by
        return bool(self.untold or made.withheld or made.cut or in_vain)

    def counted(self, validation: Validation, draft: Draft) -> Validation:
        """Count beside the quotes the sentences that were written, and those of them shown."""
        if self.manuscript is None:
            return validation
        total = len(self.manuscript.shown) + len(self.manuscript.withheld)
        shown = {block.whole for block in draft.blocks if block.sentence}
        opined = sum(
            item.proof is Proof.OPEN and item.claim.text in shown for item in self.manuscript.shown
        )
        return replace(
            validation,
            fields_verified=sum(bool(block.sentence) for block in draft.blocks),
            fields_total=total,
            fields_by_opinion=opined,
        )

    def warnings(self, lang: Lang) -> tuple[ResponseWarning, ...]:
        """Tell how many sentences were left out, and why; of their words nothing."""
        return (*self._partly(lang), *self._withheld(lang))

    def _partly(self, lang: Lang) -> Iterator[ResponseWarning]:
        if self.untold:
            message = say(lang, "written.partly_answered", words=", ".join(self.untold))
            yield ResponseWarning(type="PARTLY_ANSWERED", message=message)

    def _withheld(self, lang: Lang) -> tuple[ResponseWarning, ...]:
        if self.manuscript is None or not self.manuscript.withheld:
            return ()
        if not self.written_by:
            details = _details(self.manuscript.withheld)
            message = say(lang, "written.fallback")
            return (ResponseWarning(type=_UNVERIFIED, message=message, details=details),)
        return tuple(_left_out(self.manuscript, lang))


def vouched(reply: RAGResponse) -> RAGResponse:
    """Say to a person what was verified of an answer, and who wrote it, where a model did.

    What a warning says was left out is not told of twice.
    """
    held, lang = reply.validation, reply.lang
    if held is None:
        return reply
    if not reply.written_by:
        return replace(reply, verified=_quoted(lang, held))
    model, _, asked = reply.written_by.partition("@write+")
    prompt, _, _language = asked.partition(".")
    left = held.fields_total - held.fields_verified - sum(map(left_out, reply.warnings))
    told = [
        say(lang, "written.by_prompt" if prompt else "written.by", model=model, prompt=prompt),
        _counted(lang, "written.verified", held.fields_verified),
        _counted(lang, "written.opinion", held.fields_by_opinion),
        _counted(lang, "written.left", left),
    ]
    return replace(reply, verified=" ".join(filter(None, told)))


def _quoted(lang: Lang, held: Validation) -> str:
    """Tell how many quotes hold: of an answer that is shown all do, or it says how many."""
    if held.sources_verified < held.sources_total:
        return say(
            lang, "written.quoted_of", verified=held.sources_verified, total=held.sources_total
        )
    return _counted(lang, "written.quoted", held.sources_total)


def left_out(warning: ResponseWarning) -> int:
    """Return how many sentences a warning says were left out."""
    count = warning.details.get("withheld") if warning.type in _LEFT_OUT else 0
    return count if isinstance(count, int) else 0


def _counted(lang: Lang, key: str, count: int) -> str:
    if not count:
        return ""
    return say(lang, f"{key}_one" if count == 1 else f"{key}_many", count=count)


def _left_out(manuscript: Manuscript, lang: Lang) -> Iterator[ResponseWarning]:
    by_type: dict[str, list[Proved]] = {}
    for item in manuscript.withheld:
        by_type.setdefault(_type(item), []).append(item)
    for type_, items in by_type.items():
        yield ResponseWarning(
            type=type_,
            message=say(lang, f"written.{type_.lower()}", count=len(items)),
            details=_details(items),
        )


def _type(proved: Proved) -> str:
    found = [_TYPES[item.fault] for item in proved.findings if item.fault in _TYPES]
    return found[0] if found else _UNVERIFIED


def _details(withheld: tuple[Proved, ...] | list[Proved]) -> dict[str, object]:
    faults = Counter(
        str(fault)
        for item in withheld
        for fault in {finding.fault for finding in item.findings} or {Fault.UNSUPPORTED}
    )
    return {"withheld": len(withheld), "faults": dict(sorted(faults.items()))}
