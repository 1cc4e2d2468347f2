"""What the other files of a language pack hold: how documents and questions are written."""

from __future__ import annotations

from typing import NamedTuple

from elysia_guard.language.pack_reader import Words


class HeadingsSection(NamedTuple):
    """What headings are called, by the part that the section plays."""

    drivers: Words
    substance: Words
    consequences: Words
    implications: Words
    rationale: Words
    options: Words
    context: Words
    other: Words
    proposal: Words = ()


class ParticularsSection(NamedTuple):
    """What documents call what they say about themselves."""

    status: Words
    date: Words
    owner: Words
    deciders: Words
    driver: Words
    version: Words
    superseded_by: Words
    supersedes: Words


class RecordSection(NamedTuple):
    """What approval records call what was decided."""

    version: Words
    decision: Words
    date: Words
    driver: Words


class TablesSection(NamedTuple):
    """What heads a table of particulars, and stands above and in tables of people."""

    name: Words
    value: Words
    who: Words = ()
    approvers: Words = ()
    consulted: Words = ()
    informed: Words = ()


class FilesSection(NamedTuple):
    """What stands in files and in the names of folders."""

    none: Words
    page: Words
    page_of: Words
    template: Words = ()
    folder_before: Words = ()
    folder_after: Words = ()


class Documents(NamedTuple):
    """``documents.toml``: what a language needs for its documents to be read."""

    headings: HeadingsSection
    particulars: ParticularsSection
    record: RecordSection
    tables: TablesSection
    files: FilesSection


class SmallTalkWords(NamedTuple):
    """``talk.toml``: small talk, the most telling kind first; what may join two of them."""

    identity: Words
    help: Words
    mood: Words
    farewell: Words
    thanks: Words
    greeting: Words
    joins: Words


class DefinitionForms(NamedTuple):
    """How a meaning is asked: in so many words, or as may be, or of what was named before."""

    said: Words
    asked: Words
    refers: Words


class NamedForms(NamedTuple):
    """How a named document is asked for as a whole."""

    whole: Words


class TermForms(NamedTuple):
    """How is asked what a term is called in a language, or whether it is another one.

    ``{term}`` and ``{other}`` are terms, ``{lang}`` is the name of a language.
    """

    translated: Words = ()
    same: Words = ()


class Forms(NamedTuple):
    """``forms.toml``: the core forms of a question.

    ``of_known_term`` are said of other things too, and count of a term that is known alone.
    """

    definition: DefinitionForms
    named: NamedForms
    of_term: TermForms = TermForms()
    of_known_term: TermForms = TermForms()
