"""What listed documents are to be about: the words that nothing else has explained."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.reading.clauses import Clause
from elysia_guard.reading.listing_words import SAYING_NOTHING, Listed, listed_kinds

_FRAMES = ("listing", "showing", "existing", "quantifiers", "many")


def topic_of(words: Listed, main: Clause, places: Sequence[int]) -> str | None:
    """Return the topic; '' where nothing is left, None where words are left that name none.

    Args:
        words: the question, its kinds and filters read.
        main: that which names the documents.
        places: where they are named.
    """
    if main.has("adverbial"):
        return None
    denied = words.find("denying")
    named = next((at for at in places if words.said.plays(at, *listed_kinds())), 0)
    behind = max((at for at in words.find("about") if at > named), default=words.end)
    said = range(behind + 1, words.end)
    plain = words.used.isdisjoint(said) and any(
        at in said and words.said.is_content(at) for at in words.find(*SAYING_NOTHING)
    )
    for place in words.find(*SAYING_NOTHING):
        mentions = place > named and words.said.plays(place, "about")
        if not (mentions or words.is_after_about(place)):
            words.take(place, *SAYING_NOTHING)
    about = words.find("about")
    fronts = {at + step for at in about for step in range(words.length(at, "about"))}
    ends = [at for at in words.find("about_end") if at not in fronts]
    for place in ends:
        words.take(place, "about_end")
    left = [at for at in words.places if words.left(at)]
    if not left:
        return None if denied or plain else ""  # 'about need to know'
    fronted = left[-1] < named  # 'about encryption: which decisions are there?'
    for place in reversed([at for at in about if (fronted or named <= at) and at <= left[0]]):
        begin = place + words.length(place, "about")
        if not any(words.left(at) for at in range(words.start, place)):
            end = min((at for at in ends if at > begin), default=left[-1] + 1)
            begin = words.said.after(begin, end, "definite")
            whole = begin < end and left[-1] < end
            turned = any(at < begin for at in words.find("including") if at > named)
            turned |= any(not (at in left and begin <= at < end) for at in denied)
            named = not all(words.number(at) for at in left)  # 'of the 34'
            return words.text(begin, end) if whole and named and not turned else None
    return None if denied else _modifier(words, left, places)


def _modifier(words: Listed, left: Sequence[int], places: Sequence[int]) -> str | None:
    """'What are the interoperability principles?'."""
    first = places[0] if places else words.start
    adjacent = left[-1] == first - 1 and len(left) == left[-1] - left[0] + 1
    framed = any(words.said.plays(at, *_FRAMES) for at in words.places)
    counted = any(words.number(at) for at in left)  # 'which two policies'
    return words.text(left[0], first) if adjacent and framed and not counted else None
