"""Document 001: what it prints of its schemas, in dialect `openmcp`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Optional, TypedDict, Union

from pydantic import BaseModel, EmailStr, Field
from typing_extensions import NotRequired

from tests.contract.documents import returns

DIALECT = "openmcp"


def boxed(schema: dict[str, Any]) -> dict[str, Any]:
    """The object the document wraps around a result that is none."""
    return {
        "type": "object",
        "properties": {"result": schema},
        "required": ["result"],
        "x-dedalus-box": {"field": "result"},
    }


def greet(name: str, age: int, active: bool = True) -> str:
    return f"{name} ({age})"


def answer() -> int:
    return 7


def analyze(values: list[int], metadata: dict[str, str]) -> dict[str, float]:
    return {"mean": sum(values) / len(values)}


class Mean(TypedDict):
    mean: float


def set_mode(mode: Literal["fast", "accurate", "balanced"]) -> str:
    return mode


def find(query: str, limit: Optional[int] = None) -> list[str]:
    return []


class SearchParams(TypedDict):
    query: str
    max_results: NotRequired[int]


def search(params: SearchParams) -> list[str]:
    return [params["query"]]


@dataclass
class Address:
    street: str
    city: str
    postal_code: int


@dataclass
class Profile:
    name: str
    address: Address
    tags: list[str]


def create_profile(name: str, street: str, city: str) -> Profile:
    return Profile(name, Address(street, city, 10115), ["fresh"])


class User(BaseModel):
    username: str = Field(..., min_length=3, max_length=20)
    email: str = Field(..., pattern=r"^[\w\.-]+@[\w\.-]+\.\w+$")
    age: int = Field(..., ge=0, le=120)


def register_user(user: User) -> str:
    return f"{type(user).__name__}:{user.username}"


@dataclass
class ChatAction:
    kind: Literal["chat"]
    message: str


@dataclass
class NavigateAction:
    kind: Literal["navigate"]
    url: str


UnionAction = Union[ChatAction, NavigateAction]


def choose_action(chat: bool) -> UnionAction:
    return ChatAction("chat", "hello") if chat else NavigateAction("navigate", "https://accord.test")


class Totals(TypedDict):
    records: int
    filtered: int


async def analyze_dataset(
    dataset: str,
    limit: int = 100,
    filters: Optional[dict[str, str]] = None,
) -> Totals:
    return {"records": limit, "filtered": 0}


async def get_temperature(city: str) -> float:
    return 72.5


@dataclass
class Location:
    latitude: float
    longitude: float


@dataclass
class WeatherReport:
    temperature: float
    location: Location
    humidity: Optional[float] = None


async def weather(city: str) -> WeatherReport:
    return WeatherReport(72.5, Location(37.7749, -122.4194))


class CreateUserRequest(BaseModel):
    username: str = Field(..., min_length=3, max_length=20, pattern=r"^[a-zA-Z0-9_]+$")
    email: EmailStr
    age: int = Field(..., ge=13, le=120)
    bio: Optional[str] = Field(None, max_length=500)


async def create_user(request: CreateUserRequest) -> dict[str, str]:
    return {"user_id": "usr_123", "status": "created"}


def unannotated(value):
    return value


def keyword_only(a: int, *, b: str = "x") -> None: ...


def variadic_positional(a: int, *rest: int) -> None: ...


def variadic_keywords(a: int, **rest: int) -> None: ...


def documented(city: str) -> None:
    """Look up a city.

    Args:
        city: Its name.
    """


def count_only(count: int) -> None: ...


# (promises, function, whole input schema)
INPUTS = [
    (
        "001-157 001-123 001-127 001-129 001-130 001-131 001-132 001-133 001-136",
        greet,
        {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "Parameter name"},
                "age": {"type": "integer", "description": "Parameter age"},
                "active": {"type": "boolean", "description": "Parameter active", "default": True},
            },
            "required": ["name", "age"],
            "additionalProperties": False,
        },
    ),
    (
        "001-185",
        analyze_dataset,
        {
            "type": "object",
            "properties": {
                "dataset": {"type": "string", "description": "Parameter dataset"},
                "limit": {"type": "integer", "description": "Parameter limit", "default": 100},
                "filters": {
                    "anyOf": [
                        {"type": "object", "additionalProperties": {"type": "string"}},
                        {"type": "null"},
                    ],
                    "description": "Parameter filters",
                    "default": None,
                },
            },
            "required": ["dataset"],
            "additionalProperties": False,
        },
    ),
    (
        "001-191",
        create_user,
        {
            "type": "object",
            "properties": {
                "username": {
                    "type": "string",
                    "minLength": 3,
                    "maxLength": 20,
                    "pattern": "^[a-zA-Z0-9_]+$",
                    "description": "Parameter username",
                },
                "email": {"type": "string", "format": "email", "description": "Parameter email"},
                "age": {
                    "type": "integer",
                    "minimum": 13,
                    "maximum": 120,
                    "description": "Parameter age",
                },
                "bio": {
                    "anyOf": [{"type": "string", "maxLength": 500}, {"type": "null"}],
                    "description": "Parameter bio",
                    "default": None,
                },
            },
            "required": ["username", "email", "age"],
            "additionalProperties": False,
        },
    ),
    (
        "001-128",
        unannotated,
        {
            "type": "object",
            "properties": {"value": {"description": "Parameter value"}},
            "required": ["value"],
            "additionalProperties": False,
        },
    ),
    (
        "001-127",
        keyword_only,
        {
            "type": "object",
            "properties": {
                "a": {"type": "integer", "description": "Parameter a"},
                "b": {"type": "string", "description": "Parameter b", "default": "x"},
            },
            "required": ["a"],
            "additionalProperties": False,
        },
    ),
    (
        "001-131",
        documented,
        {
            "type": "object",
            "properties": {"city": {"type": "string", "description": "Its name."}},
            "required": ["city"],
            "additionalProperties": False,
        },
    ),
    ("001-138", variadic_positional, {"type": "object", "additionalProperties": True}),
    ("001-138", variadic_keywords, {"type": "object", "additionalProperties": True}),
]

# (promises, function, whole output schema)
OUTPUTS = [
    ("001-153 001-155", answer, boxed({"type": "integer"})),
    ("001-158", greet, boxed({"type": "string"})),
    ("001-160", analyze, {"type": "object", "additionalProperties": {"type": "number"}}),
    (
        "001-160",
        returns(Mean),
        {"type": "object", "properties": {"mean": {"type": "number"}}, "additionalProperties": False},
    ),
    ("001-163", find, boxed({"type": "array", "items": {"type": "string"}})),
    (
        "001-134 001-166 001-167",
        create_profile,
        {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "address": {
                    "type": "object",
                    "properties": {
                        "street": {"type": "string"},
                        "city": {"type": "string"},
                        "postal_code": {"type": "integer"},
                    },
                    "additionalProperties": False,
                },
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "additionalProperties": False,
        },
    ),
    ("001-158", register_user, boxed({"type": "string"})),
    (
        "001-173 001-175",
        choose_action,
        {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {
                        "kind": {"enum": ["chat"], "type": "string"},
                        "message": {"type": "string"},
                    },
                    "additionalProperties": False,
                },
                {
                    "type": "object",
                    "properties": {
                        "kind": {"enum": ["navigate"], "type": "string"},
                        "url": {"type": "string"},
                    },
                    "additionalProperties": False,
                },
            ]
        },
    ),
    (
        "001-186",
        analyze_dataset,
        {
            "type": "object",
            "properties": {"records": {"type": "integer"}, "filtered": {"type": "integer"}},
            "additionalProperties": False,
        },
    ),
    ("001-188", get_temperature, boxed({"type": "number"})),
    (
        "001-189 001-152",
        weather,
        {
            "type": "object",
            "properties": {
                "temperature": {"type": "number"},
                "location": {
                    "type": "object",
                    "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
                    "additionalProperties": False,
                },
                "humidity": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            },
            "additionalProperties": False,
        },
    ),
    ("001-139", unannotated, None),
]

# (promises, function, printed keys of each property)
PROPERTIES = [
    (
        "001-159",
        analyze,
        {
            "values": {"type": "array", "items": {"type": "integer"}},
            "metadata": {"type": "object", "additionalProperties": {"type": "string"}},
        },
    ),
    ("001-161", set_mode, {"mode": {"enum": ["fast", "accurate", "balanced"], "type": "string"}}),
    (
        "001-162",
        find,
        {
            "query": {"type": "string"},
            "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
        },
    ),
    ("001-164", search, {"query": {"type": "string"}, "max_results": {"type": "integer"}}),
    (
        "001-169 001-170",
        register_user,
        {
            "username": {"type": "string", "minLength": 3, "maxLength": 20},
            "email": {"type": "string", "pattern": "^[\\w\\.-]+@[\\w\\.-]+\\.\\w+$"},
            "age": {"type": "integer", "minimum": 0, "maximum": 120},
        },
    ),
    ("001-135 001-183", count_only, {"count": {"type": "integer"}}),
]

# (promises, function, names of the required parameters)
REQUIRED = [
    ("001-164 001-165", search, ["query"]),
    ("001-162", find, ["query"]),
    ("001-191", create_user, ["username", "email", "age"]),
]
