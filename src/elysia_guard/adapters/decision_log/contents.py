"""Entries into the tables, and out of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, Table, insert, select

from elysia_guard.adapters.decision_log import rows
from elysia_guard.adapters.decision_log.entry import Entry
from elysia_guard.adapters.decision_log.schema import PARTS, decisions


def write_entries(connection: Connection, entries: Sequence[Entry]) -> None:
    """Write entries, and all that belongs to them."""
    belonging: dict[Table, list[rows.Values]] = {table: [] for table in PARTS}
    for entry in entries:
        made = connection.execute(insert(decisions), rows.decision_row(entry))
        id_ = made.inserted_primary_key[0] if made.inserted_primary_key else None
        for table, values in rows.belonging_rows(entry).items():
            belonging[table].extend({"decision": id_, **value} for value in values)
    for table, found in belonging.items():
        if found:
            connection.execute(insert(table), found)


def read_entries(
    connection: Connection, chosen: Select[tuple[Any, ...]]
) -> Iterator[tuple[int, Entry]]:
    """Read the entries of a query over the decisions, with all that belongs to them."""
    found = connection.execute(chosen).mappings().all()
    ids = [row["id"] for row in found]
    parts: dict[str, dict[int, list[RowMapping]]] = {}
    for table in PARTS:
        belonging = select(table).where(table.c.decision.in_(ids)).order_by(table.c.id)
        by_decision = parts.setdefault(table.name, {})
        for row in connection.execute(belonging).mappings():
            by_decision.setdefault(row["decision"], []).append(row)
    for row in found:
        own = {name: rows_of.get(row["id"], []) for name, rows_of in parts.items()}
        yield row["id"], rows.entry_from(row, own)
