"""What every ``AnswerStore`` must do: inherit it in a test class, with fixtures.

``store`` is an empty store and ``clock`` the ``FakeClock`` that its times are told by.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from elysia_guard.domain.conversation import Conversation, Focus
from elysia_guard.domain.document import Approval, Document, DocumentKind
from elysia_guard.domain.quality import RetrievalQuality, TransparencyStatement
from elysia_guard.domain.question import Reference
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.response import RAGResponse, ResponseWarning, Source, Validation
from elysia_guard.domain.saved import KeptAnswer, KeptSource
from elysia_guard.ports import AnswerStore
from elysia_guard.testing.clock import FakeClock

_DOCUMENT = Document(
    id="ADR-0012",
    kind=DocumentKind.DECISION,
    title="Gebruik CIM",
    path="a/ü.md",
    sha256="0" * 64,
    number=12,
    approvals=(Approval(approvers=("Name: A; Role: B",)),),
)
_QUALITY = RetrievalQuality.from_retrieval(0.9, ())
ANSWER = KeptAnswer(
    response=RAGResponse(
        answer="Ωμέγα: \u2018CIM\u2019 [source:1]",
        request_id="req-1",
        route="direct",
        lang="nl",
        intent="open",
        retrieval_quality=_QUALITY,
        transparency=TransparencyStatement.from_quality(_QUALITY),
        sources=(
            Source(
                n=1,
                doc_type="ADR",
                doc_id="ADR-0012",
                title="Gebruik CIM",
                collection="ADR",
                quote="CIM",
                distance=0.25,
            ),
        ),
        warnings=(ResponseWarning(type="SUPERSEDED", message="m", details={"by": ["ADR-0013"]}),),
        validation=Validation(
            sources_verified=1, sources_total=1, confidence=1.0, against=("file",)
        ),
    ),
    verdicts=(
        Verdict(
            outcome=Outcome.ANSWER,
            confidence=0.9,
            readings=(
                GateReading(
                    gate="distance",
                    passed=False,
                    value=0.25,
                    threshold="a name",
                    source="default",
                    reason=RefusalReason.LOW_CONFIDENCE,
                ),
                GateReading(gate="found", passed=True, value=2, threshold=1, source="rule"),
            ),
        ),
    ),
    given_at=datetime(2026, 11, 23, 12, 0, 0, 5, tzinfo=UTC),
    aftermath=Conversation(
        focus=(
            Focus(
                question="Waarom CIM?",
                lang="nl",
                documents=(Reference(number=12, written="ADR 12", kind=DocumentKind.DECISION),),
            ),
        ),
        settled={"cim": "https://vocab.example/cim"},
    ),
    sources=(
        KeptSource(id="ADR-0012", digest="d", document=_DOCUMENT),
        KeptSource(id="https://vocab.example/cim", digest="e"),
    ),
)
"""An answer in which each kind of value occurs."""
OTHER = replace(ANSWER, response=replace(ANSWER.response, answer="Another"))


class AnswerStoreContract:
    """The behaviour of the ``AnswerStore`` port."""

    async def test_what_is_kept_comes_back_whole(self, store: AnswerStore) -> None:
        """To the last field, in any script; under its own key alone."""
        assert await store.get("k") is None
        await store.put("k", ANSWER, ttl_s=60)
        assert await store.get("k") == ANSWER
        assert await store.get("K") is None

    async def test_each_has_its_own_time_to_live(
        self, store: AnswerStore, clock: FakeClock
    ) -> None:
        """To the moment."""
        await store.put("short", ANSWER, ttl_s=120)
        await store.put("long", OTHER, ttl_s=900)
        clock.advance(119.5)
        assert await store.get("short") == ANSWER
        clock.advance(0.5)
        assert await store.get("short") is None
        clock.advance(779)
        assert await store.get("long") == OTHER
        clock.advance(1)
        assert await store.get("long") is None

    async def test_a_scope_is_forgotten_whole_and_alone(self, store: AnswerStore) -> None:
        """Whatever else an answer belongs to; another scope of a like name stays."""
        await store.put("a", ANSWER, ttl_s=60, scopes=("index 1", "vocabulary 1"))
        await store.put("b", ANSWER, ttl_s=60, scopes=("index 1", "vocabulary 2"))
        await store.put("c", ANSWER, ttl_s=60, scopes=("index 12", "vocabulary 1"))
        await store.put("d", ANSWER, ttl_s=60)
        await store.forget("index 1")
        await store.forget("nobody knows this one")
        kept = [key for key in "abcd" if await store.get(key)]
        assert kept == ["c", "d"]
        await store.put("a", OTHER, ttl_s=60, scopes=("index 1",))
        assert await store.get("a") == OTHER
