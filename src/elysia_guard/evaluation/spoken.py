"""The language of a case: one that has a pack."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

from elysia_guard.language.pack import langs


def _known(lang: str) -> str:
    if lang not in langs():
        raise ValueError(f"there is no language pack '{lang}'; there are {', '.join(langs())}")
    return lang


SpokenLang = Annotated[str, AfterValidator(_known)]
