"""The function behind a resource, a prompt or a completion: a tool that nobody lists.

Its parameters are compiled, filled in and gated as those of tools are; what it returns has no schema, because the
protocol says what it has to be. ``check`` looks at the signature once more whenever what fills in parameters changes.
"""

from __future__ import annotations

import sys

from accord._options import Options
from accord._tool import Tool
from accord._values import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from accord._calls import JSON
    from accord._ready import Ready
    from accord._signature import Parameter, Signature
    from accord.policy import Policy

    Check: TypeAlias = Callable[[Signature], None]

__all__ = ["Contract", "may_be_provided"]


class Contract(Tool):
    """A function under the contract of its parameters, under a name that may be an address."""

    has_result = False

    def __init__(
        self,
        fn: Callable[..., Any],
        name: str,
        policy: Policy,
        is_provided: Callable[[Any], bool],
        *,
        check: Check = lambda _signature: None,
        timeout: float | None = None,
    ) -> None:
        self.check = check
        super().__init__(fn, Options(name="offer", flatten=False, timeout=timeout), policy, is_provided=is_provided)
        self.name: str = name
        self.path: tuple[str, ...] = ()

    def _at_a_glance(self) -> None:
        """Never: the whole contract is what turns texts into arguments."""

    @lazy
    def ready(self) -> Ready:
        """What a call needs.

        Raises:
            RegistrationError: an annotation names something that does not exist, or the signature is not what it has to
                be.
        """
        self.check(self.compiled.signature)
        return self.compiled.ready

    @lazy
    def paths(self) -> frozenset[str]:
        """The parameters that are given paths of the file system."""
        parameters = self.compiled.signature.parameters
        return frozenset(each.name for each in parameters if _is_path(each.annotation))

    @property
    def properties(self) -> dict[str, JSON]:
        """The schemas of the arguments, by name."""
        properties: dict[str, JSON] = self.compiled.input.get("properties", {})
        return properties

    @property
    def definitions(self) -> dict[str, JSON]:
        """What those schemas refer to."""
        definitions: dict[str, JSON] = self.compiled.input.get("$defs", {})
        return definitions


def _is_path(annotation: Any) -> bool:
    from pathlib import PurePath  # noqa: PLC0415 - for the readers of templates

    from accord._signature import without_none  # noqa: PLC0415 - as above

    kind = without_none(annotation)
    return isinstance(kind, type) and issubclass(kind, PurePath)


def may_be_provided(parameter: Parameter) -> bool:
    """Whether a factory for this parameter may be registered later: its type is somebody's own."""
    from accord._signature import without_none  # noqa: PLC0415 - for parameters that are not expected only

    module = getattr(without_none(parameter.annotation), "__module__", "builtins")
    package = str(module).partition(".")[0]
    return package not in sys.stdlib_module_names and package != "accord"
