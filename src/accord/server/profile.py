"""An app -> what its server says of itself: its name, and what it can do."""

from accord._calls import JSON
from accord._registry import Registry
from accord.app import App
from accord.protocol.profile import Profile, ServerInfo

__all__ = ["profile_of"]


def profile_of(app: App) -> Profile:
    """The profile of a server of this app, as it is now."""
    info = ServerInfo(name=app.name, version=app.version, description=app.description)
    return Profile(info, _capabilities(app._registry), instructions=app.instructions)


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
    return found
