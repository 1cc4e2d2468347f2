"""Messages that ask again: the last question, changed, of another, or in another language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.question import Aspect, Lang
from elysia_guard.domain.reading import Listing, Named, Search, Unclear
from elysia_guard.language.pack import langs
from elysia_guard.reading.followups import lists
from elysia_guard.reading.followups.asked import Asked, Whole, asks_side
from elysia_guard.reading.followups.message import EDGES, Message
from elysia_guard.reading.followups.pronouns import pronouns, put_in
from elysia_guard.reading.followups.spoken import Antecedent, Antecedents, Turn, names
from elysia_guard.reading.followups.words import followup_words


def filled(asked: Asked) -> Whole | None:
    """'Sorry, I meant ADR 33' after 'is it accepted?' was asked back."""
    if not asked.talk.pending:
        return None
    said = asked.said
    subjects = said.own or asked.numbered or (asked.pick.found if asked.pick else ())
    pending = Message.of(asked.talk.pending, asked.lang).opened()
    rest = asked.pick.beside(said) if asked.pick else range(len(said.words))
    rest = [n for n in rest if said.is_content(n) and not said.words[n].low.isdecimal()]
    if subjects and not rest:
        return asked.of(subjects, pending)
    if asked.pick and asked.pick.telling and not subjects:
        text = put_in(pending, said.text.strip(EDGES), list(pronouns(pending)))
        return asked.whole(text, "it says what was asked back")
    if "corrects" in said.opening and not said.own and said.content and not said.is_asking:
        if not said.kinds():
            return asked.whole(
                f"{pending.text.rstrip(EDGES)}: {said.text}", "it says what was asked"
            )
        return Whole(text=said.text, lang=said.lang)
    return None


def clarified(asked: Asked) -> Whole | None:
    """'In market messages', 'the transformer one', once it was asked what a term means.

    A name is what is meant; anything else that is no question tells of the term. What begins with
    a word of content is a search of its own.
    """
    last, said = asked.talk.last, asked.said
    if last is None or not last.said.asked_about or said.is_asking or "?" in said.text:
        return None
    command = said.pack.has("clauses.commands", said.low[0])
    if command or said.is_content(0) or any(each.reference for each in said.own):
        return None
    term = last.named[0].name
    reason = f"it says what is meant by {term}"
    if len(said.own) == 1 and not said.content:
        return asked.whole(said.own[0].name, reason)
    return asked.whole(f"{term}: {said.text}", reason)


def again(asked: Asked) -> Whole | None:
    """'Are you sure?', 'shorter', 'in Dutch?', 'tell me more': the last question again."""
    last, said, pack_ = asked.talk.last, asked.said, asked.said.pack
    if last is None or said.own or said.says("lists.only"):
        return None
    rest = [at for at in range(len(said.words)) if said.is_content(at)]
    if spoken := _language(asked, rest):
        text = last.question
        if last.said.lang != spoken and last.named and not last.said.matter:
            text = _anew(last, spoken)
        whole = asked.whole(text, "it asks the last question again, in another language")
        return replace(whole, lang=spoken, asks=last.said.asks)
    more = pack_.match("again.more", said.low)
    if more and not any(at >= more for at in rest) and asked.talk.now:
        return _more(asked, last, asked.talk.now)
    covered = set[int]()
    for at in range(len(said.words)):
        covered.update(range(at, at + pack_.match("again.same", said.low, at)))
    if covered and not set(rest) - covered and not said.numbers:
        return replace(asked.whole(last.question, "it asks again"), asks=last.said.asks)
    return None


def _anew(last: Turn, lang: Lang) -> str:
    """Word the last question in another language: what its subject says, or means."""
    words = followup_words(lang)
    it = names(last.named, words.worded("and"))
    return words.worded("say" if last.named[0].reference else "meaning", it=it)


def _more(asked: Asked, last: Turn, now: Antecedent) -> Whole | None:
    if now.reference is None:
        return None
    text = asked.said.pack.worded("say", it=now.name)
    if last.named and not last.said.matter:
        part = str(last.said.part + 1)
        text = asked.said.pack.worded("part", text=text.rstrip(" ?"), part=part)
    return asked.whole(text, f"it asks for more of {now.name}", (now,))


def _language(asked: Asked, rest: Sequence[int]) -> Lang | None:
    said = asked.said
    spoken = [each for each in langs() if said.says(f"languages.{each}")]
    ends = next((n + 1 for n, word in enumerate(said.words) if word.breaks), 0)
    if not said.is_asking and any(n < ends for n in rest):
        rest = [n for n in rest if n < ends]  # 'in English, for my manager'
    told = [
        at
        for at in rest
        if not said.pack.has("again.speaks", said.low[at])
        and not (asked.pick and asked.pick.first <= at < asked.pick.end)
        and not any(said.pack.has(f"languages.{each}", said.low[at]) for each in spoken)
    ]
    return spoken[0] if len(spoken) == 1 and not told else None


def listed(asked: Asked) -> Whole | Unclear | None:
    """'Only the accepted ones', 'and principles?', 'how many?' of a list; 'any others dead?'."""
    last, said = asked.talk.last, asked.said
    if last is None:
        return None
    before = last.said.asks
    found: Listing | Search | None = None
    previous = next((turn.said.asks for turn in reversed(asked.talk.turns) if turn.said.asks), None)
    if not asked.refers:
        found = lists.of_kind(said, previous)
    if said.says("lists.only") and not isinstance(before, Listing) and asked.talk.kinds:
        before = Listing(kinds=asked.talk.kinds[:1], topic=last.said.topic)
    if found is None and isinstance(before, Listing):
        found = lists.changed(said, before, asked.documents, picks=asked.pick is not None)
    if found is None and len(asked.talk.kinds) == 1 and not asked.pick:
        found = lists.others(said, asked.talk.kinds[0], asked.documents)
    if found is None:
        return None
    text = f"{last.question.rstrip(EDGES)}: {said.text}"
    return replace(asked.whole(text, "it asks for the list before, changed"), asks=found)


def listed_before(asked: Asked) -> Whole | None:
    """'And 2024?' after other questions: nothing but what a list is restricted by."""
    said, turns = asked.said, asked.talk.turns
    before = next((turn.said.asks for turn in reversed(turns) if turn.said.asks), None)
    if not isinstance(before, Listing) or said.is_asking or asked.refers:
        return None
    found = lists.changed(said, before, asked.documents, picks=True)
    if found is None or found.topic != before.topic:
        return None
    return replace(asked.whole(said.text, "it asks for a list before, changed"), asks=found)


def owned(asked: Asked) -> Whole | None:
    """'What else do they own?', 'wat hebben die nog meer': other documents of its owner."""
    document = asked.talk.now
    if document is None or not document.kind or not asked.said.says("lists.others"):
        return None
    points = asked.pronouns or asked.said.says("refers.that")
    if asked.said.own or asked.pick or not points:
        return None
    known = next((d for d in asked.documents if Antecedent.named(d).key == document.key), None)
    drivers = (each.driver for each in known.approvals if each.driver) if known else iter(())
    owner = known and (known.owner or next(drivers, ""))
    if not owner:
        return None
    kinds = asked.said.pack.plain["plurals"][document.kind]
    text = asked.said.pack.worded("owned", kinds=kinds, owner=owner)
    return replace(asked.whole(text, f"it asks what else {owner} owns"), about=owner)


def same(asked: Asked) -> Whole | None:
    """'And ADR 13?', 'same for 12', 'no, I meant 13': what was asked before, of what it names."""
    last, said = asked.talk.last, asked.said
    own = said.own or asked.numbered
    same = said.says("refers.same") or "parallel" in said.opening
    if not said.own and len(own) == len(said.numbers) == 1 and said.content:
        number = said.numbers[0]
        at = next(n for n, word in enumerate(said.words) if word.low == number)
        there = any(Antecedent.named(each).key == own[0].key for each in asked.documents)
        rest = replace(said, text=said.text.replace(number, " "))
        if there and (said.words[at].breaks or not said.is_content(at + 1) or asks_side(rest)):
            return asked.whole(said.replaced(at, at + 1, own[0].name), "it names a number", own)
    if last is None or not own:
        return None
    if any(not said.pack.has("refers.same", word) for word in said.content):
        return None
    if said.is_asking and not same and "corrects" not in said.opening:
        return None
    if said.subjects and not (said.opening or same or "?" in said.text):
        return None
    if own[0].reference is None:
        if not last.named or last.named[0].reference is None:
            return asked.whole(said.pack.worded("meaning", it=own[0].name), "another term", own)
        return None
    return _question_of(asked, last, own)


def _question_of(asked: Asked, last: Turn, own: Antecedents) -> Whole:
    """Ask of other documents what was asked of those before."""
    it, text, said = asked.names(own), last.question, last.said
    reason = f"it asks the same of {it}"
    alone = last.named[0] if len(last.named) == 1 else None
    for name in (alone.name, alone.reference.written) if alone and alone.reference else ():
        if name in text:
            return replace(asked.whole(text.replace(name, it), reason, own), lang=said.lang)
    if said.aspect is Aspect.SUBSTANCE or not last.named:
        return asked.whole(asked.said.pack.worded("say", it=it), reason, own)
    references = tuple(
        replace(each.reference, approval=said.aspect is Aspect.APPROVAL)
        for each in own
        if each.reference
    )
    asks = Named(references=references, aspect=said.aspect, matter=said.matter)
    return replace(asked.whole(f"{text.rstrip(EDGES)} ({it})?", reason, own), asks=asks)


def other_kind(asked: Asked) -> Whole | None:
    """'No, the principle', 'and the principle with that number?', 'back to the decision'."""
    said, last, document = asked.said, asked.talk.last, asked.talk.document
    kinds = [(at, kind) for at, kind, many in said.kinds() if not many]
    if len(kinds) != 1 or said.own or last is None or not kinds[0][0]:
        return None
    at, kind = kinds[0]
    if not said.pack.has("refers.pointing", said.low[at - 1]):
        return None
    if document and document.reference and document.reference.number is not None:
        numbered = any(said.pack.has("places.number", word) for word in said.low)
        if document.kind != kind and ("corrects" in said.opening or numbered):
            return _question_of(asked, last, (document.as_kind(kind),))
    if at + 1 < len(said.words) and not said.words[at].breaks:
        about = said.pack.has("refers.about", said.low[at + 1])
        if about or said.pack.has("refers.of", said.low[at + 1]) or said.words[at + 1].own:
            return None
    found = asked.talk.of_kind(kind)
    if len(found) != 1:
        return None
    text = said.replaced(at - 1, at + 1, found[0].name)
    rest = any(said.is_content(n) for n in range(len(said.words)) if n not in {at, at - 1})
    if not rest and not said.is_asking:
        text = said.pack.worded("say", it=found[0].name)
    return asked.whole(text, f"the {kind} spoken of is {found[0].name}", found)
