"""The golden set: questions with the route, and the documents or the refusal, that are right."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal, Self

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.language.pack import langs

VERSION_FILE = "golden_set.yaml"


class Category(StrEnum):
    """What a question tests; IR0003's twelve."""

    TERMINOLOGY_HIT = "terminology_hit"
    TERMINOLOGY_MISS = "terminology_miss"
    TERMINOLOGY_AMBIGUOUS = "terminology_ambiguous"
    TERMINOLOGY_TIMEOUT = "terminology_timeout"
    NON_TERMINOLOGY_DEFINE = "non_terminology_define"
    NON_TERMINOLOGY_LIST = "non_terminology_list"
    ADR_RETRIEVAL = "adr_retrieval"
    PRINCIPLE_RETRIEVAL = "principle_retrieval"
    POLICY_RETRIEVAL = "policy_retrieval"
    ENTITY_NOT_FOUND = "entity_not_found"
    SEMANTIC_SEARCH = "semantic_search"
    CROSS_COLLECTION = "cross_collection"


MINIMUMS: Mapping[Category, int] = MappingProxyType(
    {
        Category.TERMINOLOGY_HIT: 5,
        Category.TERMINOLOGY_MISS: 3,
        Category.TERMINOLOGY_AMBIGUOUS: 2,
        Category.TERMINOLOGY_TIMEOUT: 2,
        Category.NON_TERMINOLOGY_DEFINE: 3,
        Category.NON_TERMINOLOGY_LIST: 3,
        Category.ADR_RETRIEVAL: 5,
        Category.PRINCIPLE_RETRIEVAL: 3,
        Category.POLICY_RETRIEVAL: 3,
        Category.ENTITY_NOT_FOUND: 3,
        Category.SEMANTIC_SEARCH: 5,
        Category.CROSS_COLLECTION: 3,
    }
)
"""IR0003's minimum number of questions per category."""


class ExpectedRoute(StrEnum):
    """Where a question belongs."""

    SKOSMOS = "skosmos"
    ADR = "adr"
    PRINCIPLE = "principle"
    POLICY = "policy"
    CROSS = "cross"
    SEMANTIC = "semantic"
    CONVERSATION = "conversation"


class Split(StrEnum):
    """Thresholds are fitted on ``tuning`` alone; ``held_out`` says what they are worth."""

    TUNING = "tuning"
    HELD_OUT = "held_out"


def _known(lang: str) -> str:
    if lang not in langs():
        raise ValueError(f"there is no language pack '{lang}'; there are {', '.join(langs())}")
    return lang


SpokenLang = Annotated[str, AfterValidator(_known)]

DocType = Literal["Vocabulary", "ADR", "DAR", "Principle", "Policy", "Document"]
CaseId = Annotated[str, Field(pattern=r"^GS-\d{3,}$")]
Words = Annotated[str, Field(min_length=1)]
Sentences = Annotated[str, Field(pattern=r"[^\W_]")]


class GoldenSetError(GuardError):
    """The golden set cannot be used; the message names file, line and value."""


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Expected(_Record):
    """What is right: any one of ``doc_ids`` cited (all of them for a list), or an abstention.

    ``doc_types`` of an abstention say which collection the question is about, empty for none.
    ``quote`` holds the sentences of the expected sources that answer; each of them does.
    """

    route: ExpectedRoute
    abstain: bool
    reason: RefusalReason | None = None
    doc_types: tuple[DocType, ...]
    doc_ids: tuple[Words, ...]
    source: Literal["SKOSMOS"] | None = None
    quote: Sentences | None = None

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if self.abstain and self.doc_ids:
            raise ValueError("abstain is true, so doc_ids must be empty")
        if self.abstain and self.quote:
            raise ValueError("abstain is true, so no quote answers")
        if not self.abstain and not (self.doc_ids and self.doc_types):
            raise ValueError("abstain is false, so doc_ids and doc_types must name what answers")
        if not self.abstain and self.reason:
            raise ValueError("abstain is false, so there is no reason")
        return self


class Case(_Record):
    """One question and what is right for it."""

    id: CaseId
    query: Words
    category: Category
    lang: SpokenLang
    split: Split
    expected: Expected
    tags: tuple[Words, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether it asks for a list: every expected document must be cited, and no other."""
        return self.category is Category.NON_TERMINOLOGY_LIST


class _VersionFile(_Record):
    version: Annotated[str, Field(pattern=r"^v\d+\.\d+\.\d+$")]


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldenSet:
    """The questions, the version a person gave them and the git blob hash of their file."""

    cases: tuple[Case, ...]
    version: str
    blob_hash: str
    path: Path

    def select(self, split: Split | None) -> tuple[Case, ...]:
        """Return the questions of one split, or all."""
        return tuple(case for case in self.cases if split is None or case.split is split)


def load(path: Path, *, minimums: Mapping[Category, int] = MINIMUMS) -> GoldenSet:
    """Read a golden set (JSON lines) and the version beside it (``golden_set.yaml``).

    Raises:
        GoldenSetError: a file is missing, a line is not a question, an id occurs twice or a
            category has too few questions.
    """
    content = _read(path)
    cases = tuple(_cases(content, path))
    counts = Counter(case.category for case in cases)
    for category, minimum in minimums.items():
        if counts[category] < minimum:
            raise GoldenSetError(
                f"{path}: {counts[category]} question(s) of category {category}; "
                f"at least {minimum} are needed"
            )
    return GoldenSet(
        cases=cases,
        version=_version(path.with_name(VERSION_FILE)),
        blob_hash=blob_hash(content),
        path=path,
    )


def blob_hash(content: bytes) -> str:
    """Return the hash that git gives a file with this content.

    >>> blob_hash(b"")
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as err:
        raise GoldenSetError(f"{path}: cannot be read: {err.strerror}") from err


def _cases(content: bytes, path: Path) -> Iterator[Case]:
    first: dict[str, int] = {}
    for number, line in _lines(content, path):
        where = f"{path}:{number}"
        try:
            record = json.loads(line)
        except json.JSONDecodeError as err:
            raise GoldenSetError(f"{where}: is not JSON: {err.msg} at column {err.colno}") from None
        try:
            case = Case.model_validate(record)
        except ValidationError as err:
            # Who reads a held-out question starts to tune on it, so its values stay hidden.
            told = isinstance(record, dict) and record.get("split") == Split.TUNING
            raise GoldenSetError(f"{where}: {_problems(err, told=told)}") from None
        if case.id in first:
            raise GoldenSetError(f"{where}: id {case.id} is already used on line {first[case.id]}")
        first[case.id] = number
        yield case


def _lines(content: bytes, path: Path) -> Iterable[tuple[int, str]]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as err:
        raise GoldenSetError(f"{path}: is not UTF-8 at byte {err.start}") from err
    return [(n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _version(path: Path) -> str:
    try:
        return _VersionFile.model_validate(yaml.safe_load(_read(path))).version
    except yaml.YAMLError as err:
        raise GoldenSetError(f"{path}: is not valid YAML: {err}") from err
    except ValidationError as err:
        raise GoldenSetError(f"{path}: {_problems(err)}") from err


def _problems(err: ValidationError, *, told: bool = True) -> str:
    return "; ".join(
        f"{'.'.join(map(str, item['loc'])) or 'the record'}"
        f"{' is ' + repr(item['input']) if told else ''}: {item['msg']}"
        for item in err.errors()
    )
