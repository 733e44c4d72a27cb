"""Settings as dataclasses and other types: what is read, and how a misfit is reported."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
import pytest

from accord import Ge, Settings
from accord.errors import RegistrationError, SettingsError
from tests.unit.settings._files import load


class Level(Enum):
    LOW = "low"
    HIGH = "high"


@dataclass
class Retry:
    times: Annotated[int, Ge(0)] = 3
    wait: float = 0.5


@dataclass
class Api:
    key: str
    port: int = 80
    debug: bool = False
    hosts: list[str] = field(default_factory=list)
    retry: Retry = field(default_factory=Retry)
    level: Level = Level.LOW
    timeout: float | None = None
    mirror: Retry | None = None


def test_a_table_is_read_as_a_dataclass_with_its_defaults() -> None:
    found = load("[api]\nkey = 'k'\nretry = {times = 1}\nlevel = 'high'").read(Api, "api")
    assert found == Api("k", retry=Retry(times=1), level=Level.HIGH)


def test_a_section_and_the_whole_are_read_the_same_way() -> None:
    found = load("[outer.api]\nkey = 'k'")
    assert found["outer"].read(Api, "api") == found["outer.api"].read(Api) == Api("k")


def test_texts_of_the_environment_become_what_the_type_wants() -> None:
    found = load(
        API__KEY="0123",
        API__PORT="8080",
        API__DEBUG="on",
        API__HOSTS='["a", "b"]',
        API__RETRY__WAIT="2",
        API__LEVEL="high",
        API__TIMEOUT="1.5",
        API__MIRROR__TIMES="2",
    )
    wanted = Api("0123", 8080, True, ["a", "b"], Retry(wait=2.0), Level.HIGH, 1.5, Retry(times=2))
    assert found.read(Api, "api") == wanted


def test_texts_of_a_file_stay_what_they_are() -> None:
    with pytest.raises(SettingsError, match=r"port \(deploy\.toml\): must be an integer, is a string"):
        load("port = '80'").read(dict[str, int])


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (int, "7", 7),
        (str, "7", "7"),
        (bool, "yes", True),
        (list[int], "[1, 2]", [1, 2]),
        (tuple[int, str], '[1, "a"]', (1, "a")),
        (Path, "a/b", Path("a/b")),
        (Literal[1, 2], "2", 2),
        (int | str, "7", "7"),
        (int | None, "7", 7),
        (Any, "7", "7"),
        (datetime.date, "2026-05-01", datetime.date(2026, 5, 1)),
        (dict[str, int], '{"a": 1}', {"a": 1}),
    ],
)
def test_a_single_setting_is_read_as_any_annotation(kind: Any, text: str, value: Any) -> None:
    assert load(X=text).read(kind, "x") == value


def test_dates_of_a_file_are_dates() -> None:
    assert load("day = 2026-05-01").read(datetime.date, "day") == datetime.date(2026, 5, 1)


def test_a_pydantic_model_is_read_too() -> None:
    class Model(pydantic.BaseModel):
        port: int = pydantic.Field(ge=1)

    assert load(API__PORT="80").read(Model, "api").port == 80
    with pytest.raises(SettingsError, match=r"api\.port \(env DEPLOY_API__PORT\)"):
        load(API__PORT="0").read(Model, "api")


def test_a_table_that_is_not_there_is_a_table_of_defaults() -> None:
    assert Settings().read(Retry, "api.retry") == Retry()
    with pytest.raises(SettingsError, match=r"^api: this does not fit Api: api\.key: is required; set DEPLOY_API__KEY"):
        load().read(Api, "api")


def test_a_single_setting_that_is_not_there_is_an_error_that_says_how_to_set_it() -> None:
    with pytest.raises(SettingsError, match=r"^api\.port: it is not set\. Set DEPLOY_API__PORT, or the key in deploy"):
        load().read(int, "api.port")


def test_every_problem_is_listed_with_its_key_and_its_source_and_without_its_value() -> None:
    found = load("[api]\ntimout = 'hunter2'\nhosts = ['a', 77]\nretry.times = -44", API__PORT="hunter3")
    with pytest.raises(SettingsError) as caught:
        found.read(Api, "api")
    assert str(caught.value) == (
        "api: this does not fit Api: "
        "api.key: is required; set DEPLOY_API__KEY; "
        "api.timout (deploy.toml): is no setting here (did you mean 'timeout'?); "
        "api.port (env DEPLOY_API__PORT): must be an integer, is a string; "
        "api.hosts.1 (deploy.toml): must be a string, is an integer; "
        "api.retry.times (deploy.toml): must be at least 0. "
        "Correct it where it stands."
    )


def test_what_the_authors_own_check_says_is_passed_on_without_the_value() -> None:
    @dataclass
    class Login:
        password: str

        def __post_init__(self) -> None:
            raise ValueError(f"{self.password!r} is too short")

    with pytest.raises(SettingsError, match="'<value>' is too short") as caught:
        load("login.password = 'hunter2'").read(Login, "login")
    assert "hunter2" not in str(caught.value)
    assert caught.value.__context__ is None


def test_at_the_top_other_programs_variables_do_not_disturb_and_in_a_table_they_do() -> None:
    @dataclass
    class Whole:
        port: int = 1
        api: dict[str, str] = field(default_factory=dict)

    assert load(HOST="x", CONTENT__TRUST="1", PORT="2", API__KEY="k").read(Whole) == Whole(2, {"key": "k"})
    with pytest.raises(SettingsError, match=r"host.*is no setting here"):
        load("host = 'x'").read(Whole)
    with pytest.raises(SettingsError, match=r"api\.tmies \(env DEPLOY_API__TMIES\): is no setting here .*'times'"):
        load(API__TMIES="1").read(Retry, "api")


def test_numbers_that_json_cannot_say_are_refused() -> None:
    with pytest.raises(SettingsError, match="x: holds what JSON cannot"):
        load("x.wait = inf").read(Retry, "x")


@dataclass
class Tree:
    name: str
    below: list[Tree] = field(default_factory=list)
    left: Tree | None = None


def test_recursive_types_are_read() -> None:
    assert load("t = {name = 'a', below = [{name = 'b'}]}", T__LEFT__NAME="c").read(Tree, "t") == Tree(
        "a", [Tree("b")], Tree("c")
    )


def test_a_type_that_cannot_be_read_is_refused_as_a_parameter_would_be() -> None:
    with pytest.raises(RegistrationError, match=r"settings\.read"):
        Settings({"x": 1}).read(set[list[int]], "x")
    with pytest.raises(RegistrationError, match=r"settings\.read"):
        Settings({"x": 1}).read("Missing", "x")
