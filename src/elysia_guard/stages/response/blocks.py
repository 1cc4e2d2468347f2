"""The blocks of a draft as the text that a person reads."""

from __future__ import annotations

from elysia_guard.domain.draft import Block, Draft, Quote
from elysia_guard.domain.response import ResponseWarning
from elysia_guard.language.sentences import FENCES


def rendered(draft: Draft, states: dict[str, ResponseWarning], before: int) -> list[str]:
    """Render the blocks; before the text of a document that is not in force stands that it is."""
    parts: list[str] = []
    told: set[str] = set()
    names = {source.n: source.doc_id for source in draft.sources}
    for block in draft.blocks:
        cited = (names.get(quote.source, "") for quote in block.quotes)
        new = [id_ for id_ in dict.fromkeys(cited) if id_ in states and id_ not in told]
        told.update(new)
        parts += marked(tuple(states[id_] for id_ in new))
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
    lines = [block.heading] if block.heading else []
    listed = any(quote.lead for quote in block.quotes)
    rendered = ""
    for quote in block.quotes:
        if quote.under or not rendered:
            lines += [rendered, f"*{quote.under}*" if quote.under else ""]
            rendered = _quote(quote, before, listed=listed)
        else:
            rendered += ("\n" if listed else "\n>\n") + _quote(quote, before, listed=listed)
    lines.append(rendered)
    lines.extend(block.notes)
    return "\n\n".join(line for line in lines if line)


def _quote(quote: Quote, before: int, *, listed: bool) -> str:
    # Behind the fence of code nothing may stand on its line.
    gap = "\n" if quote.text.endswith(FENCES) else " "
    marked = f"{quote.lead}{_emphasised(quote)}{quote.tail}{gap}[source:{quote.source + before}]"
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
