"""What a language model is asked to write, and the form of it; the words stand in ``prompts/``.

``VERSION`` is the hash of them all: it is part of the model's id, of the trace and of the response.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Literal

from elysia_guard.domain.claim import Fault, Proved, Told
from elysia_guard.domain.question import Lang

Message = dict[str, str]
Language = Literal["sources", "question"]

_FOLDER = files("elysia_guard.adapters.writers") / "prompts"
_FIRST = "en"
MOST_SENTENCES, MOST_EVIDENCE = 8, 4


def closed(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object that has these properties, all of them, and no other."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_EVIDENCE: dict[str, Any] = {"source": {"type": "integer"}, "words": {"type": "string"}}
_SENTENCE: dict[str, Any] = {
    "text": {"type": "string"},
    "evidence": {
        "type": "array",
        "items": closed(_EVIDENCE),
    },
}
_ANSWER: dict[str, Any] = {
    "can_answer": {"type": "boolean"},
    "confidence": {"type": "number"},
    "sentences": {
        "type": "array",
        "items": closed(_SENTENCE),
    },
}
SCHEMA = closed(_ANSWER)
PLAN = closed({"searches": {"type": "array", "items": {"type": "string"}}})
CHECK = closed(
    {
        "checks": {
            "type": "array",
            "items": closed(
                {
                    "id": {"type": "integer"},
                    "supported": {"type": "boolean"},
                    "confidence": {"type": "number"},
                }
            ),
        }
    }
)


@cache
def sections(lang: Lang) -> Mapping[str, str]:
    """Return the parts of a language's prompt by their headings.

    They are task, sources and question (which language to write in), failed, repair, plan and
    check. A language without a prompt is asked in the first one's words.
    """
    file = _FOLDER / f"{lang}.md"
    text = (file if file.is_file() else _FOLDER / f"{_FIRST}.md").read_text(encoding="utf-8")
    parts = (part.partition("\n") for part in f"\n{text}".split("\n# ")[1:])
    return {heading.strip(): body.strip() for heading, _, body in parts}


@cache
def version() -> str:
    """Return the hash of all prompts and of the form, eight digits."""
    found = sha256(json.dumps([SCHEMA, PLAN, CHECK], sort_keys=True).encode())
    named = sorted((each.name, each) for each in _FOLDER.iterdir() if each.name.endswith(".md"))
    for name, file in named:
        found.update(f"\n{name}\n".encode() + file.read_bytes())
    return found.hexdigest()[:8]


def language_of(told: Sequence[Told], lang: Lang) -> Lang:
    """Return the language of most sources, of as many the first's; that of a question if none."""
    counted = Counter(each.lang for each in told)
    return max(counted, key=counted.__getitem__, default=lang)


def messages(
    question: str,
    told: Sequence[Told],
    lang: Lang,
    *,
    language: Language,
    max_chars: int,
    failed: Sequence[Proved],
) -> list[Message]:
    """Return what a model is told: the task apart from the data, and the data as JSON.

    Args:
        question: what is asked.
        told: the sources.
        lang: the language that the task stands in; of a question that is answered in its own, that.
        language: whether each sentence is written in that of its source, or all in ``lang``.
        max_chars: so many characters of each source are told, at most.
        failed: what was written before and not proved.
    """
    data: dict[str, Any] = {
        "question": question,
        "sources": [_source(n, each, max_chars) for n, each in enumerate(told, start=1)],
    }
    parts = sections(lang)
    wanted = parts[language].replace("{lang}", lang)
    task = f"{parts['task']}\n{json.dumps(SCHEMA)}".replace("{language}", wanted)
    if failed:
        task = f"{task}\n\n{parts['failed']}"
        data["failed"] = [_failure(each) for each in failed]
    return [
        {"role": "system", "content": task},
        {"role": "user", "content": json.dumps(data, ensure_ascii=False)},
    ]


def to_plan(question: str, lang: Lang) -> list[Message]:
    """Return what a model is told that is to take a question apart."""
    return _short("plan", PLAN, {"question": question}, lang)


def to_check(pairs: Sequence[tuple[str, str]], lang: Lang) -> list[Message]:
    """Return what a model is told that is to check sentences against words of their sources."""
    rows = [
        {"id": n, "sentence": sentence, "words": words}
        for n, (sentence, words) in enumerate(pairs, start=1)
    ]
    return _short("check", CHECK, {"sentences": rows}, lang)


def _short(
    section: str, schema: Mapping[str, Any], data: Mapping[str, Any], lang: Lang
) -> list[Message]:
    task = f"{sections(lang)[section]}\n{json.dumps(schema)}"
    return [
        {"role": "system", "content": task},
        {"role": "user", "content": json.dumps(data, ensure_ascii=False)},
    ]


def again(before: Sequence[Message], written: str, lang: Lang) -> list[Message]:
    """Return what a model is told whose answer did not have the form."""
    return [
        *before,
        {"role": "assistant", "content": written},
        {"role": "user", "content": sections(lang)["repair"]},
    ]


def _source(n: int, told: Told, max_chars: int) -> dict[str, Any]:
    source = {
        "id": n,
        "document": told.identifiers[0] if told.identifiers else "",
        "title": told.title,
        "section": told.section,
        "status": told.status,
        "text": told.text[:max_chars],
    }
    return {key: value for key, value in source.items() if value}


def _failure(proved: Proved) -> dict[str, Any]:
    found = [
        {"fault": str(item.fault), "about": item.about} if item.about else {"fault": item.fault}
        for item in proved.findings
    ]
    return {
        "text": proved.claim.text,
        "faults": found or [{"fault": str(Fault.UNSUPPORTED)}],
    }
