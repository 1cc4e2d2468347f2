"""From the question to the definition: the shipped vocabulary, and how an answer tells it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.small_world import inquiry, question, read, term_of, verdict

from elysia_guard.adapters.skos_file import SkosFile
from elysia_guard.adapters.skos_rdf import read_concepts
from elysia_guard.domain.concept import Concept, LabelRole, TermMatch
from elysia_guard.domain.definitions import Definitions, Sense
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import IntentKind, Lang
from elysia_guard.domain.reading import Comparison, Definition, Search
from elysia_guard.language import definitions
from elysia_guard.language.definitions import terminology_term
from elysia_guard.language.pack import langs
from elysia_guard.reading.forms import read_form
from elysia_guard.reading.meanings import meant
from elysia_guard.stages import answering, terminology, verification
from elysia_guard.testing.terminology import ASSET, CIM_DUMP, METER, REGULATED_ASSET, TRANSFORMER

TERMINOLOGY, OPEN = IntentKind.TERMINOLOGY, IntentKind.OPEN
VOCABULARY = Path(__file__).parents[2] / "data" / "vocabulary" / "vennet.ttl"
AT_ONCE_S = 2.0
LONG = 9
"""Letters of a word that is surely no other word without one of them."""
URI = "https://vocab.vennet.example/"


@pytest.fixture(scope="module")
def source() -> SkosFile:
    return SkosFile.load([VOCABULARY])


async def found(source: SkosFile, query: str, lang: Lang) -> Definitions:
    part = await meant(source, read_form(question(query)), lang)
    asks = part.asks
    assert isinstance(asks, Definition | Comparison | Search)
    return await terminology.look_up(source, asks, lang)


@pytest.mark.parametrize(
    ("query", "lang", "uris"),
    [
        ("Everyone says TSO, what's that?", "en", ["grid/transmission-system-operator"]),
        ("They talk about the N-1 rule. Definition please", "en", ["grid/n-1-criterion"]),
        ("What is a prompt injecton attack?", "en", ["it/prompt-injection"]),
        ("Wat is een middenspaningsruimte?", "nl", ["grid/distribution-substation"]),
        ("What do we mean by hallucinations when models talk?", "en", ["it/hallucination"]),
        ("I see an mRID on every object. What is it?", "en", ["grid/mrid"]),
        ("He drew a busbar thing for me. Definition please", "en", ["grid/busbar"]),
        (
            "TSO versus DSO",
            "en",
            ["grid/transmission-system-operator", "grid/distribution-system-operator"],
        ),
        ("What is a disconector?", "en", ["grid/disconnector"]),
        ("BESS: what is that for a layman, please", "en", ["grid/battery-storage"]),
        ("Curtailment - a quick explanation please", "en", ["grid/curtailment"]),
        ("busbar?? heard it on site, what is it to us", "en", ["grid/busbar"]),
        ("Could anyone at the desk tell me what feeders are", "en", ["grid/feeder"]),
        (
            "We'd be happy with the exact meaning of islanding, it is for a leaflet",
            "en",
            ["grid/islanding"],
        ),
        ("abbreviation SAIDI", "en", ["grid/saidi"]),
        (
            "The fitter pointed at it and called it the P1 port. Meaning of the word?",
            "en",
            ["grid/p1-port"],
        ),
        ("What do we mean by redispatch towards producers?", "en", ["grid/redispatch"]),
        ("Spanningskwaliteit, korte uitleg graag", "nl", ["grid/power-quality"]),
        (
            "Zou iemand mij in eenvoudige woorden willen uitleggen wat blindvermogen is",
            "nl",
            ["grid/reactive-power"],
        ),
        ("het begrip congestie", "nl", ["grid/congestion"]),
        ("Sammelschiene: einfach erkl\u00e4rt, bitte", "de", ["grid/busbar"]),
        (
            "K\u00f6nnte mir jemand aus dem Betrieb sagen, was Redispatch ist?",
            "de",
            ["grid/redispatch"],
        ),
        ("Begriff Netzengpass", "de", ["grid/congestion"]),
        ("What does droop control mean?", "en", []),
        ("'open by default' - what do they mean by it towards suppliers?", "en", []),
        ("Explanation of the word gridlock", "en", []),
        ("What is the attack rule?", "en", []),
        ("What is a macrogrid?", "en", []),
        ("What does N-2 criterion mean?", "en", []),
    ],
)
async def test_what_is_asked_finds_its_concept(
    source: SkosFile, query: str, lang: Lang, uris: Sequence[str]
) -> None:
    """Inflected, with a slip, with a noun too many, or mentioned before it is asked for."""
    evidence = await found(source, query, lang)
    senses = [evidence.matches, *(sense.matches for sense in evidence.compared)]
    concepts = [match.concept.uri for matches in senses for match in matches]
    assert concepts == [URI + uri for uri in uris]


async def test_one_slip_in_each_long_label_never_brings_another_concept(source: SkosFile) -> None:
    """The concept itself or nothing: each label, with its fifth letter left out."""
    labels = [(item, label) for item in read_concepts([VOCABULARY]) for label in item.preferred]
    mended = 0
    for concept, label in labels:
        first, *others = label.value.split()
        if len(first) >= LONG and first.isalpha():
            slip = " ".join([first[:4] + first[5:], *others])
            lang = next(known for known in langs() if known == label.lang)
            evidence = await found(source, f"Define {slip}", lang)
            assert {item.concept.uri for item in evidence.matches} <= {concept.uri}, slip
            mended += len(evidence.matches)
    assert mended > len(labels) / 4


def match(concept: Concept) -> TermMatch:
    return TermMatch(concept=concept, label=concept.preferred[0], role=LabelRole.PREFERRED)


def drafted(evidence: Evidence) -> Draft:
    under_way = inquiry("What is it?", evidence=evidence, verdict=verdict())
    made = answering.draft(under_way, collection=lambda _: "Vocabulary_Ollama")
    checked = verification.verify(made)
    assert checked.sources_verified == checked.sources_total
    return made


def test_another_label_than_the_one_written_is_told_first() -> None:
    """Before the definition, so that nobody takes it for that of another word."""
    made = drafted(Definitions(matches=(match(METER),), looked_at=("V",), written="metre"))
    first, second = made.blocks
    assert first.notes == ("You wrote 'metre'; the vocabulary has 'meter'.",)
    assert second.heading == "**meter**"
    assert len(made.sources) == 1


def test_compared_terms_are_quoted_each_with_its_source() -> None:
    """Word for word, side by side."""
    other = Sense(term="transformer", matches=(match(TRANSFORMER),))
    made = drafted(Definitions(matches=(match(METER),), looked_at=("V",), compared=(other,)))
    assert [quote.text for block in made.blocks for quote in block.quotes] == [
        METER.definitions[0].value,
        TRANSFORMER.definitions[0].value,
    ]
    assert [item.doc_id for item in made.sources] == [METER.uri, TRANSFORMER.uri]


@pytest.mark.parametrize(
    ("concepts", "said"),
    [
        ((), "'x' is not a term of the vocabulary V"),
        ((ASSET, REGULATED_ASSET), "'x' means more than one thing in the vocabulary V"),
        ((CIM_DUMP,), "'x' is a deprecated term of the vocabulary V"),
        ((replace(METER, definitions=()),), "The vocabulary V lists 'x' but gives no definition"),
    ],
)
def test_why_a_compared_term_is_not_defined_is_told(concepts: Sequence[Concept], said: str) -> None:
    """By name, beside the definition of the other."""
    other = Sense(term="x", matches=tuple(map(match, concepts)))
    made = drafted(Definitions(matches=(match(METER),), looked_at=("V",), compared=(other,)))
    (note,) = made.blocks[-1].notes
    assert note.startswith(said)
    assert len(made.sources) == 1


@pytest.mark.parametrize(
    ("query", "term"),
    [
        ("SCADA: what's that in simple words?", "SCADA"),
        ("Load shedding, can somebody explain that?", "Load shedding"),
        ("islanding = ?", "islanding"),
        ("RTU means what exactly?", "RTU"),
        ("feeder, in layman's terms: what is it?", "feeder"),
        ("SAIDI, wat is dat in gewone taal?", "SAIDI"),
        ("RTU?? Wat moet ik me daarbij voorstellen?", "RTU"),
        ("aggregator: wat wordt daarmee bedoeld, in eenvoudige woorden", "aggregator"),
        ("SCADA - was ist das in einfachen Worten?", "SCADA"),
        ("Sammelschiene, kurze Begriffserkl\u00e4rung", "Sammelschiene"),
        ("Netzengpass: was soll ich mir darunter vorstellen?", "Netzengpass"),
        ("Could anyone on the market desk tell me what an aggregator is?", "aggregator"),
        (
            "I would appreciate the definition of load shedding for our annual report",
            "load shedding",
        ),
        ("We'd be glad to get the exact meaning of islanding, the regulator asked", "islanding"),
        (
            "Would someone from IT be willing to explain what a substation gateway is?",
            "substation gateway",
        ),
        ("I'd be thankful if you could tell me what curtailment means", "curtailment"),
        ("It would help me to know what a busbar is", "busbar"),
        ("Might I trouble you for the definition of power factor", "power factor"),
        ("Is anybody able to say what GOPACS stands for?", "GOPACS"),
        ("Can you tell me in plain words what redispatch means", "redispatch"),
        ("Can you please explain to a new colleague what redispatch means?", "redispatch"),
        ("I'm trying to understand what reactive power is", "reactive power"),
        ("Who can tell me what a feeder is?", "feeder"),
        ("I was hoping you could explain what BESS stands for", "BESS"),
        ("Hi all, could one of you at operations tell me what a ring main is?", "ring main"),
        ("Please be so good as to tell me what a fuse is", "fuse"),
        ("For a training slide I need the definition of tap changer", "tap changer"),
        ("Zou iemand van netbeheer me kunnen vertellen wat een rail is", "rail"),
        (
            "Ik ben op zoek naar de juiste definitie van energiehub, voor een poster",
            "energiehub",
        ),
        ("Kun je mij in eenvoudige woorden uitleggen wat blindvermogen is?", "blindvermogen"),
        ("Graag de definitie van redispatch, we willen die in een brief gebruiken", "redispatch"),
        ("Ik hoor graag wat een aggregator is", "aggregator"),
        ("Wil je mij in het kort zeggen wat congestie inhoudt", "congestie"),
        ("Wie kan mij vertellen wat een smeltveiligheid is?", "smeltveiligheid"),
        ("Ik zou het fijn vinden als je kunt uitleggen waar RTU voor staat", "RTU"),
        ("Kunnen jullie de nieuwe collega's even vertellen wat netverlies betekent?", "netverlies"),
        ("Het zou helpen om te weten wat SAIDI betekent", "SAIDI"),
        ("Kannst du mir in einfachen Worten sagen, was Redispatch bedeutet?", "Redispatch"),
        (
            "K\u00f6nnte mir jemand aus dem Netzbetrieb erkl\u00e4ren, was eine Sammelschiene ist",
            "Sammelschiene",
        ),
        (
            "Ich w\u00e4re dankbar f\u00fcr eine kurze Definition von Lastabwurf, es eilt",
            "Lastabwurf",
        ),
        ("Ich h\u00e4tte gern die Definition von Blindleistung", "Blindleistung"),
        ("Mich w\u00fcrde interessieren, was ein Aggregator ist", "Aggregator"),
        ("Wer kann mir sagen, was ein Abzweig ist?", "Abzweig"),
        ("Es w\u00fcrde mir helfen zu wissen, wof\u00fcr BESS steht", "BESS"),
        ("Ich suche die genaue Bedeutung von Netzengpass, der Kunde fragt danach", "Netzengpass"),
        (
            "W\u00e4ren Sie so freundlich, mir zu erkl\u00e4ren, was Inselbetrieb bedeutet?",
            "Inselbetrieb",
        ),
        ("the term curtailment", "curtailment"),
        ("the term 'load shedding', please", "load shedding"),
        ("abbreviation BESS", "BESS"),
        ("acronym SAIDI?", "SAIDI"),
        ("explanation of the term reactive power", "reactive power"),
        ("afkorting RTU", "RTU"),
        ("het begrip netverlies", "netverlies"),
        ("uitleg begrip aansluiting", "aansluiting"),
        ("betekenis afkorting RTU", "RTU"),
        ("begrip: hallucinatie", "hallucinatie"),
        ("toelichting op het begrip blindvermogen graag", "blindvermogen"),
        ("Begriff Sammelschiene", "Sammelschiene"),
        ("Abk\u00fcrzung SAIDI", "SAIDI"),
        ("Der Begriff Lastabwurf, bitte", "Lastabwurf"),
        ("Erkl\u00e4rung des Begriffs Netzengpass", "Netzengpass"),
        ("Begriffserkl\u00e4rung Redispatch", "Redispatch"),
        ("Worterkl\u00e4rung: Blindleistung", "Blindleistung"),
        (
            "The installer pointed at a socket and called it the P1 port. Definition of the word?",
            "P1 port",
        ),
        (
            "A supplier wrote us about what he calls an EAN code. What is meant by that term?",
            "EAN code",
        ),
        ("De monteur noemde het een PV-partij. Betekenis van het woord?", "PV-partij"),
        ("Er nannte es ein L-gas. Bedeutung des Begriffs?", "L-gas"),
        ("A colleague described it as a ring main. What does the expression mean?", "ring main"),
        ("whats SAIDI mean", "SAIDI"),
        ("What's BRP short for?", "BRP"),
        ("what is a black start supposed to be", "black start"),
        ("what should I understand by a busbar", "busbar"),
        ("How would you define feeder?", "feeder"),
        ("wat moet ik verstaan onder SAIDI", "SAIDI"),
        ("waar is RTU een afkorting van?", "RTU"),
        ("wat wil congestie zeggen?", "congestie"),
        ("Wof\u00fcr ist BESS die Abk\u00fcrzung?", "BESS"),
        ("Was habe ich unter Lastabwurf zu verstehen?", "Lastabwurf"),
        ("Was darf ich mir unter einer Sammelschiene vorstellen?", "Sammelschiene"),
        ("Was soll ein Aggregator sein?", "Aggregator"),
        ("hydrogen blending: what am I to understand by that?", "hydrogen blending"),
        ("odorisation \u2014 what is that supposed to mean, in one sentence", "odorisation"),
        ("FCR stands for what?", "FCR"),
        ("SCL, what do those letters stand for", "SCL"),
        (
            "I would be happy with the proper definition of allocation; our accountants want it",
            "allocation",
        ),
        (
            "Is there someone who can explain to a newcomer what reconciliation means?",
            "reconciliation",
        ),
        ("Sorry to bother you, but could anyone tell me what a load profile is", "load profile"),
        ("My boss asked me to find out what an mRID is", "mRID"),
        ("We are writing a brochure and need the definition of energy hub.", "energy hub"),
        ("For my thesis I would like to know what a usage point is", "usage point"),
        ("Would it be possible to explain what a logical node is?", "logical node"),
        ("Does any of you know what GOOSE means?", "GOOSE"),
        ("May I ask what CGMES is in simple words?", "CGMES"),
        ("I'd like the meaning of demand response in one sentence", "demand response"),
        ("Nobody could tell me what zero trust means", "zero trust"),
        ("Mag ik vragen wat een energiehub is, in \u00e9\u00e9n zin?", "energiehub"),
        ("Is er iemand die me kan uitleggen wat een belastingprofiel is?", "belastingprofiel"),
        ("Voor een folder hebben we de definitie van allocatie nodig", "allocatie"),
        ("Weet een van jullie waar MDM voor staat?", "MDM"),
        ("Mijn baas wil weten wat groengas is", "groengas"),
        ("Ik snap niet goed wat reconciliatie betekent, kan iemand helpen?", "reconciliatie"),
        ("Zouden jullie mij voor een spreekbeurt willen vertellen wat waterstof is?", "waterstof"),
        ("netcode, wat moet ik daaronder verstaan?", "netcode"),
        ("Darf ich fragen, was ein Lastprofil ist?", "Lastprofil"),
        ("Mein Chef m\u00f6chte wissen, was ein Bilanzkreis ist", "Bilanzkreis"),
        ("Wir brauchen f\u00fcr einen Flyer die Definition von Wasserstoff", "Wasserstoff"),
        ("Wei\u00df einer von euch, wof\u00fcr FCR steht?", "FCR"),
        ("Ich verstehe nicht, was ein Fahrplan ist, kann jemand helfen?", "Fahrplan"),
        ("H\u00e4tten Sie f\u00fcr mich die genaue Definition von Odorierung?", "Odorierung"),
        ("Regelleistung, was habe ich darunter zu verstehen?", "Regelleistung"),
        ("the concept of flexibility, definition please", "flexibility"),
        ("the expression 'ramp rate'", "ramp rate"),
        ("the acronym FSP", "FSP"),
        ("Meaning of the abbreviation BRP", "BRP"),
        ("de term congestie", "congestie"),
        ("de afkorting ODA", "ODA"),
        ("Omschrijving van het begrip flexibiliteit", "flexibiliteit"),
        ("Definition des Begriffs Flexibilit\u00e4t", "Flexibilit\u00e4t"),
        ("das K\u00fcrzel VNB", "VNB"),
        ("Bedeutung des Wortes Lastfluss", "Lastfluss"),
        (
            "The lawyer calls it a group contract area. Meaning of that expression?",
            "group contract area",
        ),
        ("De klant noemt het een KV-aansluiting. Wat betekent die term?", "KV-aansluiting"),
        ("On site they called this the tap changer. What's the definition?", "tap changer"),
        ("LN. What does that abbreviation mean?", "LN"),
        ("town gas, what on earth is that in normal words", "town gas"),
        ("A neighbour asked what an electrolyser is, could you help?", "electrolyser"),
        ("Would any of you happen to know what biomethane is?", "biomethane"),
        ("I've been asked to look up the definition of metering point", "metering point"),
        ("We would be grateful to know how connected party is defined", "connected party"),
        ("Can I trouble somebody for the meaning of system operator?", "system operator"),
        ("Kan een van de collega's mij zeggen waar RTU voor staat?", "RTU"),
        ("Ik vroeg me af of iemand weet wat een meetpunt is", "meetpunt"),
        ("Wij zouden graag de definitie van aangeslotene ontvangen", "aangeslotene"),
        ("Kunt u een leek vertellen wat een elektrolyser is", "elektrolyser"),
        ("Wir bitten um die Definition von Bilanzkreis", "Bilanzkreis"),
        ("Kann man mir bitte erl\u00e4utern, was ein Elektrolyseur ist?", "Elektrolyseur"),
        ("Wei\u00dft du zuf\u00e4llig, was Messlokation hei\u00dft?", "Messlokation"),
        (
            "Unser Kunde fragt, was Ausgleichsenergie ist, k\u00f6nnt ihr helfen?",
            "Ausgleichsenergie",
        ),
        ("the term CDS?", "CDS"),
        ("begrip PF graag", "PF"),
        ("K\u00fcrzel SAIDI", "SAIDI"),
        ("In the model they named it a UsagePoint. What does that term mean?", "UsagePoint"),
        (
            "One of our guests would like to know what harmonic distortion is. Can you help?",
            "harmonic distortion",
        ),
        ("Could the definition of load be given?", "load"),
        ("FSP - full form?", "FSP"),
        ("Wie helpt mij aan de definitie van meetverantwoordelijke?", "meetverantwoordelijke"),
        ("Ik zocht de betekenis van netneutraliteit", "netneutraliteit"),
        ("Leg mij in \u00e9\u00e9n zin uit wat een TSO is", "TSO"),
        ("Kun je even kort aangeven wat een veldstation inhoudt?", "veldstation"),
        ("Ich ben\u00f6tige die Definition der Spannungsqualit\u00e4t", "Spannungsqualit\u00e4t"),
        ("Bitte erkl\u00e4ren Sie mir kurz, was ein VNB ist", "VNB"),
        ("Erkl\u00e4r mir bitte, was eine Oberschwingung ist", "Oberschwingung"),
        ("Mir ist nicht klar, was Erdgas bedeutet", "Erdgas"),
        ("what does ROCOF really stand for?", "ROCOF"),
        ("a busbar is what exactly?", "busbar"),
        ("Niemand sagt mir, was wir unter Blindleistung verstehen", "Blindleistung"),
        ("Ik hoor graag wat jullie met congestie bedoelen", "congestie"),
        (
            "He keeps saying 'droop control'. Can you tell me what he means by that?",
            "droop control",
        ),
        ("Redispatch - den Begriff bitte kurz erkl\u00e4ren", "Redispatch"),
        ("Leg het begrip congestie nog eens uit", "congestie"),
        ("wat is een aggregator nou eigenlijk", "aggregator"),
        ("Was ist ein Trafo eigentlich genau?", "Trafo"),
        ("explain islanding to me as if I were twelve", "islanding"),
        ("leg redispatch uit alsof ik nieuw ben", "redispatch"),
        ("Erkl\u00e4re Blindleistung, als ob ich neu w\u00e4re", "Blindleistung"),
        ("De advocaat wil weten wat er eigenlijk onder netverlies wordt verstaan", "netverlies"),
        (
            "Wir fragen uns, was genau unter einer Sammelschiene zu verstehen ist",
            "Sammelschiene",
        ),
    ],
)
def test_a_meaning_is_recognised_however_it_is_wrapped(query: str, term: str) -> None:
    """The term in front or behind, asked of somebody, politely, and named as what it is."""
    asks = read(query)
    assert (asks.kind, term_of(asks)) == (TERMINOLOGY, term)


@pytest.mark.parametrize(
    ("query", "term"),
    [
        ("Curtailment \u2013 short explanation please", "Curtailment"),
        ("Black start. Explanation, please?", "Black start"),
        ("busbar?? heard it on site, what is it", "busbar"),
        ("power factor: in plain English please", "power factor"),
        ("Reactive power, explained simply", "Reactive power"),
        ("GOPACS!? Popped up in a mail today, what is it to us", "GOPACS"),
        ("apparent power - could you explain?", "apparent power"),
        ("Blindvermogen: korte uitleg graag", "Blindvermogen"),
        ("congestiemanagement - uitleg a.u.b.", "congestiemanagement"),
        ("Netverlies, kan iemand dat uitleggen?", "Netverlies"),
        ("trafo?? viel gisteren in het overleg, wat is het", "trafo"),
        ("eilandbedrijf, simpel uitgelegd", "eilandbedrijf"),
        ("Leistungstransformator: einfach erkl\u00e4rt bitte", "Leistungstransformator"),
        ("Blindleistung? Kann das jemand erkl\u00e4ren?", "Blindleistung"),
        ("Scheinleistung \u2013 bitte kurz erkl\u00e4ren", "Scheinleistung"),
        ("Inselbetrieb?? kam heute im Meeting auf, was ist das", "Inselbetrieb"),
        ("Wirkleistung: kurze Erl\u00e4uterung, danke", "Wirkleistung"),
        ("term curtailment", "curtailment"),
        ("word: busbar", "busbar"),
        ("concept of idempotence", "idempotence"),
        ("What do we mean by curtailment towards our solar customers?", "curtailment"),
        ("What do we understand by flexibility in the new contracts?", "flexibility"),
        ("what does that 'black start' mean at our control centre", "black start"),
        ("What is meant by 'safe state' during a network outage", "safe state"),
        ("what is this 'need to know' thing with us", "need to know"),
        ("What is meant by redispatch vis-\u00e0-vis the market parties?", "redispatch"),
        ("Wat verstaan we onder flexibiliteit richting grote klanten?", "flexibiliteit"),
        ("Wat bedoelen we met een aansluiting binnen het klantproces?", "aansluiting"),
        ("wat betekent die 'zwarte start' bij ons nou eigenlijk", "zwarte start"),
        ("Wat wordt bedoeld met 'best effort' tegenover leveranciers?", "best effort"),
        (
            "Wat bedoelen jullie met een operationele grens naar de marktpartijen toe?",
            "operationele grens",
        ),
        (
            "Was verstehen wir unter Flexibilit\u00e4t gegen\u00fcber unseren Kunden?",
            "Flexibilit\u00e4t",
        ),
        ("Was bedeutet Lastabwurf im Netzbetrieb?", "Lastabwurf"),
        ("Was bedeutet denn dieses 'Need-to-know' bei uns genau", "Need-to-know"),
        ("Was meinen wir mit einem Anschluss innerhalb der Kundenprozesse?", "Anschluss"),
        ("curtailment - never heard of it. What is it?", "curtailment"),
        ("Was meint Redispatch?", "Redispatch"),
        ("Synthetic inertia... short explainer wanted", "Synthetic inertia"),
        ("Wobbe index? Could you clarify that for a layman?", "Wobbe index"),
        ("BSP?? saw it in a contract, what is it", "BSP"),
        ("Odorisatie... kun je dat kort toelichten?", "Odorisatie"),
        ("Wobbe-index, in jip-en-janneketaal graag", "Wobbe-index"),
        ("vraagsturing? hoorde ik net, wat is dat", "vraagsturing"),
        ("Biomethan \u2013 in einem Satz, bitte", "Biomethan"),
        ("Messstelle?? habe ich heute geh\u00f6rt, was ist das", "Messstelle"),
        ("Netzanschluss: bitte um eine kurze Erkl\u00e4rung", "Netzanschluss"),
        ("what do you mean by allocation within the market processes", "allocation"),
        ("What's meant by settlement in our invoices?", "settlement"),
        ("what does this 'data owner' mean in our teams", "data owner"),
        ("what do they mean with 'eventually consistent' across systems", "eventually consistent"),
        ("Wat betekent toewijzing binnen de marktprocessen?", "toewijzing"),
        ("wat bedoelen ze met die 'privacy by design' in projecten", "privacy by design"),
        ("Was bedeutet Zuordnung innerhalb der Marktprozesse?", "Zuordnung"),
        ("Was hei\u00dft dieses 'fail safe' bei uns", "fail safe"),
        ("Imbalance: would appreciate a brief explanation", "Imbalance"),
        ("transport right? came across it today, what's that again", "transport right"),
        ("Sampled values - explain like I'm five", "Sampled values"),
        ("Onbalans: leg eens uit in simpele taal", "Onbalans"),
        ("stadsgas?? opa had het erover, wat is dat", "stadsgas"),
        ("Stadtgas: erkl\u00e4r das mal bitte einfach", "Stadtgas"),
        ("what do we mean by switching during a storm at our control room", "switching"),
        ("what does the term 'island operation' mean with regard to hospitals", "island operation"),
        (
            "Contingency analysis: an explanation for a newcomer, if possible",
            "Contingency analysis",
        ),
        ("spanningskwaliteit, zou iemand dat kunnen toelichten", "spanningskwaliteit"),
        ("Schwarzstart, k\u00f6nnte das jemand erl\u00e4utern?", "Schwarzstart"),
        ("Busbar. Explain in one sentence or two", "Busbar"),
        ("Idempotentie. Beschrijf in een zin of twee.", "Idempotentie"),
        ("Redispatch. Beschreibe in zwei S\u00e4tzen oder drei.", "Redispatch"),
    ],
)
def test_an_explanation_may_be_of_a_term_or_of_a_subject(query: str, term: str) -> None:
    """Nor need a meaning in one place be that of the vocabulary: both are asked."""
    asks = read(query)
    assert (asks.kind, term_of(asks)) == (OPEN, term)


@pytest.mark.parametrize(
    "query",
    [
        "explain our position on drones for inspections",
        "Explain to me what makes a company a preferred supplier",
        "Could somebody from the security team tell me what the rule is for shared accounts?",
        "Can anyone at architecture tell me what we agreed on for message formats?",
        "I would be grateful for the reasons behind the new archive",
        "Could you explain to a new colleague what happens when a key is lost?",
        "I am looking for what is written on hydrogen",
        "Can we change the definition of an outage?",
        "Who decides on the definition of an outage?",
        "Kun je in gewone taal vertellen wat er geregeld is voor back-ups?",
        "Kun je mij uitleggen wat onze regel is voor brieven?",
        "Wie kan mij vertellen wat we met oude meters doen?",
        "Zou iemand van security kunnen vertellen wat verplicht is bij thuiswerken?",
        "K\u00f6nnte mir jemand erkl\u00e4ren, was bei einem Ausfall zu tun ist?",
        "Kann mir jemand sagen, was f\u00fcr Passw\u00f6rter gilt?",
        "Ich w\u00e4re dankbar f\u00fcr die Gr\u00fcnde, warum wir Kafka nutzen",
        "what does the principle on sharing say",
        "what is decided about message formats",
        "Backups: short explanation of our rules please",
        "Passwords: how long must they be",
        "Wachtwoorden: hoe lang moeten ze zijn?",
        "Logging, what is required?",
        "Meter readings: who may see them, please explain",
        "Cloud hosting - explain why we do it",
        "Tell me what is needed to join the data platform",
        "uitleg over de regels voor thuiswerken graag",
        "Erkl\u00e4rung der Regeln f\u00fcr Passw\u00f6rter bitte",
        "explanation of how alarms are raised",
        "What does congestion mean for our customers?",
        "Does anyone in legal know what customers must sign?",
        "the word of the regulator on tariffs",
        "the concept architecture for telemetry",
        "concept for the new archive",
        "Curtailment: who may order it and how fast?",
        "Smart meters - explain how we keep their readings",
        "Redispatch, explained: why did we outsource it",
        "Could you explain in plain words why we keep meter readings that long?",
        "Can somebody tell me what happens to allocation data after a year?",
        "I would like to know what our rules for redispatch are",
        "Ik wil graag weten wat er met meetdata gebeurt",
        "Wir brauchen die Gr\u00fcnde f\u00fcr die Wahl von OAuth",
        "What do we do about curtailment towards our customers?",
        "What must happen with alarms in the control room?",
        "flexibility: how is it bought?",
        "Aansluiting: welke eisen gelden er, in het kort?",
        "Lastabwurf - wer entscheidet das?",
        "Kan iemand mij vertellen wat de bewaartermijn van meetdata is?",
        "K\u00f6nnt ihr mir sagen, was unsere Regeln f\u00fcr Passw\u00f6rter sind?",
        "Who can tell me what the maximum outage time is?",
        "Give me a short explanation of how keys are rotated",
        "A short explanation of the choice for Kafka please",
        "toelichting op de keuze voor OAuth",
        "Explain in two sentences what our stance on open source is",
        "Can anyone say what we want from suppliers in terms of security?",
        "hydrogen: explain our plans",
        'the word "outage" may be used when?',
        "Wat moet ik doen onder de privacywet?",
        "Was soll bei Stromausfall passieren?",
        "Was kann ich unter Windows installieren?",
        "Wat moet ik verstaan onder onze norm voor brieven?",
        "What should I understand by our stance on cloud?",
        "what is a connection allowed to cost",
        "Was meint ihr zu Kafka?",
        "acronym list",
        "term sheet rules",
        "begrip voor klanten",
        "Hydrogen: are we allowed to transport it?",
        "My boss asked me to find out what we decided about TLS",
        "A neighbour asked what a new connection costs, could you help?",
        "Our supplier wants to know what is in the contract",
        "We are building a portal and need the rules for passwords",
        "Please tell the auditors what we do with old keys",
        "What is a supplier expected to deliver?",
        "Can you help me with the definition of requirements?",
        "Who would like to explain what went wrong yesterday?",
        "Monitoring: please explain our setup",
        "Mijn baas wil weten wat onze afspraken zijn over cookies",
        "Onze klant vraagt wat een aansluiting kost",
        "Der Kunde m\u00f6chte wissen, was ein Anschluss kostet",
        "Unsere Revision fragt, was im Notfall zu tun ist",
        "Ich m\u00f6chte wissen, was wir mit alten Z\u00e4hlern machen",
    ],
)
def test_what_documents_say_is_not_refused_as_an_unknown_term(query: str) -> None:
    """However politely it is asked, and whatever stands in front."""
    assert terminology_term(query) is None
    assert read(query).kind is not TERMINOLOGY


def test_a_clause_that_may_hold_a_term_is_searched_for_one() -> None:
    """Where several may be meant and none stands out, the vocabulary knows which is a term."""
    found = definitions.asked("Quick one: phase balancing, meaning?")
    assert found == ("Quick one phase balancing", False, True)


@pytest.mark.parametrize(
    "piece",
    [
        "could somebody ",
        "my boss asked me to ",
        "i need for a definition of ",
        "explanation of the term ",
        "what does x mean regarding ",
        "in plain words ",
        "even kurz mal ",
        "X? please, ",
        "'a' b in the ",
    ],
)
def test_a_question_of_any_make_is_read_at_once(piece: str) -> None:
    """However often its wrappings are repeated, up to the longest question that is let in."""
    started = time.process_time()
    read((piece * 2_000)[:2_000])
    assert time.process_time() - started < AT_ONCE_S
