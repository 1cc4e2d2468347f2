"""A list that was asked for, asked again of fewer documents, of another kind, or as a count."""

from __future__ import annotations

from dataclasses import dataclass

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Aspect
from elysia_guard.language.text import words
from elysia_guard.reading.followups.focus import Talk, Turn
from elysia_guard.reading.followups.mention import PICKS, Mention, Refers
from elysia_guard.reading.followups.pronouns import is_plural, kind_of, names_kind
from elysia_guard.reading.followups.text import Said
from elysia_guard.reading.followups.wholes import tidy, without
from elysia_guard.reading.followups.words import FollowupWords

_STOPS = " .?!,"
_OF_THEM = {Refers.THINGS, Refers.PAIR}
MOST_ADJECTIVES = 2


def relisted(said: Said, found: tuple[Mention, ...], talk: Talk) -> str:
    """Return the list before as a follow-up wants it; empty where it asks for something else.

    Another kind may be asked for later too: 'and principles?' is of the last list there was.
    """
    last = talk.last
    if last is None:
        return ""
    at = _kind_alone(said, found)
    if at is not None:
        return _of_kind(said, at, talk)
    only = said.pack.match("lists.only", said.low)
    if (not only and any(each.refers in PICKS for each in found)) or _names_kind(said, found):
        return ""
    if not (last.listing or (_is_search(last) and _is_of_many(last))):
        return ""
    listed = _List.of(last, said)
    many = said.pack.match("lists.many", said.low)
    if many and not any(map(said.pack.is_content, said.low[many:])):
        return listed.counted(said.pack)
    return _narrowed(said, found, listed)


def of_kind(said: Said, kind: DocumentKind) -> str:
    """Return the list of a kind that 'only the accepted ones' may ask for."""
    plain = Said.of(_plain(said.pack, kind), said.lang)
    turn = Turn(
        question=plain.text, lang=said.lang, named=(), shown=(), near=(), listing=True,
        kinds=(kind,), topic="", aspect=Aspect.SUBSTANCE, matter="",
    )  # fmt: skip
    return _narrowed(said, (), _List.of(turn, said))


@dataclass(frozen=True, kw_only=True)
class _List:
    """The question of a list, around the kind that it is of."""

    head: str
    noun: str
    tail: str
    """What follows the kind, where it restricts the list or holds the verb."""
    asks: bool
    verb: bool
    """Whether the tail begins with a verb: 'decisions are accepted'."""

    @classmethod
    def of(cls, turn: Turn, said: Said) -> _List:
        """Take a list apart; one that is in another language is asked for anew."""
        before = Said.of(turn.question, turn.lang)
        place = _noun(before)
        if place is None or turn.lang != said.lang:
            kind = turn.kinds[0] if turn.kinds else DocumentKind.DOCUMENT
            before = Said.of(_plain(said.pack, kind), said.lang)
            place = _noun(before) or 0
        pack, noun = before.pack, before.words[place]
        asks = any(pack.has("grammar.asks", word) for word in before.low[:place])
        behind = before.words[place + 1] if place + 1 < len(before.words) else None
        verb = behind is not None and pack.has("grammar.verbs", behind.low)
        tail = before.text[noun.end :].partition("?")[0].strip(_STOPS)
        if not (asks or any(map(pack.is_content, before.low[place + 1 :]))):
            tail = pack.worded("list_end").strip()
        return cls(
            head=before.text[: noun.start],
            noun=before.text[noun.start : noun.end],
            tail=tail,
            asks=asks,
            verb=verb,
        )

    def with_adjective(self, adjective: str) -> str:
        """'List all accepted principles'."""
        return self._whole(f"{self.head}{adjective} {self.noun} {self.tail}")

    def with_clause(self, clause: str, pack: FollowupWords) -> str:
        """'List all principles about data owned by security', 'which decisions of 2024 are ...'."""
        if self.verb or (self.tail and self.tail == pack.worded("list_end").strip()):
            return self._whole(f"{self.head}{self.noun} {clause} {self.tail}")
        return self._whole(f"{self.head}{self.noun} {self.tail} {clause}")

    def with_predicate(self, predicate: str, which: str, joined: str) -> str:
        """'Which principles about data mention privacy?'."""
        tail = f"{self.tail} {joined}" if self.verb and self.tail else self.tail
        return tidy(f"{which} {self.noun} {tail} {predicate}?")

    def counted(self, pack: FollowupWords) -> str:
        """'How many decisions are accepted?' of 'which decisions are accepted?'."""
        many = pack.plain["whole"]["count"].partition(" {kinds}")[0]
        kept = [
            word
            for word, low in zip(self.head.split(), Said.of(self.head, pack.lang).low, strict=False)
            if not any(pack.has(role, low) for role in ("lists.all", "lists.shows", "lists.which"))
        ]
        noun = " ".join([*kept, self.noun])
        if self.asks and any(pack.has("grammar.verbs", each) for each in words(self.tail)):
            return tidy(f"{many} {noun} {self.tail}?")
        restricts = self.tail != pack.worded("list_end").strip()
        return tidy(pack.worded("count", kinds=f"{noun} {self.tail if restricts else ''}"))

    def _whole(self, text: str) -> str:
        return tidy(f"{text}{'?' if self.asks else ''}")


def _kind_alone(said: Said, found: tuple[Mention, ...]) -> int | None:
    """Return where a kind stands that is all a text names: 'what about principles?'."""
    if said.subjects or said.has_verb or any(not each.inside for each in found):
        return None
    at = [n for n in range(len(said.words)) if is_plural(said, n)]
    if len(at) != 1 or said.says("lists.shows"):
        return None
    many = {n + k for n in range(len(said.low)) for k in range(_many(said, n))}
    rest = [word for n, word in enumerate(said.low) if n != at[0] and n not in many]
    return None if any(map(said.pack.is_content, rest)) else at[0]


def _names_kind(said: Said, found: tuple[Mention, ...]) -> bool:
    """Whether a text says itself what it asks a list of: 'the newest three ADRs'."""
    referring = {n for each in found for n in range(each.first, each.end)}
    return any(names_kind(said, n) for n in range(len(said.words)) if n not in referring)


def _many(said: Said, at: int) -> int:
    return said.pack.match("lists.many", said.low, at)


def _of_kind(said: Said, at: int, talk: Talk) -> str:
    """Ask for another kind what the last list, or the last search in a kind, was asked for."""
    noun = said.text[said.words[at].start : said.words[at].end]
    fitting = (each for each in reversed(talk.turns) if each.listing or _is_search(each))
    turn = next(fitting, None)
    before = Said.of(turn.question, turn.lang) if turn else None
    place = _noun(before) if before else None
    if turn is None or before is None or place is None or turn.lang != said.lang:
        text = _plain(said.pack, kind_of(said, at) or DocumentKind.DOCUMENT)
    else:
        old = before.words[place]
        text = tidy(f"{before.text[: old.start]}{noun}{before.text[old.end :]}")
    if not said.says("lists.many"):
        return text
    asked = Said.of(text, said.lang)
    start = asked.words[_noun(asked) or 0]
    plain = _List(
        head="", noun=asked.text[start.start : start.end], tail="", asks=False, verb=False
    )
    return plain.counted(said.pack)


def _is_search(turn: Turn) -> bool:
    """Tell whether a turn searched in one kind of documents: 'Is there a decision about TLS?'."""
    return bool(turn.kinds and not turn.named)


def _is_of_many(turn: Turn) -> bool:
    """Tell whether a question is for documents in the plural: 'Which decisions touch on TLS?'."""
    asked = Said.of(turn.question, turn.lang)
    return any(is_plural(asked, at) for at in range(len(asked.words)))


def _plain(pack: FollowupWords, kind: DocumentKind) -> str:
    listed = pack.worded("list", kinds=pack.plain["plurals"][kind])
    return f"{listed}{pack.worded('list_end')}"


def _noun(said: Said) -> int | None:
    """Return where the kind stands that a list is of, in the plural if it stands there."""
    kinds = [n for n in range(len(said.words)) if kind_of(said, n) and not said.words[n].own]
    plural = [n for n in kinds if is_plural(said, n)]
    return next(iter(plural or kinds), None)


def _narrowed(said: Said, found: tuple[Mention, ...], listed: _List) -> str:
    """'Only the accepted ones', 'which of those are ours', 'those since 2024', 'the newest'."""
    pack = said.pack
    if only := pack.match("lists.only", said.low):
        return _with(_bare(said.after(only)), listed)
    among = next((each for each in found if _among(said, each)), None)
    if among and any(pack.has("lists.which", word) for word in said.low):
        return _among_them(said, among, listed)
    if among and among.first == 0 and not said.asks:
        return _with(said.after(among.end), listed)
    if among and pack.has("lists.shows", said.low[0]) and among.end < len(said.words):
        return listed.with_clause(said.after(among.end).text.strip(_STOPS), pack)
    ordered = said.content and all(pack.has("lists.orders", word) for word in said.content)
    return _with(_bare(said), listed) if ordered and not said.has_verb else ""


def _among(said: Said, mention: Mention) -> bool:
    """'Of those', 'davon'."""
    pack, first = said.pack, mention.first
    if mention.refers is Refers.ADVERB:
        return pack.has("refers.of", mention.preposition)
    of = (
        first == 0
        or pack.has("refers.of", said.low[first - 1])
        or pack.has("lists.shows", said.low[first - 1])
    )
    return of and (mention.refers in _OF_THEM or pack.has("refers.things", said.low[first]))


def _among_them(said: Said, mention: Mention, listed: _List) -> str:
    """'Which of them mention privacy?', 'Welche davon ist abgelöst?'."""
    pack = said.pack
    first = mention.first
    if first and pack.has("refers.of", said.low[first - 1]):
        first -= 1
    rest = without(said, (first, mention.end)).strip(_STOPS)
    which = next(n for n, word in enumerate(said.low) if pack.has("lists.which", word))
    predicate = Said.of(rest, said.lang).after(1) if which == 0 else Said.of(rest, said.lang)
    state = [word for word in predicate.low if not pack.has("grammar.leading", word)]
    if len(state) == 1 and pack.has("asked.status", state[0]):
        return listed.with_adjective(state[0])
    asked = said.text[said.words[which].start : said.words[which].end]
    return listed.with_predicate(predicate.text.strip(_STOPS), asked, pack.worded("and"))


def _bare(said: Said) -> Said:
    """Return a restriction without its article and without 'ones': 'the accepted ones'."""
    pack, at = said.pack, 0
    while at + 1 < len(said.words) and pack.has("grammar.leading", said.low[at]):
        if _begins_clause(said, at):
            break
        at += 1
    rest = said.after(at)
    ones = [n for n, word in enumerate(rest.low) if pack.has("refers.selected", word)]
    return Said.of(without(rest, *((n, n + 1) for n in ones)).strip(_STOPS), said.lang)


def _begins_clause(said: Said, at: int) -> bool:
    """'Die in het Nederlands zijn geschreven': a clause with its verb behind."""
    pack, rest = said.pack, said.low[at + 1 :]
    return pack.has("lists.relative", said.low[at]) and any(
        pack.has("grammar.verbs", word) for word in rest
    )


def _with(restriction: Said, listed: _List) -> str:
    pack, text = restriction.pack, restriction.text.strip(_STOPS)
    if not restriction.words:
        return ""
    clause = pack.has("refers.about", restriction.low[0]) or pack.has(
        "grammar.function", restriction.low[0]
    )
    if clause or len(restriction.words) > MOST_ADJECTIVES:
        return listed.with_clause(text, pack)
    return listed.with_adjective(text)
