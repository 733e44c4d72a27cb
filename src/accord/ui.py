"""What clients show beside words: icons, and pages in which the results of tools appear (MCP Apps).

What an author writes; ``accord._entries`` checks it and writes it as the protocol has it.
"""

from __future__ import annotations

from accord._values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal, TypeAlias

    Viewer: TypeAlias = Literal["model", "app"]
    Permission: TypeAlias = Literal["camera", "microphone", "geolocation", "clipboardWrite"]

__all__ = ["Icon", "Ui", "UiPage"]


class Icon(Value):
    """A picture that stands for a tool, a resource or a prompt.

    ``src`` is an ``https:`` or ``data:`` URL; ``sizes`` are like ``"48x48"``, or ``"any"`` for what can be scaled;
    ``theme`` is the background it was drawn for.
    """

    src: str
    mime_type: str | None = None
    sizes: str | Sequence[str] = ()
    theme: Literal["light", "dark"] | None = None


class Ui(Value):
    """The page that shows a tool's results: its ``ui://`` address, and who may call the tool, which hosts see to.

    ``visibility`` without ``"model"`` is for tools that only their page calls.
    """

    resource: str
    visibility: Viewer | Sequence[Viewer] = ("model", "app")


class UiPage(Value, kw_only=True):
    """What the page at a ``ui://`` address needs of the host that shows it; without any of it, it gets nothing.

    The domains are origins like ``https://api.example.com``: to connect to, to load scripts, styles, pictures and fonts
    from, to put into frames, and to resolve relative addresses against. ``domain`` is the origin it wants to run at, in
    the host's own words; ``prefers_border`` asks for a visible border, or for none.
    """

    connect_domains: str | Sequence[str] = ()
    resource_domains: str | Sequence[str] = ()
    frame_domains: str | Sequence[str] = ()
    base_uri_domains: str | Sequence[str] = ()
    permissions: Permission | Sequence[Permission] = ()
    domain: str | None = None
    prefers_border: bool | None = None
