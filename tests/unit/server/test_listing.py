"""What is listed is what may be called now."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from accord import AccordWarning, App
from accord.protocol.session import ServerSession
from accord.server.desk import Desk
from accord.server.profile import profile_of
from tests.protocol._wire import line, messages, stateless


class Database:
    """Which no client could send."""


class Lister:
    """A client that asks the same server again and again."""

    def __init__(self, app: App) -> None:
        self._said = b""
        self._session = ServerSession(profile_of(app))
        self._desk = Desk(app._registry, self._session, self._take)

    def _take(self, data: bytes) -> None:
        self._said = data

    def tools(self) -> dict[str, list[str]]:
        for event in self._session.receive(line(stateless(1, "tools/list"))):
            self._desk.accept(event)
        (answer,) = messages(self._said)
        tools: list[dict[str, Any]] = answer["result"]["tools"]
        return {tool["name"]: list(tool["inputSchema"]["properties"]) for tool in tools}


def test_a_provider_that_comes_later_takes_its_parameter_off_the_list() -> None:
    app = App("tests")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AccordWarning)

        @app.command
        def rows(database: Database, limit: int) -> int:
            return limit

        lister = Lister(app)
        assert lister.tools() == {"rows": ["database", "limit"]}
    app.provide(Database, Database)
    assert lister.tools() == {"rows": ["limit"]}


def test_a_tool_is_listed_as_soon_as_its_names_are_defined(monkeypatch: pytest.MonkeyPatch) -> None:
    app = App("tests")

    @app.command
    def late(value: Undefined) -> int:  # type: ignore[name-defined]  # noqa: F821 - that is the point
        return 1

    @app.command
    def early(value: int) -> int:
        return 1

    lister = Lister(app)
    assert lister.tools() == {"early": ["value"]}
    monkeypatch.setitem(late.__globals__, "Undefined", int)
    assert lister.tools() == {"late": ["value"], "early": ["value"]}
