"""Users are apart: nobody reaches what is another's by naming them."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
from fastapi import FastAPI
from tests.security.served import ADMIN_SECRET, SECRET, Served, answers
from tests.security.test_login import logged_in

from elysia_guard.domain.saved import ConversationKey
from elysia_guard.edge.elysia.webapp.protection.bounds import Refusal
from elysia_guard.edge.elysia.webapp.protection.principal import Principal
from elysia_guard.edge.elysia.webapp.protection.requests import OwnAndBounded

COOKIE = "elysia_guard_session"


def cookie_of(client: Any) -> dict[str, str]:
    return {"Cookie": f"{COOKIE}={client.cookies[COOKIE]}"}


def named() -> dict[str, str]:
    return {name: str(uuid.uuid4()) for name in ("user_id", "conversation_id", "query_id")}


def test_b1_no_browser_reaches_the_conversations_of_another(public: Served) -> None:
    """Naming another's user and conversation lists nothing, reads nothing and deletes nothing."""
    theirs = named()
    where = "/db/{user_id}/load_tree/{conversation_id}".format(**theirs)
    with logged_in(public) as ada, logged_in(public) as eve:
        ada.post("/init/user/{user_id}".format(**theirs))
        with public.socket(additional_headers=cookie_of(ada)) as socket:
            said = answers(public.ask(socket, "What does ADR-0012 decide?", **theirs))
        assert "CIM" in said["answer"]
        assert ada.get(where).json()["rebuild"]
        eve.post("/init/user/{user_id}".format(**theirs))
        listed = eve.get("/db/{user_id}/saved_trees".format(**theirs)).json()["trees"]
        assert theirs["conversation_id"] not in listed
        assert not eve.get(where).json()["rebuild"]
        eve.delete("/db/{user_id}/delete_tree/{conversation_id}".format(**theirs))
        assert ada.get(where).json()["rebuild"]
        listed = ada.get("/db/{user_id}/saved_trees".format(**theirs)).json()["trees"]
        assert theirs["conversation_id"] in listed


def test_b1_nobody_reads_why_another_was_answered(public: Served) -> None:
    """To anybody else the page is not there, whatever they know of its address."""
    theirs = named()
    with logged_in(public) as ada, logged_in(public) as eve:
        with public.socket(additional_headers=cookie_of(ada)) as socket:
            said = json.dumps(public.ask(socket, "What does ADR-0012 decide?", **theirs))
        (place,) = set(re.findall(r"\]\((/guard/answers/[^ )]+)", said))
        own = ada.get(place)
        assert own.status_code == 200
        assert "What does ADR-0012 decide?" in own.text
        with (
            public.client(SECRET) as program,
            public.client(ADMIN_SECRET) as admin,
            public.behind_the_proxy("ada") as person,
        ):
            for client in (eve, program, admin, person):
                other = client.get(place)
                assert other.status_code == 404
                assert "ADR-0012" not in other.text


def test_b1_a_person_finds_their_own_in_another_browser(public: Served) -> None:
    """Behind a proxy that names people, conversations follow the person, and nobody else."""
    first, second = named(), named()
    with public.behind_the_proxy("ada") as ada, public.behind_the_proxy("Ada") as other:
        made = ada.post("/init/tree/{user_id}/{conversation_id}".format(**first), json={}).json()
        assert not made["error"]
        place = "/tree/config/{user_id}/{conversation_id}"
        asked = place.format(user_id=second["user_id"], conversation_id=first["conversation_id"])
        assert ada.get(asked).json()["config"]
        assert not other.get(asked).json()["config"]


def test_b1_nobody_judges_the_reply_of_another(public: Served) -> None:
    """Feedback is taken from who asked; a query id that is known does not help."""
    theirs = named()
    judged = {**theirs, "feedback": 1}
    with logged_in(public) as ada, logged_in(public) as eve:
        with public.socket(additional_headers=cookie_of(ada)) as socket:
            public.ask(socket, "What is CIMXML?", **theirs)
        for path in ("/feedback/add", "/feedback/remove"):
            assert eve.post(path, json=judged).status_code == 404
            assert ada.post(path, json=judged).status_code == 200
        said = {"request_id": theirs["query_id"], "judgement": "right"}
        assert eve.post("/guard/feedback", json=said).status_code == 404


async def test_b1_what_another_server_has_answered_is_judged_by_who_asked_it() -> None:
    """A server that has not seen the question looks into the sender's own conversation."""
    ada, eve = Principal(kind="browser", user="ada"), Principal(kind="browser", user="eve")
    key = ConversationKey(user_id=ada.user_id("u"), conversation_id="c")

    async def has_reply(where: ConversationKey, query_id: str) -> bool:
        return (where, query_id) == (key, "q")

    app = FastAPI()
    app.state.has_reply = has_reply
    check = OwnAndBounded(app)._check_reply
    said = {"user_id": "u", "conversation_id": "c", "query_id": "q"}
    await check(ada, said, app)
    for who, wrong in [(eve, said), (ada, {**said, "query_id": "r"}), (ada, {"query_id": "q"})]:
        with pytest.raises(Refusal):
            await check(who, wrong, app)


def test_b1_the_thumbs_that_are_listed_are_ones_own(public: Served) -> None:
    """Whoever is named in the address or the filter; nobody else's conversation comes with them."""
    theirs = named()
    where = f"/collections/{theirs['user_id']}/view/ELYSIA_FEEDBACK__"
    whose = {"field": "user_id", "operator": "equal", "value": theirs["user_id"]}
    asked = {"page_size": 50, "page_number": 1, "filter_config": {"filters": [whose]}}
    with logged_in(public) as ada, logged_in(public) as eve:
        with public.socket(additional_headers=cookie_of(ada)) as socket:
            public.ask(socket, "What is CIMXML?", **theirs)
        assert not ada.post("/feedback/add", json={**theirs, "feedback": 2}).json()["error"]
        (own,) = ada.post(where, json=asked).json()["items"]
        assert own["user_prompt"] == "What is CIMXML?"
        answer = eve.post(where, json=asked)
        assert (answer.status_code, answer.json()["items"]) == (200, [])


def test_b1_a_program_reaches_no_browser(public: Served) -> None:
    """Who holds the secret names users of their own; those of browsers are not among them."""
    theirs = named()
    with logged_in(public) as ada, public.client(SECRET) as program:
        with public.socket(additional_headers=cookie_of(ada)) as socket:
            payloads = public.ask(socket, "What is CIMXML?", **theirs)
        known = payloads[0]["user_id"]
        for user_id in (theirs["user_id"], known):
            where = f"/db/{user_id}/load_tree/{theirs['conversation_id']}"
            assert not program.get(where).json()["rebuild"]


def test_b1_the_stores_of_all_users_are_for_administrators(public: Served) -> None:
    """Elysia's collections of conversations and settings cannot be looked into as data."""
    for name in ("ELYSIA_TREES__", "eLYSIA_CONFIG__", "Elysia_feedback__"):
        where = f"/collections/x1/view/{name}"
        with public.client(SECRET) as user, public.client(ADMIN_SECRET) as admin:
            asked = {"page_size": 1, "page_number": 1}
            assert user.post(where, json=asked).status_code == 403
            assert user.get(f"/collections/x1/get_object/{name}/x1").status_code == 403
            assert admin.post(where, json=asked).status_code != 403


def test_b1_nobody_follows_up_what_somebody_else_asked_by_program(public: Served) -> None:
    """A conversation is the sender's own, whoever they name; the page shows it to them alone."""
    talk = {"conversation_id": str(uuid.uuid4())}
    first = {"question": "What does ADR-0012 decide?", **talk}
    after = {"question": "and when was it decided?", **talk}
    with public.behind_the_proxy("ada") as ada, public.behind_the_proxy("eve") as eve:
        reply = ada.post("/guard/ask", json=first).json()
        for named in ({}, {"user_id": "ada"}, {"user_id": ""}):
            assert "ADR-0012" not in eve.post("/guard/ask", json={**after, **named}).text
        assert "ADR-0012" in ada.post("/guard/ask", json=after).text
        judged = {"request_id": reply["request_id"], "judgement": "right"}
        assert eve.post("/guard/feedback", json=judged).status_code == 404
        listed = [
            page.get(f"/db/{uuid.uuid4()}/saved_trees").json()["trees"] for page in (ada, eve)
        ]
    assert listed[0][talk["conversation_id"]]["title"] == first["question"]
    # A question of theirs by the same name is their own conversation.
    assert first["question"] not in str(listed[1])


def test_b1_a_program_asks_for_several_people(public: Served) -> None:
    """With the secret it names them itself, and they are apart."""
    talk = {"conversation_id": str(uuid.uuid4())}
    after = {"question": "and when was it decided?", **talk}
    with public.client(headers={"Authorization": f"Bearer {SECRET}"}) as program:
        program.post(
            "/guard/ask",
            json={"question": "What does ADR-0012 decide?", "user_id": "ada", **talk},
        )
        assert "ADR-0012" not in program.post("/guard/ask", json={"user_id": "bob", **after}).text
        assert "ADR-0012" in program.post("/guard/ask", json={"user_id": "ada", **after}).text
