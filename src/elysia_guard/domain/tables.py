"""Rows of a table, which a notebook shows and pandas takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.showing import html_of

Row = Mapping[str, Any]


class Rows(tuple[Row, ...]):
    """Plain rows with the same columns, as ``pandas.DataFrame`` takes them."""

    __slots__ = ()

    def to_frame(self) -> Any:
        """Return them as a ``pandas.DataFrame``.

        Raises:
            ConfigError: pandas is not installed.
        """
        try:
            from pandas import DataFrame
        except ImportError as err:
            raise ConfigError(
                "pandas is not installed: pip install 'elysia-guard[notebook]', or take the rows "
                "as they are"
            ) from err
        return DataFrame(list(self))

    def _repr_html_(self) -> str | None:
        return html_of(self)
