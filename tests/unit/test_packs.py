"""Language is data: every pack is whole, and a folder of files makes a language."""

from __future__ import annotations

import ast
import os
import shutil
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path

import pytest
from tests import prepared
from tests.unit.small_world import World

from elysia_guard.config import load
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.question import Lang
from elysia_guard.language.catalogue import called, languages, say
from elysia_guard.language.pack import Pack, langs, pack, packs
from elysia_guard.language.pack_reader import PackError
from elysia_guard.language.spelling import is_form_word
from elysia_guard.language.stems import content_words, stem
from elysia_guard.language.text import words
from elysia_guard.reading.part_texts import split
from elysia_guard.reading.spans import Spotter
from elysia_guard.wiring import Wiring

SHIPPED = ("en", "nl", "de", "fr")


@pytest.fixture
def french(tmp_path: Path) -> Path:
    """A copy of a pack that ships, to be broken."""
    with as_file(files("elysia_guard.language") / "packs" / "fr") as folder:
        return Path(shutil.copytree(folder, tmp_path / "fr"))


def broken(folder: Path, file: str, old: str, new: str) -> Pack:
    """A pack with one thing in it changed."""
    path = folder / f"{file}.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return Pack(lang="fr", folder=folder)


class TestPacks:
    def test_the_languages_are_the_folders_that_there_are(self) -> None:
        """In the order that the packs say: no code names one."""
        assert langs() == SHIPPED
        assert tuple(packs()) == SHIPPED

    def test_no_code_names_a_language(self) -> None:
        """But English, against which the packs are held; fakes for tests have labels in some."""
        with as_file(files("elysia_guard")) as program:
            named = {
                f"{path.relative_to(program)}: {node.value}"
                for path in program.rglob("*.py")
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.Constant) and node.value in SHIPPED[1:]
            }
        assert {name for name in named if not name.startswith("testing")} == set()

    @pytest.mark.parametrize("lang", SHIPPED)
    def test_a_pack_is_whole(self, lang: Lang) -> None:
        """Every file has every key that is asked for, and none that nobody knows."""
        known = pack(lang)
        assert known.core.name
        assert known.documents.headings.substance
        assert known.forms.definition.said
        assert known.talk.greeting
        assert all(message.strip() for message in known.messages.values())

    @pytest.mark.parametrize("lang", SHIPPED)
    def test_a_language_has_less_than_sixty_forms(self, lang: Lang) -> None:
        """Forms are few: other wordings are learnt, not listed."""
        forms = pack(lang).forms
        said = (
            *(*forms.definition.said, *forms.definition.asked, *forms.definition.refers),
            *forms.named.whole,
        )
        assert len(said) < 60

    def test_every_language_is_named_in_every_other(self) -> None:
        """Also one without a pack; what no list of languages has goes by its tag."""
        assert called("nl", "fr") == "Frans"
        assert called("fr", "nl") == "néerlandais"
        assert called("en", "cy") == "Welsh"
        assert called("en", "xx") == "xx"
        assert languages("en") == "English, Dutch, German, French"


class TestErrors:
    @pytest.mark.parametrize(
        ("file", "old", "new", "told"),
        [
            ("core", 'name = "Français"', "", "core.toml: 'name' is missing"),
            ("core", "[stems]", "[stemming]", "'stems' is missing"),
            ("core", "algorithm =", "algorythm =", "stems: 'algorythm' is not a key that is known"),
            (
                "core",
                "ordinal_dot = false",
                "ordinal_dot = 0",
                "ordinal_dot: is 0; it must be true",
            ),
            ("core", '"janvier", ', "", "time.months has 11 months"),
            ("core", "last =", "lost =", "ordinals: 'last' is missing"),
            ("core", "[words]", "[words", "core.toml: cannot be read"),
            ("glossary", '"decision: ', '"decision ', "governing: is 'decision décision"),
            ("forms", "[named]", "[names]", "forms.toml: 'named' is missing"),
            ("messages", "{source}", "{sauce}", "has the placeholders sauce, subject; in English"),
            ("messages", "term = ", "terme = ", "is missing"),
            ("messages", "[login]", 'extra = "?"\n[login]', "is not a message that is known"),
        ],
    )
    def test_what_is_wrong_with_a_pack_is_told(
        self, french: Path, file: str, old: str, new: str, told: str
    ) -> None:
        """By its file, its key and its value."""
        mended = broken(french, file, old, new)
        with pytest.raises(PackError, match="language pack fr/") as caught:
            _ = getattr(mended, file)
        assert told in str(caught.value)

    @pytest.mark.parametrize(
        ("file", "old", "new", "told"),
        [
            ("clauses", "joining =", "joins =", "clauses.toml: 'joining' is missing"),
            ("listings", "limiting =", 'limits = ["x"]\nlimiting =', "'limits' is not a key that"),
            (
                "relations",
                'places = ["o\u00f9"]',
                "places = [7]",
                "places: is [7]; it must be words",
            ),
            ("followups", "[refers]", "[refer]", "followups.toml: 'refers' is missing"),
            (
                "followups",
                "[refers]",
                "[refers]\nhe = []",
                "refers: 'he' is not a key that is known",
            ),
            (
                "spans",
                'endings = "e ',
                "endings = 7 # ",
                "numbers: endings: is 7; it must be a str",
            ),
            ("forms", "est {term}", "est {terme}", "has '{terme}'; that is no place there"),
            ("forms", "que sont {term}", "que sont", "'que sont' has no place for '{term}'"),
            ("talk", '"aidez moi"', '"(aidez moi"', "help: '(aidez moi' cannot be read: missing )"),
            (
                "messages",
                'reason = "**Pourquoi',
                'reason = 7 # "',
                "'refusal.reason' is 7; it must be a str",
            ),
        ],
    )
    def test_a_file_that_no_question_has_needed_yet_is_checked_too(
        self, french: Path, file: str, old: str, new: str, told: str
    ) -> None:
        """Roles of words as well, and what would first be found where a question is read."""
        with pytest.raises(PackError, match=f"language pack fr/{file}.toml") as caught:
            broken(french, file, old, new).check()
        assert told in str(caught.value)

    def test_words_of_a_role_may_stand_in_one_string(self, french: Path) -> None:
        """As everywhere in a pack; and what English has no words for may be left out."""
        made = broken(french, "clauses", 'persons = ["je",', 'persons = "je tu"\nothers = ["je",')
        with pytest.raises(PackError, match="'others' is not a key"):
            made.table("clauses")
        shorter = broken(french, "clauses", "others = ", "# ")
        shorter = broken(french, "clauses", "finite = []", "")
        assert shorter.table("clauses")["persons"] == ["je", "tu"]
        assert shorter.table("clauses")["finite"] == []

    def test_a_section_that_a_language_can_do_without_may_be_left_out(self, french: Path) -> None:
        """Then nothing is read by it."""
        core = (french / "core.toml").read_text(encoding="utf-8")
        (french / "core.toml").write_text(core.partition("[sides.gain]")[0], encoding="utf-8")
        assert Pack(lang="fr", folder=french).core.sides.gain.asks == ()

    def test_a_file_that_is_missing_is_named(self, french: Path) -> None:
        """Unless a language can do without it."""
        (french / "messages.toml").unlink()
        (french / "glossary.toml").unlink()
        lacking = Pack(lang="fr", folder=french)
        assert lacking.glossary == {}
        with pytest.raises(PackError, match=r"messages\.toml: there is no such file"):
            _ = lacking.messages

    @pytest.mark.parametrize("file", ["clauses", "comparisons", "followups", "listings"])
    def test_a_file_of_roles_that_is_missing_has_no_words(self, french: Path, file: str) -> None:
        """Whoever looks a role up in it finds the role."""
        (french / f"{file}.toml").unlink()
        lacking, whole = Pack(lang="fr", folder=french), pack("fr")
        assert lacking.lacking == (f"{file}.toml",)
        assert lacking.table(file).keys() <= whole.table(file).keys()
        assert not any(isinstance(each, list) and each for each in lacking.table(file).values())

    def test_a_language_without_a_pack_is_refused(self) -> None:
        """Wherever it is named; the message tells which there are."""
        with pytest.raises(PackError, match="there are en, nl, de, fr"):
            pack("it")
        config = load().model_copy(update={"default_lang": "it"})
        with pytest.raises(ConfigError, match="no language pack 'it'"):
            Wiring(config)


class TestFrench:
    """What the French files alone make of words, without a line of code."""

    def test_an_article_that_is_written_on_is_a_word(self) -> None:
        """'L'énergie' is about energy."""
        assert words("Qu'est-ce que l'énergie d'aujourd'hui\u2019") == [
            *("qu'", "est", "ce", "que", "l'", "énergie", "d'", "aujourd'hui"),
        ]
        assert content_words("l'énergie des réseaux", "fr") == ["énergie", "réseaux"]
        assert stem("réseaux", "fr") == stem("réseau", "fr")
        assert words("what's the customer's") == ["what's", "the", "customer's"]

    def test_a_word_with_any_ending_is_known(self) -> None:
        """What a pack writes 'rejet\u00e9*' is no slip for a word that the documents have."""
        assert is_form_word("rejetees")
        assert not is_form_word("rejexees")

    def test_what_refers_back_is_put_in_french_words(self) -> None:
        """What stands for a document with its preposition is told by the pack's."""
        question = "Que dit l'ADR-0012 et quelles cons\u00e9quences y a-t-il l\u00e0-dedans ?"
        spans = Spotter.of((), ()).spot(question, "fr")
        _, second = split(question, lang="fr", spans=spans)
        assert second.endswith("dans l'ADR-0012?")


class TestFrenchAnswers:
    """Questions in French over English documents and a vocabulary without French labels."""

    @pytest.fixture
    def world(self) -> World:
        return World()

    @pytest.mark.parametrize(
        ("question", "cited"),
        [
            ("Que dit l'ADR 12 ?", "ADR-0012"),
            ("Bonjour, pouvez-vous résumer la décision 27 s'il vous plaît ?", "ADR-0027"),
            ("Que signifie CIM ?", "CIM"),
        ],
    )
    def test_it_is_answered_from_the_sources(self, world: World, question: str, cited: str) -> None:
        """With quotes in the words of the source, and all else in French."""
        response = world.ask(question)
        assert response.lang == "fr"
        assert any(cited in (source.doc_id, source.title) for source in response.sources) or (
            cited in response.answer
        )

    @pytest.mark.parametrize(
        ("question", "key", "values"),
        [
            ("Que dit l'ADR-9999 ?", "entity_not_found", {"subject": "ADR-9999"}),
            ("Que signifie frobulation ?", "terminology_not_found", {"subject": "frobulation"}),
        ],
    )
    def test_it_is_refused_in_french(
        self, world: World, question: str, key: str, values: dict[str, str]
    ) -> None:
        """With the reason, what was looked at, and what to try."""
        response = world.ask(question)
        assert response.refused
        assert say("fr", "refusal.opening") in response.answer
        told = say("fr", f"refusal.{key}", **values, source="#").partition("#")[0]
        assert told in response.answer
        assert say("fr", "refusal.try") in response.answer

    @pytest.mark.parametrize(
        ("question", "intent"),
        [
            ("\u00bfWhat is a switch?", "terminology"),
            ("Hello, \u00bfwhat is a switch?", "terminology"),
            ("\u00a1Hello! \u00bfQue dit l'ADR 12 ?", "entity"),
        ],
    )
    def test_a_mark_may_open_what_is_said(self, world: World, question: str, intent: str) -> None:
        """As in Spanish; it says nothing."""
        plain = question.translate(str.maketrans("", "", "\u00bf\u00a1"))
        assert world.ask(question).intent == intent
        assert world.ask(question).answer == world.ask(plain).answer

    @pytest.mark.parametrize(
        ("question", "key"),
        [("Liste toutes les décisions", "list_many"), ("Combien de décisions y a-t-il ?", "list")],
    )
    def test_documents_are_listed(self, world: World, question: str, key: str) -> None:
        """With French words around what the documents say."""
        response = world.ask(question)
        assert not response.refused
        assert "décisions" in response.answer


class TestMadeUp:
    """A folder with a language that nobody speaks is a language."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """The English pack with other words: 'ki' for 'what', 'sina' for 'is'."""
        with as_file(files("elysia_guard.language") / "packs" / "en") as english:
            made = Path(shutil.copytree(english, tmp_path / "packs" / "qtk"))
        for file in made.glob("*.toml"):
            if file.stem not in {"core", "messages", "forms", "documents", "talk"}:
                file.unlink()
        core = (made / "core.toml").read_text(encoding="utf-8")
        core = core.replace('name = "English"', 'name = "Toki"').replace("order = 1", "order = 9")
        core = core.replace('algorithm = "english"', 'algorithm = ""')
        core = core.replace('words = "what whats', 'words = "ki')
        start, end = core.index('stop = """'), core.index('"""', core.index('stop = """') + 11)
        core = core[:start] + 'stop = """ki sina e la mi pona' + core[end:]
        (made / "core.toml").write_text(core, encoding="utf-8")
        forms = (made / "forms.toml").read_text(encoding="utf-8")
        forms = forms.replace("said = [\n", 'said = [\n    "ki sina {term}",\n', 1)
        (made / "forms.toml").write_text(forms, encoding="utf-8")
        messages = (made / "messages.toml").read_text(encoding="utf-8")
        messages = messages.replace(
            'opening = "I cannot answer this from the sources I am allowed to use."',
            'opening = "Mi ken ala."',
        )
        (made / "messages.toml").write_text(messages, encoding="utf-8")
        return made.parent

    def run(self, folder: Path, program: str) -> str:
        environment = {**os.environ, "ELYSIA_GUARD_LANGUAGES": str(folder)}
        done = prepared.run([], code=program, environment=environment)
        return done.stdout + done.stderr

    def test_it_is_asked_and_answered_without_code(self, folder: Path) -> None:
        """A question in it is read by its forms, and refused in its words."""
        told = self.run(
            folder,
            "from elysia_guard import Guard\n"
            "from elysia_guard.language.pack import langs\n"
            "reply = Guard().ask('ki sina frobulation e la?')\n"
            "print(langs(), reply.lang, reply.refusal_reason)\n"
            "print(reply.answer)",
        )
        assert "('en', 'nl', 'de', 'fr', 'qtk') qtk terminology_not_found" in told
        assert "Mi ken ala." in told

    def test_it_defines_a_term_of_the_vocabulary(self, folder: Path) -> None:
        """The same way as every other language."""
        told = self.run(
            folder,
            "from elysia_guard import Guard\n"
            "reply = Guard().ask('ki sina islanding?')\n"
            "print(reply.lang, reply.refused, reply.answer[:13])",
        )
        assert "qtk False **islanding**" in told

    def test_it_follows_up_without_the_files_that_it_can_do_without(self, folder: Path) -> None:
        """Then a comparison is none, and nothing falls over."""
        with as_file(files("elysia_guard.language") / "packs" / "en") as english:
            shutil.copy(english / "followups.toml", folder / "qtk")
        told = self.run(
            folder,
            "from elysia_guard import Guard\n"
            "from elysia_guard.domain.conversation import Conversation\n"
            "guard, talk = Guard(), Conversation()\n"
            "for said in ('ki sina islanding?', 'ki sina microgrid?', 'ki e la mi?'):\n"
            "    print(guard.ask(said, conversation=talk).lang)",
        )
        assert told.split()[-3:] == ["qtk", "qtk", "qtk"]

    def test_a_number_may_have_a_word_of_its_own(self, folder: Path) -> None:
        """Beyond nineteen too, where a language forms it as no other: 'veintiuno', 'ventotto'."""
        with as_file(files("elysia_guard.language") / "packs" / "en") as english:
            spans = (english / "spans.toml").read_text(encoding="utf-8")
        own = spans.replace('eighteen nineteen"', 'eighteen nineteen tutu tuwan"')
        (folder / "qtk" / "spans.toml").write_text(own, encoding="utf-8")
        told = self.run(
            folder,
            "from elysia_guard import Guard\n"
            "reply = Guard().ask('What does decision tuwan say?')\n"
            "print([source.doc_id for source in reply.sources][:1])",
        )
        assert "['ADR-0021']" in told

    def test_it_is_known_by_its_name_in_every_other(self, folder: Path) -> None:
        """No list of languages has to be kept in the other packs."""
        told = self.run(
            folder,
            "from elysia_guard import Guard\n"
            "reply = Guard().ask('Which decisions are written in Toki?')\n"
            "print(reply.lang, reply.intent, reply.answer)\n"
            "from elysia_guard.language.pack import pack\n"
            "print(pack('fr').table('followups')['languages']['qtk'])",
        )
        assert "en list" in told
        assert "There are no decisions written in Toki." in told
        assert "['toki']" in told

    def test_doctor_reads_every_file_of_it(self, folder: Path) -> None:
        """And names those that it lacks, and what is wrong in those that there are."""
        environment = {**os.environ, "ELYSIA_GUARD_LANGUAGES": str(folder)}
        doctor = partial(
            prepared.run,
            ["doctor", "--json"],
            module="elysia_guard.edge.cli.main",
            environment=environment,
        )
        assert "qtk lacks clauses.toml, comparisons.toml, fields.toml" in doctor().stdout
        (folder / "qtk" / "spans.toml").write_text("[kinds]\n", encoding="utf-8")
        assert "language pack qtk/spans.toml:" in doctor().stdout

    def test_a_folder_that_is_not_there_is_an_error(self, tmp_path: Path) -> None:
        """One line that names the variable and the folder."""
        told = self.run(tmp_path / "none", "from elysia_guard.language.pack import langs\nlangs()")
        assert "ELYSIA_GUARD_LANGUAGES: there is no folder" in told

    def test_a_pack_of_ones_own_that_is_broken_says_where(self, folder: Path) -> None:
        """It does not fall back in silence."""
        (folder / "qtk" / "core.toml").write_text('name = "Toki"\n', encoding="utf-8")
        told = self.run(folder, "from elysia_guard.language.pack import langs\nlangs()")
        assert "language pack qtk/core.toml: 'words' is missing" in told
