"""The official conformance suite, all of its legs, against the fixture in `server.py`.

Each leg is run once, against a server of its own. What is asserted names the scenarios that fail.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.conformance._suite import ENDINGS, ENDINGS_OF_TASKS, FAILING, LEGS, LISTED, WARNING, Check, Leg, run, served
from tests.conformance.server import app

every_leg = pytest.mark.parametrize("leg", LEGS, ids=str)


@dataclass
class Ran:
    """What came of a leg: the checks of each scenario, and what was called with which end."""

    checks: dict[str, list[Check]] = field(default_factory=dict)
    calls: set[tuple[str, str]] = field(default_factory=set)


@cache
def ran(leg: Leg) -> Ran:
    """Run once, however many tests look at it."""
    found = Ran()
    with TemporaryDirectory() as out, served(found.calls) as address:
        found.checks = run(leg, address, Path(out))
    return found


def told(checks: list[Check], status: str) -> list[str]:
    return [f"{check['id']}: {check.get('errorMessage')}" for check in checks if check["status"] == status]


@every_leg
def test_every_scenario_is_run(leg: Leg) -> None:
    assert len(ran(leg).checks) == leg.scenarios


@every_leg
def test_no_scenario_fails(leg: Leg) -> None:
    failures = {name: told(checks, "FAILURE") for name, checks in ran(leg).checks.items() if name not in FAILING}
    assert {name: why for name, why in failures.items() if why} == {}


@every_leg
def test_no_check_warns_but_those_that_should(leg: Leg) -> None:
    warned = {
        (name, check["id"])
        for name, checks in ran(leg).checks.items()
        for check in checks
        if check["status"] == "WARNING" and name not in FAILING
    }
    assert warned - WARNING.keys() == set()


@every_leg
def test_what_is_expected_to_fail_does(leg: Leg) -> None:
    checks = ran(leg).checks
    assert [name for name in FAILING if name in checks and not told(checks[name], "FAILURE")] == []


def test_what_is_expected_to_warn_does() -> None:
    warned = {
        (name, check["id"])
        for leg in LEGS
        for name, checks in ran(leg).checks.items()
        for check in checks
        if check["status"] == "WARNING"
    }
    assert WARNING.keys() <= warned


# -- some scenarios pass with a server that has nothing of what they ask for: these tests say that it had ------------


def test_everything_the_fixture_has_was_called() -> None:
    called = {name for leg in LEGS for name, _ in ran(leg).calls}
    assert {*app.tools, *app.prompts} - called == LISTED


@every_leg
def test_nothing_was_called_that_is_not_there(leg: Leg) -> None:
    missing = {name for name, ending in ran(leg).calls if ending == "unknown_tool"}
    assert not missing or any(name in ran(leg).checks for name in FAILING)


@pytest.mark.parametrize(
    ("leg", "name", "ending"),
    [(leg, name, ending) for leg in LEGS for version, name, ending in ENDINGS if version in leg.speaks],
    ids=str,
)
def test_a_call_ended_as_its_scenario_takes_for_granted(leg: Leg, name: str, ending: str) -> None:
    assert (name, ending) in ran(leg).calls


@pytest.mark.parametrize("leg", [leg for leg in LEGS if leg.has_extensions], ids=str)
def test_tasks_ended_as_their_scenarios_take_for_granted(leg: Leg) -> None:
    assert set(ENDINGS_OF_TASKS) - ran(leg).calls == set()
