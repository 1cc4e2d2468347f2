"""A list that was asked for, changed: 'only the accepted ones', 'and principles?', 'how many?'.

What is typed is read as a list of its own, with the name of a kind put in; what that asks for takes
the place of what the list before asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace

from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import Scope
from elysia_guard.domain.reading import Listing, Search
from elysia_guard.reading.followups.message import EDGES, Message
from elysia_guard.reading.listings import listing

_STANDS_FOR = ("refers.they", "refers.one", "lists.rest", "lists.others")
"""Roles of words in whose place the name of a kind may stand: 'those', 'ones', 'others'."""


def changed(
    said: Message, before: Listing, documents: Sequence[Document], *, picks: bool
) -> Listing | None:
    """Return a list as a message changes it; None where it does not."""
    only = said.pack.match("lists.only", said.low)
    if (said.subjects and not only) or said.kinds():
        return None
    found = next(_lists(said, before, documents), None)
    if found is None or (picks and not only and (found.topic or found.order)):
        return None
    return _merged(before, found)


def of_kind(said: Message, before: Listing | Search | None) -> Listing | Search | None:
    """Ask of another kind what a list or a search asked: 'what about principles?', 'a policy?'."""
    kinds = said.kinds()
    if len(kinds) != 1 or said.subjects or said.numbers:
        return None
    ((at, kind, many),) = kinds
    alone = many or (at and not said.pack.has("refers.pointing", said.low[at - 1]))
    rest = [word for n, word in enumerate(said.low) if n != at and said.is_content(n)]
    rest = [word for word in rest if not said.pack.has("lists.many", word)]
    asking = {word for word in said.low if said.pack.has("clauses.question_words", word)}
    asking -= said.pack.words("lists.which")  # 'and which decisions?'
    shows = any(said.pack.has("clauses.commands", word) for word in said.low)
    if rest or shows or said.has_verb or asking or not alone:
        return None
    asks = replace(before, kinds=(kind,)) if before else Listing(kinds=(kind,))
    counted = said.says("lists.many") > 0
    return replace(asks, counted=counted) if isinstance(asks, Listing) else asks


def others(said: Message, kind: DocumentKind, documents: Sequence[Document]) -> Listing | None:
    """'Which others are rejected?', 'any others dead?', after one that is."""
    if said.subjects or said.kinds() or not said.says("lists.rest"):
        return None
    found = next(_lists(said, Listing(kinds=(kind,)), documents), None)
    if found is None or found.topic:
        return None
    return found if found.filters.statuses or found.filters.denied else None


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


def _lists(said: Message, before: Listing, documents: Sequence[Document]) -> Iterator[Listing]:
    """Read a message as a list of the same kind that says more than the kind."""
    plain, kind = Listing(kinds=before.kinds), before.kinds[0]
    only = said.pack.match("lists.only", said.low)
    for text, stands in _texts(said.after(only), said.pack.plain["plurals"][kind]):
        found = listing(text, lang=said.lang, documents=documents)
        if not isinstance(found, Listing) or plain.kinds != found.kinds or found == plain:
            continue
        # 'In Dutch?' asks for the last answer in that language.
        again = found.filters.lang and not before.filters.lang
        if stands or only or not (found.topic or again):
            yield found


def _texts(said: Message, noun: str) -> Iterator[tuple[str, bool]]:
    """Put the name of a kind in: for a word that stands for it, behind 'which', or at an end."""
    pack, text = said.pack, said.text.rstrip(EDGES)
    if (many := pack.match("lists.many", said.low)) and not any(
        map(said.is_content, range(many, len(said.words)))
    ):
        yield pack.worded("count", kinds=noun), True
    for at in range(len(said.words)):
        stands = max(pack.match(role, said.low, at) for role in _STANDS_FOR)
        if stands or said.adverb(at) in pack.words("refers.of"):
            of = at and pack.has("refers.of", said.low[at - 1])
            start = said.words[at - 1 if of else at].start
            end = said.words[at + max(stands, 1) - 1].end
            yield f"{text[:start]}{noun}{text[end:]}", True
    for word in said.words:
        if pack.has("lists.which", word.low) or pack.has("lists.many", word.low):
            yield f"{text[: word.end]} {noun}{text[word.end :]}", True
    if not said.has_verb:
        yield f"{text} {noun}", False
        yield f"{noun} {text}", False
