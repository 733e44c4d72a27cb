"""What can be registered as a resource, a prompt or a completion, what is refused, and what is then listed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import pytest

from accord import App, Context, Description, Policy
from accord.errors import RegistrationError
from accord.testing import Client


class Database:
    def __init__(self, name: str = "memory") -> None:
        self.name = name


def app_with(offer: Callable[[App], object]) -> App:
    app = App("shelf")
    offer(app)
    return app


def note(day: str) -> str:
    return day


def plain() -> str:
    """Nothing special."""
    return "x"


def both(day: str, limit: int = 3) -> str:
    return day * limit


def stored(day: str, db: Database) -> str:
    return f"{day} from {db.name}"


def told(day: str, ctx: Context) -> str:
    return f"{day} on {ctx.surface}"


def names(value: str) -> list[str]:
    return [value]


#: as of a tool, there is a warning as long as nothing provides the type
_not_provided_yet = pytest.mark.filterwarnings("ignore:.*Database has no JSON Schema")


def test_a_registered_function_stays_the_function_it_is() -> None:
    app = App("shelf")
    assert app.resource("notes://{day}")(note) is note
    assert app.prompt(both) is both
    assert app.prompt("other")(both) is both
    assert app.completion("other", "day")(names) is names
    assert (app.templates["notes://{day}"].fn, app.prompts["both"].fn) == (note, both)


def test_the_views_show_what_is_registered_and_cannot_be_written() -> None:
    app = App("shelf")
    resources, templates, prompts = app.resources, app.templates, app.prompts
    assert (len(resources), len(templates), len(prompts)) == (0, 0, 0)
    app.resource("notes://today")(plain)
    app.resource("notes://{day}")(note)
    app.prompt(both)
    assert list(app.resources) == ["notes://today"]
    assert list(app.templates) == ["notes://{day}"]
    assert repr(app.prompts) == "<prompts: both>"
    assert not hasattr(app.prompts, "__setitem__")


# (how it is registered, what the error says)
REFUSED: dict[str, tuple[Callable[[App], object], str]] = {
    "no address": (lambda app: app.resource(plain), "needs an address"),
    "no URI": (lambda app: app.resource("today")(plain), "has no scheme"),
    "an unreadable template": (lambda app: app.resource("x://{a}{b}")(plain), "touch"),
    "a variable without a parameter": (lambda app: app.resource("x://{month}/{day}")(note), "a variable 'month'"),
    "a parameter without a variable": (lambda app: app.resource("x://today")(note), "parameter 'day'.*no such var"),
    "a default is no variable": (lambda app: app.resource("x://{day}")(both), r"'limit'.*Write \{limit\} into"),
    "no such option": (lambda app: app.resource("x://a", color=1)(plain), "no option 'color'"),
    "no time": (lambda app: app.resource("x://a", timeout=0)(plain), "timeout=0 makes no sense"),
    "no size": (lambda app: app.resource("x://a", size=-1)(plain), "size=-1 makes no sense"),
    "a template's size": (lambda app: app.resource("x://{day}", size=1)(note), "a template has no size"),
    "nobody's resource": (
        lambda app: app.resource("x://a", annotations={"audience": ["me"]})(plain),
        "makes no sense",
    ),
    "too important": (lambda app: app.resource("x://a", annotations={"priority": 2})(plain), "from 0 to 1"),
    "the same URI": (lambda app: [app.resource("x://a")(plain) for _ in "12"], "is registered already"),
    "the same template": (lambda app: [app.resource("x://{day}")(note) for _ in "12"], "is registered already"),
    "the same prompt": (lambda app: [app.prompt(plain) for _ in "12"], "is registered already"),
    "another spelling": (lambda app: [app.prompt(name)(plain) for name in ("a.b", "a_b")], "is registered already"),
    "no name": (lambda app: app.prompt("a b")(plain), "cannot be a tool name"),
    "no prompt's option": (lambda app: app.prompt("a", uri="x")(plain), "no option 'uri'"),
    "no function": (lambda app: app.prompt(5), "no signature"),
    "nothing to complete": (lambda app: app.completion("both", "day")(names), "not registered"),
    "no such argument": (lambda app: [app.prompt(both), app.completion(both, "month")(names)], "It has: day, limit"),
    "no arguments": (lambda app: [app.prompt(plain), app.completion(plain, "day")(names)], "It has none"),
    "a resource has none": (
        lambda app: [app.resource("x://a")(plain), app.completion("x://a", "day")(names)],
        "It has none",
    ),
    "twice completed": (
        lambda app: [app.prompt(both), *(app.completion("both", "day")(names) for _ in "12")],
        "is registered already",
    ),
    "takes no text": (lambda app: [app.prompt(both), app.completion(both, "day")(plain)], "is given the text so far"),
    "takes a number": (lambda app: [app.prompt(both), app.completion(both, "day")(_numbers)], "Annotate it with str"),
    "takes two texts": (lambda app: [app.prompt(both), app.completion(both, "day")(_texts)], "Annotate it with dict"),
}


def _numbers(value: int) -> list[str]:
    return [str(value)]


def _texts(value: str, other: str) -> list[str]:
    return [value, other]


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_work_is_refused_with_a_remedy(case: str) -> None:
    register, said = REFUSED[case]
    with pytest.raises(RegistrationError, match=said) as raised:
        app_with(register)
    assert raised.value.remedy.endswith(".")


def test_what_is_registered_can_be_replaced() -> None:
    app = App("shelf")
    app.resource("x://{day}")(note)
    app.completion("x://{day}", "day")(names)
    app.resource("x://{day}", replace=True)(told)
    app.prompt("plain")(plain)
    app.prompt("plain", replace=True)(both)
    app.completion("plain", "day")(names)
    app.completion("plain", "day", replace=True)(lambda value: [value, value])
    client = Client(app)
    assert client.read_resource("x://1")[0]["text"] == "1 on mcp"
    assert client.complete("x://{day}", "day", "a") == [], "it went with the function it was made for"
    assert client.complete("plain", "day", "a") == ["a", "a"]


def test_a_resource_is_listed_with_what_its_author_said() -> None:
    app = App("shelf")
    app.resource("x://a")(plain)
    app.resource(
        "x://b",
        name="Bee",
        title="B",
        description="The b.",
        mime_type="image/png",
        size=3,
        annotations={"audience": ["user"], "priority": 0.5},
        icons=[{"src": "https://icons.example/a.png"}],
        meta={"mine": 1},
    )(plain)
    app.resource("x://{day}", mime_type="text/html")(note)
    client = Client(app)
    assert client.list_resources() == [
        {"uri": "x://a", "name": "plain", "description": "Nothing special."},
        {
            "uri": "x://b",
            "name": "Bee",
            "title": "B",
            "description": "The b.",
            "mimeType": "image/png",
            "size": 3,
            "annotations": {"audience": ["user"], "priority": 0.5},
            "icons": [{"src": "https://icons.example/a.png"}],
            "_meta": {"mine": 1},
        },
    ]
    assert client.list_resource_templates() == [{"uriTemplate": "x://{day}", "name": "note", "mimeType": "text/html"}]


def test_a_prompt_is_listed_with_its_arguments() -> None:
    app = App("shelf")

    @app.prompt
    def review(code: Annotated[str, Description("What to look at")], depth: int = 1, ctx: Context = Context()) -> str:
        """Review code.

        Looks at everything.

        Args:
            code: Overruled by the marker.
            depth: How deep to look.
        """
        return code * depth

    assert Client(app).list_prompts() == [
        {
            "name": "review",
            "title": "Review code",
            "description": "Review code.\n\nLooks at everything.",
            "arguments": [
                {"name": "code", "description": "What to look at", "required": True},
                {"name": "depth", "description": "How deep to look.", "required": False},
            ],
        }
    ]


@_not_provided_yet
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_parameter_may_be_provided_before_or_after_it_is_registered(when: str) -> None:
    app = App("shelf")
    if when == "before":
        app.provide(Database, Database)
    app.resource("x://{day}")(stored)
    app.prompt("stored")(stored)
    if when == "after":
        app.provide(Database, lambda: Database("late"))
    client = Client(app)
    expected = "1 from memory" if when == "before" else "1 from late"
    assert client.read_resource("x://1")[0]["text"] == expected
    assert client.get_prompt("stored", {"day": "1"})["messages"][0]["content"]["text"] == expected
    assert [argument.name for argument in app.prompts["stored"].arguments] == ["day"]


@_not_provided_yet
def test_a_parameter_nobody_provides_is_told_when_it_is_read() -> None:
    app = App("shelf")
    app.resource("x://{day}")(stored)
    with pytest.raises(Exception, match=r"parameter 'db'.*provide its type"):
        Client(app).read_resource("x://1")


def test_a_prompt_that_cannot_be_understood_yet_does_not_spoil_the_list() -> None:
    app = App("shelf")

    @app.prompt
    def later(day: Missing) -> str:  # noqa: F821 - never defined
        return str(day)

    app.prompt(plain)
    client = Client(app)
    assert [entry["name"] for entry in client.list_prompts()] == ["plain"]
    with pytest.raises(Exception, match="'Missing', which is not defined"):
        client.get_prompt("later", {"day": "1"})


def test_underscored_names_are_published_and_both_spellings_understood() -> None:
    app = App("shelf", policy=Policy(names="underscore"))
    app.prompt("notes.today")(plain)
    client = Client(app)
    assert [entry["name"] for entry in client.list_prompts()] == ["notes_today"]
    for name in ("notes.today", "notes_today"):
        assert client.get_prompt(name)["messages"]


def test_a_method_of_an_object_can_be_all_of_them() -> None:
    class Shelf:
        def read(self, day: str) -> str:
            return f"read {day}"

        def days(self, value: str) -> list[str]:
            return [f"{value}!"]

    shelf, app = Shelf(), App("shelf")
    app.resource("x://{day}")(shelf.read)
    app.prompt("read")(shelf.read)
    app.completion("x://{day}", "day")(shelf.days)
    client: Any = Client(app)
    assert client.read_resource("x://1")[0]["text"] == "read 1"
    assert client.complete("x://{day}", "day", "a") == ["a!"]
