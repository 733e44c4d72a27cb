"""An app to be described: every kind of argument a command line has, and texts that would like to be code."""

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import SecretStr

from accord import App, Description, Ge, Le, MinLen, Option, Pattern, Positional

#: what no shell and no terminal may ever take for anything but text
HOSTILE = 'it\'s "odd": $(touch pwned) `touch pwned` $HOME \\ %s ! * \x1b[31m; touch pwned'


class Finish(Enum):
    SEMI = "semi gloss"
    CODE = "$(touch pwned)"
    QUOTE = "o'clock"


@dataclass
class Address:
    """Where to."""

    city: Annotated[str, MinLen(2), Description("Name of the city.")]
    zip_code: int | None = None
    primary: bool = False
    kind: Literal["home", "work"] = "home"
    tags: list[str] = field(default_factory=list)


app = App("workshop", version="2.1.0", description="Makes things.\n\nAnd sends them.")
site = app.group("site", "All about the site")
app.group("site.pages", "Single pages")
app.group("empty", "Holds nothing")


@app.command(idempotent=True, examples=[{"environment": "staging", "service": "the api", "dry_run": True}])
def deploy(
    environment: Annotated[str, MinLen(1), Description("Target environment")],
    service: str,
    version: Annotated[str, Option("-V", env="WORKSHOP_VERSION")] = "latest",
    copies: Annotated[int, Ge(1), Le(9)] = 1,
    dry_run: Annotated[bool, Option("-n")] = False,
) -> dict[str, str]:
    """Deploy a service. It takes a while.

    The second paragraph says more, and is long enough to be wrapped when a terminal is no wider than what
    terminals once were.

    Args:
        service: Service name.
        version: Version or image tag.
    """
    return {"environment": environment, "service": service, "version": version}


@app.command(category="Looks", aliases=["colour"], deprecated="use deploy")
def paint(
    color: Literal["red", "green", "blue"] = "red",
    finish: Finish = Finish.SEMI,
    layers: Annotated[list[int], Description("How thick.")] = [],
    glossy: bool | None = None,
    sizes: dict[str, int] = {},
) -> str:
    return color


@app.command(category="Looks", description=HOSTILE)
def odd(value: Annotated[str, Description(HOSTILE)] = "a") -> str:
    return value


@app.command
def send(
    address: Address,
    note: str = "",
    token: SecretStr = SecretStr("hunter2"),
    key: Annotated[SecretStr | None, Option(env="WORKSHOP_KEY")] = None,
    code: Annotated[str, Pattern("^[a-z]+$")] = "abc",
) -> str:
    """Send it."""
    return note


@app.command
def copy(
    source: Annotated[Path, Positional],
    target: Annotated[list[Path], Positional],
    out: Path | None = None,
    internal: Annotated[int, Option(hidden=True)] = 0,
) -> str:
    """Copy files."""
    return str(source)


@app.command
def report(format: str = "long", verbose: bool = False, anything: Any = None) -> str:
    """Report."""
    return format


@app.command(confirm="Really?")
def wipe() -> str:
    """Wipe it all."""
    return "wiped"


@app.command(hidden=True)
def secret(plan: str = "b") -> str:
    """Nobody sees this."""
    return plan


@app.command(surfaces=["python", "mcp"])
def elsewhere() -> str:
    """Not on command lines."""
    return ""


@site.command("build")
def build(output: Path = Path("_site"), clean: bool = False) -> str:
    """Build the site."""
    return str(output)


@site.command("pages.add")
def add_page(title: str) -> str:
    """Add a page."""
    return title
