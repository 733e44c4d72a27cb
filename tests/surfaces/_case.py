"""One call, as it is made on every surface, and what has to come of it on each.

Everything is written by hand: the command line as a user would type it, the arguments as a client would send them.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from accord import App


@dataclass(frozen=True)
class Fails:
    """How a call fails: the reason, the parameter, and where each violation lies and which keyword it breaks."""

    reason: str
    argument: str | None = None
    violations: dict[str, str] | None = None
    patch: list[dict[str, Any]] | None = None
    raises: type[BaseException] | None = None
    says: str = ""
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """A call of `tool` and its outcome.

    `values` are the annotated values a Python caller would give, where they are not the JSON `arguments`; `result` is
    the JSON a program reads, `returned` the Python value where it is another one. `plain` is what a person reads.
    """

    id: str
    app: App
    tool: str
    argv: str
    arguments: dict[str, Any]
    result: Any = None
    fails: Fails | None = None
    values: dict[str, Any] | None = None
    returned: Any = ...
    plain: str | None = None
    is_content: bool = False
    before: Callable[[], object] = lambda: None
    after: Callable[[], object] = lambda: None

    @property
    def words(self) -> list[str]:
        """The command line, split as a shell does."""
        return shlex.split(self.argv)

    @property
    def value(self) -> Any:
        """What a Python caller gets."""
        return self.result if self.returned is ... else self.returned

    def __str__(self) -> str:
        return self.id
