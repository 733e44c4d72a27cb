"""The manifest: one document from which a program can call every command."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from accord import App, Policy
from accord._calls import KINDS
from tests.unit.cli._showing import shown
from tests.unit.cli._workshop import app

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
FLAG = {"type": "boolean"}
SCHEMA_OR_NULL = {"type": ["object", "null"]}


def closed(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


OPTION = closed(
    {
        "name": TEXT,
        "spellings": TEXTS,
        "negations": TEXTS,
        "positional": FLAG,
        "required": FLAG,
        "repeatable": FLAG,
        "value": {"type": ["string", "null"]},
        "schema": {"type": "string", "pattern": "^#/properties/"},
        "fields": TEXTS,
    },
    {"env": TEXT},
)
COMMAND = closed(
    {"name": TEXT, "words": {**TEXTS, "minItems": 1}, "aliases": {"type": "array", "items": TEXTS}, "tags": TEXTS}
    | {"hints": {"type": "object", "additionalProperties": FLAG}},
    {
        "title": TEXT,
        "description": TEXT,
        "category": TEXT,
        "version": TEXT,
        "deprecated": {"type": ["string", "boolean"]},
        "confirm": {"type": ["string", "boolean"]},
        "problem": TEXT,
        "usage": TEXT,
        "options": {"type": "array", "items": OPTION},
        "shadows": TEXTS,
        "input_schema": {"type": "object"},
        "output_schema": SCHEMA_OR_NULL,
        "examples": {"type": "array", "items": closed({"command": TEXT, "arguments": {"type": "object"}})},
    },
) | {"oneOf": [{"required": ["problem"]}, {"required": ["usage", "options", "input_schema", "output_schema"]}]}
MANIFEST = closed(
    {
        "manifest": {"const": 1},
        "app": closed({"name": TEXT, "version": TEXT, "program": TEXT}, {"description": TEXT, "instructions": TEXT}),
        "usage": TEXT,
        "options": {
            "type": "array",
            "items": closed(
                {"spellings": TEXTS, "description": TEXT, "value": {"type": ["string", "null"]}, "values": TEXTS}
            ),
        },
        "groups": {"type": "array", "items": closed({"name": TEXT, "words": TEXTS}, {"description": TEXT})},
        "commands": {"type": "array", "items": COMMAND},
        "arguments": {"type": "object", "additionalProperties": TEXT},
        "exit_codes": {"type": "object", "additionalProperties": TEXTS},
        "errors": {
            "type": "array",
            "items": closed({"reason": TEXT, "code": TEXT, "exit_code": {"type": "integer"}}),
        },
        "results": {"type": "object", "required": ["stdout", "stderr", "json", "failure", "error_data"]},
    }
)


def manifest(of: App, line: str = "--manifest") -> dict[str, Any]:
    shown_ = of.invoke(line.split())
    assert (shown_.exit_code, shown_.stderr) == (0, "")
    document: dict[str, Any] = json.loads(shown_.output)
    jsonschema.Draft202012Validator.check_schema(MANIFEST)
    jsonschema.validate(document, MANIFEST)
    return document


def command(of: App, name: str) -> dict[str, Any]:
    return next(entry for entry in manifest(of)["commands"] if entry["name"] == name)


def test_it_lists_every_command_that_can_be_seen() -> None:
    names = [entry["name"] for entry in manifest(app)["commands"]]
    assert names == ["deploy", "paint", "odd", "send", "copy", "report", "wipe", "site.build", "site.pages.add"]


def test_a_command_is_all_that_is_needed_to_call_it() -> None:
    entry = command(app, "deploy")
    assert entry["words"] == ["deploy"]
    assert entry["hints"] == {"idempotentHint": True}
    assert entry["usage"] == "workshop deploy --environment TEXT --service TEXT [OPTIONS]"
    assert entry["input_schema"] == app.tools["deploy"].input_schema
    assert entry["output_schema"] == app.tools["deploy"].output_schema
    assert entry["shadows"] == ["--version"]
    assert entry["examples"] == [
        {
            "command": "workshop deploy --environment staging --service 'the api' --dry-run",
            "arguments": {"environment": "staging", "service": "the api", "dry_run": True},
        }
    ]
    options = {option["name"]: option for option in entry["options"]}
    assert options["version"] == {
        "name": "version",
        "spellings": ["-V", "--version"],
        "negations": [],
        "positional": False,
        "required": False,
        "repeatable": False,
        "value": "TEXT",
        "schema": "#/properties/version",
        "fields": [],
        "env": "WORKSHOP_VERSION",
    }
    assert options["dry_run"]["negations"] == ["--no-dry-run"]
    assert options["dry_run"]["value"] is None


def test_options_point_into_the_schema() -> None:
    for entry in manifest(app)["commands"]:
        for option in entry["options"]:
            steps = option["schema"].removeprefix("#/").split("/")
            inner: Any = entry["input_schema"]
            for step in steps:
                inner = inner[step.replace("~1", "/").replace("~0", "~")]
            assert isinstance(inner, dict)


def test_positionals_lists_and_fields_are_marked() -> None:
    source, target, *_ = command(app, "copy")["options"]
    assert (source["positional"], source["repeatable"]) == (True, False)
    assert (target["positional"], target["repeatable"], target["required"]) == (True, True, True)
    address, *_ = command(app, "send")["options"]
    assert address["fields"] == [
        "address.city",
        "address.zip_code",
        "address.primary",
        "address.kind",
        "address.tags",
    ]


def test_what_the_author_said_is_there_and_what_was_not_said_is_not() -> None:
    paint, wipe = command(app, "paint"), command(app, "wipe")
    assert (paint["category"], paint["deprecated"], paint["aliases"]) == ("Looks", "use deploy", [["colour"]])
    assert wipe["confirm"] == "Really?"
    assert not {"category", "deprecated", "title"} & wipe.keys()


def test_the_errors_are_the_error_table() -> None:
    document = manifest(app)
    assert document["errors"] == [
        {"reason": kind.reason, "code": kind.code, "exit_code": kind.exit_code} for kind in KINDS.values()
    ]
    assert document["exit_codes"] == {
        "0": ["SUCCESS"],
        "1": ["TOOL_ERROR"],
        "2": ["INVALID_PARAMS", "UNKNOWN_TOOL"],
        "3": ["CAP_EXCEEDED"],
        "4": ["CONFIRMATION_REQUIRED"],
        "5": ["OUTPUT_INVALID"],
        "130": ["CANCELLED"],
    }


def test_it_can_be_asked_of_a_group_or_a_command_alone() -> None:
    assert [entry["name"] for entry in manifest(app, "site --manifest")["commands"]] == ["site.build", "site.pages.add"]
    assert [entry["name"] for entry in manifest(app, "--manifest deploy")["commands"]] == ["deploy"]
    assert manifest(app, "site --manifest")["groups"] == [
        {"name": "site.pages", "words": ["site", "pages"], "description": "Single pages"}
    ]


def test_a_tool_that_cannot_work_is_listed_with_its_problem_and_breaks_nothing() -> None:
    shop = App("shop")

    @shop.command
    def broken(x: "Nowhere") -> None:  # type: ignore[name-defined]  # noqa: F821 - it is nowhere
        """It was planned."""

    @shop.command
    def works(x: int) -> None: ...

    entry = command(shop, "broken")
    assert "Nowhere" in entry["problem"]
    assert entry["description"] == "It was planned."
    assert command(shop, "works")["usage"] == "shop works --x INTEGER"
    assert "`broken` cannot be used: `--manifest` says why." in shown(shop, "--llms-txt").out
    assert "--x" in shop.invoke(["--completions", "bash"]).output
    assert "broken  It was planned" in shown(shop, "--help").out


@pytest.mark.parametrize("names", ["dotted", "underscore"])
def test_words_are_words_however_names_are_published(names: Any) -> None:
    shop = App("shop", policy=Policy(names=names))

    @shop.group("site").command
    def build() -> None: ...

    (entry,) = manifest(shop)["commands"]
    assert entry["words"] == ["site", "build"]
    assert entry["name"] == ("site.build" if names == "dotted" else "site_build")


def test_instructions_for_models_are_told_as_they_are() -> None:
    shop = App("shop", instructions="Sell first.\n\n- Then pack.\n")
    assert manifest(shop)["app"]["instructions"] == "Sell first.\n\n- Then pack.\n"
    assert "\n\nSell first.\n\n- Then pack.\n\n## Commands\n" in shop.invoke(["--llms-txt"]).output


def test_an_app_without_commands_has_a_manifest_too() -> None:
    assert manifest(App("bare"))["commands"] == []


def test_the_same_app_gives_the_same_bytes_in_every_process() -> None:
    program = "from tests.unit.cli._workshop import app; app.run(['--manifest'])"
    runs = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=Path(__file__).parents[3],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            timeout=60,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_a_person_gets_lines_and_a_program_one_line() -> None:
    assert shown(app, "--manifest").out.count("\n") > 100
    assert app.invoke(["--manifest"]).output.count("\n") == 1
