"""What each template of the catalogue claims: a table, key by key, with what stands within."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial

from scripts.lab.oracle.library import (
    File,
    FilledTemplate,
    alike,
    instance,
    instances,
    one_line,
    unmarked,
)
from scripts.lab.oracle.lists import OF_LISTS
from scripts.lab.oracle.seen import QUALIFIED, Check, Seen, Values

from elysia_guard.language.catalogue import catalogue
from elysia_guard.language.pack import language_names

_RELATIONS = ("broader", "narrower", "related")


def _all_names(seen: Seen, v: Values, *, relation: str) -> bool:
    """The names are those of all that stand to the concept so, and of nothing else."""
    own = [seen.library.labels(uri) for uri, _ in seen.library.concepts[seen.concept][relation]]
    names, left = _LEFT.fullmatch(v["labels"]).groups()  # type: ignore[union-attr]  # fits any text
    told = names.split(", ")
    known = all(any(name in each for each in own) for name in told)
    return known and len(told) + int(left or 0) == len(own)


_LEFT = re.compile(r"(.*?)(?: \u2026 \(\+(\d+)\))?")
"""A row of names, and how many are left out of it."""


def _tongues(seen: Seen, *roles: str, text: str = "") -> set[str]:
    """How the languages of a concept's labels are called, or of those that read so."""
    said = seen.library.concepts[seen.concept]
    tags = {tag for role in roles for label, tag in said[role] if text in ("", label)}
    names = language_names(seen.lang)
    return {names.get(tag.partition("-")[0].lower(), tag) for tag in tags}


def _label_in(seen: Seen, v: Values) -> bool:
    own = next((item.location for item in seen.reply.sources if item.n == seen.cited), "")
    tongues = _tongues(replace(seen, concept=own), "prefLabel", text=v["value"])
    return v["lang"].partition(" (")[0] in tongues


def _names_in(seen: Seen, v: Values) -> bool:
    tongue = v["lang"].partition(" (")[0]
    return all(tongue in _tongues(seen, "altLabel", text=name) for name in v["labels"].split(", "))


def _another_name(seen: Seen, v: Values) -> bool:
    one, other = (set(seen.library.named(v[key])) for key in ("written", "label"))
    return v["written"] != v["label"] and bool(one & other)


def _names_one(seen: Seen, v: Values) -> bool:
    return bool(set(seen.library.named(v["one"])) & set(seen.library.named(v["other"])))


def _names_two(seen: Seen, v: Values) -> bool:
    return all(map(seen.library.named, (v["one"], v["other"]))) and not _names_one(seen, v)


def _top(seen: Seen, _: Values) -> bool:
    held = seen.library.concepts
    named = any((seen.concept, "") in said["hasTopConcept"] for said in list(held.values()))
    return named or bool(held[seen.concept]["topConceptOf"])


def _mapped(seen: Seen, v: Values) -> bool:
    links = (link.split(" ") for link in _LEFT.fullmatch(v["links"])[1].split(", "))  # type: ignore[index]
    said = seen.library.concepts[seen.concept]
    return all((uri, "") in said[name] for name, uri in links)


def _no_word_in(seen: Seen, v: Values) -> bool:
    found = seen.library.named(v["subject"])
    told = (_tongues(replace(seen, concept=uri), "prefLabel", "altLabel") for uri in found)
    return bool(found) and not any(v["language"] in each for each in told)


def _word_in(seen: Seen, v: Values) -> bool:
    its = seen.concept in seen.library.named(v["term"])
    return its and v["language"] in _tongues(seen, "prefLabel", "altLabel")


def _all_relatives(seen: Seen, v: Values, *, relation: str) -> bool:
    own, shown = seen.library.concepts[seen.concept][relation], list(seen.bullets())
    known = seen.library.labels(seen.concept, relation)
    is_its = seen.concept in seen.library.named(v["term"])
    return is_its and len(shown) == len(own) and set(shown) <= known


def _own_names(seen: Seen, v: Values) -> bool:
    return set(v["labels"].split(", ")) <= seen.library.labels(seen.concept)


def _lacks(seen: Seen, v: Values, *, key: str) -> bool:
    """The vocabulary has the term, and nothing of a kind is said of it."""
    found = seen.library.named(v["subject"])
    return bool(found) and not any(seen.library.concepts[uri][key] for uri in found)


def _deprecated(seen: Seen, v: Values) -> bool:
    found = seen.library.named(v["subject"])
    return any(("true", "") in seen.library.concepts[uri]["deprecated"] for uri in found)


def _several(seen: Seen, v: Values) -> bool:
    return len(seen.library.named(v["subject"])) > 1


def _neighbour(seen: Seen, v: Values, *, relation: str) -> bool:
    """A term stands so to the one that is refused."""
    found = seen.library.named(seen.subject())
    return any(v["term"] in seen.library.labels(uri, relation) for uri in found)


def _in_another_language(seen: Seen, v: Values) -> bool:
    langs = {lang for _, lang in seen.library.concepts[seen.concept]["definition"]}
    names = language_names(seen.lang)
    told = {names[lang] for lang in langs}
    return v["asked"] == names[seen.lang] not in told and v["lang"] in told


def _known(seen: Seen, v: Values) -> bool:
    label = QUALIFIED.fullmatch(v["term"])
    return any(seen.library.named(name) for name in (v["term"], label["label"] if label else ""))


def _no_term(seen: Seen, v: Values) -> bool:
    return not seen.library.named(v.get("subject") or v["term"])


def _in_scheme(seen: Seen, v: Values) -> bool:
    return v["vocabulary"] in seen.library.schemes(v["uri"])


def _other_meanings(seen: Seen, v: Values) -> bool:
    found = (QUALIFIED.fullmatch(label) for label in v["labels"].split(", "))
    return all(match and seen.library.named(match["label"]) for match in found)


def _written(seen: Seen, v: Values) -> bool:
    """What was typed is no term as it stands, and what it is taken for is one."""
    return bool(seen.library.named(v["label"])) and not seen.library.named(v["written"])


OF_CONCEPTS: dict[str, Check] = {
    "refusal.terminology_not_found": _no_term,
    "refusal.terminology_not_found_translation": _no_word_in,
    **{f"refusal.terminology_not_found_{key}": partial(_lacks, key=key) for key in _RELATIONS},
    "refusal.terminology_not_found_synonyms": partial(_lacks, key="altLabel"),
    "refusal.terminology_deprecated": _deprecated,
    "clarify.term": _several,
    "suggest.clarify": _no_term,
    "suggest.propose": _no_term,
    "suggest.define": _known,
    "suggest.term": _known,
    "suggest.replaced_by": partial(_neighbour, relation="isReplacedBy"),
    **{f"suggest.{key}": partial(_neighbour, relation=key) for key in _RELATIONS},
    "answer.written": _written,
    "answer.no_definition": partial(_lacks, key="definition"),
    "answer.label_in": _label_in,
    "answer.synonyms_in": _names_in,
    "answer.another_name": _another_name,
    "answer.same": _names_one,
    "answer.apart": _names_two,
    "answer.top": _top,
    "answer.mappings": _mapped,
    "answer.translation_of": _word_in,
    "answer.ambiguous": _several,
    "answer.other_meanings": _other_meanings,
    **{f"answer.{key}": partial(_all_names, relation=key) for key in _RELATIONS},
    **{f"answer.{key}_of": partial(_all_relatives, relation=key) for key in _RELATIONS},
    "answer.synonyms": _own_names,
    "answer.synonyms_of": lambda seen, v: seen.concept in seen.library.named(v["term"]),
    "answer.scope_note": lambda seen, v: seen.library.stands(v["text"]),
    "answer.other_language": _in_another_language,
    "answer.concept_source": _in_scheme,
}


_MONEY = re.compile(r"\u20ac|\b(?:euros?|EUR)\b", re.IGNORECASE)
_OUTCOME = re.compile(
    r"\b(?:outcome|decision(?! drivers)|besluit|entscheidung)\b|d\u00e9cision", re.I
)
_FIELDS = ("status", "date", "owner", "version", "driver", "decision", "approvers")


def _no_such_owner(seen: Seen, v: Values) -> bool:
    owners = {file.says("owner") for file in seen.library.files.values()} - {""}
    told = set(v["threshold"].removesuffix(", \u2026").split(", "))
    return told <= owners and not alike([v["value"]], owners & {v["value"]})


def _of_kinds(seen: Seen, v: Values) -> bool:
    """Every name is that of a kind of which there are documents, or of the vocabulary."""
    named = [instance(name, seen.lang, ("kind", "list")) for name in v["sources"].split(", ")]
    kinds = [said.key.partition(".")[2].removesuffix("_many") for said in named if said]
    real = (kind in {"vocabulary", "terms"} or seen.library.of_kind(kind) for kind in kinds)
    return all(named) and all(real)


def _silent(seen: Seen, v: Values, *, key: str) -> bool:
    """There is the document, and neither it nor its record states something."""
    name = v.get("subject") or v["name"]
    return name in seen.library.files and not seen.library.stated(name, key)


def _stated(seen: Seen, v: Values, *, key: str) -> bool:
    """A value is what the cited file says of itself, or stands in a cell of the record's table."""
    file = seen.file
    return file is not None and (file.says(key) == v["value"] or f"| {v['value']} |" in file.line)


def _is_document(seen: Seen, v: Values) -> bool:
    file = seen.library.files.get(v["name"])
    return file is not None and v["title"] == file.says("title")


def _nearest(seen: Seen, v: Values) -> bool:
    """There is such a document, and it is none that was named."""
    named = re.search(rf"{re.escape(v['name'])}(?!\w)", seen.asked.rpartition("\n")[2])
    return _is_document(seen, v) and not named


def _mention(seen: Seen, v: Values) -> bool:
    return _is_document(seen, v) and seen.library.files[v["name"]].mentions(seen.subject())


def _exists(seen: Seen, v: Values) -> bool:
    return v["name"] in seen.library.files


def _absent(seen: Seen, v: Values) -> bool:
    return not any(name in seen.library.files for name in v["subject"].split(", "))


def _unrecorded(seen: Seen, v: Values) -> bool:
    return v["subject"] in seen.library.files and v["subject"] not in seen.library.records


def _not_all_said(seen: Seen, v: Values) -> bool:
    """A long word of the question stands in none of the documents."""
    names = v["subject"].split(", ")
    files = [file for name, file in seen.library.files.items() if name in names]
    return len(files) == len(names) and not _say_all(files, seen)


def _nearest_silent(seen: Seen, _v: Values) -> bool:
    """No document that is mentioned holds every long word of the question."""
    paths = {item.location for item in seen.reply.mentions}
    files = [file for file in seen.library.files.values() if file.path in paths]
    return not any(_say_all([file], seen) for file in files)


def _say_all(files: Sequence[File], seen: Seen) -> bool:
    words = re.findall(r"[^\W\d_]{5,}", seen.asked.rpartition("\n")[2])
    return bool(words) and all(any(file.mentions(word) for file in files) for word in words)


def _not_found(seen: Seen, v: Values) -> bool:
    """What is shown instead holds no sum of money, where one is asked for."""
    money = v["thing"] == catalogue(seen.lang)["thing.money"]
    return not (money and any(_MONEY.search(item.quote) for item in seen.reply.mentions))


def _unheard(seen: Seen, v: Values) -> bool:
    """No file and no text of the vocabulary holds the words."""
    return not any(file.mentions(v["subject"]) for file in seen.library.files.values())


def _fits_several(seen: Seen, v: Values) -> bool:
    ends = [
        name for name in seen.library.files if name.lstrip("ADRPCOL-0") == v["subject"].lstrip("0")
    ]
    return len(ends) > 1


def _quoted(seen: Seen, v: Values) -> bool:
    """Quotes of one source in a row bear one mark, and each is a paragraph or an item."""
    parts = re.findall(r"(?:\A|\n>?\n)> |^- ", seen.reply.answer, re.M)
    return seen.reply.answer.count("[source:") <= int(v.get("count", 1)) <= len(parts)


def _out_of_force(seen: Seen, v: Values) -> bool:
    known = seen.library.stated(v["name"], "status")
    return v["status"].casefold() in known - {"accepted"}


def _superseded(seen: Seen, v: Values) -> bool:
    return alike([v["successor"]], seen.library.stated(v["name"], "superseded-by"))


def _left(seen: Seen, v: Values) -> bool:
    """Of the file that is quoted above, no more is left than it says and the reply does not."""
    file = seen.marked(seen.above)
    shown = one_line(unmarked(re.sub(r"^> |\[source:\d+\]", "", seen.reply.answer, flags=re.M)))
    return file is not None and int(v.get("count", 1)) <= sum(
        unit not in shown for unit in file.units
    )


def _told_to_its_end(seen: Seen, v: Values) -> bool:
    left = (instances(line, seen.lang) for line in seen.rest)
    return _exists(seen, v) and not any("left" in said.key for each in left for said in each)


def _has_no_section(seen: Seen, v: Values) -> bool:
    """There is such a document, and no heading in it tells an outcome."""
    file = seen.library.files.get(v["name"])
    return file is not None and not any(map(_OUTCOME.search, file.headings))


def _read_in_vain(seen: Seen, _: Values) -> bool:
    """A model was told units, and said no."""
    said = (step for step in seen.reply.trace if step.stage == "pointing")
    return any(read.value == "no" for each in seen.reply.trace for read in each.readings) and any(
        ": no," in step.note for step in said
    )


OF_DOCUMENTS: dict[str, Check] = {
    "refusal.looked_at": _of_kinds,
    "refusal.no_results": _unheard,
    "refusal.no_results_owner": _no_such_owner,
    "refusal.entity_not_found": _absent,
    "refusal.entity_not_found_approval": _unrecorded,
    "refusal.low_coverage": _nearest_silent,
    "refusal.not_relevant_pointing": _read_in_vain,
    "refusal.not_relevant_*": _not_found,
    "refusal.low_coverage_entity": _not_all_said,
    **{f"refusal.low_coverage_{key}": partial(_silent, key=key) for key in _FIELDS},
    "clarify.number": _fits_several,
    "suggest.document": _exists,
    "suggest.decision": _exists,
    "suggest.mention": _mention,
    "suggest.nearest": _nearest,
    **{f"answer.{key}": partial(_stated, key=key) for key in _FIELDS},
    **{f"answer.no_{key}": partial(_silent, key=key) for key in _FIELDS},
    "answer.left_*": _left,
    "answer.part": lambda seen, v: _exists(seen, v) and int(v["part"]) > 1,
    "answer.no_more": _told_to_its_end,
    "answer.no_section": _has_no_section,
    "answer.superseded": _superseded,
    "answer.not_in_force": _out_of_force,
    "answer.absent": _absent,
    "verified.quoted_*": _quoted,
}


_TIMEOUT = re.compile(r"__TEST_SKOSMOS_TIMEOUT__|TEST_TIMEOUT_TRIGGER")
"""What makes the evaluation simulate that the vocabulary does not answer."""
_NO_CLAIM = """
    refusal.opening refusal.mentioned refusal.try refusal.contact refusal.low_confidence
    refusal.not_relevant clarify.too_little clarify.nothing_offered suggest.later
    suggest.rephrase transparency.hedged
    talk.thanks talk.farewell talk.identity* talk.offer_any talk.help talk.help_open
""".split()
"""Greetings, heads, invitations, and what the program says of the talk and of its own doubt."""
_NOT_HERE = """
    refusal.*_scoped refusal.*_none refusal.index_* refusal.unverified* refusal.llm_unavailable
    refusal.terminology_error refusal.undefined_outside
    refusal.no_results*_overruled suggest.list answer.*_scoped answer.outside
    answer.overruled answer.undefined_outside answer.undefined_none
    answer.missing_words answer.undated
    answer.differs answer.disagree answer.status_unclear stale.* verified.raw verified.by* pointed.*
    transparency.low talk.withheld
""".split()
"""Said of sources that were changed, away, silent or left out, or of a model: never so where all
documents state their fields, may be asked, and are quoted."""


def claim(said: FilledTemplate, seen: Seen) -> bool | None:
    """Tell whether what a template claims is so; None where no check is known for it."""
    check = next((check for key, check in CHECKS.items() if fnmatchcase(said.key, key)), None)
    return check(seen, said.values) if check else None


def _asks(seen: Seen, v: Values) -> bool:
    """A question to ask instead is about what there is."""
    said = instance(v.get("question", v.get("example", "")), seen.lang, ("suggest", "answer"))
    return bool(said and claim(said, seen))


def _why(seen: Seen, v: Values) -> bool:
    said = instances(v["reason"], seen.lang)
    return bool(said) and all(claim(each, seen) for each in said)


def _within(seen: Seen, v: Values) -> bool:
    """What is said within is so."""
    return all(claim(each, seen) for each in instances(v["offer"], seen.lang))


def _things(seen: Seen, v: Values) -> bool:
    """Every kind that may be asked about is one of which there is something."""
    both = instance(v["things"], seen.lang, ("list",))
    named = f"{both.values['first']}, {both.values['last']}" if both else v["things"]
    said = [instance(name, seen.lang, ("talk",)) for name in named.split(", ")]
    return all(each and claim(each, seen) for each in said)


def _there_is(seen: Seen, _v: Values, *, kind: str) -> bool:
    return bool(seen.library.of_kind(kind))


def _fallbacks(seen: Seen, v: Values) -> bool:
    return v["reasons"].split(", ") == list(seen.reply.retrieval_quality.fallback_reasons)


def _word_asked(seen: Seen, v: Values) -> bool:
    return all(word.casefold() in seen.asked.casefold() for word in v["word"].split(", "))


def _about(seen: Seen, v: Values) -> bool:
    names = re.split(r", | (?:and|en|und|et) ", v["about"])
    owners = {file.says("owner") for file in seen.library.files.values()}
    known = {*seen.library.files, *owners}
    asked = seen.asked.casefold()
    return all(
        name in known or seen.library.named(name) or name.casefold() in asked for name in names
    )


CHECKS: dict[str, Check] = {
    **dict.fromkeys(_NO_CLAIM, lambda _seen, _v: True),
    **OF_CONCEPTS,
    **OF_DOCUMENTS,
    **OF_LISTS,
    "refusal.reason": _why,
    "refusal.terminology_timeout": lambda seen, _v: _TIMEOUT.search(seen.asked) is not None,
    "clarify.refers": _word_asked,
    "clarify.several": _word_asked,
    "clarify.choose": _asks,
    "suggest.ask": _asks,
    **{
        key.format(kind): partial(_there_is, kind=kind)
        for key in ("suggest.list_{}", "talk.a_{}")
        for kind in ("decision", "principle", "policy", "document")
    },
    "answer.about": _about,
    "transparency.degraded": _fallbacks,
    "transparency.unguided": _fallbacks,
    "talk.a_term": lambda seen, _v: bool(seen.library.concepts),
    "talk.greeting": _within,
    "talk.mood": _within,
    "talk.offer": _things,
    "talk.help_*": _asks,
    **dict.fromkeys(_NOT_HERE, lambda _seen, _v: False),
}
