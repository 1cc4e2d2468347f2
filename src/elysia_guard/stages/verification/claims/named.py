"""What a sentence says before it says what its source says: that the source says it."""

from __future__ import annotations

from collections.abc import Iterator

from elysia_guard.domain.question import Lang
from elysia_guard.language.claim_words import claim_words
from elysia_guard.language.kinds import names, numbered
from elysia_guard.language.pack import langs
from elysia_guard.language.stems import stem
from elysia_guard.language.text import words
from elysia_guard.stages.verification.claims.evidence import Evidence
from elysia_guard.stages.verification.claims.tokens import articles

Pair = tuple[str, str]


def forms(text: str, unit: str, lang: Lang, evidence: Evidence) -> Iterator[Pair]:
    """Return what is held against what, the first that says the second being enough.

    That is the sentence and the text of the source; the sentence without what names its source
    first, 'By ADR-0012, '; without the number of a source that its title names; and where the text
    tells what was chosen, 'Chosen option: use X', both without that: 'ADR-0012 uses X', 'The chosen
    option is to use X'.
    """
    yield text, unit
    bare = _without_source(text, lang, evidence)
    if bare != text:
        yield bare, unit
    title, after = _after_title(text, lang, evidence)
    plain = f"{title}{_without_identifier(after, evidence)}"
    if title and evidence.is_one and plain != f"{title}{after}":
        yield plain, unit
    chosen = claim_words(lang).chosen.match(unit)
    is_told = chosen and evidence.in_force and unit[chosen.end() :].startswith(":")
    done = _as_chosen(bare, lang, evidence) if is_told else ""
    if chosen and done:
        choice = unit[chosen.end() + 1 :].lstrip()
        yield _with_its_verb(done, choice, lang), choice


def _without_source(text: str, lang: Lang, evidence: Evidence) -> str:
    """A sentence without what names its source first: 'By ADR-0012, ', 'ADR-0012 says that '.

    Behind it a pronoun would stand for the source: 'ADR-0012 says that it is withdrawn'.
    """
    said = claim_words(lang)
    begin = said.sources.match(text)
    name, after = _after_name(text[begin.end() :] if begin else text, lang, evidence)
    if not name or after[:1] not in (",", ":", " "):
        return text
    if not begin:
        report = said.reports.match(after.lstrip())
        after = after.lstrip()[report.end() :] if report else ""
    said_ = after.lstrip(",: ")
    return text if not said_ or said.pronouns.match(said_) else said_


def _as_chosen(text: str, lang: Lang, evidence: Evidence) -> str:
    """What a sentence says was chosen: behind the name of its source, or behind what says so."""
    found = claim_words(lang)
    name, after = _after_name(text, lang, evidence)
    if not name:
        _, after = _without_article(text, lang)
        said = found.chosen.match(after)
        after = after[said.end() :] if said else ""
    chooses = found.chooses.match(after.lstrip())
    if not (name or chooses) or after[:1] != " ":
        return ""
    return after.lstrip()[chooses.end() if chooses else 0 :].lstrip()


def _with_its_verb(done: str, choice: str, lang: Lang) -> str:
    """What was chosen with the verb as the source has it: 'use X' of 'uses X'."""
    verb, _, rest = done.partition(" ")
    other, _, _ = choice.partition(" ")
    is_same = lang in langs() and stem(verb.casefold(), lang) == stem(other.casefold(), lang)
    return f"{other} {rest}" if is_same else done


def _after_name(text: str, lang: Lang, evidence: Evidence) -> Pair:
    """The name of the one source that a text begins with, and what follows; else no name."""
    if not evidence.is_one:
        return "", text
    rest = _without_kind(text, lang)
    for name in evidence.identifiers:
        if rest.casefold().startswith(name.casefold()):
            return name, rest[len(name) :]
    title, after = _after_title(text, lang, evidence)
    return title, _without_identifier(after, evidence)


def _after_title(text: str, lang: Lang, evidence: Evidence) -> Pair:
    """The title that a text begins with, if it says what the source is: 'the CIM policy'.

    Of any other title one cannot tell whether a sentence names the source by it, or a time or a
    place: 'In winter, …'.
    """
    _, rest = _without_article(text, lang)
    for title in evidence.titles:
        is_named = any(word in names(kind) for word in words(title) for kind in numbered())
        if is_named and rest.casefold().startswith(title.casefold()):
            return title, rest[len(title) :]
    return "", rest


def _without_identifier(text: str, evidence: Evidence) -> str:
    """', says so' of ', POL-0003, says so', and ' says so' of ' (POL-0003) says so'."""
    for name in evidence.identifiers:
        for before, behind in ((", ", ","), (" (", ")"), (" ", "")):
            if text.casefold().startswith(f"{before}{name}{behind}".casefold()):
                return text[len(f"{before}{name}{behind}") :]
    return text


def _without_kind(text: str, lang: Lang) -> str:
    """'ADR-0012' of 'the decision ADR-0012'."""
    _, rest = _without_article(text, lang)
    before, _, after = rest.partition(" ")
    is_kind = any(before.casefold() in names(kind) for kind in numbered())
    return after if is_kind else text.lstrip()


def _without_article(text: str, lang: Lang) -> Pair:
    before, _, after = text.lstrip().partition(" ")
    return (before, after) if before.casefold() in articles(lang) else ("", text.lstrip())
