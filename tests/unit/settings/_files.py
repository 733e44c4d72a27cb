"""Short ways to a project's files and to what is read from them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from accord import Settings


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def load(toml: str = "", **variables: str) -> Settings:
    """The settings of an app with that ``deploy.toml`` and those variables, without their prefix."""
    write(Path("deploy.toml"), toml)
    with pytest.MonkeyPatch.context() as patch:
        for name, text in variables.items():
            patch.setenv(f"DEPLOY_{name}", text)
        return Settings.load("deploy")


def plain(value: Any) -> Any:
    return {key: plain(below) for key, below in value.items()} if isinstance(value, Mapping) else value
