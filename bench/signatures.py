"""Ten signatures as people write them, each with a call that fits and a call that has to be refused.

They use what every contestant of `schema.py` reads in the same way, pydantic's `Field` included, and the bodies do
nothing: what is measured is the way to them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

from pydantic import BaseModel, Field


class Case(NamedTuple):
    """A function, JSON arguments it takes, and JSON arguments with one mistake in them.

    `bulk` are arguments as a program sends them and a model rarely writes: many records at once.
    """

    function: Callable[..., Any]
    valid: dict[str, Any]
    invalid: dict[str, Any]
    bulk: dict[str, Any] | None = None

    @property
    def name(self) -> str:
        return self.function.__name__


# -- 1: three scalars, two of them optional


def remind(text: str, minutes: int = 30, urgent: bool = False) -> str:
    """Remind the user of something later."""


# -- 2: choices, limits, a nullable


def search(
    query: Annotated[str, Field(min_length=1, max_length=200, description="Words to look for")],
    kind: Literal["code", "issue", "page"] = "code",
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    cursor: str | None = None,
) -> list[str]:
    """Search the workspace."""


# -- 3: dataclasses inside dataclasses


@dataclass
class Address:
    street: str
    city: str
    postcode: Annotated[str, Field(pattern="^[0-9]{5}$")]
    country: str = "DE"


@dataclass
class Line:
    sku: str
    quantity: Annotated[int, Field(ge=1)]
    price: float


@dataclass
class Order:
    customer: str
    address: Address
    lines: list[Line]
    note: str | None = None


@dataclass
class Receipt:
    number: int
    total: float
    lines: list[Line] = field(default_factory=list)


def place_order(order: Order, dry_run: bool = False) -> Receipt:
    """Place an order."""


# -- 4: a list of pydantic models


class Contact(BaseModel):
    name: str = Field(min_length=1)
    email: str
    age: int | None = Field(default=None, ge=0)
    tags: list[str] = []


def import_contacts(contacts: list[Contact], overwrite: bool = False) -> dict[str, int]:
    """Import contacts into the address book."""


# -- 5: a mapping of numbers


def record_metrics(source: str, samples: dict[str, float]) -> int:
    """Record one reading per metric."""


# -- 6: text that stands for other types


def schedule(job: UUID, start: datetime, output: Path, end: datetime | None = None) -> datetime:
    """Schedule a job and write its log to a file."""


# -- 7: a union of two dataclasses, told apart by a tag


@dataclass
class Circle:
    radius: float
    kind: Literal["circle"] = "circle"


@dataclass
class Rectangle:
    width: float
    height: float
    kind: Literal["rectangle"] = "rectangle"


def draw(shape: Circle | Rectangle, colour: str = "black") -> float:
    """Draw a shape and return its area."""


# -- 8: an enum and a set of enums


class Role(Enum):
    READER = "reader"
    WRITER = "writer"
    OWNER = "owner"


class Scope(Enum):
    CODE = "code"
    ISSUES = "issues"
    WIKI = "wiki"


def grant(user: str, role: Role, scopes: set[Scope]) -> bool:
    """Grant a role to a user."""


# -- 9: lists in lists in lists


def fit_surface(points: list[list[list[float]]], labels: list[list[str]], degree: int = 2) -> list[list[float]]:
    """Fit a surface through rows of points."""


# -- 10: many parameters, described in the docstring


class Result(BaseModel):
    url: str
    revision: int
    warnings: list[str] = []


def deploy(
    service: str,
    environment: Literal["development", "staging", "production"],
    version: str = "latest",
    replicas: Annotated[int, Field(ge=1, le=50)] = 2,
    cpu: Annotated[float, Field(gt=0)] = 0.5,
    memory_mb: int = 512,
    region: str = "eu-central-1",
    variables: dict[str, str] | None = None,
    labels: list[str] | None = None,
    timeout: Annotated[float, Field(ge=0, le=3600)] = 300.0,
    force: bool = False,
    notify: str | None = None,
) -> Result:
    """Deploy a service to an environment.

    Waits until every replica answers its health check, and rolls back when one does not.

    Args:
        service: Name of the service.
        environment: Where it goes.
        version: Version or image tag.
        replicas: How many copies run side by side.
        cpu: Processor cores for each replica.
        memory_mb: Memory for each replica, in megabytes.
        region: Data centre.
        variables: Environment variables, added to those of the service.
        labels: Free labels for the dashboard.
        timeout: Seconds to wait for the replicas.
        force: Deploy even when the same version is running.
        notify: Address that hears about the outcome.

    Returns:
        Where the service answers, and as which revision.
    """


def _lines(count: int) -> list[Any]:
    return [{"sku": f"A-{number}", "quantity": number, "price": 9.5} for number in range(1, count + 1)]


def _contacts(count: int) -> list[Any]:
    return [
        {"name": f"Person {number}", "email": f"p{number}@example.org", "age": 30 + number, "tags": ["new", "web"]}
        for number in range(count)
    ]


def _samples(count: int) -> dict[str, float]:
    return {f"metric-{number}": number + 0.25 for number in range(count)}


def _points(rows: int, columns: int) -> list[Any]:
    return [[[float(column), float(row), 0.5] for column in range(columns)] for row in range(rows)]


_ADDRESS = {"street": "Main Street 5", "city": "Berlin", "postcode": "10115"}
_ORDER = {"customer": "Kim", "address": _ADDRESS}
_LABELS = [["a", "b", "c"], ["d", "e", "f"]]
_DEPLOY = {
    "service": "checkout",
    "environment": "staging",
    "version": "2.4.1",
    "replicas": 4,
    "cpu": 1.5,
    "memory_mb": 1024,
    "variables": {"LOG_LEVEL": "info", "CACHE": "on"},
    "labels": ["team-a", "weekly"],
    "force": True,
}

CASES = (
    Case(remind, {"text": "Stand up", "minutes": 45}, {"text": "Stand up", "minutes": "soon"}),
    Case(search, {"query": "schema gate", "kind": "issue", "limit": 50}, {"query": "schema gate", "limit": 500}),
    Case(
        place_order,
        {"order": {**_ORDER, "lines": _lines(2)}},
        {"order": {"customer": "Kim", "address": {**_ADDRESS, "postcode": "1011"}, "lines": _lines(2)}},
        {"order": {**_ORDER, "lines": _lines(20)}},
    ),
    Case(
        import_contacts,
        {"contacts": _contacts(3)},
        {"contacts": [*_contacts(3), {"name": "Nobody"}]},
        {"contacts": _contacts(10)},
    ),
    Case(
        record_metrics,
        {"source": "web-1", "samples": _samples(4)},
        {"source": "web-1", "samples": {"cpu": 0.75, "memory": "plenty"}},
        {"source": "web-1", "samples": _samples(40)},
    ),
    Case(
        schedule,
        {
            "job": "7d9f2c1e-5b7a-4a52-9d0e-0f6f8f3f1a11",
            "start": "2026-03-01T08:30:00Z",
            "output": "logs/night.txt",
            "end": "2026-03-01T10:00:00+01:00",
        },
        {"job": "7d9f2c1e-5b7a-4a52", "start": "2026-03-01T08:30:00Z", "output": "logs/night.txt"},
    ),
    Case(
        draw,
        {"shape": {"kind": "rectangle", "width": 3.5, "height": 2.0}, "colour": "red"},
        {"shape": {"kind": "rectangle", "width": 3.5}, "colour": "red"},
    ),
    Case(
        grant,
        {"user": "kim", "role": "writer", "scopes": ["code", "wiki"]},
        {"user": "kim", "role": "wrtier", "scopes": ["code", "wiki"]},
    ),
    Case(
        fit_surface,
        {"points": _points(2, 3), "labels": _LABELS},
        {"points": [*_points(2, 3), [[1.0, None]]], "labels": _LABELS},
        {"points": _points(4, 5), "labels": _LABELS},
    ),
    Case(deploy, _DEPLOY, {**_DEPLOY, "replicas": 0, "environment": "stagnig"}),
)
