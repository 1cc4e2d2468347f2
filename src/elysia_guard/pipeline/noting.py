"""What each step of a question says of itself, computed from what it returned.

To programs in a text, to people in English sentences (``remarks``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.pointing import Pointed, PointedVerdict
from elysia_guard.domain.quality import HIGH_CONFIDENCE
from elysia_guard.domain.question import Aspect, Scope
from elysia_guard.domain.reading import (
    Asks,
    Comparison,
    Definition,
    Listing,
    Named,
    Part,
    ReadBy,
    Relation,
    Search,
    SmallTalk,
    Unclear,
)
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.domain.response import Validation
from elysia_guard.language.catalogue import has, say
from elysia_guard.pipeline.choosing import NotAsked, unasked
from elysia_guard.pipeline.recording import Note
from elysia_guard.stages.guiding import Planned

MINUTE_S = 60
NOTHING: Mapping[str, int] = MappingProxyType({})
_LANG = "en"
_WORDS = re.compile(r"[\w\s.,'\u2019/&+-]*")
_ASKED_OF_A_TERM = {
    Relation.MEANING: "what a term means",
    Relation.BROADER: "the broader terms of a term",
    Relation.NARROWER: "the narrower terms of a term",
    Relation.RELATED: "the terms related to a term",
    Relation.SYNONYMS: "what a term is also called",
    Relation.TRANSLATION: "what a term is called in another language",
}
_ASPECTS = {
    Aspect.APPROVAL: "who approved it",
    Aspect.CONSEQUENCES: "its consequences",
    Aspect.ALTERNATIVES: "the alternatives",
    Aspect.CONTEXT: "the context",
}
"""Of the others the name tells it: its status, its date."""
_READ_BY = {
    ReadBy.FORM: "So its wording says.",
    ReadBy.SPAN: "So the names and terms say that stand in it.",
    ReadBy.CONVERSATION: "So what was said before says.",
}
_FAILING = {
    "circuit_open": "It has failed too often of late, and is not asked for a while.",
    "bm25_only": "It was searched by words alone, not by meaning.",
}
_AWAY = "It could not be asked."
_LEFT_TO = {
    "rules": "The rules decide.",
    "gates": "The gates decide.",
}
_DECIDED = {
    Outcome.ANSWER: "It is answered",
    Outcome.CONVERSE: "Nothing is claimed",
    Outcome.CLARIFY: "It is asked back",
    Outcome.REFUSE: "It is not answered",
}
_AGAINST = {
    "file": "the file as it is now",
    "store": "the store as it is now",
    "index": "the index",
    "result": "what the tool returned",
}
_COUNTED = {
    "explained": (
        "{count} sentence(s) of documents say what '{term}' is",
        "{count} sentence{s} of the documents {say} what '{term}' is.",
    ),
    "answer": ("{count} source(s)", "{count} source{s} {are} quoted."),
    "mentions": ("{count} source(s) mention it", "{count} source{s} {mention} it."),
    "suggestions": ("{count} way(s) on", "{count} way{s} on {be} found."),
}
"""Of what can be counted: the text, and the sentence."""
_ONE = {"s": "", "say": "says", "search": "search", "are": "is", "mention": "mentions", "be": "was"}
_MANY = {word: word for word in _ONE} | {"search": "searches", "be": "were"}
MADE_WHOLE = "a language model made it whole"
_NONE_NAMED = "A language model names no document."
_POINTED = {
    PointedVerdict.ANSWERS: "they answer",
    PointedVerdict.PARTLY: "they answer in part",
    PointedVerdict.CONTRADICTS: "they say that it is not so",
    PointedVerdict.NO: "none of them answers",
}


def counted(what: str, count: int, term: str = "") -> Note:
    """Say how many there are of what can be counted; ``term`` is what they are of."""
    words = {**(_ONE if count == 1 else _MANY), "count": count, "term": term}
    text, told = (each.format_map(words) for each in _COUNTED[what])
    return Note(text, (told,))


def spelling(told: str, words: Sequence[tuple[str, str]]) -> Note:
    """Say which words were taken for which."""
    return Note(told, tuple(f"'{typed}' is read as '{meant}'." for typed, meant in words))


def reading(inquiry: Inquiry, asked: str, *, parts: int) -> Note:
    """Say how one of so many parts was read; ``asked`` is the message as it was typed."""
    part = inquiry.part
    said = part.text if parts > 1 else inquiry.question.text
    return Note(f"{part.asks.kind}: {part.reason}", tuple(_reading(part, said, asked, parts)))


def _reading(part: Part, said: str, asked: str, parts: int) -> Iterator[str]:
    if parts > 1:
        yield f"One of {parts} things that are asked: '{said}'"
    elif said != asked:
        yield f"Understood as: '{said}'"
    yield from _asks(part.asks)
    if part.read_by is ReadBy.INTENT_MODEL:
        yield f"So a small model of wordings says, sure to {round(part.chance * 100)}%."
    elif not (part.is_open and part.read_by is ReadBy.FORM):
        yield _READ_BY[part.read_by]


def _asks(asks: Asks) -> Iterator[str]:
    match asks:
        case Definition():
            yield f"Read as a question for {_ASKED_OF_A_TERM[asks.relation]}: '{asks.term}'."
        case Named():
            yield _named(asks)
        case Listing():
            yield from _listing(asks)
        case Comparison():
            yield f"Read as a comparison: {', '.join(asks.terms)}."
        case Search():
            yield from _search(asks)
        case SmallTalk():
            yield "Read as small talk: no source is asked."
        case Unclear():
            yield "What it asks cannot be told, so it is asked back."


def _named(asks: Named) -> str:
    documents = ", ".join(each.written for each in asks.references)
    about = f"Read as a question about {documents}"
    if asks.another:
        return f"Read as a question for another document, by how it stands to {documents}."
    if asks.matter and not _is_plain(asks.matter):
        return f"{about}, and of it for something in particular."
    if asks.matter:
        return f"{about}, and of it for '{asks.matter}'."
    if asks.aspect is Aspect.SUBSTANCE:
        return f"Read as a question for what stands in {documents}."
    return f"{about}: {_ASPECTS.get(asks.aspect, f'its {asks.aspect}')}."


def _is_plain(cut: str) -> bool:
    """Tell whether what was cut out of a question is words alone: nothing else is told again."""
    return _WORDS.fullmatch(cut) is not None


def _listing(asks: Listing) -> Iterator[str]:
    kinds = _kinds(asks.kinds or ("document",))
    yield f"Read as a question for {'how many there are' if asks.counted else 'a list'}: {kinds}."
    if asks.topic and _is_plain(asks.topic):
        yield f"They are to mention '{asks.topic}'."
    if restricted := ", ".join(_restricted(asks.filters)):
        yield f"The list is restricted by {restricted}."
    if asks.order and asks.first:
        yield f"Of these the {asks.order} are asked for: {asks.first}."
    elif asks.order:
        yield "They are to be in the order of their dates."


def _kinds(kinds: Iterable[str]) -> str:
    """Name kinds of documents; one of a house's own that has no words by its key."""
    keys = ((kind, f"kind.{kind}") for kind in kinds)
    return ", ".join(say(_LANG, key) if has(key) else kind for kind, key in keys)


def _restricted(filters: Scope) -> Iterator[str]:
    if filters.statuses or filters.denied:
        yield say(_LANG, "property.status")
    if filters.lang:
        yield say(_LANG, "property.lang")
    if filters.since or filters.until:
        yield say(_LANG, "property.date")
    if filters.owner:
        yield say(_LANG, "property.owner")


def _search(asks: Search) -> Iterator[str]:
    yield f"Read as a question that documents may answer: '{asks.topic}'."
    if asks.kinds:
        yield f"Looked for in: {_kinds(asks.kinds)}."
    if asks.term:
        yield f"'{asks.term}' may be a term, and is looked up first."
    if asks.meaning_of:
        yield (
            f"No vocabulary tells what '{asks.meaning_of}' means: what documents say of it is "
            "looked for."
        )


def _failing(flags: Sequence[str]) -> tuple[str, ...]:
    """Say that a source failed, in which way, and by what lesser means was gone on."""
    return tuple(filter(None, dict.fromkeys(map(_failed, flags))))


def _failed(flag: str) -> str:
    if flag.endswith("_timeout"):
        return "It did not answer in time."
    return _AWAY if flag.endswith("_error") else _FAILING.get(flag, "")


def left_to(whom: str, flags: Sequence[str], tools: Sequence[str] = ()) -> Note:
    """Say that somebody else goes on: the ``rules`` or the ``gates``; without ``tools`` then."""
    remarks = (*_failing(flags), _LEFT_TO[whom], *unasked(tools, NotAsked.NO_PLAN))
    return Note(f"left to the {whom}: {', '.join(flags)}", remarks)


def looked_up(found: Evidence, terms: Sequence[str]) -> Note:
    """Say what the vocabulary has for the terms of a question."""
    text = f"{len(found.matches)} concept(s) for '{' and '.join(terms)}'"
    if found.missing:
        return Note(text, _failing(found.fallbacks) or (_AWAY,))
    count = _count(len(found.matches), "concept") if found.matches else "no concept"
    return Note(text, (f"The vocabulary has {count} called '{', '.join(terms)}'.",))


def found(asks: Asks, evidence: Evidence) -> Note:
    """Say what the index has for a question."""
    return Note(
        f"{len(evidence.documents)} document(s), {len(evidence.hits)} passage(s)",
        (*_found(asks, evidence), *_failing(evidence.fallbacks)),
    )


def _found(asks: Asks, evidence: Evidence) -> Iterator[str]:
    if evidence.missing:
        return
    if isinstance(asks, Named | Listing) and not (evidence.hits and not evidence.documents):
        count = len(evidence.documents)
        yield f"{_count(count, 'document')} {'fits' if count == 1 else 'fit'}."
        return
    documents = len({hit.passage.document.id for hit in evidence.hits})
    passages = _count(len(evidence.hits), "passage")
    yield f"The search brought {passages} (documents: {documents})."


def of_tool(
    tool: str,
    kept: int,
    rejected: Mapping[str, int],
    told: str = "",
    lacking: Mapping[str, int] = NOTHING,
) -> Note:
    """Say what a tool of somebody else gave, and how much of it was no source, for what reason.

    ``lacking`` are fields, with the number of sources for which they say nothing of use.
    """
    others = (f"Not taken as sources: {count} ({why})." for why, count in rejected.items())
    without = (f"Taken without '{name}', which says nothing: {n}." for name, n in lacking.items())
    return Note(
        told or f"{kept} text(s) from {tool}",
        (f"{_count(kept, 'source')} from the tool '{tool}'.", *others, *without),
    )


def decided(verdict: Verdict) -> Note:
    """Say what the gates decided, and why, where they do not let it through or not wholly."""
    reason = f" ({verdict.reason})" if verdict.reason else ""
    return Note(f"{verdict.outcome}{reason}", tuple(_decided(verdict)), verdict.readings)


def _decided(verdict: Verdict) -> Iterator[str]:
    told = _DECIDED[verdict.outcome]
    if verdict.outcome is Outcome.ANSWER and verdict.confidence < HIGH_CONFIDENCE:
        percent, high = (round(part * 100) for part in (verdict.confidence, HIGH_CONFIDENCE))
        yield f"{told} with a caveat: sure to {percent}%, where {high}% would do without one."
        if _is_bounded(verdict):
            yield "It is a search, and no search is taken to be surer than that."
    elif verdict.reason is None or verdict.outcome in {Outcome.ANSWER, Outcome.CONVERSE}:
        yield f"{told}."
    else:
        yield f"{told}: {say(_LANG, f'reason.{verdict.reason}')}."


def _is_bounded(verdict: Verdict) -> bool:
    """Whether more was measured than a search is taken at."""
    values = [item.value for item in verdict.readings if item.gate == "confidence"]
    return any(isinstance(item, float) and item > verdict.confidence for item in values)


def planned(plan: Planned, offered: Sequence[str] = ()) -> Note:
    """Say which documents a model takes to tell, and how often it had searched; none of its words.

    Documents are those of the catalogue, tools those that were ``offered``.
    """
    names = ", ".join(document.name for document in plan.documents)
    searched = _count(len(plan.searches), "more wording")
    text = f"{len(plan.documents)} document(s) named, {len(plan.searches)} search(es)"
    told = f"A language model says that these may tell: {names}." if names else _NONE_NAMED
    remarks = [told, f"It was searched for in {searched}."] if plan.searches else [told]
    if offered:
        others = [each for each in offered if each not in plan.tools]
        remarks += unasked(plan.tools[1:], NotAsked.ANOTHER)
        remarks += unasked(others, NotAsked.NOT_PLANNED)
        strange = plan.unknown_tools
        remarks += [f"Dropped: {strange} (there is no such tool)."] * bool(strange)
    return Note(text, tuple(remarks))


def made_whole(whole: Inquiry | None) -> Note:
    """Say how a question is read that a model made whole, by kind and names; none of its words."""
    if whole is None:
        return Note("not used", ("What a language model made of it is not used.",))
    about = f", as a question about {whole.about}" if whole.about else ""
    told = f"A language model made it whole, and it is read again{about}."
    return Note(f"{whole.asks.kind}: {MADE_WHOLE}{about}", (told,))


def pointed(said: Pointed) -> Note:
    """Say what a model says of the units that it was told, and how many it points at."""
    kept = _count(len(said.units), "unit")
    text = f"{said.by}: {said.verdict}, {len(said.units)} of {said.told} unit(s)"
    told = f"{said.by} read {_count(said.told, 'unit')}: {_POINTED[said.verdict]}"
    remarks = [f"{told}, and points at {kept}." if said.units else f"{told}."]
    for count, why in (
        (said.unknown, "there is no such unit"),
        (said.unrelated, "nothing of the question stands there"),
    ):
        remarks += [f"Dropped: {count} ({why})."] * bool(count)
    return Note(text, tuple(remarks))


def held(validation: Validation) -> Note:
    """Say how many quotes stand in their sources, and where that was looked up."""
    told = f"{validation.sources_verified} of {validation.sources_total} quotes hold"
    text = f"{told}, against: {', '.join(validation.against) or 'nothing'}"
    if not validation.sources_total:
        return Note(text, ("There is no quote to check.",))
    against = ", ".join(_AGAINST[each] for each in validation.against)
    return Note(text, (f"{told}, looked up in {against}." if against else f"{told}.",))


def given_again(age_s: int, sources: int) -> Note:
    """Say how long ago an answer was given that is given again; in seconds."""
    ago = _count(age_s, "second") if age_s < 2 * MINUTE_S else f"{age_s // MINUTE_S} minutes"
    return Note(
        f"cached: given {age_s} s ago, {sources} source(s) as they were then",
        (f"The same was answered {ago} ago, and all that it rests on is as it was.",),
    )


def _count(count: int, one: str) -> str:
    """Count things: '1 source', '2 sources'."""
    return f"{count} {one if count == 1 else f'{one}s'}"
