"""What only the documents of a register together tell: who approves whom, how they are numbered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from elysia_guard.adapters.documents.card import Claim
from elysia_guard.adapters.documents.identity import TITLE_NUMBER
from elysia_guard.adapters.documents.parsed import ParsedDocument
from elysia_guard.domain.document import Document, Identity
from elysia_guard.language.approvals import as_recorded
from elysia_guard.language.references import find_references


def linked(parsed: Mapping[str, ParsedDocument]) -> dict[str, ParsedDocument]:
    """Give each document what its approval record decides, and tell what contradicts it."""
    numbering = odd_numbers(list(parsed.values()))
    joined = {}
    for id_, item in parsed.items():
        document = _decided(item.document, parsed)
        told = (*item.warnings, *numbering.get(item.document.path, ()), *misheaded(document))
        joined[id_] = replace(
            item,
            document=document,
            passages=tuple(replace(passage, document=document) for passage in item.passages),
            warnings=told,
        )
    return joined


def odd_numbers(parsed: Sequence[ParsedDocument]) -> dict[str, tuple[str, ...]]:
    """Find titles that begin with the number of another document, as paths and warnings.

    '3. Networking' is meant as a number; '12 factors' only among files that write it so.
    """
    claims = [(item, claim) for item in parsed for claim in item.claims[1:]]
    titled = [(item, claim) for item, claim in claims if claim.source == TITLE_NUMBER]
    agree = Counter(_folder(item) for item, claim in titled if _agrees(item, claim))
    odd = (
        (item, claim)
        for item, claim in titled
        if not _agrees(item, claim) and (_marked(claim) or agree[_folder(item)] > 1)
    )
    return {item.document.path: (_odd(item, claim),) for item, claim in odd}


def _decided(document: Document, parsed: Mapping[str, ParsedDocument]) -> Document:
    record = parsed.get(f"{document.id}D")
    return as_recorded(document, record.document if record else None)


def misheaded(record: Document) -> tuple[str, ...]:
    """Warn of a record whose headings name another document than the one that it approves."""
    if not record.approval or record.identity is None:
        return ()
    approved = replace(record.identity, approval=False)
    headings = {approval.section for approval in record.approvals}
    named = {ref.identity for heading in headings for ref in find_references(heading)}
    others = sorted(str(other) for other in named if other and _bare(other) != approved)
    if not others:
        return ()
    return (f"{record.path}: it approves {approved}, and its headings say {', '.join(others)}",)


def _bare(identity: Identity) -> Identity:
    return replace(identity, approval=False)


def _agrees(item: ParsedDocument, claim: Claim) -> bool:
    return claim.identity.number == item.document.number


def _marked(claim: Claim) -> bool:
    return bool(re.fullmatch(r"0\d+|\d+[.:)]", claim.written))


def _folder(item: ParsedDocument) -> PurePath:
    return PurePath(item.document.path).parent


def _odd(item: ParsedDocument, claim: Claim) -> str:
    document = item.document
    return (
        f"{document.path}: it is {document.identity}, and its title begins with "
        f"{claim.written!r}; the {item.claims[0].source} is kept"
    )
