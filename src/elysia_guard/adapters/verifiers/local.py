"""A model in this process as a second opinion: in a thread, in batches, once about the same."""

from __future__ import annotations

import asyncio
import math
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Protocol

from elysia_guard.adapters.models.errors import ModelFailedError
from elysia_guard.adapters.models.guarded import ModelCaller
from elysia_guard.domain.question import Lang

Pair = tuple[str, str]
"""A sentence, and the words of the source that it rests on."""
BATCH, REMEMBERED = 8, 10_000


class PairModel(Protocol):
    """A model that reads sentences beside the words of their sources; it blocks its thread."""

    @property
    def model_id(self) -> str:
        """What reads: its name, its digest, and how it is asked."""

    def chances(self, pairs: Sequence[Pair], /) -> Sequence[float]:
        """Return the chance, 0 to 1, that the words of each pair say its sentence.

        Whatever it raises counts as its failure.
        """


class LocalVerifier:
    """Asks a model of this process; see ``ports.Verifier``. Threads may share it.

    All batches of a call have one deadline, and are one success or failure for the breaker. A call
    that is late ends there; its thread ends with the batch that is under way, and nobody else waits
    for it longer than for their own deadline.

    Args:
        model: is asked what is not known.
        caller: sees to deadline and breaker.
        batch: so many pairs are read at once.
        at_most: pairs that are remembered, the last used ones.
    """

    def __init__(
        self,
        model: PairModel,
        caller: ModelCaller,
        *,
        batch: int = BATCH,
        at_most: int = REMEMBERED,
    ) -> None:
        self._model = model
        self._caller = caller
        self._batch = batch
        self._at_most = at_most
        self._lock = threading.Lock()
        self._said: OrderedDict[Pair, float] = OrderedDict()
        # Of its own: an event loop that ends waits for the threads of its default one.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="elysia-guard-verifier")

    @property
    def model_id(self) -> str:
        return self._model.model_id

    async def __call__(self, pairs: Sequence[Pair], /, *, lang: Lang) -> Sequence[float]:
        """Return what was said before, and of the others what the model says now."""
        with self._lock:
            known = {pair: self._said[pair] for pair in pairs if pair in self._said}
        unknown = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        if unknown:
            said = await self._caller.call(partial(self._asked, unknown), purpose="verify")
            known |= dict(zip(unknown, said, strict=True))
        self._remember({pair: known[pair] for pair in pairs})
        return tuple(known[pair] for pair in pairs)

    def close(self) -> None:
        """Begin no further batch; one that is under way ends by itself."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _asked(self, pairs: Sequence[Pair]) -> list[float]:
        loop = asyncio.get_running_loop()
        found: list[float] = []
        for start in range(0, len(pairs), self._batch):
            some = pairs[start : start + self._batch]
            try:
                said = await loop.run_in_executor(self._thread, self._model.chances, some)
            except Exception as err:  # noqa: BLE001  (its library has a class for each failure)
                # What a library writes may hold the texts.
                raise ModelFailedError(f"the verifier failed ({type(err).__name__})") from None
            found += _usable(said, len(some))
        return found

    def _remember(self, said: dict[Pair, float]) -> None:
        with self._lock:
            for pair, chance in said.items():
                self._said[pair] = chance
                self._said.move_to_end(pair)
            while len(self._said) > self._at_most:
                self._said.popitem(last=False)


def _usable(said: Sequence[float], count: int) -> list[float]:
    found = [float(each) for each in said]
    if len(found) != count or not all(math.isfinite(each) and 0 <= each <= 1 for each in found):
        raise ModelFailedError("the verifier gave no chance for each sentence")
    return found
