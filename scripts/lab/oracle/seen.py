"""A line of a reply beside the files: what it cites, lists and is headed by."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scripts.lab.oracle.library import File, Library, instances, one_line

from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse

Values = Mapping[str, str]
"""What fills a template."""
MARK = re.compile(r"\s*\[source:(\d+)\]")
_HEADING = re.compile(r"\*\*(?:(?P<name>[A-Z]+-\d+D?): )?(?P<title>.+?)\*\*(?: \((?P<tail>.+)\))?")
_BOLD = re.compile(r"\*\*([^*]+)\*\*")
_SLANTED = re.compile(r"\*([^*]+)\*")
_ITEM = re.compile(r"\*\*(?P<name>.+?)\*\* (?P<title>.+?)(?: \((?P<tail>[^()]+)\))?")
_TERM = re.compile(r"\*\*(?P<label>.+?)\*\*: (?P<text>.+)")
_CHOICE = re.compile(r"\*\*(?P<label>.+?)\*\* \((?P<scheme>.+)\)(?:: (?P<text>.+))? <(?P<uri>.+)>")
_NAMED = re.compile(r"\*\*(?P<name>[A-Z]+-\d+D?)\*\*: (?P<title>.+)")
QUALIFIED = re.compile(r"(?P<label>.+?) \((?P<scheme>[^()]+)\)")


_SHORT = 4


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A line of a reply, what was asked, and the files.

    ``rest`` are the lines from this one on, ``above`` those before it, the nearest first.
    ``cited`` is the number of the source that is marked behind the line; ``concept`` the one that
    its block is about.
    """

    reply: RAGResponse
    asked: str
    library: Library
    rest: Sequence[str] = ()
    above: Sequence[str] = ()
    cited: int = 0
    concept: str = ""

    @property
    def lang(self) -> Lang:
        """The language of the reply."""
        return self.reply.lang

    @property
    def file(self) -> File | None:
        """The file of the source that is cited."""
        return self.marked([f"[source:{self.cited}]"])

    def marked(self, lines: Iterable[str]) -> File | None:
        """The file of the first source that is marked in some lines."""
        numbers = (number for line in lines for number in MARK.findall(line))
        places = {str(item.n): item.location for item in self.reply.sources}
        path = places.get(next(numbers, ""), "")
        return next((item for item in self.library.files.values() if item.path == path), None)

    def stands(self, quote: str) -> bool:
        """Tell whether words stand in the source that is cited; without one, anywhere."""
        file = self.file
        return quote in file.line if file else self.library.stands(quote)

    def subject(self) -> str:
        """The term that is refused."""
        said = (instances(one_line(line), self.lang) for line in self.reply.answer.splitlines())
        found = (item for each in said for item in each if item.key == "refusal.reason")
        inner = [item for each in found for item in instances(each.values["reason"], self.lang)]
        return next((item.values["subject"] for item in inner if "subject" in item.values), "")

    def bullets(self) -> Iterator[str]:
        """The bold names of the list that begins under this line."""
        for line in self.rest[1:]:
            if not line.startswith("- "):
                return
            found = _ITEM.match(line[2:]) or _TERM.match(line[2:])
            yield found[1] if found else MARK.sub("", line[2:]).strip("*")


Check = Callable[[Seen, Values], bool]
"""Whether what a template claims, with these values, is so."""


def is_listed(text: str, seen: Seen) -> bool | None:
    """Judge an item of a list: a document with its title and state, or a term with its text."""
    found = _ITEM.fullmatch(text)
    if found and found["name"] in seen.library.files:
        file = seen.library.files[found["name"]]
        bare = text.removeprefix(f"**{file.name}** ")
        if bare == file.says("title"):
            return True
        return found["title"] == file.says("title") and _state(file, found["tail"], seen)
    if found := _BOLD.fullmatch(text):
        return bool(seen.library.named(found[1]))
    if found := _TERM.fullmatch(text):
        return bool(seen.library.named(found["label"])) and seen.library.stands(found["text"])
    return None


def is_heading(text: str, seen: Seen) -> bool | None:
    """Judge a bold line: words of the question, a document with its state, or a term.

    A slanted one is headings of the file that is quoted below it.
    """
    if slanted := _SLANTED.fullmatch(text):
        file = seen.marked(seen.rest)
        return file is not None and set(slanted[1].split(" > ")) <= file.headings
    head, _, section = text.partition(" \u2013 ")
    found = _HEADING.fullmatch(head)
    if not found:
        return None
    file = seen.library.files.get(found["name"] or "")
    if file and found["title"] == file.says("title"):
        return section in file.line and _state(file, found["tail"], seen)
    label = QUALIFIED.fullmatch(found["title"])
    names = (found["title"], label["label"] if label else "")
    if _echoes(found[0], seen) or any(seen.library.named(name) for name in names):
        return True
    return False if found["name"] else None


def _echoes(text: str, seen: Seen) -> bool:
    """Tell whether the words of a text are those of the question, but for a short one."""
    asked = set(re.findall(r"\w+", seen.asked.casefold()))
    others = set(re.findall(r"\w+", text.casefold())) - asked
    return all(len(word) < _SHORT for word in others)


def is_choice(text: str, seen: Seen) -> bool | None:
    """Judge one of several meanings or documents to choose from, or a question to ask instead."""
    if found := _CHOICE.fullmatch(text):
        uri, held = found["uri"], seen.library
        right = found["label"] in held.labels(uri) and found["scheme"] in held.schemes(uri)
        return right and (not found["text"] or held.stands(found["text"]))
    if found := _NAMED.fullmatch(text):
        file = seen.library.files.get(found["name"])
        return file is not None and found["title"] == file.says("title")
    labels = {label for item in seen.reply.suggestions for label in (item.question, item.label)}
    return None if instances(text, seen.lang) or text not in labels else True


def _state(file: File | None, tail: str | None, seen: Seen) -> bool:
    """Tell whether status and date are those of a document or its approval record.

    Where several decisions are told, each stands with its date: 'Accepted 2025-10-30'.
    """
    said = [part.casefold() for part in (tail or "").split(", ") if part]
    name = file.name if file else ""
    stated = (seen.library.stated(name, key) for key in ("status", "date"))
    known = seen.library.decided(name).union(*stated)
    return all(part in known for part in said)
