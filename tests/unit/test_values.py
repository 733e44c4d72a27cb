"""Frozen values of our own, and attributes that are made once."""

from __future__ import annotations

import copy
import inspect
import pickle
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from accord._values import Value, field_names, lazy, replace
from accord.policy import Policy


class Point(Value):
    x: int
    y: int = 0


class Place(Point, kw_only=True):
    name: str
    tags: tuple[str, ...] = ()


class Owner(Value, eq=False):
    name: str

    @property
    def shout(self) -> str:
        return self.name.upper()


def test_fields_are_given_by_position_or_by_name() -> None:
    assert Point(1, 2) == Point(1, y=2) == Point(x=1, y=2) == Point(y=2, x=1)
    assert (Point(1, 2).x, Point(1, 2).y) == (1, 2)


def test_a_field_that_is_left_out_has_its_default() -> None:
    assert Point(1).y == 0
    assert Point(1) == Point(1, 0)
    assert hash(Point(1)) == hash(Point(1, 0))
    assert repr(Point(1)) == "Point(x=1, y=0)"


def test_an_inherited_field_comes_before_its_own() -> None:
    assert field_names(Place) == ("x", "y", "name", "tags")
    assert repr(Place(1, name="home")) == "Place(x=1, y=0, name='home', tags=())"


@pytest.mark.parametrize(
    ("given", "named", "complaint"),
    [
        ((), {}, "Point: x is missing"),
        ((), {"y": 1}, "Point: x is missing"),
        ((1, 2, 3), {}, "Point takes 2 fields by position, not 3"),
        ((1,), {"x": 2}, "Point: x is given twice"),
        ((1,), {"z": 2}, "Point: there is no field z"),
    ],
)
def test_what_does_not_fit_is_refused(given: tuple[Any, ...], named: dict[str, Any], complaint: str) -> None:
    with pytest.raises(TypeError, match=f"^{complaint}$"):
        Point(*given, **named)


def test_a_keyword_only_field_is_refused_by_position() -> None:
    with pytest.raises(TypeError, match="by position"):
        Place(1, 2, "home")  # type: ignore[misc]  # that is the point


@pytest.mark.parametrize("name", ["x", "y", "z"])
def test_nothing_can_be_set_or_deleted(name: str) -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match=f"Point is frozen: {name} "):
        setattr(point, name, 5)
    with pytest.raises(AttributeError, match=f"Point is frozen: {name} "):
        delattr(point, name)
    assert point == Point(1)


def test_values_of_different_classes_are_different() -> None:
    class Twin(Value):
        x: int
        y: int = 0

    assert Point(1) != Twin(1)
    assert Point(1) != (1, 0)


def test_a_value_can_be_hashed_if_its_fields_can() -> None:
    assert {Point(1): "a"}[Point(1, 0)] == "a"
    with pytest.raises(TypeError, match="unhashable"):
        hash(Point([]))  # type: ignore[arg-type]  # whatever the annotation says


def test_without_equality_a_value_is_itself_only() -> None:
    one, other = Owner("a"), Owner("a")
    assert one == one != other
    assert len({one, other}) == 2
    assert one.shout == "A"


def test_a_changed_copy_leaves_the_value_as_it_was() -> None:
    point = Point(1, 2)
    assert replace(point, y=3) == Point(1, 3)
    assert point == Point(1, 2)
    assert replace(Place(1, name="home"), tags=("a",)) == Place(1, name="home", tags=("a",))
    with pytest.raises(TypeError, match="there is no field z"):
        replace(point, z=3)


def test_a_value_survives_copying_and_pickling() -> None:
    place = Place(1, name="home")
    assert copy.copy(place) == copy.deepcopy(place) == pickle.loads(pickle.dumps(place)) == place


def test_the_signature_shows_the_fields() -> None:
    assert str(inspect.signature(Point)) == "(x: 'int', y: 'int' = 0)"
    assert str(inspect.signature(Place)) == "(x: 'int', y: 'int' = 0, *, name: 'str', tags: 'tuple[str, ...]' = ())"
    assert "timeout" in inspect.signature(Policy).parameters


def test_a_lazy_attribute_is_made_once_for_each_object() -> None:
    made = []

    class Thing:
        @lazy
        def name(self) -> str:
            """What it is called."""
            made.append(self)
            return f"thing {len(made)}"

    one, other = Thing(), Thing()
    assert (one.name, one.name, other.name) == ("thing 1", "thing 1", "thing 2")
    del one.name
    assert one.name == "thing 3"
    assert Thing.name.__doc__ == "What it is called."


def test_a_lazy_attribute_that_fails_is_tried_again() -> None:
    class Thing:
        works = False

        @lazy
        def value(self) -> int:
            if not self.works:
                raise ValueError("not yet")
            return 1

    thing = Thing()
    with pytest.raises(ValueError, match="not yet"):
        thing.value  # noqa: B018 - asking is what fails
    thing.works = True
    assert thing.value == 1


def test_threads_that_ask_at_once_get_the_same_lazy_attribute() -> None:
    """A key that one thread sealed with, and another thread then replaced, would open nothing."""
    both_make_one = Barrier(2, timeout=30)

    class Thing:
        @lazy
        def key(self) -> object:
            both_make_one.wait()
            return object()

    thing = Thing()
    with ThreadPoolExecutor(2) as pool:
        first, second = (pool.submit(lambda: thing.key) for _ in range(2))
    assert first.result() is second.result() is thing.key
