"""What only all the documents together tell: of records, of numbers, and of namesakes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from elysia_guard.adapters.documents.content import Claim, ParsedDocument
from elysia_guard.adapters.documents.identity import TITLE_NUMBER
from elysia_guard.adapters.documents.ids import paired, told_apart, unpaired
from elysia_guard.adapters.documents.links import links_of
from elysia_guard.domain.document import Document
from elysia_guard.language.approvals import as_recorded
from elysia_guard.language.references import find_references

_MARKED = re.compile(r"0\d+|\d+[.:)]")


def linked(parsed: Mapping[str, ParsedDocument]) -> dict[str, ParsedDocument]:
    """Give each document what its approval record decides, and tell what contradicts it.

    Documents that share a number or a title are told apart in their names, and each knows which
    others its text names.
    """
    numbering = odd_numbers(list(parsed.values()))
    documents = [item.document for item in parsed.values()]
    apart, pairs, lone = told_apart(documents), paired(documents), unpaired(documents)
    links = links_of(parsed)
    joined = {}
    for id_, item in parsed.items():
        own, record = item.document, None if item.document.approval else pairs.get(id_)
        document = as_recorded(own, parsed[record].document if record else None)
        document = replace(document, apart=apart.get(id_, ""), links=links[id_])
        told = (*item.warnings, *numbering.get(own.path, ()), *misheaded(document))
        told += (lone[id_],) if id_ in lone else ()
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
    agree: Counter[PurePath] = Counter()
    odd: list[tuple[str, ParsedDocument, Claim]] = []
    for item, claim in titled:
        if claim.identity.number == item.document.number:
            agree[PurePath(item.document.path).parent] += 1
        else:
            odd.append((item.document.path, item, claim))
    return {
        path: (_odd(item, claim),)
        for path, item, claim in odd
        if _MARKED.fullmatch(claim.written) or agree[PurePath(path).parent] > 1
    }


def misheaded(record: Document) -> tuple[str, ...]:
    """Warn of a record whose headings name another document than the one that it approves."""
    if not record.approval or record.identity is None:
        return ()
    approved = replace(record.identity, approval=False)
    headings = {approval.section for approval in record.approvals}
    refs = (ref.identity for heading in headings for ref in find_references(heading))
    named = {ref for ref in refs if ref and replace(ref, approval=False) != approved}
    others = sorted(map(str, named))
    if not others:
        return ()
    return (f"{record.path}: it approves {approved}, and its headings say {', '.join(others)}",)


def _odd(item: ParsedDocument, claim: Claim) -> str:
    document = item.document
    return (
        f"{document.path}: it is {document.identity}, and its title begins with "
        f"{claim.written!r}; the {item.claims[0].source} is kept"
    )
