"""Templates of our own pages; whatever is put into them is escaped."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from elysia_guard.domain.question import Lang
from elysia_guard.language.catalogue import say

HERE = Path(__file__).parent
STYLE = "/guard/style.css"
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""Of the browser, for these pages: no script, no frame, nothing from elsewhere."""


def rendered(template: str, *, lang: Lang, **values: object) -> str:
    """Fill a template in a language; what is HTML already says so by ``| safe`` there."""
    told = _templates().get_template(template)
    return told.render(lang=lang, say=partial(say, lang), style=STYLE, **values)


def missing(lang: Lang, key: str) -> str:
    """Return the page that says that something is not here."""
    return rendered("missing.html", lang=lang, title=say(lang, key))


def style() -> str:
    """Return the one style sheet."""
    return (HERE / "style.css").read_text(encoding="utf-8")


def upper_first(text: str) -> str:
    """Return a text as it stands at the beginning of a line."""
    return text[:1].upper() + text[1:]


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
