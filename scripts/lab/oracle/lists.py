"""What templates claim of lists, held against the files by the words that they name themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from scripts.lab.oracle.library import (
    File,
    FilledTemplate,
    alike,
    instance,
    instances,
    one_line,
    restrictions,
)
from scripts.lab.oracle.seen import Check, Seen, Values

from elysia_guard.domain.question import Lang
from elysia_guard.language.catalogue import catalogue, say
from elysia_guard.language.pack import language_names

_HEADS = ("answer.list_one", "answer.list_many")
_BESIDE = ("answer.in_text", "answer.in_title")
Topics = list[list[str]]
"""Names of each topic; a document is about all topics, by one name of each."""


class _Listed(NamedTuple):
    """What a phrase names: documents of a kind, and what they are restricted by."""

    files: list[File]
    told: list[FilledTemplate]

    def fitting(self, seen: Seen, *, apart_from_topic: bool = False) -> list[File]:
        told = [each for each in self.told if not (apart_from_topic and "topics" in each.values)]
        return [file for file in self.files if all(_fits(file, each, seen) for each in told)]

    def topics(self, lang: Lang) -> Topics:
        told = (each.values["topics"] for each in self.told if "topics" in each.values)
        return _topics(next(told, ""), lang)

    @property
    def is_titled(self) -> bool:
        return any(each.key == "list.titled" for each in self.told)

    @property
    def is_apart(self) -> bool:
        return any(each.key == "list.apart" for each in self.told)


def _named(phrase: str, lang: Lang, seen: Seen) -> _Listed | None:
    kinds = _nouns(lang)
    for noun in sorted(kinds, key=len, reverse=True):
        if phrase == noun or phrase.startswith(f"{noun} "):
            told = restrictions(phrase[len(noun) :].strip(), lang)
            if told is not None:
                return _Listed(seen.library.of_kind(kinds[noun]), told)
    return None


def _nouns(lang: Lang) -> dict[str, str]:
    """Return the words for documents, one or many, with the kind that each names."""
    return {
        text: key.removeprefix("list.").rpartition("_")[0]
        for key, text in catalogue(lang).items()
        if key.startswith("list.") and key.endswith(("_one", "_many"))
    }


def _topics(written: str, lang: Lang) -> Topics:
    """Read 'a or b' as one topic with two names, and '(a or b) and c' as two topics."""
    before, after = say(lang, "list.quoted", name="|").split("|")
    quoted = rf"(?<!\w){re.escape(before)}(.+?){re.escape(after)}(?!\w)"
    names = re.findall(quoted, written)
    places = iter(range(len(names)))
    bare = re.sub(quoted, lambda _: str(next(places)), written)
    each = re.findall(r"\([^()]*\)|\d+", bare)
    found = [[names[int(at)] for at in re.findall(r"\d+", part)] for part in each]
    joint = say(lang, "list.and", first="", last="").strip()
    joined = joint in re.sub(r"\([^()]*\)", "", bare).split()
    return found if joined else [[name for part in found for name in part]]


def _about(file: File, topics: Topics, *, title: bool = False) -> bool:
    return all(any(file.holds(name, title=title) for name in names) for names in topics)


def _fits(file: File, said: FilledTemplate, seen: Seen) -> bool:
    value = {name: _either(text, seen) for name, text in said.values.items()}
    date = file.says("date")
    status = seen.library.stated(file.name, "status")
    match said.key:
        case "list.status":
            return bool(status & set(value["statuses"]))
        case "list.denied":
            return bool(status) and not status & set(value["statuses"])
        case "list.lang":
            own = language_names(seen.lang).get(file.says("lang"), "")
            return own.casefold() in value["language"]
        case "list.owner":
            return file.says("owner").casefold() in value["owners"]
        case "list.driver" | "list.approvers" | "list.consulted" | "list.informed":
            return bool(seen.library.states(file.name, said.key[5:]) & set(value["owners"]))
        case "list.recorded" | "list.unrecorded":
            return (file.name in seen.library.records) == (said.key == "list.recorded")
        case "list.topic" | "list.titled":
            topics = _topics(said.values["topics"], seen.lang)
            return _about(file, topics, title=said.key == "list.titled")
        case "list.apart":
            (names,) = _topics(said.values["topics"], seen.lang)
            return any(file.mentions(name) for name in names)
        case "list.naming" | "list.named_by" | "list.replacing" | "list.replaced_by":
            other = seen.library.files[said.values["name"]]
            names = said.key in {"list.naming", "list.named_by"}
            holds = File.names if names else File.replaces
            by_it = said.key in {"list.named_by", "list.replaced_by"}
            return holds(other, file) if by_it else holds(file, other)
        case _:
            since = said.values.get("since", "")
            until = said.values.get("until", since if said.key == "list.period" else "9")
            return date[: len(since)] >= since and date[: len(until)] <= until


def _either(text: str, seen: Seen) -> list[str]:
    """Return the names in 'a, b or c', in small letters."""
    both = instance(text, seen.lang, ("list",))
    names = [text]
    if both and both.key == "list.or":
        names = [*both.values["first"].split(", "), both.values["last"]]
    return [name.casefold() for name in names]


def _is_list(seen: Seen, v: Values) -> bool:
    """The documents that a head names are those that stand under it, all of them and no others.

    Whether words stand apart in one passage, or only in one document, is not looked at.
    """
    listed = _named(v["listed"], seen.lang, seen)
    if listed is None:
        return False
    names, shown = [file.name for file in listed.fitting(seen)], _shown(seen)
    whole = set(shown) <= set(names) if listed.is_apart else alike(shown, names)
    return whole and int(v.get("count", 1)) == len(shown)


def _shown(seen: Seen) -> list[str]:
    """The names under a head, by title and by text, but not those that are told apart."""
    found = list(seen.bullets())
    lines = seen.rest[1 + len(found) :]
    said = instance(one_line(lines[0]), seen.lang) if lines else None
    if said and said.key in _BESIDE:
        return [*found, *_shown(replace(seen, rest=lines))]
    return found


def _head(seen: Seen) -> _Listed | None:
    """The list that a line belongs to: what the nearest head above it names."""
    said = (each for line in seen.above for each in instances(one_line(line), seen.lang))
    heads = (each.values["listed"] for each in said if each.key in _HEADS)
    return next((_named(head, seen.lang, seen) for head in heads), None)


def _is_group(seen: Seen, v: Values, *, titled: bool) -> bool:
    """Those under it are all that bear it in the title, or all others of the list."""
    head, shown = _head(seen), list(seen.bullets())
    if head is None or int(v["count"]) != len(shown):
        return False
    topics = head.topics(seen.lang)
    found = [file for file in head.fitting(seen) if _about(file, topics, title=True) == titled]
    return alike(shown, [file.name for file in found])


def _is_kindred(seen: Seen, v: Values) -> bool:
    """Those under it are all others that bear the list's topics by the forms that it names."""
    head, shown = _head(seen), list(seen.bullets())
    if head is None or int(v["count"]) != len(shown):
        return False
    (forms,) = _topics(v["forms"], seen.lang)
    topics = [[*names, *forms] for names in head.topics(seen.lang)]
    by_form = [file for file in _others(head, seen) if _about(file, topics, title=head.is_titled)]
    return alike(shown, [file.name for file in by_form])


def _others(head: _Listed, seen: Seen) -> list[File]:
    """Those that fit a list but for its topic."""
    own = head.fitting(seen)
    return [file for file in head.fitting(seen, apart_from_topic=True) if file not in own]


def _more(seen: Seen, v: Values) -> bool:
    """No more come near than mention each word of the topics, or one of them."""
    head = _head(seen)
    names = [name for each in _topics(v["topics"], seen.lang) for name in each]
    near = [
        file
        for file in (_others(head, seen) if head else ())
        if any(file.mentions(name) for name in names)
    ]
    return 0 < int(v["count"]) <= len(near)


def _is_ordered(seen: Seen, v: Values, *, newest: bool) -> bool:
    """The first documents by date of those that a head names stand under it."""
    listed = _named(v["listed"], seen.lang, seen)
    dates = [file.says("date") for file in listed.fitting(seen)] if listed else []
    dates = sorted(filter(None, dates), reverse=newest)
    shown = [seen.library.files[name].says("date") for name in seen.bullets()]
    numbers = (int(v["count"]), int(v.get("total", v["count"])))
    return dates[: len(shown)] == shown and numbers == (len(shown), len(dates))


def _none_listed(seen: Seen, v: Values) -> bool:
    listed = _named(v.get("subject") or v["listed"], seen.lang, seen)
    return listed is not None and not listed.fitting(seen)


def _no_such_party(seen: Seen, v: Values) -> bool:
    """None is listed, and records name those that are told in the role that is asked for."""
    listed = _named(v["subject"], seen.lang, seen)
    roles = [said.key.removeprefix("list.") for said in listed.told] if listed else []
    known = {
        name
        for file in seen.library.files
        for role in roles
        for name in seen.library.states(file, role)
    }
    told = set(v["threshold"].removesuffix(", \u2026").casefold().split(", "))
    return _none_listed(seen, v) and told <= known


def _no_such_status(seen: Seen, v: Values) -> bool:
    listed = _named(v["subject"], seen.lang, seen)
    files: Sequence[File] = listed.files if listed else ()
    known = {one for file in files for one in seen.library.stated(file.name, "status")}
    return _none_listed(seen, v) and alike(v["threshold"].split(", "), known)


def _silent(seen: Seen, v: Values) -> bool:
    """So many documents of a kind do not state something, or none of them does."""
    told = instance(v.get("property") or v["value"], seen.lang, ("property",))
    total, _, noun = (v.get("among") or v["threshold"]).partition(" ")
    files = seen.library.of_kind(_nouns(seen.lang).get(noun, ""))
    key = told.key.removeprefix("property.") if told else ""
    silent = sum(not seen.library.states(file.name, key) for file in files)
    return len(files) == int(total) and silent == int(v.get("count", total))


OF_LISTS: dict[str, Check] = {
    "answer.silent": _silent,
    "refusal.no_results_unchecked": _silent,
    "refusal.no_results_list": _none_listed,
    "refusal.no_results_status": _no_such_status,
    "refusal.no_results_party": _no_such_party,
    "answer.list_none": _none_listed,
    "answer.list_*": _is_list,
    "answer.in_title": partial(_is_group, titled=True),
    "answer.in_text": partial(_is_group, titled=False),
    "answer.in_kindred": _is_kindred,
    "answer.more_*": _more,
    **{
        f"answer.{order}{part}": partial(_is_ordered, newest=order == "newest")
        for order in ("newest", "oldest")
        for part in ("", "_of")
    },
}
