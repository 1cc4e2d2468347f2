"""The terminology contract over SKOS files and the fake."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.contract.terminology_contract import TerminologyContract

from elysia_guard.adapters.skos import SkosFile
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.testing.terminology import CONCEPTS, TURTLE, FakeTerminology, ScriptedFailure


class TestSkosFile(TerminologyContract):
    @pytest.fixture
    def source(self, tmp_path: Path) -> SkosFile:
        path = tmp_path / "test.ttl"
        path.write_text(TURTLE, encoding="utf-8")
        return SkosFile.load([path])


class TestFakeTerminology(TerminologyContract):
    @pytest.fixture
    def source(self) -> FakeTerminology:
        return FakeTerminology(CONCEPTS)


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (ScriptedFailure.TIMEOUT, SourceTimeoutError),
        (ScriptedFailure.UNAVAILABLE, SourceUnavailableError),
    ],
)
async def test_the_fake_fails_as_it_is_told(
    failure: ScriptedFailure, error: type[SourceUnavailableError]
) -> None:
    """Every call fails, by the error of the port, until the failure is taken away."""
    source = FakeTerminology(CONCEPTS, failure=failure)
    for call in (source.lookup, source.suggest, source.synonyms):
        with pytest.raises(SourceUnavailableError) as caught:
            await call("meter", lang="en")
        assert type(caught.value) is error
    with pytest.raises(error):
        await source.concepts([])
    with pytest.raises(error):
        await source.labels()
    source.failure = None
    assert await source.lookup("meter", lang="en")
    assert source.asked == ["meter", "meter"]
