"""What a sentence of a source is told with: alone it may say what its document does not."""

from dataclasses import replace

import pytest

from elysia_guard.domain.claim import Claim, Proof, Proved, Support, Told
from elysia_guard.domain.question import Lang
from elysia_guard.stages.verification.claims import prove

VAULTS = "The vault holds keys. The gateway is old. It is replaced every year."
TABLE = "| System | Not supported |\n|---|---|\n| Vault | HTTP |"


async def proved(
    text: str, source: str, words: str = "", *, lang: Lang = "en", heading: str = "", of: str = ""
) -> Proved:
    told = Told(text=source, lang=lang, heading=heading, identifiers=(of,) if of else ())
    claim = Claim(text=text, supports=(Support(source=1, words=words or text),))
    return await prove(claim, [told], question="How are keys handled?", lang=lang)


@pytest.mark.parametrize(
    ("lang", "source", "text", "told"),
    [
        ("en", "We do not:\n\n- store passwords\n- Share keys with suppliers",
         "Share keys with suppliers.", "We do not: Share keys with suppliers."),
        ("en", "**Rejected options**\n- Use Kafka for all events.",
         "Use Kafka for all events.", "**Rejected options**: Use Kafka for all events."),
        ("en", "- We do not:\n  - Share keys with suppliers.",
         "Share keys with suppliers.", "We do not: Share keys with suppliers."),
        ("en", "In an emergency the following applies.\n\n1. Keys are sent by mail.",
         "Keys are sent by mail.", "In an emergency the following applies. Keys are sent by mail."),
        ("en", "For test systems this holds:\n\nKeys are shared by all.",
         "Keys are shared by all.", "For test systems this holds: Keys are shared by all."),
        ("nl", "Wij doen dit niet:\n- Sleutels met derden delen.",
         "Sleutels met derden delen.", "Wij doen dit niet: Sleutels met derden delen."),
        ("de", "Verboten ist:\n- Schlüssel mit Lieferanten zu teilen.",
         "Schlüssel mit Lieferanten zu teilen.",
         "Verboten ist: Schlüssel mit Lieferanten zu teilen."),
        ("fr", "Sont interdits :\n- Le partage des clés.",
         "Le partage des clés.", "Sont interdits : Le partage des clés."),
        ("en", VAULTS, "It is replaced every year.",
         "The gateway is old. It is replaced every year."),
        ("nl", "De kluis is tijdelijk. Deze wordt elke dag geleegd.",
         "Deze wordt elke dag geleegd.", "De kluis is tijdelijk. Deze wordt elke dag geleegd."),
        ("de", "Der Tresor ist alt. Er wird jeden Tag geleert.",
         "Er wird jeden Tag geleert.", "Der Tresor ist alt. Er wird jeden Tag geleert."),
        ("en", "Keys are rotated every year. However, this does not apply to the gateway.",
         "Keys are rotated every year.",
         "Keys are rotated every year. However, this does not apply to the gateway."),
        ("en", "Keys are rotated every year. This is no longer true.",
         "Keys are rotated every year.", "Keys are rotated every year. This is no longer true."),
        ("en", TABLE, "Vault HTTP", "System | Not supported: Vault HTTP"),
    ],
)  # fmt: skip
async def test_a_sentence_is_told_with_what_it_belongs_to(
    lang: Lang, source: str, text: str, told: str
) -> None:
    words = "| Vault | HTTP |" if source is TABLE else text.rstrip(".")
    found = await proved(text, source, words, lang=lang)
    assert found.proof is Proof.HOLDS
    assert found.claim.text == told
    rested = "\n".join(each.words for each in found.claim.supports)
    assert len(found.claim.supports) == 2
    assert all(line.strip("*- ") in source.replace("\n", " ") for line in rested.splitlines())


@pytest.mark.parametrize(
    ("source", "text", "words"),
    [
        ("Are keys rotated every year?", "Are keys rotated every year.", ""),
        ("Keys are rotated every year?", "Keys are rotated every year.", ""),
        ('The supplier says: "Keys stay. Nobody rotates them. Ever." That is wrong.',
         "Nobody rotates them.", ""),
        ('"Keys never expire." That is what the supplier says.', "Keys never expire.", ""),
        ("> Keys stay. Keys never expire.\n\nThat is wrong.", "Keys never expire.", ""),
        ("~~Keys stay. Keys never expire. Keys are old.~~ All of it is new.",
         "Keys never expire.", ""),
        ("<!-- Keys stay.\n\nKeys never expire.\n\nKeys are old. -->\n\nKeys expire.",
         "Keys never expire.", ""),
        ("```\nKeys never expire.\n```\n\nKeys expire.", "Keys never expire.", ""),
        ("It is replaced every year.", "It is replaced every year.", ""),
        ("Is the gateway old? It is replaced every year.", "It is replaced every year.", ""),
        (VAULTS, "The vault holds keys and it is replaced every year.", VAULTS),
        ("Keys expire, but those of the gateway stay.", "Keys expire.",
         "Keys expire, but those of the gateway stay."),
        ("Keys expire, which was proposed in 2020.", "Keys expire.",
         "Keys expire, which was proposed in 2020."),
        ("Keys expire; the gateway keeps its own.", "Keys expire.",
         "Keys expire; the gateway keeps its own."),
        ("We do not:\n- Share keys by mail.\n\nWe do:\n- Share keys by mail.",
         "Share keys by mail.", ""),
    ],
)  # fmt: skip
async def test_what_its_document_does_not_say_alone_does_not_hold(
    source: str, text: str, words: str
) -> None:
    assert (await proved(text, source, words)).proof is not Proof.HOLDS


async def test_items_are_told_under_what_introduces_their_list_once() -> None:
    source = "We do not:\n- store passwords\n- share keys"
    text = "Store passwords and share keys."
    claim = Claim(
        text=text,
        supports=(
            Support(source=1, words="store passwords"),
            Support(source=1, words="share keys"),
        ),
    )
    found = await prove(claim, [Told(text=source)], question="What is done?", lang="en")
    assert (found.proof, found.claim.text) == (Proof.HOLDS, f"We do not: {text}")


async def test_no_pronoun_is_joined_to_what_it_stands_for() -> None:
    text = "The gateway is old and it is replaced every year."
    found = await proved(text, VAULTS, "The gateway is old. It is replaced every year.")
    assert found.proof is Proof.OPEN


async def test_a_heading_that_narrows_stands_in_front() -> None:
    said = "Keys are rotated every ten years."
    assert (await proved(said, said, heading="Test systems")).claim.text == f"Test systems: {said}"
    known = "Keys of test systems are old."
    assert (await proved(known, known, heading="Test systems")).claim.text == known


async def test_a_sentence_on_its_own_document_bears_the_name_of_it() -> None:
    said = "This decision replaces ADR-0009."
    assert (await proved(said, said, of="ADR-0012")).claim.text == f"ADR-0012: {said}"


async def test_a_second_opinion_reads_what_a_sentence_is_told_with() -> None:
    """What is left open says the same, and rests on what introduces its words as well."""
    source = "We do not:\n- Share keys with suppliers"
    found = await proved("Suppliers get keys.", source, "Share keys with suppliers")
    assert found.proof is Proof.OPEN
    assert found.claim.text == "Suppliers get keys."
    assert [each.words for each in found.claim.supports] == [
        "Share keys with suppliers", "We do not:",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Told(text="Keys are old.", heading="Test systems"), Told(text="Logs are new.")),
        (Told(text="Keys are old."), Told(text="Logs are new.", heading="Test systems")),
        (Told(text="Keys are old."), Told(text="This decision is new.", identifiers=("ADR-1",))),
    ],
)
async def test_what_a_heading_or_a_name_is_said_of_is_not_joined_with_another_source(
    one: Told, other: Told
) -> None:
    """In front of both it would be said of both, and left out of neither."""
    text = f"{one.text.rstrip('.')} and {other.text[0].lower()}{other.text[1:]}"
    supports = (Support(source=1, words=one.text), Support(source=2, words=other.text))
    claim = Claim(text=text, supports=supports)
    found = await prove(claim, [one, other], question="How old is it?", lang="en")
    assert found.proof is not Proof.HOLDS
    plain = [replace(each, heading="", identifiers=()) for each in (one, other)]
    found = await prove(claim, plain, question="How old is it?", lang="en")
    assert found.proof is not Proof.HOLDS
