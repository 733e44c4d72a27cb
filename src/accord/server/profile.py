"""An app -> what its server says of itself: its name, what it can do, how it protects what travels through clients."""

from accord._registry import Registry
from accord.app import App
from accord.protocol.profile import Profile, ServerInfo

__all__ = ["profile_of"]


def profile_of(app: App) -> Profile:
    """The profile of a server of this app, as it is now."""
    info = ServerInfo(name=app.name, version=app.version, description=app.description)
    return Profile(info, _capabilities(app._registry), instructions=app.instructions)


def _capabilities(registry: Registry) -> dict[str, object]:
    del registry  # tools are served whether there are any yet or not
    return {"tools": {}, "logging": {}}
