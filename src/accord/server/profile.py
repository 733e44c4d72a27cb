"""An app -> what its server says of itself: its name, and what it can do."""

from accord._calls import JSON
from accord._registry import Registry
from accord.app import App
from accord.protocol.profile import Profile, ServerInfo
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
    return found
