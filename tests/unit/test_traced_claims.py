"""What holds by code alone: what a source says, in its words, their order and their limits."""

from typing import Any

import pytest

from elysia_guard.domain.claim import Claim, Fault, Proof, Proved, Support, Told
from elysia_guard.domain.question import Lang
from elysia_guard.stages.verification.claims import prove
from elysia_guard.stages.verification.claims import traced as traced_claims
from elysia_guard.stages.verification.claims.said import read


async def proved(
    text: str,
    source: str,
    *,
    lang: Lang = "en",
    asked: Lang = "",
    words: str = "",
    of: str = "",
    status: str = "",
    title: str = "",
) -> Proved:
    names = (of,) if of else ()
    told = [Told(text=source, lang=lang, identifiers=names, status=status, title=title)]
    claim = Claim(text=text, supports=(Support(source=1, words=words or source),))
    return await prove(claim, told, question="", lang=asked or lang)


KEPT = "The owner must replace the old keys within four hours, because attackers are quick."


@pytest.mark.parametrize(
    ("lang", "source", "text"),
    [
        ("en", KEPT, KEPT),
        ("en", KEPT, "The owner must replace the old keys within four hours."),
        ("en", KEPT, "The owner must replace old keys within 4 hours."),
        ("en", "The owner replaces the old keys within four hours.",
         "The old keys are replaced by the owner within 4 hours."),
        ("en", "Keys are kept for 24 months.", "Keys are kept for two years."),
        ("en", "Keys are old. Logs are new.", "Keys are old and logs are new."),
        ("en", "Good: Keys are short-lived.", "Keys are short-lived."),
        ("en", "Decided on 1 March 2024 by the board.", "Decided on 2024-03-01 by the board."),
        ("nl", "De raad besloot op 1 maart 2024, en de auditor was erbij.",
         "De raad besloot op 01-03-2024."),
        ("de", "Der Prüfer informiert den Betreiber binnen zwei Tagen, weil es eilt.",
         "Der Prüfer informiert den Betreiber binnen 2 Tagen."),
        ("fr", "Le comité valide la décision en deux jours, car elle est urgente.",
         "Le comité valide la décision en 2 jours."),
    ],
)  # fmt: skip
async def test_what_the_source_says_holds(lang: Lang, source: str, text: str) -> None:
    assert (await proved(text, source, lang=lang)).proof is Proof.HOLDS


@pytest.mark.parametrize("asked", ["en", "nl", "de", "fr"])
@pytest.mark.parametrize(
    ("lang", "source", "text"),
    [
        ("en", "A key is replaced within four hours.", "A key is replaced after four hours."),
        ("en", "The room has at most ten users.", "The room has at least ten users."),
        ("en", "The nine applications move first.", "The nine applications move last."),
        ("en", "Each design records the state.", "Hardly any design records the state."),
        ("en", "The room makes all copies unreadable.", "The room makes some copies unreadable."),
        ("en", "Keys are old.", "Keys are old, and the deputy registrar is told of it."),
        ("en", "Keys are old.", "Keys are old, because the regulator asked for it."),
        ("en", "The team replaced the board.", "The team was replaced by the board."),
        ("en", "The room grew from 19 to 71 users.", "The room grew from 71 to 19 users."),
        ("en", "Links remain in use until 2027.", "Links remain in use."),
        ("en", "When three runs fail, operators see it.", "Operators see it."),
        ("en", "Ten per cent of the classes count.", "Ten per mille of the classes count."),
        ("en", "More than 0.1 percent opens it.", "More than 1.0 percent opens it."),
        ("en", "The load is more than 5 MW or > 7 MW.", "The load is more than 5 MW or < 7 MW."),
        ("en", "Events are kept without a copy.", "Events are kept with a copy."),
        ("en", "Teams can see the room.", "Teams must see the room."),
        ("en", "Keys are replaced and are shared.", "Keys are allowed to be shared."),
        ("nl", "De sleutel mag worden gedeeld.", "De sleutel moet worden gedeeld."),
        ("nl", "Het duurt 37 procent van de dag.", "Het duurt 37 promille van de dag."),
        ("nl", "Het bericht verschijnt binnen 15 minuten.",
         "Het bericht verschijnt binnen 15 dagen."),
        ("nl", "Alle sleutels zijn van de raad.", "Sommige sleutels zijn van de raad."),
        ("nl", "De brief komt vóór de keuring.", "De brief komt voor de keuring."),
        ("de", "Der Prüfer informiert den Betreiber.", "Den Prüfer informiert der Betreiber."),
        ("de", "Schlüssel, die alt sind, werden ersetzt.", "Schlüssel werden ersetzt."),
        ("de", "Jeder Entwurf nennt den Grund.", "Kaum ein Entwurf nennt den Grund."),
        ("de", "Die Daten sind nicht öffentlich.", "Die Daten sind öffentlich."),
        ("fr", "Le comité peut refuser la demande.", "Le comité doit refuser la demande."),
        ("fr", "Les clés ne sont pas partagées.", "Les clés sont partagées."),
    ],
)  # fmt: skip
async def test_what_turns_it_never_holds(lang: Lang, asked: Lang, source: str, text: str) -> None:
    """Whatever language was asked in."""
    assert (await proved(source, source, lang=lang, asked=asked)).proof is Proof.HOLDS
    assert (await proved(text, source, lang=lang, asked=asked)).proof is not Proof.HOLDS


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("According to ADR-0012, keys are old.", True),
        ("In the decision ADR-0012 keys are old.", True),
        ("ADR-0012 says that keys are old.", True),
        ("ADR-0013 says that keys are old.", False),
        ("ADR-0012 denies that keys are old.", False),
        ("ADR-0012 is superseded.", False),
    ],
)
async def test_a_sentence_may_name_its_own_source(text: str, *, holds: bool) -> None:
    found = await proved(text, "Keys are old.", of="ADR-0012")
    assert (found.proof is Proof.HOLDS) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("According to the key policy, keys are old.", True),
        ("According to the key policy, POL-0012, keys are old.", True),
        ("The key policy (POL-0012) says that keys are old.", True),
        ("The key policy POL-0012 says that keys are old.", True),
        ("According to the key policy, POL-0013, keys are old.", False),
        ("According to the log policy, keys are old.", False),
        ("The key policy denies that keys are old.", False),
        ("According to the key policy keys are not old.", False),
    ],
)
async def test_a_sentence_may_name_its_source_by_title(text: str, *, holds: bool) -> None:
    found = await proved(text, "Keys are old.", of="POL-0012", title="Key policy")
    assert (found.proof is Proof.HOLDS) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("The key policy, POL-0012, turns rules into tasks.", True),
        ("The key policy (POL-0012) turns rules into tasks.", True),
        ("The key policy, POL-0013, turns rules into tasks.", False),
        ("The key policy turns rules (POL-0012) into tasks.", False),
    ],
)
async def test_the_number_of_a_source_may_stand_beside_its_title(text: str, *, holds: bool) -> None:
    source = "The key policy turns rules into tasks."
    found = await proved(text, source, of="POL-0012", title="Key policy")
    assert (found.proof is Proof.HOLDS) is holds


async def test_a_title_that_may_be_a_time_or_a_place_names_no_source() -> None:
    found = await proved("In winter, keys are old.", "Keys are old.", of="A-1", title="Winter")
    assert found.proof is not Proof.HOLDS


CHOSEN = "Chosen option: use short keys, because only the board can change them."


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("ADR-0012 uses short keys.", True),
        ("The decision ADR-0012 uses short keys.", True),
        ("ADR-0012 decides to use short keys.", True),
        ("The chosen option is to use short keys.", True),
        ("ADR-0013 uses short keys.", False),
        ("ADR-0012 never uses short keys.", False),
        ("ADR-0012 may use short keys.", False),
        ("ADR-0012 rejects short keys.", False),
        ("ADR-0012 decides not to use short keys.", False),
        ("The chosen option is not to use short keys.", False),
        ("The option is to use short keys.", False),
        ("The board uses short keys.", False),
    ],
)
async def test_what_was_chosen_may_be_said_of_the_decision(text: str, *, holds: bool) -> None:
    found = await proved(text, CHOSEN, of="ADR-0012", status="accepted")
    assert (found.proof is Proof.HOLDS) is holds


@pytest.mark.parametrize(
    ("source", "status"),
    [
        (CHOSEN, "proposed"),
        (CHOSEN, "superseded by ADR-0013"),
        (CHOSEN.replace("Chosen", "Rejected"), "accepted"),
        (CHOSEN.replace("Chosen", "Considered"), "accepted"),
    ],
)
async def test_what_is_not_in_force_is_not_said_of_the_decision(source: str, status: str) -> None:
    found = await proved("ADR-0012 uses short keys.", source, of="ADR-0012", status=status)
    assert found.proof is not Proof.HOLDS


@pytest.mark.parametrize(
    ("source", "holds"),
    [
        ("Keys are short because no team asked for long ones.", True),
        ("Keys are short, because only the board can change them.", True),
        ("Keys are short because they are cheap and are not shared.", False),
        ("Keys are short because they are cheap unless the board objects.", False),
        ("Keys are short because they are cheap except for the board.", False),
        ("Keys are short because they are cheap, not for the board.", False),
        ("Not all keys are short because no team asked.", False),
        ("Keys are short only if the board agrees.", False),
    ],
)
async def test_a_reason_may_deny_what_it_wants(source: str, *, holds: bool) -> None:
    """It says nothing of the rest; what stands behind it may."""
    assert ((await proved("Keys are short.", source)).proof is Proof.HOLDS) is holds


@pytest.mark.parametrize(
    ("label", "holds"),
    [("Good", True), ("Neutral", True), ("Exception", False), ("Rejected", False)],
)
async def test_a_label_may_go_that_says_only_whose_side_it_is_on(
    label: str, *, holds: bool
) -> None:
    found = await proved("Keys are short.", f"- {label}: Keys are short.")
    assert (found.proof is Proof.HOLDS) is holds


LONG = "Keys of the control room are replaced each year by the security team. Logs are kept."


@pytest.mark.parametrize(
    ("source", "text", "holds"),
    [
        (LONG, f"{LONG.replace('. L', ', and l')}", True),
        (LONG, f"{LONG.replace('. L', '; l')}", True),
        (LONG, f"{LONG.replace('. L', ' l')}", False),
        (LONG, f"{LONG.replace('. L', ', or l')}", False),
        (LONG, f"Logs are kept, and {LONG[:-16].lower()}.", False),
        ("- Kafka, a log-based broker\n- Polling of tables\n- A shared folder",
         "Kafka, a log-based broker; polling of tables; and a shared folder.", True),
        ("- Access for all keys\n- Without a log", "Access for all keys without a log.", False),
    ],
)  # fmt: skip
async def test_several_sentences_may_be_joined(source: str, text: str, *, holds: bool) -> None:
    """In their order, by a word or a mark that says so, and never run into one."""
    assert ((await proved(text, source)).proof is Proof.HOLDS) is holds


KEYS = (
    "The gate checks every key. The store keeps copies. It must be cleaned each year. "
    "If the gate fails, the guard calls the office. The guard writes a report. "
    "In winter, gates are closed. In summer lamps are off. Doors are open. "
    "Exports are allowed if the board agrees."
)


@pytest.mark.parametrize(
    ("first", "joint", "second", "holds"),
    [
        ("The gate checks every key.", " and ", "Doors are open.", True),
        ("The gate checks every key.", " and ", "It must be cleaned each year.", False),
        ("The gate checks every key.", "; ", "It must be cleaned each year.", False),
        ("If the gate fails, the guard calls the office.", " and ", "The guard writes a report.",
         False),
        ("If the gate fails, the guard calls the office.", "; ", "The guard writes a report.",
         True),
        ("In winter, gates are closed.", " and ", "Doors are open.", False),
        ("In summer lamps are off.", " and ", "Doors are open.", False),
        ("In summer lamps are off.", "; ", "Doors are open.", True),
        ("Doors are open.", " and ", "Exports are allowed if the board agrees.", False),
    ],
)  # fmt: skip
async def test_joined_they_say_what_they_say_alone(
    first: str, joint: str, second: str, *, holds: bool
) -> None:
    """No pronoun stands for another thing, and no condition holds for more or for less."""
    text = f"{first[:-1]}{joint}{second[0].lower()}{second[1:]}"
    claim = Claim(text=text, supports=tuple(Support(source=1, words=w) for w in (first, second)))
    found = await prove(claim, [Told(text=KEYS, lang="en")], question="", lang="en")
    assert (found.proof is Proof.HOLDS) is holds


@pytest.mark.parametrize(
    ("lang", "first", "second"),
    [
        ("nl", "De poort controleert elke sleutel.", "Het is sinds maart verouderd."),
        ("nl", "De poort controleert elke sleutel.", "Zij worden elk jaar vervangen."),
        ("de", "Das Tor prüft jeden Schlüssel.", "Sie ist seit März veraltet."),
        ("fr", "La porte contrôle chaque clé.", "Elle est remplacée chaque année."),
    ],
)
async def test_a_pronoun_is_joined_to_nothing(lang: Lang, first: str, second: str) -> None:
    joint = {"nl": "en", "de": "und", "fr": "et"}[lang]
    text = f"{first[:-1]} {joint} {second[0].lower()}{second[1:]}"
    assert (await proved(text, f"{first} {second}", lang=lang)).proof is not Proof.HOLDS
    closed = f"{first[:-1]}; {second[0].lower()}{second[1:]}"
    assert (await proved(closed, f"{first} {second}", lang=lang)).proof is not Proof.HOLDS


async def test_sentences_of_two_sources_are_not_joined() -> None:
    first, second = "The gate checks every key.", "Deletes the copies of guests."
    told = [Told(text=first, lang="en"), Told(text=second, lang="en")]
    supports = (Support(source=1, words=first), Support(source=2, words=second))
    text = "The gate checks every key and deletes the copies of guests."
    found = await prove(Claim(text=text, supports=supports), told, question="", lang="en")
    assert found.proof is not Proof.HOLDS


@pytest.mark.parametrize(
    ("first", "second", "holds"),
    [
        ("sharing of keys", "keys in code", True),
        ("sharing of keys", "keys in the store", False),
        ("The gate checks every key", "keys in the store", False),
    ],
)
async def test_items_of_one_list_alone_are_joined(first: str, second: str, *, holds: bool) -> None:
    """What stands above another list may turn them."""
    source = (
        "The gate checks every key.\n\nForbidden are:\n\n- sharing of keys\n- keys in code\n\n"
        "Allowed are:\n\n- keys in the store\n"
    )
    supports = tuple(Support(source=1, words=words) for words in (first, second))
    claim = Claim(text=f"{first[0].upper()}{first[1:]} and {second}.", supports=supports)
    found = await prove(claim, [Told(text=source, lang="en")], question="", lang="en")
    assert (found.proof is Proof.HOLDS) is holds


async def test_an_item_of_two_lists_is_joined_in_neither() -> None:
    source = "Forbidden:\n\n- old keys\n- new locks\n\nAllowed:\n\n- old keys\n"
    supports = (Support(source=1, words="old keys"), Support(source=1, words="new locks"))
    claim = Claim(text="Old keys and new locks.", supports=supports)
    found = await prove(claim, [Told(text=source, lang="en")], question="", lang="en")
    assert found.proof is not Proof.HOLDS


@pytest.mark.parametrize(
    "text", ["ADR-0013 says that it is old.", "According to ADR-0013, it is old."]
)
async def test_a_pronoun_behind_the_name_of_its_source_is_not_that_source(text: str) -> None:
    source = "The store keeps copies. It is old."
    found = await proved(text, source, words="It is old.", of="ADR-0013")
    assert found.proof is not Proof.HOLDS
    named = text.replace("it is old", "the store keeps copies")
    assert (await proved(named, source, of="ADR-0013")).proof is Proof.HOLDS


async def test_a_question_said_as_a_fact_over_words_in_another_language_does_not_hold() -> None:
    source = "Consumption at a connection is therefore positive."
    text = "Precies deze ADR gaat over het teken van het vermogen bij de connection."
    assert (await proved(text, source, asked="nl")).proof is not Proof.HOLDS


async def test_a_sentence_is_read_in_its_own_language() -> None:
    """An English denial turned fails, whatever language the question was in."""
    source = "The events between the domains are preferred to the calls."
    text = "The events between the domains are not preferred to the calls."
    found = await proved(text, source, asked="nl")
    assert (found.proof, found.findings[0].fault) == (Proof.FAILS, Fault.NEGATION)


@pytest.mark.parametrize(
    "text",
    [
        "No, a device with an old key stays connected for 30 days.",
        "A device with an old key stays connected for 30 days.",
    ],
)
async def test_what_limits_another_clause_is_no_fault(text: str) -> None:
    source = (
        "A device with an old key stays connected for 30 days, because only the grid decides; "
        "a revoked key has no days."
    )
    assert (await proved(text, source)).proof is not Proof.FAILS


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("The room is up 99.95 per cent per month.", "The room is up 99.95 per mille per month."),
        ("There are four restore tests a year.", "There are four fire drills a year."),
        ("Er zijn vier proeven per jaar.", "Er zijn vier audits per jaar."),
    ],
)
async def test_what_is_counted_is_part_of_an_amount(source: str, sentence: str) -> None:
    """The number and the period are the same; of what there are so many is not."""
    claim = Claim(text=sentence, supports=(Support(source=1, words=source),))
    found = await prove(claim, [Told(text=source)], question="How many are there?", lang="en")
    assert found.proof is not Proof.HOLDS
    same = Claim(text=source, supports=(Support(source=1, words=source),))
    found = await prove(same, [Told(text=source)], question="How many are there?", lang="en")
    assert found.proof is Proof.HOLDS


def test_what_may_be_left_out_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of a hundred equal items takes as many looks, and not their square or cube."""
    looked: list[int] = []
    turns = traced_claims._turns

    def counted(*given: Any) -> bool:
        looked.append(given[1])
        return turns(*given)

    monkeypatch.setattr(traced_claims, "_turns", counted)
    said, source = " ".join([*["keys"] * 80, "locks"]), "; ".join([*["keys"] * 108, "locks locks"])
    assert not traced_claims.traced(read(said, "en"), read(source, "en"))
    assert len(looked) == len(set(looked)) <= 110
