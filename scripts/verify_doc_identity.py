"""Prove kind and identity of every document (IR0003, migration invariants).

    python scripts/verify_doc_identity.py                             data/knowledge
    python scripts/verify_doc_identity.py docs/adr --index my.sqlite  folders against an index
    python scripts/verify_doc_identity.py --index my.sqlite           an index alone

Exit codes: 0 every identity holds, 1 a conflict, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from elysia_guard.adapters.documents.verification import Verification, verify, verify_index
from elysia_guard.adapters.sqlite_index import SqliteIndex
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.errors import GuardError
from elysia_guard.edge.cli.screen import Screen
from elysia_guard.running import into_pipe, run_anywhere

KNOWLEDGE = Path(__file__).resolve().parents[1] / "data" / "knowledge"

HOLDS, CONFLICT, COULD_NOT_RUN = 0, 1, 3


def main() -> int:
    """Verify, and print the outcome."""
    options = _options()
    try:
        found = _verified(options)
    except GuardError as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    if options.json:
        print(json.dumps(found.to_dict(), indent=2, ensure_ascii=False))
    else:
        _show(found)
    for conflict in found.conflicts:
        print(f"conflict: {conflict.path}: {conflict.problem}", file=sys.stderr)
    return CONFLICT if found.conflicts else HOLDS


def _verified(options: argparse.Namespace) -> Verification:
    indexed = _indexed(options.index) if options.index else None
    if indexed is not None and not options.paths:
        return verify_index(indexed, allow_documents=options.allow_documents)
    paths = options.paths or [KNOWLEDGE]
    return verify(paths, indexed=indexed, allow_documents=options.allow_documents)


def _indexed(path: Path) -> Sequence[Document]:
    with closing(SqliteIndex.open(path)) as index:
        return run_anywhere(index.documents(Filters(approval=None)))


def _show(found: Verification) -> None:
    screen = Screen()
    header = (
        "PATH", "TYPE", "KIND", "NUMBER", "APPROVAL RECORD", "STATUS", "DATE", "LANG", "EVIDENCE",
        "TITLE",
    )  # fmt: skip
    rows = [
        (
            item.path, item.doc_type, item.kind.value,
            "" if item.number is None else str(item.number),
            f"approves {row.approval_record}" if item.approval else row.approval_record,
            item.status, item.date, item.lang, ", ".join(row.evidence), item.title,
        )
        for row, item in ((row, row.document) for row in found.documents)
    ]  # fmt: skip
    screen.table([header, *rows], styles=["", "bold"] + [""] * 7 + ["dim"])
    for title, items in (
        ("Skipped", [(item.path, item.reason) for item in found.skipped]),
        ("Warnings", [(item.path, item.problem) for item in found.warnings]),
        ("Conflicts", [(item.path, item.problem) for item in found.conflicts]),
    ):
        if items:
            screen.line()
            screen.line(title, "bold")
            screen.table(items, styles=("", "dim"), indent=2)
    screen.line()
    screen.line(
        f"{len(found.documents)} documents, {len(found.conflicts)} conflicts, "
        f"{len(found.skipped)} files skipped",
        "bold",
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="folders or files")
    parser.add_argument("--index", type=Path, metavar="FILE", help="an embedded index to compare")
    parser.add_argument(
        "--allow-documents",
        action="store_true",
        help="accept what is no decision, principle or policy",
    )
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
