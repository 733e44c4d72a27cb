"""What comes along when an app, a module, a class or a function is added to an app."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import pytest

import accord
from accord import App, Policy
from accord.errors import RegistrationError, ResourceNotFound, UnknownPrompt
from accord.testing import Client


class Database:
    def __init__(self, name: str) -> None:
        self.name = name


def _notes() -> App:
    notes = App("notes")
    notes.provide(Database, lambda: Database("theirs"))

    @notes.resource("notes://today", title="Today", mime_type="text/plain")
    def today(db: Database) -> str:
        return f"today from {db.name}"

    @notes.resource("notes://{day}")
    def entry(day: str) -> str:
        return f"entry {day}"

    @notes.prompt(title="Sum up")
    def summarise(day: str) -> str:
        """Sum a day up."""
        return f"sum up {day}"

    @notes.completion(summarise, "day")
    @notes.completion(entry, "day")
    def days(value: str, others: dict[str, str], db: Database) -> list[str]:
        return [f"{value} of {db.name}"]

    return notes


def test_an_added_app_brings_what_it_offers_with_its_own_providers() -> None:
    app = App("all")
    app.provide(Database, lambda: Database("ours"))
    app.add(_notes(), prefix="notes")
    client = Client(app)
    assert list(app.resources) == ["notes://today"], "an address is the same for everybody"
    assert client.list_resources() == Client(_notes()).list_resources()
    assert list(app.prompts) == ["notes.summarise"]
    assert client.list_prompts() == [{**Client(_notes()).list_prompts()[0], "name": "notes.summarise"}]
    assert client.read_resource("notes://today")[0]["text"] == "today from theirs"
    assert client.read_resource("notes://2026")[0]["text"] == "entry 2026"
    assert client.get_prompt("notes.summarise", {"day": "1"})["messages"][0]["content"]["text"] == "sum up 1"
    assert client.complete("notes.summarise", "day", "a") == ["a of theirs"]
    assert client.complete("notes://{day}", "day", "a") == ["a of theirs"]


def test_apps_may_be_added_to_apps_that_are_added() -> None:
    middle, outer = App("middle", policy=Policy(names="underscore")), App("outer")
    middle.add(_notes(), prefix="notes")
    outer.add(middle, prefix="deep")
    assert list(middle.prompts) == ["notes_summarise"]
    assert list(outer.prompts) == ["deep.notes_summarise"]
    client = Client(outer)
    assert client.complete("deep_notes_summarise", "day", "a") == ["a of theirs"]
    assert client.read_resource("notes://today")[0]["text"] == "today from theirs"


@pytest.mark.filterwarnings("ignore:.*Database has no JSON Schema")  # as long as nothing provides it
def test_a_provider_that_comes_later_reaches_what_was_added() -> None:
    notes, app = App("notes"), App("all")

    @notes.resource("notes://{day}")
    def entry(day: str, db: Database) -> str:
        return f"{day} from {db.name}"

    app.add(notes)
    notes.provide(Database, lambda: Database("late"))
    assert Client(app).read_resource("notes://1")[0]["text"] == "1 from late"


@pytest.mark.parametrize("taken", ["address", "template", "prompt"])
def test_what_is_taken_is_refused_unless_it_is_replaced(taken: str) -> None:
    app = App("all")
    mine: dict[str, Callable[[], Any]] = {
        "address": lambda: app.resource("notes://today")(lambda: "mine"),
        "template": lambda: app.resource("notes://{day}")(lambda day: "mine"),
        "prompt": lambda: app.prompt("summarise")(lambda day: "mine"),
    }
    mine[taken]()
    with pytest.raises(RegistrationError, match="is registered already"):
        app.add(_notes())
    app = App("all")
    mine[taken]()
    app.add(_notes(), replace=True)
    client = Client(app)
    assert client.read_resource("notes://today")[0]["text"] == "today from theirs"
    assert client.read_resource("notes://2026")[0]["text"] == "entry 2026"
    assert client.get_prompt("summarise", {"day": "1"})["messages"][0]["content"]["text"] == "sum up 1"


def test_the_apps_stay_two() -> None:
    notes, app = _notes(), App("all")
    app.add(notes)
    app.resource("notes://other")(lambda: "ours")
    with pytest.raises(ResourceNotFound):
        Client(notes).read_resource("x://other")
    assert "notes://other" not in notes.resources


class Shelf:
    """Marked methods of every kind."""

    @accord.resource("shelf://{book}")
    def book(self, book: str) -> str:
        return f"book {book}"

    @accord.prompt
    def advise(self, mood: str) -> str:
        return f"advise {mood}"

    @accord.tool
    @accord.prompt("count.books")
    @staticmethod
    def count(number: int = 3) -> str:
        return str(number)


def _module() -> types.ModuleType:
    module = types.ModuleType("shelf")
    for name in ("book", "advise", "count"):
        setattr(module, name, getattr(Shelf(), name))
    return module


@pytest.mark.parametrize("thing", [Shelf, Shelf(), _module(), [Shelf().book, Shelf().advise, Shelf.count]], ids=str)
def test_marked_functions_become_what_they_are_marked_as(thing: Any) -> None:
    app = App("all")
    app.add(thing, prefix="shelf")
    assert list(app.tools) == ["shelf.count"], "whatever is marked, and as no tool, is none"
    assert list(app.templates) == ["shelf://{book}"]
    assert set(app.prompts) == {"shelf.advise", "shelf.count.books"}
    client = Client(app)
    assert client.read_resource("shelf://1")[0]["text"] == "book 1"
    assert client.get_prompt("shelf.advise", {"mood": "glad"})["messages"][0]["content"]["text"] == "advise glad"
    assert client.get_prompt("shelf.count.books", {"number": "5"})["messages"][0]["content"]["text"] == "5"
    with pytest.raises(UnknownPrompt):
        client.get_prompt("advise")


def test_options_given_where_things_are_added_are_for_tools() -> None:
    app = App("all")
    app.add(Shelf, hidden=True)
    app.add(Shelf, replace=True)
    assert list(app.templates) == ["shelf://{book}"]


def test_a_bare_mark_of_a_resource_is_refused() -> None:
    with pytest.raises(RegistrationError, match="needs an address"):
        accord.resource(Shelf.book)
