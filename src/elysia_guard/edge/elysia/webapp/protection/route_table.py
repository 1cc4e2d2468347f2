"""Which route a request is for. Elysia's routers are nested; here they are one list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from starlette.routing import Mount, compile_path


@dataclass(frozen=True, kw_only=True, eq=False)
class Known:
    """A route: its path with names in braces, its methods (none for a websocket)."""

    path: str
    methods: frozenset[str]
    pattern: re.Pattern[str]

    @property
    def websocket(self) -> bool:
        """Whether it is one."""
        return not self.methods


@dataclass(frozen=True, kw_only=True)
class Found:
    """A route, and what stands in the place of its names: value, begin and end in the path."""

    path: str
    named: dict[str, tuple[str, int, int]]


def table(app: FastAPI) -> tuple[Known, ...]:
    """Return all routes of an application, in the order in which they are tried."""
    return tuple(_flat(app.router.routes))


def find(routes: tuple[Known, ...], method: str, path: str) -> Found | None:
    """Return the route of a request; the method of a websocket is empty."""
    for route in routes:
        if not (method in route.methods or (route.websocket and not method)):
            continue
        if place := route.pattern.match(path):
            named = {name: (place[name], *place.span(name)) for name in place.groupdict()}
            return Found(path=route.path, named=named)
    return None


def _flat(routes: Any) -> Iterator[Known]:
    for route in routes:
        if isinstance(route, Mount):
            pattern = re.compile(f"{re.escape(route.path)}(?=/|$)")
            methods = frozenset({"GET", "HEAD"})
            yield Known(path=route.path, methods=methods, pattern=pattern)
        elif hasattr(route, "effective_candidates"):  # a router that FastAPI keeps as a branch
            yield from _flat(route.effective_candidates())
        else:
            yield _known(route)


def _known(route: Any) -> Known:
    plain = getattr(route, "starlette_route", None) or route
    path = plain.path
    methods = frozenset(getattr(plain, "methods", None) or ())
    return Known(path=path, methods=methods, pattern=compile_path(path)[0])
