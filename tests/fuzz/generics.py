"""Classes with a type parameter: bare and given, inherited through other arguments, and holding themselves."""

from __future__ import annotations

from dataclasses import dataclass

from tests.fuzz.writer import Constructor, Need, Writer, Written, quoted


@dataclass(frozen=True)
class Library:
    """How a library spells a class of its own: what stands above it and in its brackets, and a default not shared."""

    above: str = ""
    root: str = ""
    factory: str = ""
    pydantic: bool = False
    keyed: bool = False

    def begin(self, w: Writer, *bases: str) -> str:
        """Open a class body; its name."""
        name = w.fresh("Box")
        w.define(*filter(None, [self.above]), f"class {name}({', '.join(filter(None, bases))}):")
        return name

    def need(self, need: Need, hashable: bool = False) -> Need:
        return Need(need.hashable and hashable, pydantic=need.pydantic or self.pydantic)

    def note(self, w: Writer, name: str, required: list[str]) -> None:
        if self.keyed:
            w.define(f"REQUIRED[{name}] = {required!r}")


DATACLASS = Library("@dataclass", factory="field(default_factory=lambda: {})")
STRUCT = Library(root="msgspec.Struct", factory="msgspec.field(default_factory=lambda: {})")
MODEL = Library(root="pydantic.BaseModel", factory="pydantic.Field(default_factory=lambda: {})", pydantic=True)
ATTRS = Library("@attrs.define")
KEYED = Library(root="te.TypedDict", keyed=True)


def variable(w: Writer, *bounds: str) -> str:
    name = w.fresh("T")
    w.define(f"{name} = TypeVar('{name}'{f', bound={w.pick(bounds)}' if bounds else ''})")
    return name


def generic(library: Library) -> Constructor:
    """A class with one type parameter, used with an argument, or bare (the variable's bound stands then)."""

    def write(w: Writer, depth: int, need: Need) -> Written:
        argument = w.annotation(depth - 1, library.need(need, hashable=True))
        parameter = variable(w, "object", argument.text)
        name = library.begin(w, library.root, f"Generic[{parameter}]")
        w.define(f"    value: {parameter}", f"    more: list[{parameter}] = {library.factory.format('[]')}")
        return Written(f"{name}[{argument.text}]", tuple(f"{name}(value={v})" for v in argument.defaults[:1]))

    return write


PASSED_ON = ("{}", "list[{}]", "dict[str, {}]", "tuple[{}, ...]")
"""What a class makes of its own variable before it hands it to its base."""


def inherited(library: Library) -> Constructor:
    """A chain of classes, each with a field of its own: all say one variable, and mean different types by it."""

    def write(w: Writer, depth: int, need: Need) -> Written:
        argument, parameter = w.annotation(depth - 1, library.need(need)), variable(w)
        name = library.begin(w, library.root, f"Generic[{parameter}]")
        w.define(f"    field0: {parameter}")
        fields = ["field0"]
        library.note(w, name, fields)
        closed = w.chance(3)
        levels = w.number(1, 2)
        for level in range(1, levels + 1):
            last = closed and level == levels
            stands = argument.text if last else parameter
            base = f"{name}[{w.pick(PASSED_ON).format(stands)}]"
            name = library.begin(w, base, "" if last else f"Generic[{parameter}]")
            fields.append(f"field{level}")
            w.define(f"    {fields[-1]}: {w.pick(PASSED_ON).format(stands)}")
            library.note(w, name, fields)
        return Written(name if closed else f"{name}[{argument.text}]")

    return write


def recursive(library: Library) -> Constructor:
    """A generic class that holds itself: under its own variable, which names the same type again and again."""

    def write(w: Writer, depth: int, need: Need) -> Written:
        argument, parameter = w.annotation(min(depth - 1, 1), library.need(need)), variable(w)
        name = library.begin(w, library.root, f"Generic[{parameter}]")
        itself = f"{name}[{parameter}]"
        many = w.pick(("list[{}]", "dict[str, {}]", "tuple[{}, ...]"))
        below, following = quoted(w, many.format(itself)), quoted(w, f"{itself} | None")
        w.define(f"    value: {parameter}")
        library.note(w, name, ["value"])
        written = f"{name}[{argument.text}]"
        if library.keyed:
            w.body[-1:-1] = [f"    next: NotRequired[{following}]", f"    below: NotRequired[{below}]"]
            return Written(written)
        empty = "()" if "tuple" in many else "{}" if "dict" in many else "[]"
        w.define(f"    next: {following} = None", f"    below: {below} = {library.factory.format(empty)}")
        return Written(written, tuple(f"{name}(value={v})" for v in argument.defaults[:1]))

    return write


GENERICS: dict[str, Constructor] = {
    "generic dataclass": generic(DATACLASS),
    "generic Struct": generic(STRUCT),
    "generic model": generic(MODEL),
    "inherited dataclass": inherited(DATACLASS),
    "inherited attrs": inherited(ATTRS),
    "inherited Struct": inherited(STRUCT),
    "inherited TypedDict": inherited(KEYED),
    "inherited model": inherited(MODEL),
    "recursive generic dataclass": recursive(DATACLASS),
    "recursive generic Struct": recursive(STRUCT),
    "recursive generic TypedDict": recursive(KEYED),
    "recursive generic model": recursive(MODEL),
}
NOT_IN_PYDANTIC = (
    "generic Struct",
    "inherited attrs",
    "inherited Struct",
    "inherited TypedDict",
    "recursive generic Struct",
)
"""pydantic takes the variable of an inherited TypedDict's base for the one of the class."""
