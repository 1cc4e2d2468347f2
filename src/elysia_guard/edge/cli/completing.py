"""Completion of titles and terms at the prompt, by GNU readline where Python has it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Self

import click

from elysia_guard.domain.concept import LabelRole
from elysia_guard.domain.document import Filters
from elysia_guard.domain.errors import GuardError
from elysia_guard.edge.cli.terminal import one_line
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.wiring import Wiring

MOST = 20
"""Completions that are offered at a time."""
SHORTEST = 2
"""Characters that have to be typed first."""


class Completer:
    """Completes the end of a line to a name that begins so, whatever stands before it.

    Example:
        >>> Completer(["CIMXML", "Use CIM as the canonical data model"]).complete("what is cimx")
        ['what is CIMXML']
    """

    def __init__(self, names: Iterable[str]) -> None:
        """Take the names of what can be asked for."""
        known = {name.casefold(): name for name in map(one_line, names) if name}
        self._folded = sorted(known)
        self._names = [known[name] for name in self._folded]

    @classmethod
    def of(cls, wiring: Wiring) -> Self:
        """Take titles and identifiers of documents, and the labels of the vocabulary.

        What cannot be had now is not completed.
        """
        return cls(run_anywhere(_names(wiring)))

    def complete(self, line: str) -> list[str]:
        """Return the line with each name that its end may become, the longest end first.

        Where one has a capital and another has none, what was typed stays as it is: readline puts
        in its place what all of them begin with, and that would be nothing.
        """
        for start in _beginnings(line):
            if found := self._names_with(line[start:]):
                length = len(line) - start
                alike = len({name[:length] for name in found}) == 1
                return [line[:start] + name if alike else line + name[length:] for name in found]
        return []

    def offered(self, line: str) -> list[str]:
        """Return the names themselves that the end of a line may become."""
        ends = (self._names_with(line[start:]) for start in _beginnings(line))
        return next(filter(None, ends), [])

    def _names_with(self, end: str) -> list[str]:
        """Return the names that begin with what was typed, whatever its case."""
        wanted = end.casefold()
        if len(wanted) < SHORTEST:
            return []
        first = bisect_left(self._folded, wanted)
        known = zip(self._folded[first:], self._names[first:], strict=True)
        return [name for folded, name in islice(known, MOST) if folded.startswith(wanted)]

    def __call__(self, text: str, state: int) -> str | None:
        """Answer readline, which asks for one after the other."""
        if state == 0:
            self._offered = self.complete(text)
        return self._offered[state] if state < len(self._offered) else None


@contextmanager
def completed_by(completer: Completer, prompt: str = "") -> Iterator[None]:
    """Let Tab complete what is typed behind a prompt; without readline nothing is completed.

    What is asked is remembered for the arrows until the end, and written nowhere.
    """
    try:
        import readline
    except ImportError:
        yield
        return
    before = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(completer)
    # A title holds blanks: the whole line is what is completed.
    readline.set_completer_delims("")
    if "libedit" in (readline.__doc__ or ""):
        readline.parse_and_bind("bind ^I rl_complete")
    else:
        readline.parse_and_bind("tab: complete")
        # What is pasted over several lines is one question.
        readline.parse_and_bind("set enable-bracketed-paste on")
        readline.parse_and_bind("set show-all-if-ambiguous on")
        readline.set_completion_display_matches_hook(_shown(completer, prompt))
    try:
        yield
    finally:
        readline.set_completion_display_matches_hook(None)
        readline.set_completer(before[0])
        readline.set_completer_delims(before[1])
        readline.clear_history()


def _shown(completer: Completer, prompt: str) -> Callable[[str, Sequence[str], int], None]:
    """Show what may be meant by its name alone: readline would repeat the whole line for each."""

    def show(_typed: str, _matches: Sequence[str], _longest: int) -> None:
        import readline

        line = readline.get_line_buffer()
        names = "\n".join(f"  {name}" for name in completer.offered(line))
        click.echo(f"\n{names}\n{prompt}{line}", nl=False)

    return show


async def _names(wiring: Wiring) -> list[str]:
    names: list[str] = []
    pipeline = wiring.pipeline
    try:
        for document in await pipeline.index.documents(Filters(approval=None)):
            names += [document.title, document.id]
        if pipeline.terminology:
            labels = (await pipeline.terminology.labels()).all
            shown = (item for item in labels if item.role is not LabelRole.HIDDEN)
            names += [item.text.value for item in shown if not item.deprecated]
    except GuardError:
        pass  # the first question says what is missing
    return names


def _beginnings(line: str) -> Iterator[int]:
    """Where a word of the line begins, from the left: the longest end comes first."""
    inside = False
    for place, char in enumerate(line):
        if not char.isspace() and not inside:
            yield place
        inside = not char.isspace()
