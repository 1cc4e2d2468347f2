"""What ``core.toml`` of a language pack holds: one class a section, one field a key."""

from __future__ import annotations

from typing import NamedTuple

from elysia_guard.domain.document import DocumentKind
from elysia_guard.language.pack_reader import Apart, Words


class WordsSection(NamedTuple):
    """Closed classes of words. ``elided`` are those written onto the next word: 'l', 'd'.

    ``nouns_capitalised``: a capital does not tell a name, every noun has one.
    """

    stop: Words
    definite: Words
    indefinite: Words
    naming: Words
    sorts: Words
    of: Words
    elided: Words = ()
    nouns_capitalised: bool = False


class StemsSection(NamedTuple):
    """How words are inflected. ``algorithm`` is Snowball's name of it; without one none is.

    ``apart`` are endings of two forms of a word, each with what must stand before them.
    """

    algorithm: str = ""
    endings: str = ""
    apart: Apart = ()
    plural: str = ""
    links: Words = ()


class SentencesSection(NamedTuple):
    """How sentences are written. ``announces`` are last words of what says that it goes on."""

    ordinal_dot: bool = False
    announces: Words = ()


class KindSection(NamedTuple):
    """What one kind of document is called. ``said`` are other words that tell of it: 'decided'."""

    one: Words
    many: Words = ()
    said: Words = ()


class KindsSection(NamedTuple):
    """What documents are called. ``compounds``: a word may end in the word for a kind."""

    decision: KindSection
    principle: KindSection
    policy: KindSection
    document: KindSection
    record: KindSection
    compounds: bool = False

    def of(self, kind: DocumentKind) -> KindSection:
        """What a kind is called."""
        return getattr(self, kind.value)  # type: ignore[no-any-return]


class StatusesSection(NamedTuple):
    """In which words documents write their status."""

    accepted: Words
    proposed: Words
    rejected: Words
    deprecated: Words
    superseded: Words
    superseded_by: Words
    but: Words


class TimeSection(NamedTuple):
    """Months from the first, each with its ways of writing; units of time; how often.

    ``deictic`` are reckoned from the moment of speaking ('last {unit}', 'by now').
    """

    months: Words
    units: Words
    each: Words
    adverbs: Words = ()
    deictic: Words = ()


class NumbersSection(NamedTuple):
    """The words for numbers."""

    words: Words


class OrdinalsSection(NamedTuple):
    """How the ends of a list are called beside 'the first', and what stands around a place."""

    last: Words
    around: Words
    first: Words = ()


class ReferencesSection(NamedTuple):
    """How documents are named by numbers; ``measures`` follow a number that names none.

    ``begins`` stands before the first of a row ('between 10 and 14'), ``through`` before the last,
    and so does ``towards`` where the row is asked for by ``rows``, or by a plural.
    """

    number: Words
    joins: Words
    through: Words
    begins: Words
    towards: Words
    rows: Words
    asks: Words
    asked: Words
    measures: Words = ()


class AnswerSection(NamedTuple):
    """How one kind of thing is asked for; ``{sum}`` and ``{unit}`` stand for those words.

    ``told`` are the words that a sentence tells it by, where words do; ``counts`` ask how many
    there are of what stands behind them.
    """

    asks: Words
    apart: Apart = ()
    sums: Words = ()
    told: Words = ()
    counts: Words = ()


class AnswersSection(NamedTuple):
    """How things are asked for."""

    money: AnswerSection
    approval: AnswerSection
    duration: AnswerSection
    number: AnswerSection
    date: AnswerSection
    reason: AnswerSection = AnswerSection(asks=())
    name: AnswerSection = AnswerSection(asks=())


class OwnersSection(NamedTuple):
    """What stands before, behind and within the names of owners."""

    endings: Words
    links: Words
    joins: Words
    before: Words = ()


class QuestionsSection(NamedTuple):
    """The words that make a question.

    ``fillers`` say nothing wherever they stand; ``links`` may stand within a name. Behind
    ``naming`` stands the thing that is asked for ('which'), behind ``about`` the matter of a text,
    behind ``portions`` the number of a part of what one reply cannot hold.
    """

    words: Words
    verbs: Words
    imperatives: Words
    pronouns: Words
    fillers: Words
    links: Words
    naming: Words = ()
    about: Words = ()
    portions: Words = ()


class PreambleSection(NamedTuple):
    """What is said around a question. ``telling`` asks to be told: 'could you tell me'."""

    greetings: Words
    before: Words
    telling: Words
    after: Words


class SideSection(NamedTuple):
    """How one side of a matter is asked for, and what stands before or above what tells it."""

    asks: Words = ()
    labels: Words = ()


class SidesSection(NamedTuple):
    """What speaks for a matter, and what against it."""

    gain: SideSection = SideSection()
    loss: SideSection = SideSection()


class Core(NamedTuple):
    """``core.toml``: what a language needs for its questions to be read."""

    name: str
    words: WordsSection
    stems: StemsSection
    sentences: SentencesSection
    kinds: KindsSection
    statuses: StatusesSection
    time: TimeSection
    numbers: NumbersSection
    ordinals: OrdinalsSection
    references: ReferencesSection
    answers: AnswersSection
    owners: OwnersSection
    questions: QuestionsSection
    preamble: PreambleSection
    order: int = 100
    sides: SidesSection = SidesSection()
