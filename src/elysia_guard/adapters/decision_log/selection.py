"""Which entries of the log a command is about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, select

from elysia_guard.adapters.decision_log.entry import Difference, Judgement
from elysia_guard.adapters.decision_log.schema import decisions, feedback
from elysia_guard.adapters.sql import key
from elysia_guard.domain.refusal import Outcome, RefusalReason


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """Entries for which all of this holds; what is None or empty does not restrict."""

    request_id: str | None = None
    conversation_id: str | None = None
    since: datetime | None = None
    before: datetime | None = None
    outcome: Outcome | None = None
    reason: RefusalReason | None = None
    judged: Judgement | None = None
    any_judgement: bool = False
    config_hash: str | None = None
    shadow_hash: str | None = None
    beside: bool = False
    """Only those that candidate limits have judged as well."""
    differing: bool = False
    """Only those on which the candidate limits decide otherwise, or by other passages."""

    @property
    def condition(self) -> ColumnElement[bool]:
        """The condition, as the database understands it."""
        return and_(*(item for item in self._conditions() if item is not None))

    def _conditions(self) -> tuple[ColumnElement[bool] | None, ...]:
        table = decisions.c
        return (
            table.id > 0,
            _same(table.request_id, None if self.request_id is None else key(self.request_id)),
            _same(
                table.conversation_id,
                None if self.conversation_id is None else key(self.conversation_id),
            ),
            None if self.since is None else table.asked_at >= self.since,
            None if self.before is None else table.asked_at < self.before,
            _same(table.outcome, self.outcome),
            _same(table.reason, self.reason),
            None if self.judged is None else _last_judgement_is(self.judged),
            exists().where(feedback.c.decision == table.id) if self.any_judgement else None,
            _same(table.config_hash, self.config_hash),
            _same(table.shadow_hash, self.shadow_hash),
            table.difference != "" if self.beside else None,
            table.difference.not_in(_ALIKE) if self.differing else None,
        )


EVERYTHING = Selection()

_ALIKE = ("", Difference.NONE.value)


def _same(column: ColumnElement[str], value: str | None) -> ColumnElement[bool] | None:
    return None if value is None else column == str(value)


def _last_judgement_is(judgement: Judgement) -> ColumnElement[bool]:
    last = (
        select(feedback.c.judgement)
        .where(feedback.c.decision == decisions.c.id)
        .order_by(feedback.c.id.desc())
        .limit(1)
        .correlate(decisions)
        .scalar_subquery()
    )
    return last == judgement.value
