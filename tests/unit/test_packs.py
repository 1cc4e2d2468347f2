"""Language is data: every pack is whole, and a folder of files makes a language."""

from __future__ import annotations

import os
import shutil
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
from elysia_guard.language.stems import content_words, stem
from elysia_guard.language.text import words
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

    def test_a_file_that_is_missing_is_named(self, french: Path) -> None:
        """Unless a language can do without it."""
        (french / "messages.toml").unlink()
        (french / "glossary.toml").unlink()
        lacking = Pack(lang="fr", folder=french)
        assert lacking.glossary == {}
        with pytest.raises(PackError, match=r"messages\.toml: there is no such file"):
            _ = lacking.messages

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
            made = Path(shutil.copytree(english, tmp_path / "packs" / "tk"))
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
        assert "('en', 'nl', 'de', 'fr', 'tk') tk terminology_not_found" in told
        assert "Mi ken ala." in told

    def test_it_defines_a_term_of_the_vocabulary(self, folder: Path) -> None:
        """The same way as every other language."""
        told = self.run(
            folder,
            "from elysia_guard import Guard\n"
            "reply = Guard().ask('ki sina islanding?')\n"
            "print(reply.lang, reply.refused, reply.answer[:13])",
        )
        assert "tk False **islanding**" in told

    def test_a_folder_that_is_not_there_is_an_error(self, tmp_path: Path) -> None:
        """One line that names the variable and the folder."""
        told = self.run(tmp_path / "none", "from elysia_guard.language.pack import langs\nlangs()")
        assert "ELYSIA_GUARD_LANGUAGES: there is no folder" in told

    def test_a_pack_of_ones_own_that_is_broken_says_where(self, folder: Path) -> None:
        """It does not fall back in silence."""
        (folder / "tk" / "core.toml").write_text('name = "Toki"\n', encoding="utf-8")
        told = self.run(folder, "from elysia_guard.language.pack import langs\nlangs()")
        assert "language pack tk/core.toml: 'words' is missing" in told
