"""The chat of a machine whose environment names a Weaviate that does not answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.e2e.house import served
from tests.host.test_webapp import Chat, opened, text_of

from elysia_guard.language.catalogue import say

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "named",
    [
        {"WCD_URL": "http://localhost", "WEAVIATE_IS_LOCAL": "True", "LOCAL_WEAVIATE_PORT": "9"},
        {"WCD_URL": "https://nowhere.invalid", "WCD_API_KEY": "made-up-4711-key"},
    ],
    ids=["local", "cloud"],
)
async def test_an_environment_that_names_a_weaviate_still_answers(
    index: Path, tmp_path: Path, named: dict[str, str]
) -> None:
    """It is neither listed nor saved in, and the page says so in one line; ours are listed."""
    settings = {"ELYSIA_GUARD_INDEX__PATH": str(index), **named}
    with served(tmp_path / "server.log", **settings) as address:
        async with opened(Chat(address)) as page:
            assert "Format, laid down" in text_of(await page.ask("What is CIMXML?"))
            said = (await page.http.get(f"/collections/{page.user_id}/list")).json()
            assert said["error"] == say("en", "settings.no_weaviate")
            assert "Decisions" in [item["name"] for item in said["collections"]]
            shown = (await page.http.get(f"/user/config/{page.user_id}")).json()
            assert shown["config"]["settings"]["WCD_URL"] == named["WCD_URL"]
            assert not shown["frontend_config"]["save_trees_to_weaviate"]
            where = f"/db/{page.user_id}/load_tree/{page.conversation_id}"
            assert "Format, laid down" in (await page.http.get(where)).text
            kept = (await page.http.get(f"/db/{page.user_id}/saved_trees")).json()["trees"]
            assert page.conversation_id in kept
