"""A follow-up made a whole question, before it is read: 'and who approved it?' after ADR-0029."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import LANGS, Lang, Reference
from elysia_guard.domain.reading import Unclear
from elysia_guard.reading import described, narrowing, wholes
from elysia_guard.reading.focus import Antecedent, Talk
from elysia_guard.reading.followup_text import Said, Subject
from elysia_guard.reading.followup_words import FollowupWords
from elysia_guard.reading.referring import MOST_BEFORE, Mention, Refers, is_plural, mentions

MOST_NAMED: Final = 6
"""Documents of a list that 'they' may stand for in one question."""
_UNITS: Final = re.compile(r"\w|%|[.,:/-]\d|\s?%")
MOST_VAGUE: Final = 4
"""Words of content from which a first question may say itself what it is about."""
LONGEST_NUMBER: Final = 4
"""Digits of the number of a document."""
MOST_FRAGMENT: Final = 7
"""Words of what is no sentence: 'default priority'."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Whole:
    """A question that can be understood with nothing before it.

    ``lang`` is the language to answer in. ``about`` names, for the reader, what a follow-up was
    taken to be about, where it did not say so itself; ``refers`` tells whether it is one.
    """

    text: str
    lang: Lang
    about: str = ""
    reason: str = ""
    refers: bool = False


def resolve(
    text: str,
    *,
    lang: Lang,
    conversation: Conversation,
    documents: Sequence[Document] = (),
    subjects: Sequence[Subject] = (),
) -> Whole | Unclear:
    """Make a whole question of a text, by what the conversation was about.

    A text with a subject of its own and no word that refers is returned as it is.

    Args:
        text: what was typed, cleaned.
        lang: the language that it is in.
        conversation: what was said before; a message that was asked back stands in its focus
            without any subject.
        documents: those that there are, for 'the TLS one' and for who owns them.
        subjects: the terms and titles that stand in the text; what it names by number is found.

    >>> resolve("is it accepted?", lang="en", conversation=Conversation()).word
    'it'
    """
    followup = _Followup.of(Said.of(text, lang, subjects), Talk.of(conversation), documents)
    if "away" in followup.opening and followup.said.words:
        return Whole(text=followup.said.text, lang=lang, reason="it says that it is something else")
    if followup.thanks:
        return Whole(text=text, lang=lang)
    found = next(filter(None, (rule(followup) for rule in _RULES)), None)
    return found or Whole(text=text, lang=lang)


@dataclass(frozen=True, kw_only=True)
class _Followup:
    """A follow-up behind the words it opens with, and what those say of it."""

    said: Said
    opening: frozenset[str]
    talk: Talk
    documents: Sequence[Document]

    @classmethod
    def of(cls, said: Said, talk: Talk, documents: Sequence[Document]) -> _Followup:
        opening: set[str] = set()
        while found := _opens(said):
            role, length = found
            opening.add(role)
            said = said.after(length)
        if closing := _closes(said):
            opening.add("corrects")
            said = said.until(closing)
        return cls(said=said, opening=frozenset(opening), talk=talk, documents=documents)

    @property
    def pack(self) -> FollowupWords:
        return self.said.pack

    @property
    def lang(self) -> Lang:
        return self.said.lang

    @property
    def thanks(self) -> bool:
        """Whether it says nothing but thanks, or that one is done."""
        if not self.said.words:
            return True
        asks = self.said.asks or self.said.subjects or "?" in self.said.text
        return "thanks" in self.opening and not asks

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        return mentions(self.said)

    @property
    def refers_back(self) -> Mention | None:
        """The first word that refers to what was said before, and not within the text."""
        return next((each for each in self.mentions if not each.inside), None)

    @cached_property
    def own(self) -> tuple[Antecedent, ...]:
        """What the text names itself; a bare number is of the kind that was spoken of."""
        said = self.said
        if said.subjects:
            return tuple(
                Antecedent.of(each.reference) if each.reference else Antecedent(name=said.named(each))
                for each in said.subjects
            )
        return ()

    @cached_property
    def numbered(self) -> tuple[Antecedent, ...]:
        """The bare numbers that it names, as documents of the kind that was spoken of."""
        kind = self.talk.kind
        return tuple(Antecedent.of(_numbered(kind, each)) for each in _numbers(self.said) if kind)

    @property
    def corrects(self) -> bool:
        """Whether it says that something else was meant."""
        return "corrects" in self.opening

    @property
    def content(self) -> tuple[str, ...]:
        """What it says beside what it names."""
        return tuple(word for word in self.said.content if not word.isdigit())

    def whole(self, text: str, reason: str, subjects: Iterable[Antecedent] = ()) -> Whole:
        """Return a whole question; it is told what it is about where the text does not say so."""
        named = [item for item in subjects if item.name.casefold() not in self.said.text.casefold()]
        about = wholes.names(named, self.lang) if named else ""
        return Whole(text=text, lang=self.lang, about=about, reason=reason, refers=True)


def _opens(said: Said) -> tuple[str, int] | None:
    for role in ("away", "back", "parallel", "corrects", "thanks", "joins"):
        length = said.pack.match(f"opening.{role}", said.low)
        if length and not said.words[0].own and (length < len(said.words) or role in {"away", "thanks"}):
            return role, length
    return None


def _closes(said: Said) -> int:
    """Return where a text ends in saying that something else was meant: 'principe 15 bedoel ik'."""
    return next(
        (
            at
            for at in range(1, len(said.words))
            if at + said.pack.match("opening.corrects", said.low, at) == len(said.words)
        ),
        0,
    )


def _numbers(said: Said) -> list[str]:
    """The numbers that may be of documents: no version, no year, no place of a list."""
    return [
        word.low
        for word in said.words
        if not word.own
        and word.low.isdigit()
        and len(word.low) <= LONGEST_NUMBER
        and not said.text[: word.start].endswith((".", ",", "-", "/"))
        and not _UNITS.match(said.text, word.end)
    ]


def _numbered(kind: DocumentKind, number: str) -> Reference:
    return Reference(number=int(number), written=number, kind=kind)


# --- the rules, from the most to the least certain -------------------------------------------


def _filled(asked: _Followup) -> Whole | Unclear | None:
    """'Sorry, I meant ADR 33' after 'is it accepted?' was asked back."""
    if not asked.talk.pending:
        return None
    pending = _Followup.of(
        Said.of(asked.talk.pending, asked.lang), asked.talk, asked.documents
    )
    subjects = asked.own or asked.numbered
    if not subjects and asked.mentions:
        subjects = _antecedents(asked, asked.mentions[0])
    mention = pending.refers_back
    if subjects and not asked.content and mention and not asked.said.says("grammar.subjects"):
        return _of(pending, mention, subjects)
    if not (subjects or asked.content) or (asked.said.asks and not asked.corrects):
        return None
    if subjects and not asked.said.says("grammar.subjects"):
        return None
    if mention is None or not pending.said.asks:
        return Whole(text=asked.said.text, lang=asked.lang)
    clause = asked.said.says("grammar.subjects")
    named = asked.said.text.strip(" .?!") if clause else _noun_phrase(asked.said, article=True)
    text = wholes.in_place(pending.said, mention, named)
    return asked.whole(text, "it says what was asked back")


def _repeated(asked: _Followup) -> Whole | None:
    """'Are you sure?', 'as a list', 'in Dutch?': the last question again."""
    last, said, pack = asked.talk.last, asked.said, asked.pack
    if last is None or asked.own or said.says("lists.only"):
        return None
    for role in ("again.sure", "again.formats"):
        length = pack.match(role, said.low)
        if length and not any(map(pack.is_content, said.low[length:])):
            return asked.whole(last.question, "it asks the last question again", last.named)
    langs = [lang for lang in LANGS for word in said.low if pack.has(f"again.languages.{lang}", word)]
    rest = [
        word
        for word in asked.content
        if not pack.has("again.speaks", word)
        and not pack.member("again.languages", word)
        and not pack.member("numbers", word)
    ]
    if len(langs) != 1 or rest:
        return None
    text = last.question
    if last.lang != langs[0] and len(last.named) == 1 and not last.matter:
        text = wholes.again(last, last.named, langs[0])
    whole = asked.whole(text, "it asks the last question again, in another language", last.named)
    return replace(whole, lang=langs[0])


def _same_of_another(asked: _Followup) -> Whole | None:
    """'And ADR 13?', 'same for 12', 'no, I meant 13': what was asked before, of what it names."""
    last, said = asked.talk.last, asked.said
    same = said.says("refers.same") or "parallel" in asked.opening
    own = asked.own or asked.numbered or (_told_apart(asked) if same else ())
    if last is None or not own:
        return None
    if (back := asked.refers_back) and back.refers not in {Refers.POSSESSIVE, Refers.DESCRIBED}:
        return None
    if not (asked.own or asked.numbered):
        return asked.whole(wholes.again(last, own, asked.lang), "it asks the same", own)
    content = [each for each in asked.content if not said.pack.has("grammar.holds", each)]
    side = wholes.asked_word(said, content) if content or not same else ""
    if content and not side:
        return None
    if side:
        if said.subjects or said.has_verb:
            return None
        return asked.whole(asked.pack.worded(side, it=wholes.names(own, asked.lang)), "bare", own)
    opened = asked.opening & {"joins", "parallel"} or asked.corrects
    if said.has_verb and not same:
        return None
    if not (opened or same or "?" in said.text or not said.subjects):
        return None
    if own[0].reference is None and not last.terms:
        document = asked.talk.document
        if document is None:
            text = asked.pack.worded("meaning", it=own[0].name)
            return asked.whole(text, "it asks for another term", own) if opened else None
        text = wholes.about(asked.pack, document.name, own[0].name)
        return asked.whole(text, f"it asks {document.name} of another matter", (document,))
    text = wholes.again(last, own, asked.lang)
    return asked.whole(text, f"it asks the same of {wholes.names(own, asked.lang)}", own)


def _of_other_kind(asked: _Followup) -> Whole | None:
    """'No, the principle', 'and the principle with that number?'."""
    document, last = asked.talk.document, asked.talk.last
    kind = next((each for each in asked.mentions if each.refers is Refers.KIND), None)
    if kind is None or kind.kind is None or last is None or asked.own:
        return None
    numbered = asked.said.says("numbers.number")
    if document is None or document.reference is None or document.kind is kind.kind:
        return None
    if not numbered and not asked.corrects:
        return None
    meant = Antecedent.of(replace(document.reference, kind=kind.kind))
    text = wholes.again(last, (meant,), asked.lang)
    return asked.whole(text, f"it means the {kind.kind} of that number", (meant,))


def _relisted(asked: _Followup) -> Whole | None:
    """'Only the accepted ones', 'and principles?', 'how many?' of a list."""
    if asked.said.subjects:
        return None
    text = narrowing.relisted(asked.said, asked.mentions, asked.talk)
    return asked.whole(text, "it asks for the list before, changed") if text else None


def _of_owner(asked: _Followup) -> Whole | None:
    """'What else do they own?', 'wat hebben die nog meer': other documents of its owner."""
    document, mention = asked.talk.document, asked.refers_back
    if document is None or mention is None or not asked.said.says("lists.others"):
        return None
    if asked.own or mention.refers in {Refers.OTHER, Refers.ORDINAL, Refers.DESCRIBED}:
        return None
    found = described.document_of(document, asked.documents)
    owner = described.owner_of(found) if found else ""
    if not owner or document.kind is None:
        return None
    kinds = asked.pack.plain["plurals"][document.kind]
    text = asked.pack.worded("owned", kinds=kinds, owner=owner)
    return replace(asked.whole(text, f"it asks what else {owner} owns"), about=owner)


def _referred(asked: _Followup) -> Whole | Unclear | None:
    """'Who approved it?', 'the third one', 'die andere', 'its owner'."""
    mention = asked.refers_back
    if mention is None or (asked.own and not _is_beside(asked, mention)):
        return None
    subjects = _antecedents(asked, mention)
    if mention.refers is Refers.DESCRIBED and not subjects:
        return _as_described(asked, mention)
    if not subjects:
        return _unclear(asked, mention)
    if mention.refers is Refers.PLACE and subjects[0].reference is None:
        return None
    if len(subjects) > 1 and not (mention.plural or _is_several(asked, mention)):
        if mention.refers in {Refers.SUCH, Refers.PLACE, Refers.PERSON}:
            return None
        wholly = tuple(_of(asked, mention, (each,)).text for each in subjects[:MOST_NAMED])
        return Unclear(word=_word(asked.said, mention), candidates=wholly)
    return _of(asked, mention, subjects)


def _of_nothing(said: Said) -> Unclear | None:
    """'Status?', 'why?' before anything was said."""
    if said.has_verb or len(said.words) > MOST_BEFORE or not wholes.asked_word(said, said.content):
        return None
    return Unclear(word=said.text.strip(" ?!."))


def _fragment(asked: _Followup) -> Whole | Unclear | None:
    """'Status?', 'why', 'since when?', 'default priority': of the one thing spoken of."""
    said, talk = asked.said, asked.talk
    if asked.own or asked.refers_back:
        return None
    if talk.last is None:
        return _of_nothing(said)
    if any(is_plural(said, at) for at in range(len(said.words))):
        return None
    single = talk.document or talk.term
    if said.says("dummy.verbs") or said.says("lists.shows"):
        return None
    if single is None or (not talk.last.named and not asked.opening and said.has_verb):
        return None
    if text := _side(asked, single, said.content):
        return asked.whole(text, f"it asks {single.name}", (single,))
    if not (_is_fragment(said) or said.says("refers.else") or (said.has_verb and _sided(asked))):
        return None
    if single.reference is None:
        if not asked.opening & {"joins", "parallel"}:
            return None
        new = Antecedent(name=_noun_phrase(said))
        return asked.whole(wholes.again(talk.last, (new,), asked.lang), "another term", (new,))
    if said.asks or said.has_verb:
        text = wholes.according(said, single.name)
    elif not asked.content or not asked.pack.is_content(said.low[_start(said)]):
        return None
    else:
        text = wholes.about(asked.pack, single.name, _noun_phrase(said))
    return asked.whole(text, f"it is about {single.name}", (single,))


def _same_matter(asked: _Followup) -> Whole | None:
    """'And principle 15, what does that say about it?': of another document, the same matter."""
    last = asked.talk.last
    found = [each for each in asked.mentions if _about_it(asked, each)]
    if last is None or not last.matter or not asked.said.references or len(found) != 1:
        return None
    text = wholes.in_place(asked.said, found[0], last.matter)
    return asked.whole(text, f"'{_word(asked.said, found[0])}' is {last.matter}")


def _about_it(asked: _Followup, mention: Mention) -> bool:
    if not mention.inside:
        return False
    before = asked.said.low[mention.first - 1] if mention.first else ""
    return any(asked.pack.has("refers.about", word) for word in (mention.preposition, before) if word)


_RULES: Final[tuple[Callable[[_Followup], Whole | Unclear | None], ...]] = (
    _filled,
    _repeated,
    _same_of_another,
    _same_matter,
    _of_other_kind,
    _relisted,
    _of_owner,
    _referred,
    _fragment,
)


# --- what a word refers to, and what is asked of it ------------------------------------------


def _antecedents(asked: _Followup, mention: Mention) -> tuple[Antecedent, ...]:
    talk, said = asked.talk, asked.said
    match mention.refers:
        case Refers.ORDINAL if mention.place:
            several = talk.several(listed=said.says("numbers.list"))
            current = talk.document or talk.term
            keys = [item.key for item in several]
            places = mention.place.of(keys, current.key if current else None)
            return tuple(item for item in several if item.key in places)
        case Refers.OTHER:
            other = talk.other(mention.kind)
            return (other,) if other else ()
        case Refers.DESCRIBED:
            return described.found(said, mention, talk, asked.documents)
        case Refers.KIND if mention.kind:
            return talk.of_kind(mention.kind)
        case Refers.TERM:
            return (talk.term,) if talk.term else ()
        case Refers.PAIR:
            return talk.pair(_count(asked, mention))
    if _is_several(asked, mention):
        last = talk.last
        if last and len(last.subjects) > 1:
            return last.subjects if len(last.subjects) <= MOST_NAMED else ()
        return talk.one() if talk.document else talk.pair() or talk.one()
    return talk.one()


def _count(asked: _Followup, mention: Mention) -> int:
    from elysia_guard.reading.ordinals import COUNTS

    found = (asked.pack.member("numbers", word) for word in asked.said.low[mention.first : mention.end])
    return next((COUNTS[name] for name in found if name in COUNTS), 2)


def _is_several(asked: _Followup, mention: Mention) -> bool:
    """Whether words that may be of one or of several are of several: 'zijn deze', 'haben sie'."""
    if mention.plural or (mention.place and mention.place.count > 1):
        return True
    word = asked.said.low[mention.first]
    both = asked.pack.has("refers.things", word) and asked.pack.has("refers.thing", word)
    return both and any(asked.pack.has("grammar.plural_verbs", each) for each in asked.said.low)


def _of(asked: _Followup, mention: Mention, subjects: tuple[Antecedent, ...]) -> Whole:
    """Ask the follow-up of what it refers to."""
    said, it = asked.said, wholes.names(subjects, asked.lang)
    reason = f"'{_word(said, mention)}' is {it}"
    return asked.whole(_worded(asked, mention, subjects, it), reason, subjects)


def _worded(
    asked: _Followup, mention: Mention, subjects: tuple[Antecedent, ...], it: str
) -> str:
    said, rest = asked.said, _rest(asked.said, mention)
    content = [word for word in rest if asked.pack.is_content(word)]
    if text := _side(asked, subjects[0], content, it=it, verbs=mention):
        return text
    if not content and not _asks_more(asked, rest):
        return asked.pack.worded("say" if subjects[0].reference else "meaning", it=it)
    if behind := _clause_behind(said, mention):
        inner = next(iter(mentions(behind)), None)
        return wholes.in_place(behind, inner, it) if inner else wholes.according(behind, it)
    if mention.refers in {Refers.PERSON, Refers.SUCH} or _people(asked, mention, subjects):
        return wholes.according(said, it)
    return wholes.in_place(said, mention, it)


def _side(
    asked: _Followup,
    subject: Antecedent,
    content: Sequence[str],
    *,
    it: str = "",
    verbs: Mention | None = None,
) -> str:
    """Word what is asked plainly, where it is a side of a document, or a relation of a term."""
    said, it = asked.said, it or subject.name
    if subject.reference is None:
        name = wholes.relation(said, content, verbs)
        return asked.pack.worded(name, it=it) if name else ""
    if said.has_verb and (verbs or said.says("grammar.manner")):
        return ""
    name = wholes.asked_word(said, content)
    return asked.pack.worded(name, it=it) if name else ""


def _people(asked: _Followup, mention: Mention, subjects: tuple[Antecedent, ...]) -> bool:
    """Whether words in the plural are of people that one document speaks of, or two words refer."""
    several = sum(
        each.refers in {Refers.THING, Refers.SUCH} and not each.inside for each in asked.mentions
    )
    return len(subjects) == 1 and (mention.plural or several > 1)


def _rest(said: Said, mention: Mention) -> list[str]:
    """The words beside those that refer."""
    away = set(range(mention.first, mention.end)) | {mention.at}
    return [word for at, word in enumerate(said.low) if at not in away]


def _asks_more(asked: _Followup, rest: Sequence[str]) -> bool:
    """Whether words without content ask for more than what something says: 'who', 'why'."""
    roles = ("grammar.verbs", "grammar.asks")
    return any(
        any(asked.pack.has(role, word) for role in roles)
        and not asked.pack.has("grammar.fillers", word)
        for word in rest
    )


def _told_apart(asked: _Followup) -> tuple[Antecedent, ...]:
    """'The same for the twin': the document that was spoken of whose title says so."""
    if asked.own or not asked.content:
        return ()
    every = Mention(refers=Refers.DESCRIBED, first=0, end=len(asked.said.words))
    return described.found(asked.said, every, asked.talk, asked.documents)


def _clause_behind(said: Said, mention: Mention) -> Said | None:
    """Return what follows a clause that does no more than refer: 'the last one: how long ...'."""
    end = next(at for at in range(mention.end - 1, len(said.words)) if said.words[at].breaks)
    if end + 1 >= len(said.words):
        return None
    beside = [said.low[at] for at in range(end + 1) if not mention.first <= at < mention.end]
    return None if any(map(said.pack.is_content, beside)) else said.after(end + 1)


def _is_beside(asked: _Followup, mention: Mention) -> bool:
    """Whether a text that names something asks how what is referred to stands to it."""
    own = [at for at, word in enumerate(asked.said.words) if word.own]
    inside = all(mention.first <= at < mention.end for at in own)
    if mention.refers is Refers.THING:
        return not mention.inside
    return mention.end <= own[0] or (mention.refers is Refers.DESCRIBED and inside)


def _as_described(asked: _Followup, mention: Mention) -> Whole | None:
    """'Die over toegankelijk' where no title is known: 'het principe over toegankelijk'."""
    kind = asked.talk.kind
    if kind is None:
        return None
    matter = described.matter(asked.said, mention)
    named = asked.pack.worded("described", kind=asked.pack.plain["definite"][kind], matter=matter)
    text = _worded(asked, mention, (Antecedent(name=named, reference=None),), named)
    rest = _rest(asked.said, mention)
    if not any(map(asked.pack.is_content, rest)) and not _asks_more(asked, rest):
        text = asked.pack.worded("say", it=named)
    return asked.whole(text, "it tells which one by what it is about")


def _unclear(asked: _Followup, mention: Mention) -> Unclear | None:
    """Ask back what a word refers to, unless the text may do without."""
    vague = {Refers.SUCH, Refers.PLACE, Refers.PERSON, Refers.DESCRIBED, Refers.TERM}
    if mention.refers in vague or asked.own:
        return None
    if mention.refers is Refers.KIND and not asked.talk.turns:
        return None
    if not asked.talk.turns and len(asked.content) > MOST_VAGUE:
        return None
    return Unclear(word=_word(asked.said, mention))


def _word(said: Said, mention: Mention) -> str:
    return said.text[said.words[mention.first].start : said.words[mention.end - 1].end]


def _noun_phrase(said: Said, *, article: bool = False) -> str:
    """Return a fragment without its article, fillers behind it and closing punctuation."""
    at = _start(said)
    at -= article and bool(at) and said.pack.has("refers.articles", said.low[at - 1])
    end = len(said.words)
    while end > at + 1 and (
        said.pack.is_closed(said.low[end - 1]) or said.pack.has("grammar.fillers", said.low[end - 1])
    ):
        end -= 1
    return said.text[said.words[at].start : said.words[end - 1].end]


def _is_fragment(said: Said) -> bool:
    """'Default priority', 'approved by whom', 'why not RACI': no sentence of its own."""
    if said.has_verb or len(said.words) > MOST_FRAGMENT or said.says("grammar.persons"):
        return False
    first = said.pack.has("grammar.asks", said.low[0])
    return not first or len(said.content) <= 1


def _sided(asked: _Followup) -> bool:
    return bool(wholes.asked_word(asked.said, asked.said.content))


def _start(said: Said) -> int:
    """Return where a phrase begins behind its article or preposition."""
    roles = ("refers.articles", "refers.indefinite", "refers.about", "refers.of")
    return next(
        (
            at
            for at, word in enumerate(said.low)
            if not any(said.pack.has(role, word) for role in roles)
        ),
        len(said.words) - 1,
    )
