"""Whose question a query id belongs to, so that nobody else judges its reply."""

from __future__ import annotations

from collections import OrderedDict

from elysia_guard.edge.elysia.webapp.protection.principal import Principal

REMEMBERED = 20_000


class Asked:
    """The last questions of people who are apart; the owner and administrators are not."""

    def __init__(self) -> None:
        """Begin with none."""
        self._by: OrderedDict[str, str] = OrderedDict()

    def remember(self, principal: Principal, query_id: str) -> bool:
        """Keep who asked; tell whether the id was free, or their own."""
        if self._by.setdefault(query_id, principal.name) != principal.name:
            return False
        self._by.move_to_end(query_id)
        if len(self._by) > REMEMBERED:
            self._by.popitem(last=False)
        return True

    def may_judge(self, principal: Principal, query_id: object) -> bool:
        """Tell whether somebody may say what they think of a reply."""
        return principal.admin or self._by.get(str(query_id)) == principal.name
