"""A list that was asked for, changed: 'only the accepted ones', 'and principles?', 'how many?'.

What is typed is read as a list of its own, with the name of a kind put in; what that asks for takes
the place of what the list before asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Scope
from elysia_guard.domain.reading import Listing, Search, Unclear
from elysia_guard.language.kinds import numbered
from elysia_guard.reading.followups import referents
from elysia_guard.reading.followups.focus import TurnFocus
from elysia_guard.reading.followups.followup import Followup, Whole
from elysia_guard.reading.followups.mention import PICKS
from elysia_guard.reading.followups.pronouns import is_plural, kind_of, names_kind
from elysia_guard.reading.followups.text import EDGES
from elysia_guard.reading.listings import listing

_STANDS_FOR = ("refers.things", "refers.selected", "lists.others")
"""Roles of words in whose place the name of a kind may stand: 'those', 'ones', 'others'."""


def changed(asked: Followup) -> Whole | Unclear | None:
    """'Only the accepted ones', 'and principles?', 'how many?' of a list."""
    last, said = asked.talk.last, asked.said
    only = asked.pack.match("lists.only", said.low)
    if last is None or (said.subjects and not only):
        return None
    if kind := _kind_alone(asked):
        return _of_kind(asked, kind)
    if not isinstance(last.asks, Listing):
        return _of_no_list(asked) if only and not said.has_verb else None
    if any(names_kind(said, at) for at in range(len(said.words))):
        return None
    found = next(_lists(asked, last.asks), None)
    picks = not only and any(each.refers in PICKS for each in asked.mentions)
    if found is None or (picks and (found.topic or found.order)):
        return None
    return _asks(asked, _merged(last.asks, found), last)


def of_others(asked: Followup) -> Whole | None:
    """'Which others are rejected?', after one that is."""
    kind, last = asked.talk.kind, asked.talk.last
    if kind is None or last is None or asked.own or asked.refers_back:
        return None
    states = any(asked.pack.has("asked.status", word) for word in asked.content)
    if not states or not asked.said.says("lists.others"):
        return None
    found = next(_lists(asked, Listing(kinds=(kind,))), None)
    return _asks(asked, found, last) if found else None


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


def _asks(asked: Followup, asks: Listing | Search, before: TurnFocus) -> Whole:
    text = f"{before.question.rstrip(EDGES)}: {asked.said.text}"
    return replace(asked.whole(text, "it asks for the list before, changed"), asks=asks)


def _of_kind(asked: Followup, kind: DocumentKind) -> Whole:
    """Ask of another kind what the last list, or the last search in a kind, was asked for."""
    turns = (turn for turn in reversed(asked.talk.turns) if turn.asks)
    before = next(turns, asked.talk.turns[-1])
    asks = replace(before.asks or Listing(kinds=(kind,)), kinds=(kind,))
    if isinstance(asks, Listing):
        asks = replace(asks, counted=asked.said.says("lists.many"))
    return _asks(asked, asks, before)


def _of_no_list(asked: Followup) -> Unclear | None:
    """'Only the accepted ones', where no list was shown: of which kind is asked back."""
    pack = asked.pack
    kinds = (next(_texts(asked, pack.plain["plurals"][kind]))[0] for kind in numbered())
    listed = (pack.worded("list", kinds=each) + pack.worded("list_end") for each in kinds)
    return Unclear(word=asked.said.text, candidates=tuple(listed))


def _merged(before: Listing, said: Listing) -> Listing:
    """Return a list with what is said of it in the place of what was."""
    plain = Scope()
    new = {each.name: getattr(said.filters, each.name) for each in fields(Scope)}
    filters = {name: value for name, value in new.items() if value != getattr(plain, name)}
    return replace(
        before,
        topic=" ".join(filter(None, (before.topic, said.topic))),
        filters=replace(before.filters, **filters),
        order=said.order or before.order,
        first=said.first if said.order else before.first,
        counted=said.counted,
    )


def _lists(asked: Followup, before: Listing) -> Iterator[Listing]:
    """Read a follow-up as a list of the same kind that says more than the kind."""
    plain, kind = Listing(kinds=before.kinds), before.kinds[0]
    for text, stands in _texts(asked, asked.pack.plain["plurals"][kind]):
        found = listing(text, lang=asked.lang, documents=asked.documents)
        if not isinstance(found, Listing) or found.kinds != plain.kinds or found == plain:
            continue
        # 'In Dutch?' asks for the last answer in that language.
        again = found.filters.lang and not before.filters.lang
        if stands or asked.pack.match("lists.only", asked.said.low) or not (found.topic or again):
            yield found


def _texts(asked: Followup, noun: str) -> Iterator[tuple[str, bool]]:
    """Put the name of a kind in: for a word that stands for it, behind 'which', or at an end."""
    said, pack = asked.said, asked.pack
    said = said.after(pack.match("lists.only", said.low))
    words, text = said.words, said.text.rstrip(EDGES)
    if (many := pack.match("lists.many", said.low)) and not any(
        map(pack.is_content, said.low[many:])
    ):
        yield pack.worded("count", kinds=noun), True
    for at, word in enumerate(words):
        of = pack.plain["refers.adverbs"].get(word.low, "")
        if pack.has("refers.of", of) or any(pack.has(role, word.low) for role in _STANDS_FOR):
            start = words[at - 1 if at and pack.has("refers.of", said.low[at - 1]) else at].start
            yield f"{text[:start]}{noun}{text[word.end :]}", True
    for word in words:
        if pack.has("lists.which", word.low) or pack.has("lists.many", word.low):
            yield f"{text[: word.end]} {noun}{text[word.end :]}", True
    if not said.has_verb:
        yield f"{text} {noun}", False
        yield f"{noun} {text}", False


def _kind_alone(asked: Followup) -> DocumentKind | None:
    """Return the kind that is all a text names: 'what about principles?', 'and a policy?'."""
    said = asked.said
    if said.subjects or said.has_verb or said.says("lists.shows") or asked.refers_back:
        return None
    any_one = {n + 1 for n, word in enumerate(said.low) if said.pack.has("refers.indefinite", word)}
    at = [n for n in range(len(said.words)) if kind_of(said, n)]
    if not all(n in any_one or is_plural(said, n) for n in at):
        return None
    rest = [word for n, word in enumerate(said.low) if n not in at]
    rest = [word for word in rest if not said.pack.has("lists.many", word)]
    alone = len(at) == 1 and not any(map(said.pack.is_content, rest))
    return kind_of(said, at[0]) if alone else None
