"""Messages about what was spoken of: what they pick, compare, ask of a term or of a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Definition, Search, Unclear
from elysia_guard.language.pack import pack
from elysia_guard.reading.followups.asked import (
    APART,
    CERTAIN,
    FRAGMENT,
    MOST_NAMED,
    SENTENCE,
    Asked,
    Candidate,
    Candidates,
    Whole,
    asks_side,
    related,
)
from elysia_guard.reading.followups.message import EDGES
from elysia_guard.reading.followups.picks import Pick, clauses_behind
from elysia_guard.reading.followups.pronouns import put_in, says_enough
from elysia_guard.reading.followups.spoken import Antecedent, Antecedents, Turn
from elysia_guard.reading.relations import relation

MOST_VAGUE: Final = 3
"""Words of content from which a message may say itself what it is about."""
MOST_SHORT: Final = 4
"""Words of a message that asks nothing but what was spoken of tells: 'so what now'."""
MOST_QUOTED: Final = 3
"""Documents that a search quoted, one of which a message may be about."""
PAIR: Final = 2


def picked(asked: Asked) -> Whole | Unclear | Candidates | None:
    """'The third one', 'die letzte davon: ...', 'the VPN one, why was it dropped', 'both'."""
    found, said = asked.pick, asked.said
    if found is None or any(each.reference for each in said.own):
        return None
    if not found.found:
        several = [each for each in asked.talk.several() if each.reference][:MOST_NAMED]
        if found.telling and len(several) > 1:
            return _described(asked, found, several)
        if found.telling and asked.talk.kinds:
            return _by_matter(asked)
        beside = any(map(said.is_content, found.beside(said)))
        if found.telling or said.own or said.is_asking or beside:
            return None
        return Unclear(word=said.text, picks=True)
    it = asked.names(found.found)
    begins = next(clauses_behind(said, found.end), None)
    before = any(said.is_content(at) for at in range(found.first))
    if begins is not None and not before:
        return asked.of(found.found, said.after(begins))
    rest = found.beside(said)
    if not any(map(said.is_content, rest)) and not any(
        said.low[at] in said.pack.words("clauses.question_words") for at in rest
    ):
        if len(found.found) == 1:
            return asked.told_of(found.found[0])
        term = found.found[0].reference is None
        text = said.pack.worded("meaning" if term else "say", it=it)
        return asked.whole(text, f"it picks {it}", found.found)
    return asked.whole(said.replaced(found.first, found.end, it), f"it picks {it}", found.found)


def _by_matter(asked: Asked) -> Whole:
    """'The one about access': among all documents of the kinds that were spoken of."""
    said, spoken = asked.said, asked.talk.all_documents()
    kinds = dict.fromkeys((*asked.talk.kinds, *(item.kind for item in spoken if item.kind)))
    topic = " ".join(w for w in said.content if not said.pack.has("refers.one", w))
    whole = asked.whole(said.text, "it tells which one by what it is about")
    return replace(whole, asks=Search(topic=topic, matter=topic, kinds=tuple(kinds)))


def _described(asked: Asked, found: Pick, several: Sequence[Antecedent]) -> Candidates:
    """'The one with the priorities': of several documents the one that tells of it."""
    said = asked.said
    begins = next(clauses_behind(said, found.end), None)
    asks = said.after(begins) if begins is not None else said
    alone = _by_matter(asked) if asked.talk.kinds else Whole(text=said.text, lang=said.lang)
    among = tuple(
        Candidate(
            document=each.reference,
            whole=asked.of((each,), asks) if begins is not None else asked.told_of(each),
            lean=APART,
        )
        for each in several
        if each.reference
    )
    words = " ".join(found.telling)
    return Candidates(words=words, lang=said.lang, among=among, alone=alone, exclusive=True)


def compared(asked: Asked) -> Whole | Unclear | None:
    """'Compare it with 21', 'the difference?', 'how do these two relate'."""
    said, talk = asked.said, asked.talk
    compares = [w for w in said.content if _comparing(w, said.lang)]
    if not compares or talk.last is None or set(said.content) - set(compares):
        return None
    own = said.own or asked.numbered
    if len(own) > 1:
        return None
    picked = asked.pick.found if asked.pick else ()
    both = (*_one(asked, own[0]), own[0]) if own else picked or talk.pair()
    if own and both[2:]:
        texts = tuple(_difference(asked, (each, own[0])).text for each in both[:-1][:MOST_NAMED])
        return Unclear(word=said.text, candidates=texts)
    return _difference(asked, both) if len(both) == PAIR or len(picked) > PAIR else None


def _difference(asked: Asked, both: Antecedents) -> Whole:
    it = asked.names(both)
    return asked.whole(asked.said.pack.worded("difference", it=it), f"it compares {it}", both)


def _comparing(word: str, lang: Lang) -> bool:
    shapes = pack(lang).table("comparisons")["comparing"]
    return any(word == s or (s.endswith("*") and word.startswith(s[:-1])) for s in shapes)


def _one(asked: Asked, other: Antecedent) -> Antecedents:
    """What is spoken of now and may be held against something else of its sort."""
    now = asked.talk.now
    several = (now,) if now else asked.talk.last.subjects if asked.talk.last else ()
    return tuple(
        each
        for each in several
        if each.key != other.key and (each.reference is None) == (other.reference is None)
    )


def of_term(asked: Asked) -> Whole | None:
    """'Broader?', 'in Dutch?', 'what falls under it?' of the term spoken of."""
    now, said = asked.talk.now, asked.said
    if now is None or now.reference or said.own:
        return None
    text = put_in(said, now.name, asked.pronouns)
    if found := relation(text, lang=said.lang):
        return replace(
            asked.whole(text, f"it is about {now.name}", (now,)),
            asks=Definition(term=now.name, relation=found[0]),
        )
    if asks := related(said, now):
        return replace(asked.whole(text, f"it is about {now.name}", (now,)), asks=asks)
    return None


def of_spoken(asked: Asked) -> Whole | Unclear | Candidates | None:
    """What is left: a side of what is spoken of, a pronoun, or a matter that evidence decides."""
    said, last = asked.said, asked.talk.last
    if last is None:
        return _of_nothing(asked)
    several = any(many for *_, many in said.kinds())
    if not asked.refers and (said.own or several):
        return None  # 'which principles are proposed'
    open_ = [each for each in asked.pronouns if not each.inside]
    many = bool(open_) and all(each.many for each in open_)
    subjects = _subjects(asked, last, many=many)
    if not subjects:
        return _unclear(asked) if asked.refers and not said.own else None
    if subjects[0].reference is None:
        if asked.refers:
            return asked.of(subjects) if many or len(subjects) == 1 else None
        if asked.talk.document is None:
            return None
        subjects = (asked.talk.document,)
    if many and len(subjects) > 1:
        return asked.of(subjects)
    telling = (said.low[at] for at in range(len(said.words)) if said.is_content(at))
    words = " ".join(word for word in telling if not said.pack.has("refers.persons", word))
    if asks_side(said) or not words:
        return _plainly(asked, subjects)
    return _weighed(asked, last, subjects, words)


def _plainly(asked: Asked, subjects: Antecedents) -> Whole | Unclear | None:
    """'Status?', 'why', 'is it accepted?': of one what it says; of which of several is asked."""
    said = asked.said
    short = len(said.words) <= MOST_SHORT and (said.is_asking or "?" in said.text)
    if not (asked.refers or asks_side(said) or short):
        return None
    if len(subjects) == 1 or subjects == asked.talk.undecided:
        return asked.of(subjects)
    texts = tuple(asked.of((each,)).text for each in subjects[:MOST_NAMED])
    return Unclear(word=said.text.strip(EDGES), candidates=texts)


def _weighed(asked: Asked, last: Turn, subjects: Antecedents, words: str) -> Candidates:
    """'Default priority', 'and phone calls?': of the document that tells of it, or by itself."""
    said = asked.said
    lean = _lean(asked, last)
    among = tuple(
        Candidate(document=each.reference, whole=asked.of((each,)), lean=lean)
        for each in subjects[:MOST_NAMED]
        if each.reference
    )
    alone: Whole | Unclear = Whole(text=said.text, lang=said.lang)
    if lean == FRAGMENT and not last.named and not said.is_asking:
        alone = Whole(text=f"{last.question.rstrip(EDGES)}: {said.text}", lang=said.lang)
    together = last.named or last.said.listing
    if asked.refers and len(subjects) > 1 and together and subjects != asked.talk.undecided:
        texts = tuple(item.whole.text for item in among)
        alone = Unclear(word=said.text.strip(EDGES), candidates=texts)
    return Candidates(words=words, lang=said.lang, among=among, alone=alone)


def _lean(asked: Asked, last: Turn) -> float:
    """Tell how much the wording of a message says that it is about what was spoken of."""
    said = asked.said
    if asked.refers:
        return CERTAIN
    kinds = [at for at, *_ in said.kinds()]
    if kinds:
        pointing = all(said.pack.has("refers.pointing", said.low[at - 1]) for at in kinds)
        return APART if pointing else -FRAGMENT
    if asked.pronouns or (said.has_verb and not last.named):
        return APART
    persons = any(said.pack.has("clauses.persons", word) for word in said.low)
    whole = said.has_verb or persons
    if said.lang != last.said.lang and (whole or (said.is_asking and len(said.content) > 1)):
        return -SENTENCE
    return SENTENCE if whole else FRAGMENT


def _subjects(asked: Asked, last: Turn, *, many: bool) -> Antecedents:
    """What a message without a name may be about."""
    now, document = asked.talk.now, asked.talk.document
    if last.said.refused and not last.named and document:
        return (document,)
    if many:
        together = last.named or last.shown
        if len(together) > 1:
            return together if len(together) <= MOST_NAMED else ()
        pair = () if now and now.reference else asked.talk.pair()
        return pair or ((now,) if now else ())
    if now and not last.named and not asked.refers and not asks_side(asked.said):
        return last.shown[:MOST_QUOTED]
    undecided = asked.talk.undecided
    pointed = {kind for _, kind, many_ in asked.said.kinds() if not many_}
    of_kind = tuple(each for each in (*last.shown, *last.near) if each.kind in pointed)
    if undecided and of_kind:
        return of_kind[:1]
    return undecided or ((now,) if now else last.subjects)


def _of_nothing(asked: Asked) -> Unclear | None:
    """'Status?', 'why?', 'is it accepted?' before anything was said."""
    said = asked.said
    if said.own:
        return None
    side = not said.has_verb and len(said.words) < MOST_VAGUE and asks_side(said)
    refers = asked.refers or any(each.many for each in asked.pronouns)
    at = next((each.at for each in asked.pronouns), 0)
    if side or (refers and not says_enough(said, at)):
        return Unclear(word=said.text.strip(" ?!.") if side else said.words[at].low)
    if asked.pick and not asked.pick.telling and not said.content:
        return Unclear(word=said.text.strip(" ?!."))
    return None


def _unclear(asked: Asked) -> Unclear | None:
    if len(asked.said.content) >= MOST_VAGUE:
        return None
    at = next(each.at for each in asked.pronouns if not each.inside)
    return Unclear(word=asked.said.words[at].low)
