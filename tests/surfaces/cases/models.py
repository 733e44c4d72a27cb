"""Models of every kind as arguments and as results: JSON, dotted options, nested, recursive, flattened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, NotRequired, TypedDict

import attrs
import msgspec
import pydantic

from accord import App
from tests.surfaces._case import Case

app = App("models")


@dataclass
class Address:
    city: str
    zip_code: int | None = None
    tags: list[str] = field(default_factory=list)


@dataclass
class Person:
    name: str
    address: Address
    title: str = "none"


@dataclass
class Tree:
    label: str
    children: list[Tree] = field(default_factory=list)


@attrs.define
class Box:
    width: int
    height: int = 1


class Crate(msgspec.Struct):
    weight: float
    fragile: bool = False


class Options(TypedDict):
    depth: int
    path: NotRequired[str]


class Query(pydantic.BaseModel):
    text: str
    limit: Annotated[int, pydantic.Field(ge=1, le=50)] = 10


class Open(pydantic.BaseModel, extra="allow"):
    name: str


class Cat(msgspec.Struct, tag="cat"):
    lives: int


class Dog(msgspec.Struct, tag="dog"):
    name: str


@dataclass
class Circle:
    kind: Literal["circle"]
    radius: float


@dataclass
class Square:
    kind: Literal["square"]
    side: float


@app.command
def move(address: Address) -> Address:
    return address


@app.command
def hire(person: Person) -> Person:
    return person


@app.command
def maybe(address: Address | None = None) -> Address | None:
    return address


@app.command
def plant(tree: Tree) -> Tree:
    return tree


@app.command
def pack(box: Box) -> Box:
    return box


@app.command
def load(crate: Crate) -> Crate:
    return crate


@app.command
def walk(options: Options) -> Options:
    return options


@app.command
def search(query: Query) -> Query:
    return query


@app.command(flatten=True)
def find(query: Query) -> Query:
    return query


@app.command
def keep(thing: Open) -> Open:
    return thing


@app.command
def adopt(pet: Cat | Dog) -> str:
    return type(pet).__name__


@app.command
def draw(shape: Circle | Square) -> Circle | Square:
    return shape


@app.command
def route(stops: list[Address]) -> list[Address]:
    return stops


@app.command
def book(homes: dict[str, Address]) -> dict[str, Address]:
    return homes


ROME = {"city": "Rome", "zip_code": 5, "tags": ["a", "b"]}
OSLO = {"city": "Oslo", "zip_code": None, "tags": []}
TREE = {"label": "a", "children": [{"label": "b", "children": []}]}

CASES = [
    Case(
        "a dataclass, field by field",
        app,
        "move",
        "move --address.city Rome --address.zip-code 5 --address.tags a --address.tags b",
        {"address": ROME},
        ROME,
        values={"address": Address("Rome", 5, ["a", "b"])},
        returned=Address("Rome", 5, ["a", "b"]),
    ),
    Case(
        "a dataclass, as JSON",
        app,
        "move",
        """move --address '{"city": "Oslo"}'""",
        {"address": {"city": "Oslo"}},
        OSLO,
        values={"address": Address("Oslo")},
        returned=Address("Oslo"),
    ),
    Case(
        "a dataclass, as JSON and field by field",
        app,
        "move",
        """move --address '{"city": "Rome", "tags": ["a", "b"]}' --address.zip_code 5""",
        {"address": ROME},
        ROME,
        returned=Address("Rome", 5, ["a", "b"]),
    ),
    Case(
        "a dataclass, entry by entry",
        app,
        "move",
        "move --address city=Oslo",
        {"address": {"city": "Oslo"}},
        OSLO,
        returned=Address("Oslo"),
    ),
    Case(
        "a dataclass inside another",
        app,
        "hire",
        "hire --person.name Ada --person.address.city Oslo --person.title Dr",
        {"person": {"name": "Ada", "address": {"city": "Oslo"}, "title": "Dr"}},
        {"name": "Ada", "address": OSLO, "title": "Dr"},
        values={"person": Person("Ada", Address("Oslo"), "Dr")},
        returned=Person("Ada", Address("Oslo"), "Dr"),
    ),
    Case("a nullable dataclass left out", app, "maybe", "maybe", {}, None, plain=""),
    Case("a nullable dataclass as null", app, "maybe", "maybe --address null", {"address": None}, None, plain=""),
    Case(
        "a nullable dataclass field by field",
        app,
        "maybe",
        "maybe --address.city Oslo",
        {"address": {"city": "Oslo"}},
        OSLO,
        returned=Address("Oslo"),
    ),
    Case(
        "a recursive dataclass",
        app,
        "plant",
        """plant --tree.label a --tree.children '{"label": "b"}'""",
        {"tree": {"label": "a", "children": [{"label": "b"}]}},
        TREE,
        values={"tree": Tree("a", [Tree("b")])},
        returned=Tree("a", [Tree("b")]),
    ),
    Case(
        "an attrs class",
        app,
        "pack",
        "pack --box.width 3",
        {"box": {"width": 3}},
        {"width": 3, "height": 1},
        values={"box": Box(3)},
        returned=Box(3),
        plain="width:  3\nheight: 1\n",
    ),
    Case(
        "a Struct with a flag inside",
        app,
        "load",
        "load --crate.fragile --crate.weight 2.5",
        {"crate": {"fragile": True, "weight": 2.5}},
        {"weight": 2.5, "fragile": True},
        values={"crate": Crate(2.5, True)},
        returned=Crate(2.5, True),
    ),
    Case(
        "a TypedDict",
        app,
        "walk",
        "walk --options depth=2 --options.path src",
        {"options": {"depth": 2, "path": "src"}},
        {"depth": 2, "path": "src"},
    ),
    Case(
        "a pydantic model",
        app,
        "search",
        "search --query.text cats",
        {"query": {"text": "cats"}},
        {"text": "cats", "limit": 10},
        values={"query": Query(text="cats")},
        returned=Query(text="cats"),
    ),
    Case(
        "a flattened model",
        app,
        "find",
        "find --text cats --limit 3",
        {"text": "cats", "limit": 3},
        {"text": "cats", "limit": 3},
        returned=Query(text="cats", limit=3),
    ),
    Case(
        "a model open for more",
        app,
        "keep",
        "keep --thing.name a --thing.size 3",
        {"thing": {"name": "a", "size": 3}},
        {"name": "a", "size": 3},
        values={"thing": Open.model_validate({"name": "a", "size": 3})},
        returned=Open.model_validate({"name": "a", "size": 3}),
    ),
    Case(
        "a tagged union",
        app,
        "adopt",
        """adopt --pet '{"type": "dog", "name": "Rex"}'""",
        {"pet": {"type": "dog", "name": "Rex"}},
        "Dog",
        values={"pet": Dog("Rex")},
        plain="Dog\n",
    ),
    Case(
        "a union told apart by a Literal",
        app,
        "draw",
        "draw --shape.kind square --shape.side 2",
        {"shape": {"kind": "square", "side": 2}},
        {"kind": "square", "side": 2.0},
        values={"shape": Square("square", 2.0)},
        returned=Square("square", 2.0),
    ),
    Case(
        "a list of dataclasses",
        app,
        "route",
        """route --stops '{"city": "Oslo"}' --stops '[{"city": "Rome", "zip_code": 5, "tags": ["a", "b"]}]'""",
        {"stops": [{"city": "Oslo"}, ROME]},
        [OSLO, ROME],
        values={"stops": [Address("Oslo"), Address("Rome", 5, ["a", "b"])]},
        returned=[Address("Oslo"), Address("Rome", 5, ["a", "b"])],
    ),
    Case(
        "a dict of dataclasses, dotted",
        app,
        "book",
        """book --homes.ada.city Oslo --homes 'bob={"city": "Rome", "zip_code": 5, "tags": ["a", "b"]}'""",
        {"homes": {"ada": {"city": "Oslo"}, "bob": ROME}},
        {"ada": OSLO, "bob": ROME},
        returned={"ada": Address("Oslo"), "bob": Address("Rome", 5, ["a", "b"])},
    ),
]
