"""What a language pack holds: one class a section of its files, one field a key.

A string is read as the words in it, a list as phrases. A phrase is a small regular expression: it
may use round brackets, ``|`` and ``?``, and a blank in it is any white space
(``language.phrases.spoken``).
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import ConfigError

Words = tuple[str, ...]
Apart = tuple[tuple[str, str], ...]
"""Pairs of phrases, however far apart."""

PLACES = tuple(map(str, range(1, 11)))
_MONTHS_A_YEAR = 12


class PackError(ConfigError):
    """A language pack is missing, incomplete or wrong; the message names file, key and value."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WordsSection:
    """Closed classes of words. ``elided`` are those written onto the next word: 'l', 'd'."""

    stop: Words
    function: Words
    definite: Words
    indefinite: Words
    naming: Words
    elided: Words = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class StemsSection:
    """How words are inflected. ``algorithm`` is Snowball's name of it; without one none is.

    ``apart`` are endings of two forms of a word, each with what must stand before them.
    """

    algorithm: str = ""
    endings: str = ""
    apart: Apart = ()
    plural: str = ""
    links: Words = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class SentencesSection:
    """How sentences are written."""

    ordinal_dot: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class KindSection:
    """What one kind of document is called. ``said`` are other words that tell of it: 'decided'."""

    one: Words
    many: Words = ()
    said: Words = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class KindsSection:
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


@dataclass(frozen=True, kw_only=True, slots=True)
class StatusesSection:
    """In which words documents write their status."""

    accepted: Words
    proposed: Words
    rejected: Words
    deprecated: Words
    superseded: Words
    superseded_by: Words
    but: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeSection:
    """Months from the first, each with its ways of writing; units of time; how often."""

    months: Words
    units: Words
    adverbs: Words = ()
    each: Words

    def __post_init__(self) -> None:
        """Hold the number of months.

        Raises:
            ValueError: they are not twelve.
        """
        if len(self.months) != _MONTHS_A_YEAR:
            raise ValueError(f"time.months has {len(self.months)} months; it must have twelve")


@dataclass(frozen=True, kw_only=True, slots=True)
class NumbersSection:
    """The words for numbers."""

    words: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class OrdinalsSection:
    """How the first to the tenth and the last of a list are called, and what stands around."""

    places: tuple[Words, ...]
    last: Words
    around: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class ReferencesSection:
    """How documents are named by numbers; ``measures`` follow a number that names none."""

    number: Words
    joins: Words
    through: Words
    measures: Words = ()
    asks: Words
    asked: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class PeriodsSection:
    """How periods are said."""

    year: Words
    between: Words
    from_: Words
    of: Words
    and_: Words
    to: Words
    now: Words
    since: Words
    onwards: Words
    after: Words
    before: Words
    until: Words
    within: Words
    dated: Words = ()
    dated_after: Words = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerSection:
    """How one kind of thing is asked for; ``{sum}`` and ``{unit}`` stand for those words."""

    asks: Words
    apart: Apart = ()
    sums: Words = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswersSection:
    """How things are asked for."""

    money: AnswerSection
    approval: AnswerSection
    duration: AnswerSection
    number: AnswerSection
    date: AnswerSection


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnersSection:
    """What stands before, behind and within the names of owners."""

    before: Words = ()
    endings: Words
    links: Words
    joins: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionsSection:
    """The words that make a question.

    ``fillers`` say nothing wherever they stand; ``links`` may stand within a name, ``about`` before
    a topic.
    """

    words: Words
    verbs: Words
    imperatives: Words
    pronouns: Words
    fillers: Words
    links: Words
    about: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class CourtesySection:
    """What is said around a question. ``telling`` asks to be told: 'could you tell me'."""

    greetings: Words
    before: Words
    telling: Words
    after: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class Core:
    """``core.toml``: what a language needs for its questions to be read."""

    name: str
    order: int = field(default=100)
    words: WordsSection
    stems: StemsSection
    sentences: SentencesSection
    kinds: KindsSection
    statuses: StatusesSection
    time: TimeSection
    numbers: NumbersSection
    ordinals: OrdinalsSection
    references: ReferencesSection
    periods: PeriodsSection
    answers: AnswersSection
    owners: OwnersSection
    questions: QuestionsSection
    courtesy: CourtesySection


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadingsSection:
    """What headings are called, by the part that the section plays."""

    drivers: Words
    substance: Words
    consequences: Words
    implications: Words
    rationale: Words
    options: Words
    context: Words
    other: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class ParticularsSection:
    """What documents call what they say about themselves."""

    status: Words
    date: Words
    owner: Words
    deciders: Words
    driver: Words
    version: Words
    superseded_by: Words
    supersedes: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordSection:
    """What approval records call what was decided."""

    version: Words
    decision: Words
    date: Words
    driver: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class TablesSection:
    """What heads a table of particulars."""

    name: Words
    value: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class FilesSection:
    """What stands in files and in the names of folders."""

    none: Words
    page: Words
    page_of: Words
    folder_before: Words = ()
    folder_after: Words = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Documents:
    """``documents.toml``: what a language needs for its documents to be read."""

    headings: HeadingsSection
    particulars: ParticularsSection
    record: RecordSection
    tables: TablesSection
    files: FilesSection


@dataclass(frozen=True, kw_only=True, slots=True)
class Explaining:
    """``explaining.toml``: the verbs by which a sentence says what its subject is."""

    says: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class DefinitionForms:
    """How a meaning is asked: in so many words, or as may be, or of what was named before."""

    said: Words
    asked: Words
    refers: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedForms:
    """How a named document is asked for as a whole."""

    whole: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class ListingForms:
    """How all documents of a kind, or their number, are asked for."""

    all: Words
    count: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class Forms:
    """``forms.toml``: the core forms of a question."""

    definition: DefinitionForms
    named: NamedForms
    listing: ListingForms


def read_section(cls: type[Any], table: object, where: str) -> Any:
    """Make a section of a table, and what lies in it.

    Args:
        cls: the section's class.
        table: what the file says.
        where: file and key, for errors.

    Raises:
        PackError: a key is unknown or missing, or its value of another type.
    """
    if not isinstance(table, dict):
        raise PackError(f"{where}: is {table!r}; it must be a section")
    given = _places(table, where) if cls is OrdinalsSection else dict(table)
    hints = get_type_hints(cls)
    values = {}
    for item in fields(cls):
        key = item.name.rstrip("_")
        if key in given:
            values[item.name] = _value(hints[item.name], given.pop(key), f"{where}: {key}")
        elif item.default is MISSING:
            raise PackError(f"{where}: '{key}' is missing")
    if given:
        raise PackError(f"{where}: '{next(iter(given))}' is not a key that is known")
    try:
        return cls(**values)
    except ValueError as err:
        raise PackError(f"{where}: {err}") from err


def _places(table: dict[str, Any], where: str) -> dict[str, Any]:
    """Read '1' to '10' as one list of places."""
    rest = dict(table)
    if missing := [place for place in PLACES if place not in rest]:
        raise PackError(f"{where}: '{missing[0]}' is missing")
    return rest | {"places": [rest.pop(place) for place in PLACES]}


def _value(kind: Any, value: object, where: str) -> Any:
    if is_dataclass(kind):
        return read_section(kind, value, where)  # type: ignore[arg-type]
    if kind == Words:
        return _words(value, where)
    if get_origin(kind) is tuple and isinstance(value, list):
        inner = get_args(kind)
        if inner[-1] is Ellipsis:
            return tuple(_value(inner[0], item, where) for item in value)
        if len(inner) == len(value):
            return tuple(_value(one, item, where) for one, item in zip(inner, value, strict=True))
    if isinstance(kind, type) and type(value) is kind:
        return value
    raise PackError(f"{where}: is {value!r}; it must be {_called(kind)}")


def _words(value: object, where: str) -> Words:
    if isinstance(value, str):
        return tuple(value.split())
    if isinstance(value, list) and all(isinstance(item, str) and item.strip() for item in value):
        return tuple(value)
    raise PackError(f"{where}: is {value!r}; it must be words in one string, or a list of phrases")


def _called(kind: Any) -> str:
    return {str: "a string", int: "a number", bool: "true or false"}.get(kind, "a list")
