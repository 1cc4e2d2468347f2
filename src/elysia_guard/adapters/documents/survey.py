"""A look at folders of documents before their first ingest: what they are, and what to call them.

What the program tells by itself (a folder 'decisions', a file 'ADR-0012-...') needs no setting.
What it cannot, a register in a folder of another name, is proposed as a kind, for a person to read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from elysia_guard.adapters.documents.content import ParsedDocument, Skipped
from elysia_guard.adapters.documents.reader import Tell, read_files
from elysia_guard.domain.document import DocumentKind, SectionRole
from elysia_guard.language.kinds import known_as, numbered

FEWEST = 3
"""Documents of a folder that are a register."""
_MOST = 0.6
"""The share of a folder's documents that have to be as a register's are."""
_NUMBER = re.compile(r"(?:(?P<letters>[A-Za-z]{2,10})[-_. ])?(?P<number>\d{3,6})(?=[-_. ]|\Z)")
"""Of a name: three figures at least, as registers write it; chapters are counted with fewer."""
_WORD = re.compile(r"[a-z]{2,12}")
_ACRONYM = 5
"""Letters of a name that is written in capitals."""
_GENERAL = frozenset(
    "architecture book content doc docs document documentation documents file files handbook home "
    "main manual markdown master md page pages record records repo root source sources src text "
    "texts tmp wiki work".split()
)
"""Names of folders that say nothing of what lies in them."""


@dataclass(frozen=True, kw_only=True)
class ProposedKind:
    """A kind that documents of some folders are of; a standing one, or one of their own.

    ``form`` is how references are written, empty for a standing kind. ``folders`` are paths below
    what was looked at, or its own name.
    """

    name: str
    form: str
    folders: tuple[str, ...]
    documents: int


@dataclass(frozen=True, kw_only=True)
class Survey:
    """What lies in some folders, counted.

    ``shared`` documents have a kind and number that another has too. ``kinds`` are as they are
    told without a setting.
    """

    documents: int
    kinds: Mapping[str, int]
    numbered: int
    shared: int
    dated: int
    stated: int
    langs: Mapping[str, int]
    left_out: Mapping[str, int]
    proposed: tuple[ProposedKind, ...]


def survey(paths: Sequence[Path], *, tell: Tell | None = None) -> Survey:
    """Read all documents under some folders, and say what they are.

    ``tell`` is told of each that takes time to read.

    Raises:
        DocumentError: a path does not exist.
    """
    read = [(path, item) for path in paths for item in read_files([path], tell=tell)]
    left = Counter(item.reason for _, item in read if isinstance(item, Skipped))
    found = [(path, item) for path, item in read if isinstance(item, ParsedDocument)]
    documents = [item.document for _, item in found]
    often = Counter(each.identity for each in documents if each.identity)
    return Survey(
        documents=len(found),
        kinds=dict(Counter(each.kind.value for each in documents).most_common()),
        numbered=sum(each.number is not None for each in documents),
        shared=sum(count for count in often.values() if count > 1),
        dated=sum(bool(each.date) for each in documents),
        stated=sum(bool(each.status) for each in documents),
        langs=dict(Counter(each.lang for each in documents if each.lang).most_common()),
        left_out=dict(left.most_common()),
        proposed=tuple(_proposed(found)),
    )


def _proposed(found: Sequence[tuple[Path, ParsedDocument]]) -> Iterable[ProposedKind]:
    """Propose a kind for each folder that holds a register, and says by no name of which."""
    folders: dict[Path, list[ParsedDocument]] = {}
    for root, item in found:
        if item.document.kind == DocumentKind.DOCUMENT:
            for below in PurePath(item.document.path).parents:
                folders.setdefault(root.resolve() / below, []).append(item)
    made: dict[str, list[ProposedKind]] = {}
    taken: set[int] = set()
    # Of folders that hold the same, the innermost.
    for folder in sorted(folders, key=lambda each: (-len(folders[each]), -len(each.parts))):
        held = [item for item in folders[folder] if id(item) not in taken]
        if len(held) < FEWEST:
            continue
        if kind := _kind_of(folder, held, [root.resolve() for root, _ in found]):
            taken.update(map(id, held))
            made.setdefault(kind.name, []).append(kind)
    for name, kinds in made.items():
        yield ProposedKind(
            name=name,
            form=kinds[0].form,
            folders=tuple(folder for each in kinds for folder in each.folders),
            documents=sum(each.documents for each in kinds),
        )


def _kind_of(
    folder: Path, held: Sequence[ParsedDocument], roots: Iterable[Path]
) -> ProposedKind | None:
    """Propose a kind where most documents of a folder are numbered, or most decide."""
    own = [_NUMBER.match(PurePath(item.document.path).name) for item in held]
    matched = [each for each in own if each]
    root = next(each for each in roots if folder.is_relative_to(each))
    where = ((folder.name if folder == root else folder.relative_to(root).as_posix()).casefold(),)
    if len(matched) >= _MOST * len(held):
        letters = _commonest((each["letters"] or "").lower() for each in matched)
        width = len(_commonest("0" * len(each["number"]) for each in matched))
        name = _named(letters) or _called_as(folder, root)
        if name in numbered():
            return ProposedKind(name=name, form="", folders=where, documents=len(held))
        letters = name.upper() if len(name) <= _ACRONYM else name.capitalize()
        form = f"{letters}-{{number:0{width}d}}"
        return ProposedKind(name=name, form=form, folders=where, documents=len(held))
    if sum(map(_decides, held)) >= _MOST * len(held):
        name = DocumentKind.DECISION.value
        return ProposedKind(name=name, form="", folders=where, documents=len(held))
    return None


def _commonest(found: Iterable[str]) -> str:
    return Counter(found).most_common(1)[0][0]


def _called_as(folder: Path, root: Path) -> str:
    """Name a kind after the folder of its documents, or the nearest that says what they are.

    Above what is looked at that is the one folder around it, and only by a plural ('rfcs'): others
    bear the names of people and projects.
    """
    below = [root.name, *folder.relative_to(root).parts]
    above = [root.parent.name] if root.parent.name.endswith("s") else []
    named = (part.casefold() for part in reversed([*above, *below]))
    names = (_named(part.removesuffix("s")) for part in named if part not in _GENERAL)
    return next(filter(None, names), DocumentKind.DECISION.value)


def _named(word: str) -> str:
    """A word as the name of a kind; nothing where it cannot be one."""
    if not _WORD.fullmatch(word) or word in _GENERAL:
        return ""
    known = known_as(word, DocumentKind.DOCUMENT)
    return word if known == DocumentKind.DOCUMENT else known.value


def _decides(item: ParsedDocument) -> bool:
    decided = any(passage.role == SectionRole.SUBSTANCE for passage in item.passages)
    return decided and bool(item.document.status)
