"""What each step of a question says of itself, computed from what it returned.

To programs in a text, to people in English sentences (``remarks``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.pointing import Pointed, PointedVerdict
from elysia_guard.domain.quality import HIGH_CONFIDENCE
from elysia_guard.domain.question import Aspect
from elysia_guard.domain.reading import (
    Asks,
    Comparison,
    Definition,
    Listing,
    Named,
    ReadBy,
    Relation,
    Search,
    SmallTalk,
    Unclear,
)
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.domain.response import Validation
from elysia_guard.language.catalogue import has, say
from elysia_guard.pipeline.recording import Note
from elysia_guard.stages.guiding import Planned

_LANG = "en"
_WORDS = re.compile(r"[\w\s.,'\u2019/&+-]*")
"""What was cut out of a question is told again where it is words alone."""
_ASKED_OF_A_TERM = {
    Relation.MEANING: "what a term means",
    Relation.SYNONYMS: "what a term is also called",
    Relation.TRANSLATION: "what a term is called in another language",
}
_READ_BY = {
    ReadBy.FORM: "So its wording says.",
    ReadBy.SPAN: "So the names and terms say that stand in it.",
    ReadBy.CONVERSATION: "So what was said before says.",
}
_AWAY = "It could not be asked."
_FAILING = {
    "circuit_open": "It has failed too often of late, and is not asked for a while.",
    "bm25_only": "It was searched by words alone, not by meaning.",
    "timeout": "It did not answer in time.",
    "error": _AWAY,
}
"""By a flag, or how it ends."""
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
_POINTED = {
    PointedVerdict.ANSWERS: "they answer",
    PointedVerdict.PARTLY: "they answer in part",
    PointedVerdict.CONTRADICTS: "they say that it is not so",
    PointedVerdict.NO: "none of them answers",
}
_RULED: Mapping[type[Asks], str] = {
    Definition: "it asks for a term",
    Named: "it names a document",
    Listing: "it asks for a list",
    Comparison: "it compares",
    Search: "it names a kind of documents, or a term",
    SmallTalk: "it asks nothing",
    Unclear: "it is asked back",
}
"""Why a question is none for a tool of somebody else."""
MADE_WHOLE = "a language model made it whole"


class NotAsked(StrEnum):
    """Why a tool of somebody else is not asked, where a question is open."""

    NO_WORD = "the question says none of its words, and no language model is asked"
    UNAVAILABLE = "it is not available"
    ANOTHER = "another one is"
    NOT_PLANNED = "a language model does not name it"
    NO_PLAN = "no plan of a language model names it"


def asked(tool: str, word: str = "") -> Note:
    """Say that a tool is asked: a question says what it was wrapped for, or a model names it."""
    why = f"the question says '{word}'" if word else "a language model names it"
    text = f"'{word}' asks for it" if word else "planned"
    return Note(f"{tool}: {text}", (f"The tool '{tool}' is asked: {why}.",))


def ruled(inquiry: Inquiry) -> str:
    """Say why no tool of somebody else may be asked: a rule has decided what answers."""
    return "several things are asked" if inquiry.further else _RULED[type(inquiry.asks)]


def not_asked(tools: Mapping[str, str]) -> Note:
    """Say which tools are not asked, each with the reason."""
    remarks: list[str] = []
    for why in dict.fromkeys(tools.values()):
        remarks += _unasked([name for name, given in tools.items() if given == why], why)
    return Note(f"not asked: {', '.join(tools)}", tuple(remarks))


def _unasked(tools: Sequence[str], why: str) -> list[str]:
    return [f"Not asked: {', '.join(map(repr, tools))} ({why})."] if tools else []


def counted(count: int, what: str) -> Note:
    """Say how many there are of what can be counted."""
    text = f"{count} {what}"
    return Note(text, (f"{text.replace('(s)', '' if count == 1 else 's')}.",))


def spelling(told: str, words: Sequence[tuple[str, str]]) -> Note:
    """Say which words were taken for which."""
    return Note(told, tuple(f"'{typed}' is read as '{meant}'." for typed, meant in words))


def reading(inquiry: Inquiry, asked: str, *, parts: int) -> Note:
    """Say how one of so many parts was read; ``asked`` is the message as it was typed."""
    part, remarks = inquiry.part, list[str]()
    if parts > 1:
        remarks.append(f"One of {parts} things that are asked: '{part.text}'")
    elif inquiry.question.text != asked:
        remarks.append(f"Understood as: '{inquiry.question.text}'")
    remarks += _asks(part.asks)
    if part.read_by is ReadBy.INTENT_MODEL:
        remarks.append(f"So a small model of wordings says, sure to {round(part.chance * 100)}%.")
    elif not (part.is_open and part.read_by is ReadBy.FORM):
        remarks.append(_READ_BY[part.read_by])
    return Note(f"{part.asks.kind}: {part.reason}", tuple(remarks))


def _asks(asks: Asks) -> Iterator[str]:
    match asks:
        case Definition():
            told = _ASKED_OF_A_TERM.get(asks.relation, f"the {asks.relation} terms of a term")
            yield f"Read as a question for {told}: '{asks.term}'."
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


def _search(asks: Search) -> Iterator[str]:
    yield f"Read as a question that documents may answer: '{asks.topic}'."
    if asks.kinds:
        yield f"Looked for in: {_kinds(asks.kinds)}."
    if asks.term:
        yield f"'{asks.term}' may be a term, and is looked up first."
    if asks.meaning_of:
        told = f"No vocabulary tells what '{asks.meaning_of}' means"
        yield f"{told}: what documents say of it is looked for."


def _named(asks: Named) -> str:
    documents = ", ".join(each.written for each in asks.references)
    about = f"Read as a question about {documents}"
    if asks.another:
        return f"Read as a question for another document, by how it stands to {documents}."
    if asks.matter:
        plain = _WORDS.fullmatch(asks.matter)
        return (
            f"{about}, and of it for {repr(asks.matter) if plain else 'something in particular'}."
        )
    if asks.aspect is Aspect.SUBSTANCE:
        return f"Read as a question for what stands in {documents}."
    told = "who approved it" if asks.aspect is Aspect.APPROVAL else f"its {asks.aspect}"
    return f"{about}: {told}."


def _listing(asks: Listing) -> Iterator[str]:
    kinds = _kinds(asks.kinds or ("document",))
    yield f"Read as a question for {'how many there are' if asks.counted else 'a list'}: {kinds}."
    if asks.topic and _WORDS.fullmatch(asks.topic):
        yield f"They are to mention '{asks.topic}'."
    scope = asks.filters
    by = {
        "status": scope.statuses or scope.denied,
        "lang": scope.lang,
        "date": scope.since or scope.until,
        "owner": scope.owner,
        "record": scope.recorded is not None,
        "link": scope.link,
    }
    names = [name for name, stated in by.items() if stated]
    names += [scope.party.role] if scope.party else []
    if restricted := [say(_LANG, f"property.{name}") for name in names]:
        yield f"The list is restricted by {', '.join(restricted)}."
    if asks.order:
        first = f": {asks.first} of them" if asks.first else ""
        yield f"They are to be in the order of their dates, the {asks.order} first{first}."


def _kinds(kinds: Iterable[str]) -> str:
    """Name kinds of documents; one of a house's own that has no words by its key."""
    keys = ((kind, f"list.{kind}_many") for kind in kinds)
    return ", ".join(say(_LANG, key) if has(key) else kind for kind, key in keys)


def _failing(flags: Sequence[str]) -> tuple[str, ...]:
    """Say that a source failed, in which way, and by what lesser means was gone on."""
    known = (_FAILING.get(flag) or _FAILING.get(flag.rpartition("_")[2]) for flag in flags)
    return tuple(dict.fromkeys(filter(None, known)))


def left_to_rules(flags: Sequence[str], tools: Sequence[str] = ()) -> Note:
    """Say that the rules go on, without ``tools`` then."""
    remarks = (*_failing(flags), "The rules decide.", *_unasked(tools, NotAsked.NO_PLAN))
    return Note(f"left to the rules: {', '.join(flags)}", remarks)


def looked_up(found: Evidence, terms: Sequence[str]) -> Note:
    """Say what the vocabulary has for the terms of a question."""
    number = len(found.matches)
    count = _count(number, "concept") if number else "no concept"
    text = f"{number} concept(s) for '{' and '.join(terms)}'"
    if found.missing:
        return Note(text, _failing(found.fallbacks) or (_AWAY,))
    return Note(text, (f"The vocabulary has {count} called '{', '.join(terms)}'.",))


def found(asks: Asks, evidence: Evidence) -> Note:
    """Say what the index has for a question."""
    hits, count = evidence.hits, len(evidence.documents)
    if evidence.missing:
        told = []
    elif isinstance(asks, Named | Listing) and (count or not hits):
        told = [f"{_count(count, 'document')} {'fits' if count == 1 else 'fit'}."]
    else:
        of = len({hit.passage.document.id for hit in hits})
        told = [f"The search brought {_count(len(hits), 'passage')} (documents: {of})."]
    text = f"{count} document(s), {len(hits)} passage(s)"
    return Note(text, (*told, *_failing(evidence.fallbacks)))


def of_tool(
    tool: str, kept: int, rejected: Mapping[str, int], lacking: Mapping[str, int], text: str
) -> Note:
    """Say what a tool of somebody else gave, and how much of it was no source, for what reason.

    ``lacking`` are fields, with the number of sources for which they say nothing of use. ``text``
    is what programs are told.
    """
    others = (f"Not taken as sources: {count} ({why})." for why, count in rejected.items())
    without = (f"Taken without '{name}', which says nothing: {n}." for name, n in lacking.items())
    return Note(text, (f"{_count(kept, 'source')} from the tool '{tool}'.", *others, *without))


def decided(verdict: Verdict) -> Note:
    """Say what the gates decided, and why, where they do not let it through or not wholly."""
    reason = f" ({verdict.reason})" if verdict.reason else ""
    told, answers = _DECIDED[verdict.outcome], verdict.outcome is Outcome.ANSWER
    if answers and verdict.confidence < HIGH_CONFIDENCE:
        percent, high = (round(part * 100) for part in (verdict.confidence, HIGH_CONFIDENCE))
        told += f" with a caveat: sure to {percent}%, where {high}% would do without one"
    elif verdict.reason and verdict.outcome in {Outcome.REFUSE, Outcome.CLARIFY}:
        told += f": {say(_LANG, f'reason.{verdict.reason}')}"
    return Note(f"{verdict.outcome}{reason}", (f"{told}.",), verdict.readings)


def planned(plan: Planned, offered: Sequence[str] = ()) -> Note:
    """Say which documents a model takes to tell, and how often it had searched; none of its words.

    Documents are those of the catalogue, tools those that were ``offered``.
    """
    names = ", ".join(document.name for document in plan.documents)
    told = f"says that these may tell: {names}" if names else "names no document"
    remarks = [f"A language model {told}."]
    if plan.searches:
        remarks.append(f"It was searched for in {_count(len(plan.searches), 'more wording')}.")
    if offered:
        others = [each for each in offered if each not in plan.tools]
        remarks += _unasked(plan.tools[1:], NotAsked.ANOTHER)
        remarks += _unasked(others, NotAsked.NOT_PLANNED)
        remarks += _dropped(plan.unknown_tools, "there is no such tool")
    text = f"{len(plan.documents)} document(s) named, {len(plan.searches)} search(es)"
    return Note(text, tuple(remarks))


def _dropped(count: int, why: str) -> list[str]:
    return [f"Dropped: {count} ({why})."] if count else []


def made_whole(whole: Inquiry | None) -> Note:
    """Say how a question is read that a model made whole, by kind and names; none of its words."""
    if whole is None:
        return Note("not used", ("What a language model made of it is not used.",))
    about = f", as a question about {whole.about}" if whole.about else ""
    told = f"A language model made it whole, and it is read again{about}."
    return Note(f"{whole.asks.kind}: {MADE_WHOLE}{about}", (told,))


def pointed(said: Pointed) -> Note:
    """Say what a model says of the units that it was told, and how many it points at."""
    kept = f", and points at {_count(len(said.units), 'unit')}" if said.units else ""
    told = f"{said.by} read {_count(said.told, 'unit')}: {_POINTED[said.verdict]}{kept}."
    unknown = _dropped(said.unknown, "there is no such unit")
    unrelated = _dropped(said.unrelated, "nothing of the question stands there")
    text = f"{said.by}: {said.verdict}, {len(said.units)} of {said.told} unit(s)"
    return Note(text, (told, *unknown, *unrelated))


def held(validation: Validation) -> Note:
    """Say how many quotes stand in their sources, and where that was looked up."""
    told = f"{validation.sources_verified} of {validation.sources_total} quotes hold"
    text = f"{told}, against: {', '.join(validation.against) or 'nothing'}"
    if not validation.sources_total:
        told = "There is no quote to check"
    elif validation.against:
        told += f", looked up in {', '.join(_AGAINST[each] for each in validation.against)}"
    return Note(text, (f"{told}.",))


def given_again(age_s: int, sources: int) -> Note:
    """Say how long ago an answer was given that is given again; in seconds."""
    told = f"The same was answered {age_s} s ago, and all that it rests on is as it was."
    return Note(f"cached: given {age_s} s ago, {sources} source(s) as they were then", (told,))


def _count(count: int, one: str) -> str:
    """Count things: '1 source', '2 sources'."""
    return f"{count} {one if count == 1 else f'{one}s'}"
