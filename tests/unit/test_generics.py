"""What a type variable stands for: in the class, in its bases, in itself, and where nobody says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypedDict, TypeVar

import attrs
import msgspec
import pytest
from pydantic import BaseModel

from accord import function_to_schema
from accord._calls import Failed
from accord.errors import RegistrationError
from tests.unit._tools import accepts, received, takes

T = TypeVar("T")
K = TypeVar("K")


@dataclass
class Base(Generic[T]):
    x: T


@dataclass
class Listed(Base[list[T]], Generic[T]):
    """Says `T` as its base does, and means another type."""

    y: T


@dataclass
class Further(Listed[T], Generic[T]):
    z: T


@dataclass
class Pair(Generic[T, K]):
    a: T
    b: K


@dataclass
class Swapped(Pair[K, T], Generic[T, K]):
    c: T


@attrs.define
class AttrsBase(Generic[T]):
    x: T


@attrs.define
class AttrsListed(AttrsBase[list[T]], Generic[T]):
    y: T


class StructBase(msgspec.Struct, Generic[T]):
    x: T


class StructListed(StructBase[list[T]], Generic[T]):
    y: T


class KeysBase(TypedDict, Generic[T]):
    x: T


class KeysListed(KeysBase[list[T]], Generic[T]):
    y: T


class ModelBase(BaseModel, Generic[T]):
    x: T


class ModelListed(ModelBase[list[T]], Generic[T]):
    y: T


@dataclass
class Node(Generic[T]):
    value: T
    next: Node[T] | None = None


class StructNode(msgspec.Struct, Generic[T]):
    value: T
    next: StructNode[T] | None = None


class ModelNode(BaseModel, Generic[T]):
    value: T
    next: ModelNode[T] | None = None


@dataclass
class Growing(Generic[T]):
    inner: Growing[list[T]] | None = None


@pytest.mark.parametrize("cls", [Listed, AttrsListed, StructListed, KeysListed, ModelListed])
def test_a_variable_of_the_same_name_means_in_a_base_what_the_base_was_given(cls: Any) -> None:
    given = received(cls[int], {"x": [1], "y": 2})
    assert not isinstance(given, Failed)
    assert (given if isinstance(given, dict) else _fields(given)) == {"x": [1], "y": 2}
    assert isinstance(received(cls[int], {"x": 1, "y": 2}), Failed)


def _fields(value: Any) -> dict[str, Any]:
    return {"x": value.x, "y": value.y}


def test_it_is_followed_through_several_bases_and_through_an_exchange() -> None:
    assert received(Further[int], {"x": [1], "y": 2, "z": 3}) == Further([1], 2, 3)
    assert received(Swapped[int, str], {"a": "s", "b": 1, "c": 2}) == Swapped("s", 1, 2)


@pytest.mark.parametrize("cls", [Node, StructNode, ModelNode])
def test_a_recursive_generic_keeps_its_argument_on_every_level(cls: Any) -> None:
    good, bad = ({"value": 1, "next": {"value": inner}} for inner in (2, "two"))
    schema = function_to_schema(takes(cls[int]))
    assert accepts(schema, {"x": good})
    assert not accepts(schema, {"x": bad})
    assert received(cls[int], good).next.value == 2
    assert isinstance(received(cls[int], bad), Failed)


@pytest.mark.parametrize("cls", [Node, StructNode, ModelNode])
def test_a_recursive_generic_without_an_argument_takes_anything_there(cls: Any) -> None:
    value = received(cls, {"value": [1], "next": {"value": "two"}})
    assert (value.value, value.next.value, value.next.next) == ([1], "two", None)


def test_with_and_without_an_argument_are_two_types_in_one_signature() -> None:
    def tool(one, other): ...

    tool.__annotations__ = {"one": Node, "other": Node[str]}
    schema = function_to_schema(tool)
    assert accepts(schema, {"one": {"value": 1}, "other": {"value": "a", "next": {"value": "b"}}})
    assert not accepts(schema, {"one": {"value": 1}, "other": {"value": "a", "next": {"value": 1}}})


def test_a_generic_that_grows_without_end_is_refused_in_few_words() -> None:
    with pytest.raises(RegistrationError, match=r"parameter 'x'.*grows without end.*same type arguments") as error:
        function_to_schema(takes(Growing[int]))
    assert len(str(error.value)) < 300
