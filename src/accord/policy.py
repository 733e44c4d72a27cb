"""How an App behaves where the author may choose: one frozen value, declared once."""

from __future__ import annotations

from accord._values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

__all__ = ["DialectName", "Policy"]

DialectName: TypeAlias = "Literal['accord', 'milo', 'openmcp', 'governed', 'omni']"


class Policy(Value, kw_only=True):
    """The choices of an App.

    ``dialect`` decides what is published, never what is enforced. ``content`` picks the text beside
    a structured result. ``outputs`` decides whether published result objects are open or closed.
    ``errors="protocol"`` answers failures with JSON-RPC errors instead of ``isError`` results.
    ``names="underscore"`` publishes ``site_build`` for ``site.build``; both spellings are understood.
    ``strict`` turns annotations Accord does not know into errors. ``mask_errors`` hides the text of
    exceptions other than ``ToolError``. ``repair="report"`` undoes two habits of models, JSON inside a string and null
    for an argument that may be left out, and lists what it did in ``_meta["accord/repairs"]``. ``timeout``
    (seconds) and ``max_response_bytes`` cap every tool that does not say otherwise; ``concurrency`` is how many
    calls run at once.
    """

    dialect: DialectName = "accord"
    errors: Literal["result", "protocol"] = "result"
    content: Literal["json", "summary"] = "json"
    outputs: Literal["open", "closed"] = "open"
    repair: Literal["off", "report"] = "off"
    names: Literal["dotted", "underscore"] = "dotted"
    strict: bool = False
    mask_errors: bool = False
    timeout: float | None = None
    max_response_bytes: int | None = None
    concurrency: int = 64

    @classmethod
    def governed(cls) -> Policy:
        """Closed outputs, no defaults on paper, protocol errors and short summaries."""
        return cls(dialect="governed", errors="protocol", content="summary", outputs="closed")
