"""What a judge said of the same passages before."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256

from elysia_guard.domain.document import Passage
from elysia_guard.domain.judgement import Judgement
from elysia_guard.domain.question import Lang
from elysia_guard.ports import Judge


class CachedJudge:
    """Asks a judge once about the same question and the same passages; threads may share it.

    A passage is the same while its id and its text are. What failed is not kept.

    Args:
        judge: is asked what is not known.
        at_most: callings that are remembered, the last used ones.
    """

    def __init__(self, judge: Judge, *, at_most: int = 1_000) -> None:
        self._judge = judge
        self._at_most = at_most
        self._lock = threading.Lock()
        self._said: OrderedDict[bytes, tuple[Judgement, ...]] = OrderedDict()

    @property
    def model_id(self) -> str:
        return self._judge.model_id

    async def __call__(
        self, question: str, passages: Sequence[Passage], /, *, lang: Lang
    ) -> Sequence[Judgement]:
        """Return what was said before, or else what the judge says now."""
        key = self._key(question, passages, lang)
        with self._lock:
            if key in self._said:
                self._said.move_to_end(key)
                return self._said[key]
        said = tuple(await self._judge(question, passages, lang=lang))
        with self._lock:
            kept = self._said.setdefault(key, said)
            while len(self._said) > self._at_most:
                self._said.popitem(last=False)
        return kept

    def _key(self, question: str, passages: Sequence[Passage], lang: Lang) -> bytes:
        parts = [self.model_id, lang, question]
        parts += [part for item in passages for part in (item.id, item.in_context)]
        found = sha256()
        for part in parts:
            said = part.encode("utf-8", "surrogatepass")
            # With its length before it, no two lists of texts are written the same.
            found.update(len(said).to_bytes(8, "big") + said)
        return found.digest()
