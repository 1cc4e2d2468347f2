"""A list that was asked for, asked again of fewer documents, of another kind, or as a count."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Unclear
from elysia_guard.language.kinds import numbered
from elysia_guard.reading.followups import referents
from elysia_guard.reading.followups.focus import SpokenOf, TurnFocus
from elysia_guard.reading.followups.followup import Followup, Whole
from elysia_guard.reading.followups.mention import PICKS, ReferringWords, Refers
from elysia_guard.reading.followups.pronouns import is_plural, kind_of, names_kind
from elysia_guard.reading.followups.text import FollowUpText, tidy
from elysia_guard.reading.followups.words import FollowupWords

_STOPS = " .?!,"
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_LISTING = ("lists.all", "lists.shows", "lists.which")
MOST_ADJECTIVES = 2


def changed(asked: Followup) -> Whole | Unclear | None:
    """'Only the accepted ones', 'and principles?', 'how many?' of a list."""
    only = asked.pack.match("lists.only", asked.said.low)
    if asked.said.subjects and not only:
        return None
    text = _relisted(asked.said, asked.mentions, asked.talk)
    if text:
        return asked.whole(text, "it asks for the list before, changed")
    return _of_no_list(asked) if only else None


def _of_no_list(asked: Followup) -> Unclear | None:
    """'Only the accepted ones', where no list was shown: of which kind is asked back."""
    if not asked.talk.turns or asked.said.has_verb or asked.said.subjects:
        return None
    listed = [_list_of(asked.said, kind) for kind in numbered()]
    return Unclear(word=asked.said.text, candidates=tuple(listed))


def of_others(asked: Followup) -> Whole | None:
    """'Which others are rejected?', after one that is."""
    said, pack, kind = asked.said, asked.pack, asked.talk.kind
    states = [word for word in asked.content if pack.has("asked.status", word)]
    others = [word for word in asked.content if pack.has("lists.others", word)]
    if asked.own or kind is None or len(states) != 1 or not said.says("lists.others"):
        return None
    if asked.refers_back or set(asked.content) - {*states, *others} or not said.asks:
        return None
    kinds = f"{states[0]} {pack.plain['plurals'][kind]}"
    text = pack.worded("list", kinds=kinds) + pack.worded("list_end")
    return asked.whole(text, "it asks for others like it")


def of_owner(asked: Followup) -> Whole | None:
    """'What else do they own?', 'wat hebben die nog meer': other documents of its owner."""
    document, mention = asked.talk.document, asked.refers_back
    if document is None or mention is None or not asked.said.says("lists.others"):
        return None
    if asked.own or mention.refers in PICKS:
        return None
    known = referents.document_of(document, asked.documents)
    owner = referents.owner_of(known) if known else ""
    if not owner or document.kind is None:
        return None
    kinds = asked.pack.plain["plurals"][document.kind]
    text = asked.pack.worded("owned", kinds=kinds, owner=owner)
    return replace(asked.whole(text, f"it asks what else {owner} owns"), about=owner)


def _relisted(said: FollowUpText, found: tuple[ReferringWords, ...], talk: SpokenOf) -> str:
    """Return the list before as a follow-up wants it; empty where it asks for something else.

    Another kind may be asked for later too: 'and principles?' is of the last list there was.
    """
    last, pack = talk.last, said.pack
    if last is None:
        return ""
    many = pack.match("lists.many", said.low)
    if last.listing and (again := _of_another_year(said, last)):
        return again
    at = _kind_alone(said, found)
    if at is not None:
        listed = _of_kind(said, at, talk)
        return listed.counted() if said.says("lists.many") else listed.whole(listed.noun)
    only = pack.match("lists.only", said.low)
    referring = {n for each in found for n in range(each.first, each.end)}
    if any(names_kind(said, n) for n in range(len(said.words)) if n not in referring):
        return ""
    if (not only and any(each.refers in PICKS for each in found)) or not _is_of_many(last):
        return ""
    listed = ListAsked.of(last, said)
    if many and not any(map(pack.is_content, said.low[many:])):
        return listed.counted()
    return _narrowed(said, found, listed)


def _list_of(said: FollowUpText, kind: DocumentKind) -> str:
    """Return the list of a kind that 'only the accepted ones' may ask for."""
    return _narrowed(said, (), ListAsked.plain(said.pack, kind))


@dataclass(frozen=True, kw_only=True)
class ListAsked:
    """The question of a list, around the kind that it is of."""

    pack: FollowupWords
    head: str
    noun: str
    tail: str
    """What follows the kind, where it restricts the list or holds the verb."""
    asks: bool
    closed: bool
    """Whether the tail is, or begins with, a verb: 'decisions are accepted'."""

    @classmethod
    def of(cls, turn: TurnFocus, said: FollowUpText) -> ListAsked:
        """Take a list apart; one that is in another language is asked for anew."""
        before = FollowUpText.of(turn.question, turn.lang)
        place = _noun(before)
        if place is None or turn.lang != said.lang:
            return cls.plain(said.pack, turn.kinds[0] if turn.kinds else DocumentKind.DOCUMENT)
        pack, noun, behind = before.pack, before.words[place], before.low[place + 1 :]
        asks = any(pack.has("grammar.asks", word) for word in before.low[:place])
        tail, end = before.text[noun.end :].partition("?")[0].strip(_STOPS), _end(pack)
        if not (asks or any(map(pack.is_content, behind))):
            tail = end
        closed = pack.has("grammar.verbs", behind[0]) if behind else False
        return cls(
            pack=pack,
            head=before.text[: noun.start],
            noun=before.text[noun.start : noun.end],
            tail=tail,
            asks=asks,
            closed=closed or (bool(tail) and tail == end),
        )

    @classmethod
    def plain(cls, pack: FollowupWords, kind: DocumentKind) -> ListAsked:
        """Return the list of all documents of a kind."""
        noun, end = pack.plain["plurals"][kind], _end(pack)
        head = pack.worded("list", kinds=noun).partition(noun)[0]
        return cls(pack=pack, head=head, noun=noun, tail=end, asks=False, closed=bool(end))

    @property
    def lang(self) -> Lang:
        """The language that it is asked in."""
        return self.pack.lang

    def whole(self, noun: str, *, clause: str = "") -> str:
        """'List all accepted principles', '... principles about data owned by security'."""
        tail = f"{clause} {self.tail}" if self.closed else f"{self.tail} {clause}"
        return tidy(f"{self.head}{noun} {tail}{'?' if self.asks else ''}")

    def ordered(self, order: str) -> str:
        """'List the newest accepted principles': before what else is said of them."""
        said = FollowUpText.of(self.head, self.pack.lang)
        beside = (word.start for word in said.words if said.pack.is_content(word.low))
        place = next(beside, len(self.head))
        head = f"{self.head[:place]}{order} {self.head[place:]}"
        return replace(self, head=head).whole(self.noun)

    def with_predicate(self, predicate: str, which: str) -> str:
        """'Which principles about data mention privacy?'."""
        joined = self.pack.worded("and") if self.closed else ""
        return tidy(f"{which} {self.noun} {self.tail} {joined} {predicate}?")

    def counted(self) -> str:
        """'How many decisions are accepted?' of 'which decisions are accepted?'."""
        pack, many = self.pack, self.pack.plain["whole"]["count"].partition(" {kinds}")[0]
        said = FollowUpText.of(self.head, pack.lang)
        kept = [word for word in said.content if not any(pack.has(role, word) for role in _LISTING)]
        noun = " ".join([*kept, self.noun])
        if self.asks and self.closed:
            return tidy(f"{many} {noun} {self.tail}?")
        restricts = self.tail if self.tail != _end(pack) else ""
        return tidy(pack.worded("count", kinds=f"{noun} {restricts}"))


def _end(pack: FollowupWords) -> str:
    return pack.worded("list_end").strip()


def _of_another_year(said: FollowUpText, last: TurnFocus) -> str:
    """'And 2024?' after a list of 2023."""
    years, before = _YEAR.findall(said.text), _YEAR.findall(last.question)
    alone = not said.subjects and set(said.content) <= set(years)
    if not alone or len(years) != 1 or len(before) != 1:
        return ""
    return last.question.replace(before[0], years[0])


def _kind_alone(said: FollowUpText, found: tuple[ReferringWords, ...]) -> int | None:
    """Return where a kind stands that is all a text names: 'what about principles?'."""
    if (
        said.subjects
        or said.has_verb
        or said.says("lists.shows")
        or any(not each.inside for each in found)
    ):
        return None
    at = [n for n in range(len(said.words)) if is_plural(said, n)]
    rest = [word for n, word in enumerate(said.low) if n not in at]
    rest = [word for word in rest if not said.pack.has("lists.many", word)]
    return at[0] if len(at) == 1 and not any(map(said.pack.is_content, rest)) else None


def _of_kind(said: FollowUpText, at: int, talk: SpokenOf) -> ListAsked:
    """Ask for another kind what the last list, or the last search in a kind, was asked for."""
    noun = said.text[said.words[at].start : said.words[at].end]
    turn = next((each for each in reversed(talk.turns) if each.listing or _in_kind(each)), None)
    if (
        turn is None
        or turn.lang != said.lang
        or _noun(FollowUpText.of(turn.question, turn.lang)) is None
    ):
        return ListAsked.plain(said.pack, kind_of(said, at) or DocumentKind.DOCUMENT)
    return replace(ListAsked.of(turn, said), noun=noun)


def _in_kind(turn: TurnFocus) -> bool:
    """Tell whether a turn searched in one kind of documents: 'Is there a decision about TLS?'."""
    return bool(turn.kinds and not turn.named)


def _is_of_many(turn: TurnFocus) -> bool:
    """Tell whether a turn asked for a list, or for documents in the plural."""
    asked = FollowUpText.of(turn.question, turn.lang)
    plural = any(is_plural(asked, at) for at in range(len(asked.words)))
    return turn.listing or (_in_kind(turn) and plural)


def _noun(said: FollowUpText) -> int | None:
    """Return where the kind stands that a list is of, in the plural if it stands there."""
    kinds = [n for n in range(len(said.words)) if kind_of(said, n) and not said.words[n].own]
    return next(iter([n for n in kinds if is_plural(said, n)] or kinds), None)


def _narrowed(said: FollowUpText, found: tuple[ReferringWords, ...], listed: ListAsked) -> str:
    """'Only the accepted ones', 'which of those are ours', 'those since 2024', 'the newest'."""
    pack = said.pack
    if only := pack.match("lists.only", said.low):
        return _with(_bare(said.after(only)), listed)
    among = next((each for each in found if _among(said, each)), None)
    if among and said.says("lists.which"):
        return _among_them(said, among, listed)
    if among and among.first == 0 and not said.asks:
        return _with(said.after(among.end), listed)
    ordered = said.content and all(pack.has("lists.orders", word) for word in said.content)
    return listed.ordered(_bare(said).text) if ordered and not said.has_verb else ""


def _among(said: FollowUpText, mention: ReferringWords) -> bool:
    """'Of those', 'davon'."""
    pack, first = said.pack, mention.first
    if mention.refers is Refers.ADVERB:
        return pack.has("refers.of", mention.preposition)
    several = mention.plural or pack.has("refers.things", said.low[first])
    return several and (first == 0 or pack.has("refers.of", said.low[first - 1]))


def _among_them(said: FollowUpText, mention: ReferringWords, listed: ListAsked) -> str:
    """'Which of them mention privacy?', 'Welche davon ist abgelöst?'."""
    pack, first = said.pack, mention.first
    of = first and pack.has("refers.of", said.low[first - 1])
    rest = FollowUpText.of(said.without((first - bool(of), mention.end)).strip(_STOPS), said.lang)
    which = next(n for n, word in enumerate(said.low) if pack.has("lists.which", word))
    predicate = rest.after(1) if which == 0 else rest
    state = [word for word in predicate.low if not pack.has("grammar.leading", word)]
    if len(state) == 1 and pack.has("asked.status", state[0]):
        return listed.whole(f"{state[0]} {listed.noun}")
    asked = said.text[said.words[which].start : said.words[which].end]
    return listed.with_predicate(predicate.text.strip(_STOPS), asked)


def _bare(said: FollowUpText) -> FollowUpText:
    """Return a restriction without its article and without 'ones': 'the accepted ones'."""
    pack, at = said.pack, 0
    while at + 1 < len(said.words) and pack.has("grammar.leading", said.low[at]):
        clause = any(pack.has("grammar.verbs", word) for word in said.low[at + 1 :])
        if clause and pack.has("lists.relative", said.low[at]):
            break
        at += 1
    rest = said.after(at)
    ones = [n for n, word in enumerate(rest.low) if pack.has("refers.selected", word)]
    return FollowUpText.of(rest.without(*((n, n + 1) for n in ones)).strip(_STOPS), said.lang)


def _with(restriction: FollowUpText, listed: ListAsked) -> str:
    pack, text = restriction.pack, restriction.text.strip(_STOPS)
    if not restriction.words:
        return ""
    clause = any(
        pack.has(role, restriction.low[0]) for role in ("refers.about", "grammar.function")
    )
    if clause or len(restriction.words) > MOST_ADJECTIVES:
        return listed.whole(listed.noun, clause=text)
    return listed.whole(f"{text} {listed.noun}")
