"""The tables of methods and versions say what the official schemas say."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from accord.protocol.errors import HTTP_STATUS
from accord.protocol.events import Level
from accord.protocol.methods import METHODS
from accord.protocol.versions import HANDSHAKE, LATEST_HANDSHAKE, STATELESS, VERSIONS
from tests.protocol._wire import EVERY, RESULTS, SCHEMAS

# Known to the schemas and not to us: experimental in one version, an extension in the next.
NOT_SPOKEN = {"tasks/get", "tasks/result", "tasks/list", "tasks/cancel"}


def definitions(version: str) -> dict[str, Any]:
    schema = json.loads((SCHEMAS / version / "schema.json").read_text(encoding="utf-8"))
    found: dict[str, Any] = schema.get("$defs") or schema["definitions"]
    return found


def named(version: str, union: str) -> dict[str, Any]:
    """method -> the definition of its message, for the members of a union."""
    known = definitions(version)
    members = [known[each["$ref"].rpartition("/")[2]] for each in known[union]["anyOf"]]
    return {member["properties"]["method"]["const"]: member for member in members}


def test_the_versions_are_those_of_the_schemas() -> None:
    assert tuple(VERSIONS) == EVERY == tuple(sorted(path.name for path in SCHEMAS.iterdir()))
    assert {**HANDSHAKE, **STATELESS} == VERSIONS
    assert LATEST_HANDSHAKE.name == EVERY[1]


@pytest.mark.parametrize("version", EVERY)
def test_the_methods_of_a_version_are_those_of_its_schema(version: str) -> None:
    ours = {row.name for row in METHODS.values() if version in row.versions and not row.tasks}
    assert ours == named(version, "ClientRequest").keys() - NOT_SPOKEN


@pytest.mark.parametrize("version", EVERY)
def test_an_event_takes_the_params_of_its_schema(version: str) -> None:
    known = definitions(version)
    for name, message in named(version, "ClientRequest").items():
        if name in NOT_SPOKEN:
            continue
        params = message["properties"]["params"]
        params = known[params["$ref"].rpartition("/")[2]] if "$ref" in params else params
        fields = {field.encode_name: field for field in msgspec.structs.fields(METHODS[name].request)}
        # A round's answers stand in `retry`, and tasks are not spoken.
        assert params.get("properties", {}).keys() - fields.keys() <= {"inputResponses", "requestState", "task"}
        required = {name for name, field in fields.items() if field.required} - {"id", "version", "peer"}
        assert required == set(params.get("required", ())) - {"_meta"}


def test_the_cacheable_results_are_those_of_the_schema() -> None:
    known = definitions(EVERY[-1])
    cacheable = {name for name, kind in RESULTS.items() if "ttlMs" in known.get(kind, {}).get("properties", {})}
    assert {row.name for row in METHODS.values() if row.cacheable} == cacheable


@pytest.mark.parametrize("version", EVERY)
def test_the_log_levels_are_those_of_the_schema(version: str) -> None:
    assert set(Level.__args__) == set(definitions(version)["LoggingLevel"]["enum"])


@pytest.mark.parametrize("version", EVERY)
def test_what_a_version_knows_of_an_implementation_is_in_its_schema(version: str) -> None:
    known = definitions(version)["Implementation"]["properties"]
    assert set(VERSIONS[version].info_fields) == known.keys()


@pytest.mark.parametrize("version", EVERY)
def test_what_a_version_hides_of_a_tool_is_not_in_its_schema(version: str) -> None:
    known = definitions(version)["Tool"]["properties"].keys()
    assert {"icons", "execution"} - known == VERSIONS[version].hidden


def test_the_errors_of_the_stateless_era_have_a_status() -> None:
    assert set(HTTP_STATUS.values()) == {400, 404}


def test_a_version_reads_as_its_name() -> None:
    assert str(LATEST_HANDSHAKE) == "2025-11-25"
    assert repr(LATEST_HANDSHAKE) == "<MCP 2025-11-25>"
