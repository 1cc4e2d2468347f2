"""What is shown early, told with what it belongs to, written again and left out: all together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.made_writers import ASKED as SMALL
from tests.unit.made_writers import (
    CIM,
    MADE_UP,
    SURE,
    TLS,
    Opinion,
    Scripted,
    says_no,
    seated,
    writing,
)
from tests.unit.small_world import World
from tests.unit.test_writing import ask, types
from tests.writer_server import Asked, Sentence, WriterServer

from elysia_guard import Guard, RAGResponse
from elysia_guard.config import AnswerCacheSection, WriterSection, home, load
from elysia_guard.domain.claim import Claim, Manuscript, Proof, Proved, Support, Told, Written
from elysia_guard.domain.document import Document, DocumentKind, Passage
from elysia_guard.domain.draft import Block, Cited, Draft, Quote
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.origin import Against, Origin, OriginState
from elysia_guard.domain.response import Source
from elysia_guard.domain.shown import Shown
from elysia_guard.stages.answering import written
from elysia_guard.stages.verification.quotes import standing
from elysia_guard.stages.writing import Desk
from elysia_guard.wiring import Wiring

ASKED = "How often are keys rotated?"
FIRST = "Keys are rotated every twelve months by the security team."
BACK = "However, keys of the gateway are rotated every week."
NEXT = "They are kept in a safe."
INVENTED = "Keys were invented in 1842 by Ada Lovelace."
ONE, TWO = "Cards expire after five years.", "They are then destroyed by the security team."


@pytest.fixture
def server() -> Iterator[WriterServer]:
    with WriterServer(copying(FIRST)) as made:
        made.streams = True
        yield made


@pytest.fixture
def guard(tmp_path: Path, server: WriterServer) -> Iterator[Guard]:
    folder = tmp_path / "policies"
    folder.mkdir()
    wrapped = FIRST.replace("by the security team", "by the\n**security team**")
    (folder / "keys.md").write_text(
        f"# Keys\n\n## Rotation\n\n{wrapped} {BACK}\n\n## Safes\n\nA safe is a room.\n\n"
        f"## Cards\n\n{ONE.replace('after', 'after  ')}\n{TWO}\n",
        encoding="utf-8",
    )
    shipped = load(home() / "config" / "guard.yaml", environ={})
    made = shipped.naming("index", kind="sqlite", path=tmp_path / "i.sqlite", sources=[folder])
    writer = WriterSection(kind="language_model", url=server.url, model="m")
    quiet = {
        "log_level": "ERROR",
        "answer_cache": AnswerCacheSection(enabled=False),
        "writer": writer,
    }
    wiring = Wiring(made.model_copy(update=quiet))
    wiring.ensure_index()
    yield Guard(wiring=wiring)
    wiring.close()


def copying(*sentences: str) -> Callable[[Asked], Sequence[Sentence]]:
    """Write sentences, each over itself as its source has it, or over the first."""

    def script(asked: Asked) -> Sequence[Sentence]:
        plain = [" ".join(each["text"].replace("**", "").split()) for each in asked.sources]
        rows = []
        for text in sentences:
            at = next((n for n, each in enumerate(plain, start=1) if text in each), 0)
            rows.append((text, [(at or 1, text if at else plain[0][:40])]))
        return rows

    return script


def streamed(guard: Guard, question: str = ASKED) -> tuple[list[str], RAGResponse]:
    async def heard() -> list[Shown | RAGResponse]:
        return [each async for each in guard.astream(question)]

    *shown, reply = asyncio.run(heard())
    assert isinstance(reply, RAGResponse)
    return [each.text for each in shown if isinstance(each, Shown)], reply


def test_two_that_belong_together_are_shown_once(guard: Guard, server: WriterServer) -> None:
    """A sentence and the one that takes something of it back are told alike; early, too."""
    server.script = copying(FIRST, BACK)
    shown, reply = streamed(guard)
    assert shown
    assert reply.answer.startswith("\n\n".join(shown))
    assert reply.answer.count("However") == 1
    assert "\n\n".join(shown).count("However") == 1
    assert reply.validation
    assert (reply.validation.fields_verified, reply.validation.fields_total) == (1, 1)
    assert guard.ask(ASKED).answer == reply.answer


def test_what_is_written_twice_is_shown_once_early_too(guard: Guard, server: WriterServer) -> None:
    server.script = copying(FIRST, FIRST)
    shown, reply = streamed(guard)
    assert sum("However" in text for text in shown) == 1
    assert reply.answer.count("twelve months") == 1


def test_what_goes_on_is_told_behind_what_it_points_at(guard: Guard, server: WriterServer) -> None:
    """Also where the source has other white space than who copied it."""
    server.script = copying(ONE, TWO)
    shown, reply = streamed(guard, "How long until cards expire?")
    assert reply.answer.startswith("\n\n".join(shown))
    assert reply.answer.count("five years") == 1
    assert f"\n\n{TWO} [source:" in reply.answer


@pytest.mark.parametrize("again", [says_no, lambda _told, _failed: Written(answers=True)])
def test_a_second_writing_of_nothing_takes_nothing_away(
    again: Callable[[Sequence[Told], Sequence[Proved]], Written],
) -> None:
    """What holds of the first is told, and that a sentence of it was left out."""

    def script(told: Sequence[Told], failed: Sequence[Proved]) -> Written:
        if failed:
            return again(told, failed)
        return writing((TLS, TLS), (MADE_UP, TLS))(told, failed)

    reply, *_ = ask(script)
    assert f"{TLS} [source:1]" in reply.answer
    assert types(reply) == ["UNVERIFIED_FIELDS"]
    assert "What else" not in reply.answer
    assert reply.validation
    assert (reply.validation.fields_verified, reply.validation.fields_total) == (1, 2)
    assert not reply.complete


def test_a_second_streamed_writing_of_nothing_takes_nothing_away(
    guard: Guard, server: WriterServer
) -> None:
    server.script = lambda asked: None if asked.failed else copying(FIRST, INVENTED)(asked)
    shown, reply = streamed(guard)
    assert reply.answer.startswith("\n\n".join(shown))
    assert "> " not in reply.answer
    assert reply.validation
    assert (reply.validation.fields_verified, reply.validation.fields_total) == (1, 2)
    assert not reply.complete


def test_what_an_opinion_vouches_for_is_counted_behind_another() -> None:
    """A sentence that begins with the one before it is told without that, and is an opinion's."""
    more = f"{TLS} Encryption is strong."
    reply, *_ = ask(writing((TLS, TLS), (more, TLS)), verifier=Opinion(0.9))
    assert "\n\nEncryption is strong. [source:1]" in reply.answer
    assert reply.validation
    assert (reply.validation.fields_verified, reply.validation.fields_by_opinion) == (2, 1)


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("Keys expire.", "Keys expire. They stay.", "They stay."),
        ("Keys\nexpire.", "**Keys** expire. They stay.", "They stay."),
        ("**Keys expire.**", "Keys expire. They stay.", "They stay."),
        ("Keys expire", "Keys expire never.", "Keys expire never."),
        ("Keys expire.", "Keys expire, mostly.", "Keys expire, mostly."),
        ("Keys last 1.", "Keys last 1.5 years.", "Keys last 1.5 years."),
        ("We do not:", "We do not: share keys.", "We do not: share keys."),
        ("Keys expire.", "KEYS expire. They stay.", "KEYS expire. They stay."),
    ],
)
def test_what_begins_as_the_sentence_before(first: str, second: str, told: str) -> None:
    """A whole sentence is told once, however it is set; half of one is no paragraph."""
    document = Document(id="a", kind=DocumentKind.POLICY, title="A", path="a.md", sha256="")
    passage = Passage(id="a1", document=document, section="", text=ONE, position=0)
    rests = (Support(source=1, words=ONE),)
    shown = tuple(
        Proved(claim=Claim(text=text, supports=rests), proof=Proof.HOLDS)
        for text in (first, second)
    )
    manuscript = Manuscript(passages=(passage,), answers=True, shown=shown)
    world = World()
    draft = written(world.begin(SMALL), manuscript, collection=str)
    assert [block.sentence for block in draft.blocks] == [first, told]


@pytest.mark.parametrize(("gone", "told"), [(False, TWO), (True, f"{ONE} {TWO}")])
def test_what_goes_on_behind_what_is_gone_is_told_whole(gone: bool, told: str) -> None:
    """Else a sentence would point at nothing."""
    kept, other = (
        Document(id=name, kind=DocumentKind.POLICY, title=name, path=f"{name}.md", sha256="a")
        for name in ("kept", "other")
    )
    draft = Draft(
        blocks=(
            Block(sentence=ONE, quotes=(Quote(text=ONE, source=1), Quote(text=ONE, source=2))),
            Block(sentence=TWO, behind=ONE, quotes=(Quote(text=TWO, source=1),)),
        ),
        sources=tuple(source(n, each) for n, each in enumerate((kept, other), start=1)),
        origins=(f"{ONE} {TWO}", ONE),
        cited=(Cited(of=kept), Cited(of=other)),
    )
    state = OriginState.GONE if gone else OriginState.UNCHANGED
    now = [
        Origin(state=OriginState.UNCHANGED, against=Against.FILE),
        Origin(state=state, against=Against.FILE),
    ]
    after, _ = standing(draft, now)
    assert after.blocks[-1].sentence == told


def source(n: int, document: Document) -> Source:
    return Source(
        n=n,
        doc_id=document.id,
        title=document.title,
        quote=ONE,
        section="",
        location=document.path,
        collection="",
        doc_type="policy",
    )


def test_a_part_that_fell_back_to_quotes_is_not_whole() -> None:
    """And what was left out of it is told once."""

    world = World(thresholds=SURE)

    class ByPart(Scripted):
        async def __call__(self, question: str, *args: object, **more: object) -> Written:  # type: ignore[override]
            self.say = writing((TLS, TLS)) if "encrypted" in question else writing((MADE_UP, TLS))
            return await super().__call__(question, *args, **more)  # type: ignore[arg-type]

    seated(ByPart(says_no), world)
    reply = world.reply(world.begin(f"{SMALL} Which domain language do we use?"))
    assert reply.mode is Mode.AUTO
    assert f"{TLS} [source:1]" in reply.answer
    assert "1842" not in repr(reply)
    assert not reply.complete
    told = [item.message for item in reply.warnings if item.type == "UNVERIFIED_FIELDS"]
    assert len(told) == 1
    assert "left out" in told[0]
    assert "left out" not in reply.verified


def test_one_answer_to_several_parts_may_be_kept() -> None:
    """What it cites, every part cites: else it would be written anew each time."""
    world = World(thresholds=SURE)
    desk = Desk(writer=Scripted(writing((CIM, CIM), (TLS, TLS))), clock=world.clock)
    world.pipeline = replace(world.pipeline, desk=desk)
    inquiry = world.begin(f"Which language do we use for the domain? {SMALL}")
    for each in inquiry.every:
        each.mode = Mode.THINKING
    reply = world.reply(inquiry)
    assert reply.mode is Mode.THINKING
    assert "**" not in reply.answer
    assert [len(part.cited) for part in inquiry.every] == [2, 2]


@pytest.mark.parametrize("sentence", [MADE_UP, "We use CIM as the domain language."])
def test_quotes_in_place_of_what_was_written_are_not_whole(sentence: str) -> None:
    """Whether it is invented, or says nothing of what is asked."""
    over = TLS if sentence is MADE_UP else sentence
    reply, *_ = ask(writing((sentence, over)))
    assert reply.mode is Mode.INSTANT
    assert not reply.complete


def test_quotes_are_whole_where_nothing_was_written() -> None:
    reply, *_ = ask(says_no)
    assert reply.mode is Mode.INSTANT
    assert reply.complete
