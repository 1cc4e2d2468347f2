"""The blocks of a draft as the text that a person reads."""

from __future__ import annotations

from itertools import zip_longest

from elysia_guard.domain.draft import Block, Draft, Quote
from elysia_guard.domain.response import ResponseWarning
from elysia_guard.language.sentences import FENCES


def rendered(draft: Draft, states: dict[str, ResponseWarning], before: int) -> list[str]:
    """Render the blocks; before the first of a document that is not in force, tell of all such."""
    parts: list[str] = []
    names = {source.n: source.doc_id for source in draft.sources}
    warning = " ".join(["\u26a0", *(state.message for state in states.values())])
    for block in draft.blocks:
        cited = {names.get(quote.source, "") for quote in block.quotes}
        if warning not in parts and cited & states.keys():
            parts.append(warning)
        parts.append(_render(block, before))
    return parts


def bare(draft: Draft) -> list[str]:
    """Render the blocks of what is no answer: quotes under their headings, without a mark."""
    quoted = (
        "\n>\n".join(_quoted(_emphasised(quote)) for quote in block.quotes)
        for block in draft.blocks
    )
    return [f"{block.heading}\n{lines}" for block, lines in zip(draft.blocks, quoted, strict=True)]


def marked(warnings: tuple[ResponseWarning, ...]) -> list[str]:
    """Render each warning as a line of its own."""
    return [f"\u26a0 {warning.message}" for warning in warnings]


def _render(block: Block, before: int) -> str:
    """Render a block; behind the last of the quotes of one source in a row stands its mark."""
    lines = [block.heading] if block.heading else []
    listed = any(quote.lead for quote in block.quotes)
    rendered = ""
    for quote, then in zip_longest(block.quotes, block.quotes[1:]):
        ends = then is None or then.under or then.source != quote.source
        said = _quote(quote, f"[source:{quote.source + before}]" if ends else "", listed=listed)
        if quote.under or not rendered:
            lines += [rendered, f"*{quote.under}*" if quote.under else ""]
            rendered = said
        else:
            rendered += ("\n" if listed else "\n>\n") + said
    lines.append(rendered)
    lines.extend(block.notes)
    return "\n\n".join(line for line in lines if line)


def _quote(quote: Quote, mark: str, *, listed: bool) -> str:
    # Behind the fence of code nothing may stand on its line.
    gap = "\n" if quote.text.endswith(FENCES) else " "
    marked = f"{quote.lead}{_emphasised(quote)}{quote.tail}{gap}{mark}".rstrip()
    return f"- {marked}" if listed else _quoted(marked)


def _emphasised(quote: Quote) -> str:
    """The quoted words with what was looked for in bold, unless they have emphasis of their own."""
    done, rest = "", quote.text
    for sentence in quote.marked if "*" not in rest else ():
        before, _, rest = rest.partition(sentence)
        done += f"{before}**{sentence}**"
    return done + rest


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
