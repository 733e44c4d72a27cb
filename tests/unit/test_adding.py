"""What an author may hand to an App, and what is refused there and then instead of being lost."""

from typing import Any

import pytest

import accord
from accord import App
from accord.errors import RegistrationError


class Shelf:
    """Marked methods of every kind, with the marks on either side of the other decorators."""

    @accord.tool
    def put(self, book: str) -> str:
        return f"put {book}"

    @accord.tool(name="count")
    @classmethod
    def above_a_class_method(cls, number: int) -> int:
        return number

    @classmethod
    @accord.tool
    def below(cls, number: int) -> int:
        return number

    @accord.tool
    @staticmethod
    def above(number: int) -> int:
        return number

    def unmarked(self, book: str) -> str:
        return book


@pytest.mark.parametrize("thing", [Shelf, Shelf()], ids=["class", "object"])
def test_marks_are_found_above_and_below_other_decorators(thing: Any) -> None:
    app = App("tests")
    app.add(thing)
    assert list(app.tools) == ["put", "count", "below", "above"]
    assert app.call("put", book="Emma") == "put Emma"
    assert [app.call(name, number=3) for name in ("count", "below", "above")] == [3, 3, 3]


# (what is registered, what the refusal says of it)
REFUSED: list[tuple[Any, str]] = [
    (3, "3: this cannot be called"),
    (("site", "build"), "this cannot be called"),
    (Shelf.unmarked, r"unmarked: it is a method of Shelf, and nobody gives it an object.*app\.add\(Shelf\("),
    (vars(Shelf)["below"], r"below: a class method needs its class.*app\.add\(Shelf\)"),
]


@pytest.mark.parametrize(("thing", "said"), REFUSED)
def test_what_cannot_be_a_tool_is_refused_and_not_taken_for_a_name(thing: Any, said: str) -> None:
    app = App("tests")
    for decorate in (app.command, app.group("site").command, app.command("named")):
        with pytest.raises(RegistrationError, match=said):
            decorate(thing)
    assert not app.tools


def test_what_has_its_object_is_a_tool() -> None:
    app = App("tests")
    app.command(Shelf().unmarked)
    app.command(Shelf.below)

    @app.command
    def itself(self: str) -> str:
        return self

    assert app.call("unmarked", book="Emma") == "Emma"
    assert app.call("below", number=1) == 1
    assert app.call("itself", self="me") == "me"
