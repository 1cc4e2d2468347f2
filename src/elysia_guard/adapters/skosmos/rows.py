"""The answer of Skosmos' search: rows that name a concept, the matched label and a definition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from elysia_guard.adapters.skos_limits import MAX_TEXT_CHARS
from elysia_guard.adapters.skosmos.wire import Answer
from elysia_guard.domain.concept import Concept, LabelRole, Text
from elysia_guard.language.text import normalise


class Row(BaseModel):
    """One matched label of a concept.

    ``lang`` is the language of the matched label. ``prefLabel`` is that of the asked language if
    there is one; the matched one then stands in ``matchedPrefLabel``.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    uri: str
    type: tuple[str, ...] = ()
    vocab: str = ""
    lang: str | None = None
    preferred: str = Field(default="", alias="prefLabel")
    matched: str | None = Field(default=None, alias="matchedPrefLabel")
    alternative: str | None = Field(default=None, alias="altLabel")
    hidden: str | None = Field(default=None, alias="hiddenLabel")
    definition: tuple[object, ...] = ()

    @property
    def is_concept(self) -> bool:
        """Whether it is a concept; collections and arrays have labels too."""
        return not self.type or "skos:Concept" in self.type

    @property
    def label(self) -> tuple[Text, LabelRole]:
        """The label that matched, and which of the concept's labels it is."""
        lang = self.lang or None
        if self.alternative is not None:
            return Text(value=self.alternative, lang=lang), LabelRole.ALTERNATIVE
        if self.hidden is not None:
            return Text(value=self.hidden, lang=lang), LabelRole.HIDDEN
        return Text(value=self.matched or self.preferred, lang=lang), LabelRole.PREFERRED

    @property
    def sound_definition(self) -> str | None:
        """The definition, where it is certain that it arrived as it was written.

        Skosmos splits the definitions at line breaks and reads each line as comma-separated
        values (its issue 1106). So more than one element may be parts of one, an odd quotation
        mark is the end of one, and what holds a backslash was unquoted in a way of its own.
        """
        if len(self.definition) != 1:
            return None
        (text,) = self.definition
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            return None
        if len(text) > MAX_TEXT_CHARS:
            return None
        return None if "\\" in text or text.count('"') % 2 else text


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    results: tuple[Row, ...]


def read_rows(answer: Answer) -> tuple[Row, ...] | None:
    """Return the rows of a search; None for what is no answer of a search."""
    if not answer.is_json:
        return None
    try:
        return _Answer.model_validate_json(answer.body).results
    except ValidationError:
        return None


def naming(rows: Iterable[Row], term: str) -> list[Row]:
    """Keep the concepts whose label is the term: a star in it is a wildcard to Skosmos."""
    key = normalise(term)
    return [row for row in rows if row.is_concept and normalise(row.label[0].value) == key]


def concept_of(rows: Sequence[Row], *, title: str, lang: str) -> Concept | None:
    """Make a concept of its rows alone; None unless its definition is there, and sound.

    ``lang`` is the language in which labels and definitions were asked for.
    """
    if rows[0].sound_definition is None:
        return None
    return pieced_together({lang: rows}, title=title)


def pieced_together(parts: Mapping[str, Sequence[Row]], *, title: str) -> Concept | None:
    """Make a concept of its rows in answers for several languages ('' for none).

    None where an answer lacks the concept, or holds a definition that may be damaged: then it is
    not known what the vocabulary says.
    """
    labels: dict[tuple[Text, LabelRole], None] = {}
    definitions: dict[Text, None] = {}
    for lang, rows in parts.items():
        if not rows:
            return None
        definition = rows[0].sound_definition
        if rows[0].definition and definition is None:
            return None
        if definition is not None:
            definitions[Text(value=definition, lang=lang or None)] = None
        labels.update((label, None) for row in rows for label in _labels(row, lang))
    (first, *_), *_ = parts.values()
    return Concept(
        uri=first.uri,
        vocabulary=first.vocab,
        vocabulary_title=title,
        preferred=_of(labels, LabelRole.PREFERRED),
        alternative=_of(labels, LabelRole.ALTERNATIVE),
        hidden=_of(labels, LabelRole.HIDDEN),
        definitions=tuple(definitions),
    )


def _labels(row: Row, lang: str) -> Iterator[tuple[Text, LabelRole]]:
    label, role = row.label
    yield label, role
    if row.matched is not None or role is not LabelRole.PREFERRED:
        # Beside another label Skosmos does not say in which language the preferred one is.
        tag = lang if row.matched is not None or row.lang == lang else None
        yield Text(value=row.preferred, lang=tag or None), LabelRole.PREFERRED


def _of(labels: Iterable[tuple[Text, LabelRole]], role: LabelRole) -> tuple[Text, ...]:
    texts = [text for text, its in labels if its is role and text.value]
    tagged = {text.value for text in texts if text.lang}
    return tuple(text for text in texts if text.lang or text.value not in tagged)
