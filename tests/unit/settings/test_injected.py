"""Settings and ConfigPaths reach tools, factories and contexts on every surface."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accord import App, ConfigPaths, Context, Settings
from accord.errors import SettingsError
from accord.testing import call_tool
from tests.unit.settings._files import write

SURFACES: dict[str, Callable[[App, str], Any]] = {
    "call": lambda app, name: app.call(name),
    "acall": lambda app, name: asyncio.run(app.acall(name)),
    "mcp": lambda app, name: call_tool(app, {"name": name, "arguments": {}})["content"][0]["text"],
}


@pytest.fixture(params=SURFACES)
def through(request: pytest.FixtureRequest) -> Callable[[App, str], Any]:
    return SURFACES[request.param]


class Client:
    def __init__(self, key: str) -> None:
        self.key = key


def keyed(name: str = "deploy") -> App:
    """An app whose tools tell its key, each in another way."""
    app = App(name)

    @app.provide(Client)
    def client(settings: Settings) -> Client:
        return Client(settings.get("api.key", "none"))

    @app.command
    def directly(settings: Settings) -> str:
        return settings.get("api.key", "none")

    @app.command
    async def awaited(settings: Settings | None = None) -> str:
        assert settings is not None
        return settings.get("api.key", "none")

    @app.command
    def by_context(ctx: Context) -> str:
        return ctx.settings.get("api.key", "none")

    @app.command
    def by_factory(client: Client) -> str:
        return client.key

    return app


@pytest.mark.parametrize("name", ["directly", "awaited", "by_context", "by_factory"])
def test_settings_are_injected_on_every_surface(
    name: str, through: Callable[[App, str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEPLOY_API__KEY", "k")
    app = keyed()
    assert through(app, name) == "k"
    assert app.tools[name].input_schema.get("properties", {}) == {}


@pytest.mark.parametrize("name", ["directly", "awaited", "by_context", "by_factory"])
def test_an_added_app_keeps_its_own_settings(
    name: str, through: Callable[[App, str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEPLOY_API__KEY", "inner")
    monkeypatch.setenv("OUTER_API__KEY", "outer")
    outer, grand = App("outer"), App("grand")
    outer.add(keyed(), prefix="d")
    grand.add(outer, prefix="o")
    assert through(outer, f"d.{name}") == "inner"
    assert through(grand, f"o.d.{name}") == "inner"


def test_paths_are_injected_on_every_surface(through: Callable[[App, str], Any], project: Path) -> None:
    app = App("deploy")

    @app.command
    def where(paths: ConfigPaths) -> str:
        return paths.project.name

    assert through(app, "where") == project.name


def test_an_app_may_provide_settings_of_its_own(through: Callable[[App, str], Any]) -> None:
    app = keyed()
    app.provide(Settings, lambda: Settings({"api": {"key": "mine"}}))
    assert through(app, "directly") == "mine"
    assert through(app, "by_factory") == "mine"


def test_settings_are_read_once_and_only_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    write(Path("deploy.toml"), "broken =")
    app = keyed()
    app.command(name="plain")(lambda: 1)
    assert app.call("plain") == 1
    with pytest.raises(SettingsError, match=r"deploy\.toml, line 1|deploy\.toml, at the end"):
        app.call("directly")
    write(Path("deploy.toml"), "api.key = 'first'")
    assert app.call("directly") == "first"
    write(Path("deploy.toml"), "api.key = 'second'")
    assert app.call("by_context") == app.settings["api.key"] == "first"


def test_a_broken_file_fails_the_call_and_names_the_file_to_an_agent() -> None:
    write(Path("deploy.toml"), "api.key = hunter2")
    result = call_tool(keyed(), {"name": "directly", "arguments": {}})
    assert result["isError"] is True
    assert "SettingsError: deploy.toml, line 1" in result["content"][0]["text"]
    assert "hunter2" not in str(result)


def test_a_context_without_an_app_has_no_settings() -> None:
    assert Context().settings.get("api.key", "none") == "none"
    assert len(Context().settings) == 0


def test_a_caller_cannot_give_what_is_injected() -> None:
    result = call_tool(keyed(), {"name": "directly", "arguments": {"settings": {"api": {"key": "x"}}}})
    assert result["errorData"]["reason"] == "unexpected_argument"
