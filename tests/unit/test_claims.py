"""Whether code proves what a model wrote from the words that it names for it."""

from collections.abc import Mapping, Sequence

import pytest

from elysia_guard.domain.claim import Claim, Fault, Proof, Proved, Support, Told
from elysia_guard.ports import WordChance
from elysia_guard.stages.verification.claims import prove

BACKUPS = (
    "Backups are kept for 24 months. The storage team tests a restore every quarter. "
    "Shared accounts are prohibited, except for the two sealed emergency accounts. "
    "Logs must not leave the European Union."
)


async def proved(text: str, words: str = "", *, source: str = BACKUPS, **more: str) -> Proved:
    told = [Told(text=source, title="Retention", lang=more.get("source_lang", "en"))]
    claim = Claim(text=text, supports=(Support(source=1, words=words or source),))
    return await prove(claim, told, question=more.get("question", ""), lang=more.get("lang", "en"))


def faults(found: Proved) -> set[Fault]:
    return {each.fault for each in found.findings}


@pytest.mark.parametrize("number", [0, 2, -1])
async def test_a_source_that_was_not_given_shows_nothing(number: int) -> None:
    claim = Claim(text="Backups are kept.", supports=(Support(source=number, words="Backups"),))
    found = await prove(claim, [Told(text=BACKUPS)], question="", lang="en")
    assert (found.proof, faults(found)) == (Proof.FAILS, {Fault.NO_SOURCE})


async def test_a_sentence_that_names_nothing_fails() -> None:
    found = await prove(
        Claim(text="Backups are kept.", supports=()), [Told(text=BACKUPS)], question="", lang="en"
    )
    assert (found.proof, faults(found)) == (Proof.FAILS, {Fault.NO_SOURCE})


@pytest.mark.parametrize("words", ["Backups are kept for 36 months.", "kept", ""])
async def test_words_that_do_not_stand_in_the_source_or_are_too_few_show_nothing(
    words: str,
) -> None:
    claim = Claim(text="Backups are kept.", supports=(Support(source=1, words=words),))
    found = await prove(claim, [Told(text=BACKUPS)], question="", lang="en")
    assert (found.proof, faults(found)) == (Proof.FAILS, {Fault.SNIPPET})


async def test_words_stand_in_the_source_whatever_its_typography() -> None:
    source = "The owner\u2019s  approval \u2014 in **writing** \u2014 is needed."
    found = await proved(
        "The owner's approval in writing is needed.",
        "The owner's approval - in writing - is needed.",
        source=source,
    )
    assert found.proof is Proof.HOLDS


async def test_half_a_sentence_is_held_against_the_whole_of_it() -> None:
    """The exception stands behind the words that were picked."""
    found = await proved("Shared accounts are prohibited.", "Shared accounts are prohibited")
    assert (found.proof, faults(found)) == (Proof.FAILS, {Fault.CONDITION})


@pytest.mark.parametrize(
    "text",
    ["Backups are kept for 24 months.", "Backups are kept for two years.",
     "Backups are kept for twenty-four months."],
)  # fmt: skip
async def test_a_number_may_be_said_in_other_words_and_units(text: str) -> None:
    assert (await proved(text)).proof is Proof.HOLDS


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Backups are kept for 36 months.", Fault.NUMBER),
        ("Backups are kept for three years.", Fault.NUMBER),
        ("Backups are kept for 24 weeks.", Fault.UNIT),
        ("Backups are kept for 24 months since 2021.", Fault.DATE),
        ("ADR-0012 keeps backups for 24 months.", Fault.IDENTIFIER),
        ("Backups are kept for 24 months in `s3_cold`.", Fault.IDENTIFIER),
        ("Backups by Contoso are kept for 24 months.", Fault.NAME),
        ('Backups are "retained forever".', Fault.QUOTATION),
        ("Backups are not kept for 24 months.", Fault.NEGATION),
        ("Logs must leave the European Union.", Fault.NEGATION),
    ],
)
async def test_what_is_surely_wrong_fails(text: str, fault: Fault) -> None:
    found = await proved(text)
    assert found.proof is Proof.FAILS
    assert fault in faults(found)


@pytest.mark.parametrize(
    ("text", "lang", "source", "source_lang"),
    [
        ("Besloten op 1 maart 2024.", "nl", "Decided on 2024-03-01.", "en"),
        ("Decided on March 1, 2024.", "en", "Beschlossen am 1. März 2024.", "de"),
        ("Beschlossen am 01.03.2024.", "de", "Besloten op 1 maart 2024.", "nl"),
    ],
)
async def test_a_date_in_another_form_is_no_fault(
    text: str, lang: str, source: str, source_lang: str
) -> None:
    found = await proved(text, source=source, lang=lang, source_lang=source_lang)
    assert Fault.DATE not in faults(found)


async def test_what_comes_from_the_question_alone_is_shown_by_nothing() -> None:
    found = await proved(
        "Volgens Contoso worden back-ups 24 maanden bewaard.",
        lang="nl",
        question="Wat zegt Contoso over back-ups?",
    )
    assert (found.proof, faults(found)) == (Proof.FAILS, {Fault.NAME})


async def test_what_the_words_do_not_say_is_left_open() -> None:
    found = await proved("Backups are kept for 24 months on encrypted disks abroad.")
    assert (found.proof, faults(found)) == (Proof.OPEN, {Fault.UNSUPPORTED})
    assert "encrypted" in found.findings[0].about


TIERS = "The hot tier costs 5 euros a month, the cold tier costs 2 euros a month."
CODES = "The student number comes from `StudReg`, the staff number comes from `HrCore`."


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        (TIERS, "The cold tier costs 2 euros a month.", "The cold tier costs 5 euros a month."),
        (CODES, "The staff number comes from `HrCore`.", "The staff number comes from `StudReg`."),
        (
            "Class A systems are backed up daily. Class B systems are backed up weekly.",
            "Class B systems are backed up weekly.",
            "Class B systems are backed up daily.",
        ),
    ],
)
async def test_what_belongs_to_another_does_not_hold(source: str, right: str, wrong: str) -> None:
    """Every number and code of the wrong sentence stands in the source, beside something else."""
    assert (await proved(right, source=source)).proof is not Proof.FAILS
    assert (await proved(wrong, source=source)).proof is not Proof.HOLDS


@pytest.mark.parametrize(
    ("text", "proof"),
    [
        ("The auditor reports to the board every month.", Proof.HOLDS),
        ("The auditor reports to the board.", Proof.OPEN),
        ("The board reports to the auditor.", Proof.FAILS),
    ],
)
async def test_who_acts_on_whom_is_not_swapped(text: str, proof: Proof) -> None:
    found = await proved(text, source="The auditor reports to the board every month.")
    assert found.proof is proof


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("The measurements of Contoso are reviewed by Fabrikam.", True),
        ("The measurements of Fabrikam are reviewed by Contoso.", False),
    ],
)
async def test_a_passive_keeps_who_acts(text: str, *, holds: bool) -> None:
    found = await proved(text, source="Fabrikam reviews the measurements of Contoso.")
    assert (found.proof is Proof.HOLDS) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Recordings are kept for at most 400 days.", True),
        ("Recordings are kept for more than 400 days.", False),
        ("Recordings are kept for at least 400 days.", False),
    ],
)
async def test_a_bound_keeps_its_direction(text: str, *, holds: bool) -> None:
    found = await proved(text, source="Recordings are kept for at most 400 days.")
    assert (found.proof is Proof.HOLDS) is holds


@pytest.mark.parametrize(
    ("source", "text", "lang", "holds"),
    [
        ("Owners must sign the form.", "Owners must sign the form.", "en", True),
        ("Owners should sign the form.", "Owners must sign the form.", "en", False),
        ("Owners may sign the form.", "Owners must sign the form.", "en", False),
        ("Eigentümer müssen das Formular nicht unterschreiben.",
         "Eigentümer dürfen das Formular nicht unterschreiben.", "de", False),
        ("Eigenaren mogen het formulier niet tekenen.",
         "Eigenaren mogen het formulier niet tekenen.", "nl", True),
    ],
)  # fmt: skip
async def test_a_duty_stays_one(source: str, text: str, lang: str, *, holds: bool) -> None:
    found = await proved(text, source=source, lang=lang, source_lang=lang)
    assert (found.proof is Proof.HOLDS) is holds


async def test_a_number_may_be_a_case_of_a_rule() -> None:
    found = await proved(
        "With a lag of 45 seconds the engineer stops.",
        source="The engineer stops if the lag is more than 30 seconds.",
    )
    assert found.proof is Proof.OPEN


async def test_a_row_of_a_table_is_read_under_its_head() -> None:
    source = "| Record | Period |\n|---|---|\n| Invoice | 7 years |\n| Contract | 10 years |"
    right, wrong = "The period of a contract is 10 years.", "The period of a contract is 7 years."
    assert (await proved(right, source=source)).proof is Proof.OPEN
    assert (await proved(wrong, source=source)).proof is not Proof.HOLDS


async def test_two_sources_may_show_one_comparison() -> None:
    told = [Told(text="Plan A costs 5 euros."), Told(text="Plan B costs 7 euros.")]
    supports = (
        Support(source=1, words="Plan A costs 5 euros."),
        Support(source=2, words="Plan B costs 7 euros."),
    )
    claim = Claim(text="Plan A costs 5 euros and plan B costs 7 euros.", supports=supports)
    assert (await prove(claim, told, question="", lang="en")).proof is not Proof.FAILS


async def test_a_document_may_be_named_as_its_source_is() -> None:
    told = [Told(text="Backups are kept for two years.", identifiers=("ADR-0012", "ADR.12"))]
    support = Support(source=1, words="Backups are kept for two years.")
    claim = Claim(text="Under ADR.12 backups are kept for two years.", supports=(support,))
    assert (await prove(claim, told, question="", lang="en")).proof is Proof.HOLDS


async def test_nothing_of_it_fails() -> None:
    found = await proved("Penguins breed on ice.")
    assert (found.proof, faults(found)) == (Proof.FAILS, {Fault.UNSUPPORTED})


async def test_the_same_sentence_is_found_alike_every_time() -> None:
    found = {await proved("Backups are kept for two years.") for _ in range(20)}
    assert len(found) == 1


@pytest.mark.parametrize(
    ("text", "source", "lang", "source_lang"),
    [
        ("Wachtwoorden in de database.", "Passwords in the database.", "nl", "en"),
        ("Der Kontrakt.", "The contract is signed here.", "de", "en"),
        ("De configuratie.", "The configuration is here.", "nl", "en"),
    ],
)
async def test_words_of_another_language_are_known_by_the_glossary_and_by_their_form(
    text: str, source: str, lang: str, source_lang: str
) -> None:
    """Known, so no fault; that they say the same is for a second opinion to tell."""
    found = await proved(text, source=source, lang=lang, source_lang=source_lang)
    assert found.proof is Proof.OPEN
    assert found.findings[0].about == ""


async def test_words_that_mean_alike_are_as_told() -> None:
    async def alike(
        _words: Sequence[str], _others: Sequence[str]
    ) -> Mapping[str, Mapping[str, float]]:
        return {"purged": {"deleted": 1.0}}

    claim = Claim(text="Logs are purged.", supports=(Support(source=1, words="Logs are deleted."),))
    told = [Told(text="Logs are deleted.")]
    found = await prove(claim, told, question="", lang="en")
    assert (found.proof, found.findings[0].about) == (Proof.OPEN, "purged")
    found = await prove(claim, told, question="", lang="en", alike=alike)
    assert (found.proof, found.findings[0].about) == (Proof.OPEN, "")


async def test_common_words_count_less() -> None:
    """What shares only a common word with its source shares nothing."""

    async def chances(words: Sequence[str], /) -> Mapping[str, WordChance]:
        return {word: WordChance(-9.0 if word == "takes" else -20.0, True) for word in words}

    source = "The transformer station takes a breaker."
    support = Support(source=1, words=source)
    claim = Claim(text="It takes icebergs and penguins.", supports=(support,))
    told = [Told(text=source)]
    assert (await prove(claim, told, question="", lang="en")).proof is Proof.OPEN
    found = await prove(claim, told, question="", lang="en", chances=chances)
    assert found.proof is Proof.FAILS


@pytest.mark.parametrize(
    ("text", "proof"),
    [
        ("Three teams sign: audit, legal and finance.", Proof.OPEN),
        ("Nine teams sign: audit, legal and finance.", Proof.FAILS),
        ("Ninety teams sign: audit, legal and finance.", Proof.FAILS),
    ],
)
async def test_what_a_source_lists_may_be_counted(text: str, proof: Proof) -> None:
    found = await proved(text, source="The teams that sign are: audit, legal and finance.")
    assert found.proof is proof


async def test_a_reference_is_known_by_kind_and_number() -> None:
    source = "This decision replaces ADR-0009 and follows PCP-0010."
    right = await proved("This decision replaces ADR.9 and follows PCP.10.", source=source)
    wrong = await proved("This decision replaces ADR-0010.", source=source)
    assert right.proof is Proof.HOLDS
    assert (wrong.proof, Fault.IDENTIFIER in faults(wrong)) == (Proof.FAILS, True)


async def test_a_row_under_a_sentence_is_read_as_one() -> None:
    source = (
        "Periods are these:\n| Record | Period |\n|---|---|\n| Invoice | 7 years |\nThat is all."
    )
    found = await proved(
        "The period of an invoice is 7 years.", "| Invoice | 7 years |", source=source
    )
    assert found.proof is Proof.OPEN


async def test_the_particulars_of_an_item_stay_with_it() -> None:
    source = (
        "- D-11 All vehicles are electric. Owner: Fleet.\n- D-12 Noise is published. Owner: Air."
    )
    assert (await proved("The owner of D-12 is Fleet.", source=source)).proof is not Proof.HOLDS


@pytest.mark.parametrize("code", ["orderId", "order_id", "#orders", "orders-db.internal", "v2"])
async def test_a_code_that_no_source_has_fails(code: str) -> None:
    right = await proved(f"Backups go to {code} now.", source=f"Backups go to {code} now.")
    wrong = await proved(f"Backups go to {code} now.", source="Backups go to the vault now.")
    assert right.proof is Proof.HOLDS
    assert (wrong.proof, Fault.IDENTIFIER in faults(wrong)) == (Proof.FAILS, True)


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("The option `{}` limits what a search returns.", "quota"),
        ("The option `{}` limits what a search returns.", "topN"),
        ("What limits a search is {}: number.", "topN"),
        ("The parameter {} limits what a search returns.", "topN"),
        ("Call index.{}() to run the search.", "quota"),
    ],
)
async def test_a_field_that_no_source_has_is_not_shown(form: str, name: str) -> None:
    """In each of the forms in which ADR-0031 looks for them."""
    right = await proved(form.format(name), source=form.format(name))
    wrong = await proved(form.format(name), source=form.format("depth"))
    assert right.proof is Proof.HOLDS
    assert wrong.proof is not Proof.HOLDS


async def test_marks_on_letters_make_no_other_word() -> None:
    found = await proved(
        "Le dépôt est prêt.", source="Le depot est pret.", lang="fr", source_lang="fr"
    )
    assert found.proof is Proof.HOLDS


@pytest.mark.parametrize("text", ["", "...", "backups " * 200])
async def test_what_is_no_sentence_fails(text: str) -> None:
    found = await proved(text)
    assert (found.proof, faults(found)) == (Proof.FAILS, {Fault.UNSUPPORTED})


@pytest.mark.parametrize("text", ["It is so.", "Yes, it does."])
async def test_what_says_nothing_does_not_hold(text: str) -> None:
    assert (await proved(text)).proof is not Proof.HOLDS


@pytest.mark.parametrize(("lang", "source_lang"), [("xx", "en"), ("en", "xx"), ("xx", "xx")])
async def test_a_language_without_a_pack_is_compared_by_its_forms(
    lang: str, source_lang: str
) -> None:
    right = await proved("Copias 24 months.", source="Copias 24 months.", lang="en")
    assert right.proof is Proof.HOLDS
    other = await proved(
        "Las copias se guardan 36.", source="Las copias se guardan 24.",
        lang=lang, source_lang=source_lang,
    )  # fmt: skip
    assert (other.proof, faults(other)) == (Proof.FAILS, {Fault.NUMBER})


@pytest.mark.parametrize("word", ["honderd" * 140, "a1" * 450, "zwei" * 240])
async def test_endless_words_are_read_in_time(word: str) -> None:
    """A fault here would end in a recursion, or not at all."""
    source = f"{word} is here. {BACKUPS}"
    found = await proved(f"{word} is here.", f"{word} is here.", source=source)
    assert found.proof is Proof.HOLDS
