"""Journeys across a reload, a restart, two tabs and a connection that is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.journeys.place import Place
from benchmarks.journeys.traveller import Traveller

if TYPE_CHECKING:
    from playwright.sync_api import WebSocketRoute

LOST = "Connection to Elysia lost"


def reload(one: Traveller) -> None:
    """After a reload the conversation is there, and goes on."""
    one.ask("What does ADR.12 decide?")
    one.page.reload()
    one.finished.first.wait_for()
    assert "use the Common Information Model" in one.shown
    one.look("reloaded")
    one.ask("and who approved it?")
    one.look("gone-on")


def restart(one: Traveller, place: Place) -> None:
    """A page that stays open while the server is started anew says so, and goes on."""
    one.ask("What is CIM?")
    with one.away():
        place.stop()
        one.page.wait_for_timeout(1_000)
        one.look("away")
        place.start()
        one.page.wait_for_timeout(7_000)
    one.ask("the second")
    assert "You chose this meaning; there are others" in one.shown
    one.look("back")
    one.page.reload()
    one.finished.first.wait_for()
    one.look("reloaded")


def two_tabs(one: Traveller) -> None:
    """Two tabs of one person stay apart, and each finds what the other asked."""
    other = Traveller(one.page.context, one.address, name=f"{one.name}-other").start()
    one.ask("What is CIMXML?")
    other.page.get_by_text("Add Conversation").click()
    other.page.get_by_text("Ask Elysia").wait_for()
    assert "Format, laid down" not in other.ask("What does ADR.12 decide?")
    assert "use the Common Information Model" not in one.shown
    one.look("one")
    other.look("other")
    one.page.reload()
    one.finished.first.wait_for()
    assert "What does ADR.12 decide?" in one.shown, "the other's conversation is not listed"
    one.look("listed")
    one.found += other.wrong()
    one.opened |= other.opened


def lost_socket(one: Traveller) -> None:
    """A connection that is lost is told, made again, and asked over; nothing is lost."""
    sockets: list[WebSocketRoute] = []

    def through(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    one.page.route_web_socket("**/ws/query", through)
    one.page.reload()
    one.start()
    one.ask("What is CIM?")
    before = len(sockets)
    with one.away():
        sockets[-1].close(code=1011, reason="lost")
        one.page.get_by_text(LOST).first.wait_for()
        one.look("lost")
        one.page.wait_for_timeout(6_000)
    assert len(sockets) > before, "no other connection is made"
    one.ask("the second")
    assert "You chose this meaning; there are others" in one.shown
    one.look("again")
