"""An app -> what its server says of itself: its name, and what it can do."""

from accord._calls import JSON
from accord._pages import EXTENSION, SCHEME
from accord._registry import Registry
from accord.app import App
from accord.protocol.profile import Profile, ServerInfo
from accord.protocol.tasks import EXTENSION as TASKS
from accord.server.sealing import sealing_of

__all__ = ["for_principal", "profile_of"]


def profile_of(app: App) -> Profile:
    """The profile of a server of this app, as it is now.

    Raises:
        SettingsError: the environment holds a key that cannot seal; sooner than at the first question.
    """
    registry = app._registry
    registry.check_key()
    info = ServerInfo(name=app.name, version=app.version, description=app.description)
    sealing = sealing_of(registry, app.name)
    return Profile(info, _capabilities(registry), instructions=app.instructions, sealing=sealing)


def for_principal(profile: Profile, app: App, principal: str | None) -> Profile:
    """The same for one principal among many: what it was asked, it alone can answer."""
    return profile if principal is None else profile.sealed_by(sealing_of(app._registry, app.name, principal))


def _capabilities(registry: Registry) -> dict[str, JSON]:
    """Tools are served whether there are any yet or not; the rest where there is some. All of it may change."""
    offers = registry.offers
    found: dict[str, JSON] = {"tools": {"listChanged": True}, "logging": {}}
    if offers is not None and (offers.resources or offers.templates):
        found["resources"] = {"listChanged": True, "subscribe": True}
    if offers is not None and offers.prompts:
        found["prompts"] = {"listChanged": True}
    if offers is not None and (offers.prompts or offers.templates):
        found["completions"] = {}
    extensions: dict[str, JSON] = {}
    if _has_pages(registry):
        extensions[EXTENSION] = {}
    if any(tool.options.task for tool in list(registry.tools.values())):
        extensions[TASKS] = {}
    if extensions:
        found["extensions"] = extensions
    return found


def _has_pages(registry: Registry) -> bool:
    """Whether anything is, or is shown by, a page of MCP Apps."""
    offers = registry.offers
    addresses = () if offers is None else (*offers.resources, *offers.templates)
    shown = any(tool.options.ui is not None for tool in list(registry.tools.values()))
    return shown or any(uri.startswith(SCHEME) for uri in addresses)
