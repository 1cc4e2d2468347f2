"""Follow-ups that ask again: the same question, of something else, or what was asked back."""

from __future__ import annotations

from dataclasses import replace

from elysia_guard.language.pack import langs
from elysia_guard.reading.followups import asking, wholes
from elysia_guard.reading.followups.focus import Antecedent, TurnFocus
from elysia_guard.reading.followups.followup import Followup, Whole
from elysia_guard.reading.followups.mention import PICKS, Refers
from elysia_guard.reading.followups.referents import referents
from elysia_guard.reading.followups.text import FollowUpText


def filled(asked: Followup) -> Whole | None:
    """'Sorry, I meant ADR 33' after 'is it accepted?' was asked back."""
    if not asked.talk.pending:
        return None
    said = asked.said
    pending = Followup.of(
        FollowUpText.of(asked.talk.pending, asked.lang), asked.talk, asked.documents
    )
    mention, clause = pending.refers_back, said.says("grammar.subjects")
    subjects = asked.own or asked.numbered
    if not subjects and asked.mentions:
        subjects = referents(asked, asked.mentions[0])
    if subjects and not asked.content and mention and not clause:
        return asking.of(pending, mention, subjects)
    if (subjects and not clause) or not (subjects or asked.content):
        return None
    refers = any(each.refers not in PICKS for each in asked.mentions)
    if (said.asks or refers) and not asked.corrects:
        return None
    if mention is None or not pending.said.asks:
        return Whole(text=said.text, lang=asked.lang)
    named = said.text.strip(" .?!") if clause else asking.noun_phrase(said)
    text = wholes.in_place(pending.said, mention, named)
    return asked.whole(text, "it says what was asked back")


def clarified(asked: Followup) -> Whole | None:
    """'In market messages', 'the transformer one', once it was asked what a term means.

    A name is what is meant; anything else that is no question tells of the term. What begins with
    a word of content is a search of its own.
    """
    last, term, said = asked.talk.last, asked.talk.term, asked.said
    if last is None or term is None or not last.asked_about:
        return None
    is_question = said.asks or said.text.rstrip().endswith("?")
    if is_question or not asked.pack.is_closed(said.low[0]) or said.references:
        return None
    reason = f"it says what is meant by {term.name}"
    names = [each.name for each in asked.own]
    if len(names) == 1 and not said.has_verb and len(asked.content) <= 1:
        return asked.whole(names[0], reason)
    return asked.whole(f"{term.name}: {said.text}", reason)


def repeated(asked: Followup) -> Whole | None:
    """'Are you sure?', 'as a list', 'in Dutch?': the last question again."""
    last, said, pack = asked.talk.last, asked.said, asked.pack
    if last is None or asked.own or said.says("lists.only"):
        return None
    for role in ("again.sure", "again.formats"):
        length = pack.match(role, said.low)
        if length and not any(map(pack.is_content, said.low[length:])):
            whole = asked.whole(last.question, "it asks the last question again")
            return replace(whole, asks=last.asks)
    return _in_another_language(asked, last)


def continued(asked: Followup) -> Whole | None:
    """'Tell me more', 'the rest': what follows of the document that was told, or more of it."""
    talk, said = asked.talk, asked.said
    length = asked.pack.match("again.more", said.low)
    rest = [word for word in said.low[length:] if not asked.pack.has("grammar.fillers", word)]
    if talk.last is None or talk.document is None or not length or rest:
        return None
    subjects = (talk.document,)
    text = asked.pack.worded("say", it=talk.document.name)
    if talk.last.documents and not talk.last.matter:
        before = wholes.again(talk.last, subjects, asked.lang).rstrip(" ?")
        text = asked.pack.worded("part", text=before, part=str(talk.last.part + 1))
    return asked.whole(text, f"it asks for more of {talk.document.name}", subjects)


def _in_another_language(asked: Followup, last: TurnFocus) -> Whole | None:
    pack = asked.pack
    found = [name for word in asked.said.low if (name := pack.member("again.languages", word))]
    roles = ("again.speaks", f"again.languages.{next(iter(found), '')}")
    told = [word for word in asked.content if not any(pack.has(role, word) for role in roles)]
    lang = next((each for each in langs() if found == [each]), None)
    if lang is None or any(not pack.member("numbers", word) for word in told):
        return None
    text = last.question
    if last.lang != lang and len(last.named) == 1 and not last.matter:
        text = wholes.again(last, last.named, lang)
    whole = asked.whole(text, "it asks the last question again, in another language")
    return replace(whole, lang=lang, asks=last.asks)


def same_of_another(asked: Followup) -> Whole | None:
    """'And ADR 13?', 'same for 12', 'no, I meant 13': what was asked before, of what it names."""
    last, said = asked.talk.last, asked.said
    same = said.says("refers.same") or "parallel" in asked.opening
    if last is None:
        return None
    own = asked.own or asked.numbered
    if not own:
        return None
    content = [each for each in asked.content if not said.pack.has("grammar.holds", each)]
    if (content or not same) and (side := wholes.asked_word(said, content)):
        return None if said.subjects or said.has_verb else _side(asked, own, side)
    others = [word.low for word in said.words if not word.own]
    if content or (not same and (said.has_verb or asking.asks_more(asked, others))):
        return None
    if said.subjects and not (asked.opening or same or "?" in said.text):
        return None  # a name alone is asked by itself
    return _same(asked, own, last)


def _side(asked: Followup, own: tuple[Antecedent, ...], side: str) -> Whole:
    text = asked.pack.worded(side, it=wholes.names(own, asked.lang))
    return asked.whole(text, f"it asks for the {side} of {own[0].name}", own)


def _same(asked: Followup, own: tuple[Antecedent, ...], last: TurnFocus) -> Whole | None:
    if own[0].reference is not None or last.terms:
        text = wholes.again(last, own, asked.lang)
        return asked.whole(text, f"it asks the same of {wholes.names(own, asked.lang)}", own)
    if document := asked.talk.document:
        text = wholes.about(asked.pack, document.name, own[0].name)
        return asked.whole(text, f"it asks {document.name} of another matter", (document,))
    return asked.whole(asked.pack.worded("meaning", it=own[0].name), "it asks for a term", own)


def of_other_kind(asked: Followup) -> Whole | None:
    """'No, the principle', 'and the principle with that number?'."""
    document, last = asked.talk.document, asked.talk.last
    kind = next((each.kind for each in asked.mentions if each.refers is Refers.KIND), None)
    if kind is None or last is None or document is None or document.reference is None or asked.own:
        return None
    if document.kind == kind or not (asked.corrects or asked.said.says("numbers.number")):
        return None
    if document.reference.number is None:
        return None
    meant = Antecedent.of(replace(document.reference, kind=kind, id=""))
    text = wholes.again(last, (meant,), asked.lang)
    return asked.whole(text, f"it means the {kind} of that number", (meant,))
