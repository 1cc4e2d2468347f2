"""A language model that plans a search and points at units: asked in a form, once for the same.

The words that it is asked in stand in ``prompts/``, a file for each language. What it said of use
to the last prompts is remembered: the same question over the same sources is answered the same,
also by a model that varies.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import groupby
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from elysia_guard.adapters.models import ModelCaller, NoFormError, NothingUsableError
from elysia_guard.adapters.models.chat import Chat, Message, asked_in_form, json_in
from elysia_guard.domain.document import Document
from elysia_guard.domain.events import CallPurpose
from elysia_guard.domain.pointing import (
    MAX_UNIT_CHARS,
    OfferedTool,
    Plan,
    PointedVerdict,
    Pointing,
    UnitOfSource,
)
from elysia_guard.domain.question import Lang
from elysia_guard.language.identify import identify
from elysia_guard.language.text import clean
from elysia_guard.ports.models import NO_DEFINITIONS

_FOLDER = files("elysia_guard.adapters.models") / "prompts"
_FIRST = "en"
TOOLS = "tools"
MOST_NAMED = 8
LONGEST = 300
"""Characters of a wording or a term: what is longer is none. Of a tool's description so much is
told."""
Form = TypeVar("Form")


def _first(rows: object) -> object:
    return rows[:MOST_NAMED] if isinstance(rows, list) else rows


Texts = Annotated[tuple[str, ...], BeforeValidator(_first)]
Numbers = Annotated[tuple[int, ...], BeforeValidator(_first)]


class _Said(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=False, frozen=True)


class PlanForm(_Said):
    """What a model is asked to write as a plan."""

    question: str
    searches: Texts
    documents: Numbers
    terms: Texts = ()


class PlanWithToolsForm(PlanForm):
    """The same, where tools are offered."""

    tools: Texts = ()


class PointForm(_Said):
    """What a model is asked to write where it points."""

    missing: str = ""
    verdict: PointedVerdict
    units: Numbers


@cache
def schema(form: type[_Said]) -> Mapping[str, Any]:
    """Return the JSON schema of a form, in which every property is required and no other allowed.

    Some servers take no other in strict mode, nor references.
    """
    made = form.model_json_schema()
    found = made.get("$defs", {})
    properties = {
        name: {key: value for key, value in _plain(said, found).items() if key != "default"}
        for name, said in made["properties"].items()
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _plain(said: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    whole = found[said["$ref"].rpartition("/")[2]] if "$ref" in said else said
    told = {key: value for key, value in whole.items() if key not in {"title", "description"}}
    return told | ({"items": _plain(told["items"], found)} if "items" in told else {})


@cache
def sections(lang: Lang) -> Mapping[str, str]:
    """Return the parts of a language's prompt by their headings: plan, point and repair.

    A language without a prompt is asked in English.
    """
    parts = (part.partition("\n") for part in f"\n{_told(_FOLDER, lang)}".split("\n# ")[1:])
    return {heading.strip(): body.strip() for heading, _, body in parts}


@cache
def with_tools(lang: Lang) -> str:
    """Return the part of a plan, with one more thing to say: which tools may tell."""
    told, _, end = sections(lang)["plan"].rpartition("\n\n")
    return f"{told}\n{_told(_FOLDER / TOOLS, lang).strip()}\n\n{end}"


def _told(folder: Traversable, lang: Lang) -> str:
    file = folder / f"{lang}.md"
    return (file if file.is_file() else folder / f"{_FIRST}.md").read_text(encoding="utf-8")


@cache
def version() -> str:
    """Return the hash of all prompts and forms, eight digits.

    That of tools is none of them: of answers to which tools were offered none is kept or measured.
    """
    found = sha256(json.dumps([schema(PlanForm), schema(PointForm)]).encode())
    named = sorted((each.name, each) for each in _FOLDER.iterdir() if each.name.endswith(".md"))
    for name, file in named:
        found.update(f"\n{name}\n".encode() + file.read_bytes())
    return found.hexdigest()[:8]


class LanguageModelGuide:
    """Asks a language model for a plan, and to point; see ``ports.Guide``.

    Args:
        chat: is asked.
        caller: asks it, behind a breaker; what it wrote of use to a prompt is not asked again.
    """

    def __init__(self, chat: Chat, caller: ModelCaller) -> None:
        self._chat = chat
        self._caller = caller

    @property
    def model_id(self) -> str:
        """The model, and the version of what it is asked."""
        return f"{self._chat.model}@point+{version()}"

    async def plan(
        self,
        question: str,
        catalogue: Sequence[Document],
        /,
        *,
        talk: Sequence[str] = (),
        langs: Sequence[Lang] = (),
        tools: Sequence[OfferedTool] = (),
        within_s: float | None = None,
    ) -> Plan:
        """Ask what to search for; the catalogue comes first, so that servers may keep it."""
        lang = identify(question, default=_FIRST)
        said = await self._asked(
            "plan",
            lang,
            PlanWithToolsForm if tools else PlanForm,
            {
                "languages": list(langs),
                "catalogue": _catalogue(catalogue),
                **({TOOLS: {each.name: _described(each) for each in tools}} if tools else {}),
                "asked_before": list(talk),
                "question": question,
            },
            within_s,
        )
        return Plan(
            question=clean(said.question)[:LONGEST],
            searches=_short(said.searches),
            documents=tuple(n - 1 for n in said.documents),
            terms=_short(said.terms),
            tools=_short(said.tools) if isinstance(said, PlanWithToolsForm) else (),
        )

    async def point(
        self,
        question: str,
        units: Sequence[UnitOfSource],
        /,
        *,
        defined: Mapping[str, str] = NO_DEFINITIONS,
        within_s: float | None = None,
    ) -> Pointing:
        """Ask which units answer; see ``ports.Guide``."""
        lang = identify(question, default=_FIRST)
        glossary = {"definitions": dict(defined)} if defined else {}
        told = glossary | {"documents": list(_documents(units)), "question": question}
        said = await self._asked("point", lang, PointForm, told, within_s)
        return Pointing(verdict=said.verdict, units=said.units)

    async def _asked(
        self,
        purpose: CallPurpose,
        lang: Lang,
        form: type[Form],
        data: Mapping[str, Any],
        within_s: float | None,
    ) -> Form:
        """Return what the model says in a form; a second try is part of the call.

        Raises:
            SourceUnavailableError: it could not be asked, was late, or wrote nothing of use.
        """
        wanted = schema(form)  # type: ignore[arg-type]
        told = with_tools(lang) if TOOLS in data else sections(lang)[purpose]
        task = f"{told}\n{json.dumps(wanted)}"
        asked: list[Message] = [
            {"role": "system", "content": task},
            {"role": "user", "content": json.dumps(data, ensure_ascii=False)},
        ]

        async def usable() -> str:
            made = await asked_in_form(
                self._chat,
                asked,
                schema=wanted,
                read=lambda text: _read(form, text)[0],
                repair=lambda text: sections(lang)["repair"].format(wrong=_read(form, text)[1]),
            )
            if made is None:
                raise NoFormError
            return made[0]

        found, _ = _read(
            form,
            await self._caller.once(json.dumps(asked), usable, purpose=purpose, within_s=within_s),
        )
        if found is None:
            raise NothingUsableError("what is kept of the language model is of no use any more")
        return found


def _read(form: type[Form], text: str) -> tuple[Form | None, str]:
    """Return what a model wrote in a form, or else None and what is wrong with it."""
    reader: Callable[[object], Form] = form.model_validate  # type: ignore[attr-defined]
    try:
        return reader(json_in(text)), ""
    except ValidationError as err:
        first = err.errors(include_input=False, include_url=False, include_context=False)[0]
        # What a model wrote stands in no message of ours: names of the form alone.
        known = {"question", "searches", "documents", "terms", TOOLS, "verdict", "units"}
        place = ".".join(str(each) for each in first["loc"] if str(each) in known)
        return None, f"{place or 'object'}: {first['type']}"


def _short(texts: Sequence[str]) -> tuple[str, ...]:
    cleaned = (clean(each) for each in texts)
    return tuple(each for each in cleaned if 0 < len(each) <= LONGEST)


def _described(tool: OfferedTool) -> str:
    text = " ".join(tool.description.split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


def _catalogue(documents: Sequence[Document]) -> list[str]:
    """A line a document: its number here, its name, title and status."""
    return [
        " | ".join(filter(None, (str(n), str(item.kind), _called(item), item.title, item.status)))
        for n, item in enumerate(documents, start=1)
    ]


def _called(document: Document) -> str:
    return document.label if document.identifier else ""


def _documents(units: Sequence[UnitOfSource]) -> Iterator[dict[str, Any]]:
    """The units by document and section, as they stand there, under their numbers."""
    numbered = list(enumerate(units, start=1))
    for document, of in groupby(numbered, key=lambda item: item[1].passage.document):
        sections_of = [
            {
                "section": section,
                **({"role": role} if role else {}),
                "units": {str(n): _shown(unit.text) for n, unit in within},
            }
            for (section, role), within in groupby(
                of, key=lambda item: (item[1].passage.section, str(item[1].passage.role))
            )
        ]
        told = {
            "document": _called(document) or str(document.identity or ""),
            "title": document.title,
            "status": document.status,
            "date": document.date,
        }
        yield {key: value for key, value in told.items() if value} | {"sections": sections_of}


def _shown(text: str) -> str:
    return text if len(text) <= MAX_UNIT_CHARS else f"{text[:MAX_UNIT_CHARS]} …"
