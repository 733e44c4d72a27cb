"""Every item of the checklist is proved by a test, or stands elsewhere with a reason; no test claims anything else."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.protocol._checklist import ELSEWHERE, ITEMS

TESTS = Path(__file__).resolve().parents[1]


def claims() -> dict[str, list[int]]:
    """test -> the items in its `@covers`."""
    found: dict[str, list[int]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        source = path.read_text(encoding="utf-8")
        if "@covers(" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                items = [item for decorator in node.decorator_list for item in claimed(decorator)]
                if items:
                    found[f"{path.relative_to(TESTS)}::{node.name}"] = items
    return found


def claimed(decorator: ast.expr) -> list[int]:
    if not (isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == "covers"):
        return []
    return [ast.literal_eval(argument) for argument in decorator.args]


def test_the_checklist_is_complete() -> None:
    assert list(ITEMS) == list(range(1, 105))


def test_every_item_is_covered_or_elsewhere_with_a_reason() -> None:
    covered = {item for items in claims().values() for item in items}
    assert sorted(ITEMS.keys() - covered - ELSEWHERE.keys()) == []
    assert sorted(ELSEWHERE.keys() & covered) == [], "proved by now: take them off ELSEWHERE"
    assert all(ELSEWHERE.values())


def test_every_claim_names_an_item() -> None:
    assert {test: items for test, items in claims().items() if not set(items) <= ITEMS.keys()} == {}


def test_every_test_of_the_checklist_claims_an_item() -> None:
    claimed_by = claims()
    here = Path(__file__).parent / "checklist"
    silent = [
        f"{path.name}::{node.name}"
        for path in sorted(here.glob("test_*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and node.name.startswith("test_")
        and f"{path.relative_to(TESTS)}::{node.name}" not in claimed_by
    ]
    assert silent == []
