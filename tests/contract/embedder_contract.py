"""What every embedder does, as tests: subclass ``EmbedderContract`` and say how to make one."""

from __future__ import annotations

import asyncio
import math

from elysia_guard.domain.document import DocumentKind
from elysia_guard.ports import Embedder, Vector

TEXTS = (
    "Connections are encrypted with TLS.",
    "Stroomopwaarts meet niemand iets, behalve bij vorst.",
    "Ein Zähler, den niemand abliest, zählt für sich.",
)


def _likeness(one: Vector, other: Vector) -> float:
    return math.fsum(float(a) * float(b) for a, b in zip(one, other, strict=True))


class EmbedderContract:
    """The behaviour of the ``Embedder`` port."""

    def make(self) -> Embedder:
        """Return an embedder; asked once a test."""
        raise NotImplementedError

    def test_vectors_have_the_dimension_and_length_one(self) -> None:
        """So that a product of two is their cosine."""
        embedder = self.make()
        vectors = asyncio.run(_all(embedder))
        assert len(vectors) == len(TEXTS) + 1
        for vector in vectors:
            assert len(vector) == embedder.dimension
            assert math.isclose(_likeness(vector, vector), 1.0, abs_tol=1e-5)

    def test_vectors_come_in_the_order_of_the_texts(self) -> None:
        """Turned round they come turned round, and none depends on its neighbours."""
        embedder = self.make()

        async def both() -> tuple[list[Vector], list[Vector]]:
            there = list(await embedder.embed(TEXTS))
            return there, list(await embedder.embed(TEXTS[::-1]))

        there, back = asyncio.run(both())
        for one, other in zip(there, back[::-1], strict=True):
            assert math.isclose(_likeness(one, other), 1.0, abs_tol=1e-4)

    def test_a_question_is_nearest_to_the_passage_that_says_the_same(self) -> None:
        """Questions and passages are marked as the model wants them, and meet."""
        *passages, question = asyncio.run(_all(self.make()))
        likenesses = [_likeness(question, passage) for passage in passages]
        assert max(likenesses) == likenesses[0]

    def test_nothing_to_embed_is_no_vector(self) -> None:
        """And no error."""
        assert list(asyncio.run(self.make().embed([]))) == []

    def test_it_works_in_one_loop_after_another(self) -> None:
        """Elysia opens one for a question."""
        embedder = self.make()
        one, other = (asyncio.run(embedder.embed_question(TEXTS[0])) for _ in range(2))
        assert math.isclose(_likeness(one, other), 1.0, abs_tol=1e-5)

    def test_the_model_has_a_name(self) -> None:
        """An index refuses the vectors of another."""
        assert self.make().model_id


async def _all(embedder: Embedder) -> list[Vector]:
    question = await embedder.embed_question("Are connections encrypted?", kinds=())
    approved = await embedder.embed_question(
        "Are connections encrypted?", kinds=(DocumentKind.POLICY,)
    )
    assert math.isclose(_likeness(question, approved), 1.0, abs_tol=1e-5)
    return [*await embedder.embed(TEXTS), question]
