"""A folder to begin in: settings with comments, and a small sample or documents of one's own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from elysia_guard.adapters.documents.survey import ProposedKind
from elysia_guard.config import home
from elysia_guard.config.files import SETTINGS
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.language.kinds import known_as
from elysia_guard.language.own_kinds import FILE as KINDS_FILE

SAMPLE = Path("data") / "sample"
NO_DOCUMENTS = "index:\n  kind: none  # no documents; sqlite, with sources, for some\n"
NEAR = 2
"""Folders up, at most, of a path that is named from the settings on: they may move together."""


@dataclass(frozen=True, kw_only=True, slots=True)
class KindNames:
    """What a house calls its kinds of documents.

    ``prefixes`` stand before numbers, 'rfc' for decisions; ``kinds`` are its own, each with the one
    that it is like; ``proposed`` were found by a look at the documents, and give way to these.
    """

    prefixes: Mapping[str, DocumentKind] = field(default_factory=dict)
    kinds: Mapping[str, DocumentKind] = field(default_factory=dict)
    proposed: Sequence[ProposedKind] = ()


NO_NAMES = KindNames()


def begin(
    folder: Path,
    *,
    documents: Sequence[Path] = (),
    vocabulary: Path | None = None,
    called: KindNames = NO_NAMES,
    dry_run: bool = False,
) -> tuple[Path, ...]:
    """Write settings and what they name; nothing that is there is changed.

    Args:
        folder: is made where it is not there.
        documents: read where they are, in place of the sample's; with a ``vocabulary`` and without
            them there are none.
        vocabulary: read where it is; with ``documents`` and without it there is none.
        called: what the house calls its kinds of documents.
        dry_run: write nothing.

    Returns:
        What was written, or would be, from the folder on.

    Raises:
        ConfigError: a file that would be written is there already, or where a folder must be, or
            a prefix is another kind's; nothing is written then.
        OSError: the folder cannot be written to.
    """
    files = _files(folder, documents, vocabulary) | _kinds(called)
    for path in files:
        _check_free(folder, path)
    if not dry_run:
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
    return tuple(files)


def _check_free(folder: Path, path: Path) -> None:
    for above in (folder / path).parents:
        if above.exists():
            if not above.is_dir():
                raise ConfigError(f"{above} is no folder; name another, or move it away")
            break
    if (folder / path).exists():
        way = "" if path == SETTINGS else ", or read documents of your own with --documents"
        raise ConfigError(
            f"{folder / path} is there already and stays as it is; name another folder{way}"
        )


def _files(folder: Path, documents: Sequence[Path], vocabulary: Path | None) -> dict[Path, str]:
    sample = home() / SAMPLE
    found = {
        path.relative_to(sample): path.read_text(encoding="utf-8")
        for path in sorted(sample.rglob("*"))
        if path.is_file()
    }
    settings = found.pop(SETTINGS)
    left_out = set()
    if documents or vocabulary:
        left_out |= {"documents", "vocabulary"}
        settings = _naming(settings, "sources", [_named(item, folder) for item in documents])
        own = [_named(vocabulary, folder)] if vocabulary else []
        settings = _naming(settings, "files", own)
        if vocabulary:
            settings = _naming(settings, "name", vocabulary.stem)
        if not documents:
            settings = settings.replace("index:\n", NO_DOCUMENTS)
    kept = {path: text for path, text in found.items() if path.parts[0] not in left_out}
    return {SETTINGS: settings, **kept}


def _kinds(called: KindNames) -> dict[Path, str]:
    """What the house calls its kinds of documents, beside the settings."""
    prefixes, kinds = called.prefixes, called.kinds
    if twice := sorted(prefixes.keys() & kinds.keys()):
        raise ConfigError(f"'{twice[0]}' cannot be a name of a kind and a kind of its own")
    for word, kind in [*prefixes.items(), *((name, DocumentKind.DOCUMENT) for name in kinds)]:
        if (named := known_as(word, kind)) != kind:
            of_what = "kind of its own" if word in kinds else kind
            raise ConfigError(f"'{word}' is what a {named} is called already; it is no {of_what}")
    sections: dict[str, list[str]] = {}
    for kind in STANDING_KINDS:
        if own := sorted(word for word, named in prefixes.items() if named == kind):
            sections[kind] = [f'prefixes = "{" ".join(own)}"']
    for name, like in kinds.items():
        sections[name] = [f'like = "{like}"', f'form = "{name.upper()}-{{number:04d}}"']
    for each in called.proposed:
        name = prefixes.get(each.name, each.name)
        own_form = [f'like = "{DocumentKind.DECISION}"', f'form = "{each.form}"']
        lines = sections.setdefault(name, own_form if each.form and name == each.name else [])
        named_so = ", ".join(f'"{folder}"' for folder in each.folders)
        lines.append(f"folders = [{named_so}]  # {each.documents} documents")
    if not sections:
        return {}
    text = "# What your house calls its kinds of documents besides: docs/own-folder.md\n"
    for name, lines in sections.items():
        text += "\n".join((f"\n[{name}]", *lines, ""))
    return {SETTINGS.parent / "languages" / KINDS_FILE: text}


def _named(path: Path, folder: Path) -> str:
    """Name a path as the settings do: from their folder, if it lies below or near, or in full."""
    full, base = path.expanduser().resolve(), folder.resolve()
    near = Path(os.path.relpath(full, base))
    return os.fspath(near if near.parts.count(os.pardir) <= NEAR else full)


def _naming(settings: str, key: str, value: object) -> str:
    """Set the one value of a key, and keep the comment behind it."""
    lines = settings.splitlines(keepends=True)
    (place,) = (at for at, line in enumerate(lines) if line.strip().startswith(f"{key}: "))
    head, _, comment = lines[place].rstrip("\n").partition("  #")
    indent = head[: len(head) - len(head.lstrip())]
    text = yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True)
    text = text.removesuffix("\n").removesuffix("\n...")
    lines[place] = f"{indent}{key}: {text}" + (f"  #{comment}\n" if comment else "\n")
    return "".join(lines)
