"""What the steps on the way of a question say of themselves, to be told in any language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from elysia_guard.domain.claim import Manuscript
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.quality import HIGH_CONFIDENCE
from elysia_guard.domain.question import Aspect, Scope
from elysia_guard.domain.reading import (
    Asks,
    Comparison,
    Definition,
    Listing,
    Named,
    ReadBy,
    Search,
    SmallTalk,
    Unclear,
)
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.domain.remark import Remark, counted, remark
from elysia_guard.domain.response import Validation

Remarks = tuple[Remark, ...]
MINUTE_S = 60
_WORDS = re.compile(r"[\w\s.,'\u2019/&+-]*")


def spelling(words: Sequence[tuple[str, str]]) -> Remarks:
    """Say which words were taken for which."""
    return tuple(remark("spelling", typed=typed, meant=meant) for typed, meant in words)


def reading(inquiry: Inquiry, asked: str, *, parts: int) -> Remarks:
    """Say how one of so many parts was read; ``asked`` is the message as it was typed."""
    said = inquiry.part.text if parts > 1 else inquiry.question.text
    return tuple(_reading(inquiry, said, asked, parts))


def _reading(inquiry: Inquiry, said: str, asked: str, parts: int) -> Iterator[Remark]:
    part = inquiry.part
    if parts > 1:
        yield remark("part", count=parts, text=said)
    elif said != asked:
        yield remark("whole", text=said)
    yield from _asks(part.asks)
    if part.read_by is ReadBy.INTENT_MODEL:
        yield remark("by_intent_model", percent=round(part.chance * 100))
    elif not (part.is_open and part.read_by is ReadBy.FORM):
        yield remark(f"by_{part.read_by}")


def _asks(asks: Asks) -> Iterator[Remark]:
    match asks:
        case Definition():
            yield remark(str(asks.relation), term=asks.term)
        case Named():
            yield _named(asks)
        case Listing():
            yield from _listing(asks)
        case Comparison():
            yield remark("comparison", terms=", ".join(asks.terms))
        case Search():
            yield from _search(asks)
        case SmallTalk():
            yield remark("small_talk")
        case Unclear():
            yield remark("unclear")


def _named(asks: Named) -> Remark:
    documents = ", ".join(each.written for each in asks.references)
    if asks.another:
        return remark("another", documents=documents)
    if asks.matter and not _is_plain(asks.matter):
        return remark("particular", documents=documents)
    if asks.matter:
        return remark("matter", documents=documents, matter=asks.matter)
    if asks.aspect is Aspect.SUBSTANCE:
        return remark("named", documents=documents)
    aspect = {"aspect": (f"trace.aspect_{asks.aspect}",)}
    return replace(remark("field", documents=documents), named=aspect)


def _is_plain(cut: str) -> bool:
    """Tell whether what was cut out of a question is words alone: nothing else is told again."""
    return _WORDS.fullmatch(cut) is not None


def _listing(asks: Listing) -> Iterator[Remark]:
    kinds = {"kinds": tuple(f"kind.{kind}" for kind in asks.kinds) or ("kind.document",)}
    yield Remark(key="counted" if asks.counted else "listing", named=kinds)
    if asks.topic and _is_plain(asks.topic):
        yield remark("topic", topic=asks.topic)
    if restricted := tuple(f"property.{name}" for name in _restricted(asks.filters)):
        yield Remark(key="restricted", named={"properties": restricted})
    if asks.order:
        yield remark(str(asks.order), count=asks.first) if asks.first else remark("ordered")


def _restricted(filters: Scope) -> Iterator[str]:
    if filters.statuses or filters.denied:
        yield "status"
    if filters.lang:
        yield "lang"
    if filters.since or filters.until:
        yield "date"
    if filters.owner:
        yield "owner"


def _search(asks: Search) -> Iterator[Remark]:
    yield remark("search", topic=asks.topic)
    if asks.kinds:
        yield Remark(key="search_in", named={"kinds": tuple(f"kind.{kind}" for kind in asks.kinds)})
    if asks.term:
        yield remark("search_term", term=asks.term)
    if asks.meaning_of:
        yield remark("meaning_of", term=asks.meaning_of)


def failing(flags: Sequence[str]) -> Remarks:
    """Say that a source failed, in which way, and by what lesser means was gone on."""
    keys = dict.fromkeys(map(_failing, flags))
    return tuple(remark(key) for key in keys if key)


def _failing(flag: str) -> str:
    if flag in {"circuit_open", "bm25_only", "first_embedder_only"}:
        return flag
    return "late" if flag.endswith("_timeout") else "away" if flag.endswith("_error") else ""


def left_to(whom: str, flags: Sequence[str]) -> Remarks:
    """Say that somebody else goes on: the ``rules``, the ``gates`` or the ``quotes``."""
    return (*failing(flags), remark(f"left_to_{whom}"))


def looked_up(found: Evidence, terms: Sequence[str]) -> Remarks:
    """Say what the vocabulary has for the terms of a question."""
    term, count = ", ".join(terms), len(found.matches)
    if found.missing:
        return failing(found.fallbacks) or (remark("away"),)
    return (counted("concepts", count, term=term) if count else remark("concepts_none", term=term),)


def explained(term: str, count: int) -> Remarks:
    """Say how many sentences of documents say what a term is."""
    return (counted("explained", count, term=term),)


def found(asks: Asks, evidence: Evidence) -> Remarks:
    """Say what the index has for a question."""
    return (*_found(asks, evidence), *failing(evidence.fallbacks))


def _found(asks: Asks, evidence: Evidence) -> Iterator[Remark]:
    if evidence.missing:
        return
    if isinstance(asks, Named | Listing) and not (evidence.hits and not evidence.documents):
        yield counted("documents", len(evidence.documents))
        return
    documents = len({hit.passage.document.id for hit in evidence.hits})
    yield counted("passages", len(evidence.hits), documents=documents)


def of_tool(tool: str, kept: int, rejected: Mapping[str, int]) -> Remarks:
    """Say what a tool of somebody else gave, and how much of it was no source, for what reason."""
    others = (
        Remark(key="rejected", values={"count": count}, named={"why": (f"trace.rejection_{why}",)})
        for why, count in rejected.items()
    )
    return (counted("tool", kept, tool=tool), *others)


def judged(evidence: Evidence) -> Remarks:
    """Say what a judge said of the passages."""
    said = list(evidence.judged.values())
    if not said:
        return (remark("judged_all", model=evidence.judged_by),)
    refused = sum(item.answers is False for item in said)
    best = round(max(item.chance for item in said) * 100)
    model = evidence.judged_by
    return (counted("judged", len(said), model=model, refused=refused, best=best),)


def decided(verdict: Verdict) -> Remarks:
    """Say what the gates decided, and why, where they do not let it through or not wholly."""
    if verdict.outcome is Outcome.ANSWER and verdict.confidence < HIGH_CONFIDENCE:
        percent, high = (round(part * 100) for part in (verdict.confidence, HIGH_CONFIDENCE))
        told = remark("gates_hedged", percent=percent, high=high)
        return (told, remark("ceiling")) if _is_bounded(verdict) else (told,)
    if verdict.reason is None or verdict.outcome in {Outcome.ANSWER, Outcome.CONVERSE}:
        return (remark(f"gates_{verdict.outcome}"),)
    reason = {"reason": (f"trace.reason_{verdict.reason}",)}
    return (Remark(key=f"gates_{verdict.outcome}", named=reason),)


def _is_bounded(verdict: Verdict) -> bool:
    """Whether more was measured than a search is taken at."""
    values = [item.value for item in verdict.readings if item.gate == "confidence"]
    return any(isinstance(item, float) and item > verdict.confidence for item in values)


def proposed(term: str) -> Remarks:
    """Say which meaning a language model takes a question to ask for; none, perhaps."""
    return (remark("perhaps", term=term) if term else remark("no_meaning"),)


def by_difficulty(mode: Mode) -> Remarks:
    """Say how an answer is made, where the question decides that."""
    return (remark(f"mode_{mode}"),)


def taken_apart(count: int) -> Remarks:
    """Say into how many searches a question was taken apart."""
    return (counted("taken_apart", count) if count else remark("not_taken_apart"),)


def written(manuscript: Manuscript) -> Remarks:
    """Say what became of what a model wrote; no word of it."""
    model, sources = manuscript.written_by, len(manuscript.passages)
    if not manuscript.answers:
        return (counted("wrote_nothing", sources, model=model),)
    total, withheld = len(manuscript.shown) + len(manuscript.withheld), len(manuscript.withheld)
    told = counted("wrote", total, model=model, sources=sources)
    return (told, counted("withheld", withheld)) if withheld else (told,)


def drafted(draft: Draft, *, written: bool) -> Remarks:
    """Say how many sources an answer is told from."""
    return (counted("told" if written else "quoted", len(draft.sources)),)


def held(validation: Validation) -> Remarks:
    """Say how many quotes stand in their sources, and where that was looked up."""
    if not validation.sources_total:
        return (remark("nothing_checked"),)
    said = {"verified": validation.sources_verified, "total": validation.sources_total}
    against = {"against": tuple(f"trace.against_{each}" for each in validation.against)}
    if not validation.against:
        return (remark("checked", **said),)
    return (replace(remark("checked_in", **said), named=against),)


def mentioning(count: int) -> Remarks:
    """Say how many sources mention what was refused."""
    return (counted("mentions", count),)


def ways_on(count: int) -> Remarks:
    """Say how many ways on there are."""
    return (counted("ways", count),)


def given_again(age_s: int) -> Remarks:
    """Say how long ago an answer was given that is given again; in seconds."""
    if age_s < 2 * MINUTE_S:
        return (counted("cached_s", age_s),)
    return (counted("cached_min", age_s // MINUTE_S),)
