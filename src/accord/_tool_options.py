"""The options of a tool as the keywords of ``app.command``, which type checkers complete and check.

``_options.Options`` is what they become, and the one that runs; a test keeps the two alike.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from accord._calls import Surface
from accord.ui import Icon, Ui

__all__ = ["ToolOptions"]


class ToolOptions(TypedDict, total=False):
    """The options of ``app.command``, all optional.

    ``name``, ``title``, ``description``, ``category``, ``tags``, ``version``, ``deprecated`` and ``examples`` (argument
    objects) say what the tool is; ``aliases`` are more names for it; ``hidden`` keeps it out of listings for people;
    ``surfaces`` says where it can be called. ``read_only``, ``destructive``, ``idempotent`` and ``open_world`` are
    MCP's behavioural hints. ``input_schema`` and ``output_schema`` replace the inferred ones, ``flatten`` lifts the
    fields of a single model to the top. ``retry_on`` and ``max_attempts`` repeat a failed call, ``cache_ttl`` keeps
    its result for so many seconds; ``timeout`` (seconds), ``max_response_bytes`` and ``max_items`` are caps;
    ``confirm`` asks for consent first; ``scopes`` are those a token needs over HTTP. With ``task`` a call over MCP may
    go on after it was answered, and with ``task="required"`` it always does. ``icons`` and ``ui``, the ``ui://``
    address of a page that shows the results, are for MCP clients, ``meta`` is the entry's ``_meta``.
    """

    name: str | None
    description: str | None
    title: str | None
    category: str | None
    tags: Sequence[str]
    examples: Sequence[dict[str, Any]]
    aliases: Sequence[str]
    hidden: bool
    surfaces: Sequence[Surface]
    read_only: bool | None
    destructive: bool | None
    idempotent: bool | None
    open_world: bool | None
    input_schema: dict[str, Any] | None
    output_schema: dict[str, Any] | None
    flatten: bool | None
    retry_on: Sequence[type[BaseException]] | type[BaseException] | None
    max_attempts: int
    cache_ttl: float
    timeout: float | None
    max_response_bytes: int | None
    max_items: int | None
    confirm: str | bool | None
    task: bool | Literal["required"]
    scopes: Sequence[str]
    version: str | None
    deprecated: str | bool | None
    icons: Sequence[Icon | Mapping[str, Any]] | Icon
    ui: str | Ui | None
    meta: Mapping[str, Any] | None
