"""The constructors of DESIGN 3.2 that hold other annotations: arrays, sets, mappings, unions, aliases."""

from __future__ import annotations

from tests.fuzz.plain_types import different
from tests.fuzz.writer import Constructor, Need, Writer, Written, admits_length, constrained, length_bounds

# ---- arrays ------------------------------------------------------------------------------------------------


NOT_IN_PYDANTIC = ("Collection", "Iterable")


def array_of(*spellings: str, display: str = "[{}]") -> Constructor:
    """`display` is how Python writes a value of it, around its members."""

    def write(w: Writer, depth: int, need: Need) -> Written:
        item = w.annotation(depth - 1, need)
        # pydantic has no schema for Collection, and reads an Iterable as a lazy iterator that can be used once.
        spelling = w.pick([one for one in spellings if not (need.pydantic and one.startswith(NOT_IN_PYDANTIC))])
        bounds = length_bounds(w) if w.chance(3) else {}
        values = [display.format(member) for member in ("", *(f"{value}," for value in item.defaults[:1]))]
        fitting = tuple(value for count, value in enumerate(values) if admits_length(bounds, count))
        return Written(constrained(w, spelling.format(item.text), bounds, need), fitting)

    return write


def fixed_tuple(w: Writer, depth: int, need: Need) -> Written:
    parts = [w.annotation(depth - 1, need) for _ in range(w.number(1, 3))]
    fitting = [f"({''.join(f'{part.defaults[0]}, ' for part in parts)})"] if all(p.defaults for p in parts) else []
    return Written(f"tuple[{', '.join(part.text for part in parts)}]", tuple(fitting))


def set_of(*spellings: str, display: str) -> Constructor:
    def write(w: Writer, depth: int, need: Need) -> Written:
        bounds = length_bounds(w) if w.chance(3) else {}
        if not need.hashable and w.chance(12):  # any of the four JSON scalars
            text, values = w.pick(("set", "set[Any]")), ["set()", "{1, 'a', None}"]
            return Written(text, tuple(values))
        item = w.annotation(depth - 1, Need(hashable=True, pydantic=need.pydantic))
        # An AbstractSet may be read as a set, which is no member of another set.
        written = [one for one in spellings if not (need.hashable and one.startswith("Abstract"))]
        values = ["frozenset()" if "frozen" in display else "set()"]
        values += [display.format(f"{value},") for value in item.defaults[:1]]
        fitting = tuple(value for count, value in enumerate(values) if admits_length(bounds, count))
        return Written(constrained(w, w.pick(written).format(item.text), bounds, need), fitting)

    return write


# ---- mappings ----------------------------------------------------------------------------------------------


def mapping(*keys: tuple[str, str], spellings: tuple[str, ...] = ("dict[{}, {}]", "Mapping[{}, {}]")) -> Constructor:
    """`keys`: pairs of a key's annotation and of one key as Python writes it."""

    def write(w: Writer, depth: int, need: Need) -> Written:
        return mapped(w, depth, need, *w.pick(keys), w.pick(spellings))

    return write


def mapped(w: Writer, depth: int, need: Need, key: str, sample: str, spelling: str = "dict[{}, {}]") -> Written:
    value = w.annotation(depth - 1, Need(pydantic=need.pydantic))
    bounds = length_bounds(w) if w.chance(4) else {}
    values = ["{}", *(f"{{{sample}: {member}}}" for member in value.defaults[:1])]
    fitting = tuple(text for count, text in enumerate(values) if admits_length(bounds, count))
    return Written(constrained(w, spelling.format(key, value.text), bounds, need), fitting)


def enum_keys(w: Writer, depth: int, need: Need) -> Written:
    key = w.leaves[w.pick(("Enum of str", "Enum of int", "IntEnum"))](w, 0, Need(hashable=True))
    return mapped(w, depth, need, key.text, key.defaults[0])


def plain_dict(w: Writer, depth: int, need: Need) -> Written:
    return Written(w.pick(("dict", "dict[str, Any]", "Mapping[str, Any]")), ("{}", "{'k': [1, None], '$ref': 'x'}"))


STRING_KEYS = (
    ("str", "'k'"),
    ("Annotated[str, MinLen(2)]", "'kk'"),
    ("Annotated[str, Pattern('^[a-z]+$')]", "'key'"),
    ("Literal['a', 'b']", "'a'"),
    ("date", "date(2024, 2, 29)"),
    ("UUID", "UUID(int=1)"),
)

# ---- unions ------------------------------------------------------------------------------------------------


def joined(w: Writer, texts: list[str]) -> str:
    return w.pick((" | ".join(texts), f"Union[{', '.join(texts)}]"))


RIVALS = (
    ("str", "date", "UUID", "Enum of str", "Literal", "datetime", "Path", "IPv4Address", "timedelta", "bytes"),
    ("int", "float", "IntEnum", "bool", "Enum of int", "Literal", "Flag", "Decimal", "Enum mixed"),
)
"""Leaves that read the same JSON: in a union of them the choice of the branch is all there is to get right."""


def rivals(w: Writer, need: Need) -> list[Written]:
    kinds = w.sample(w.pick(RIVALS), 2, 3)
    w.kinds.update(kinds)
    return [w.leaves[kind](w, 0, need) for kind in kinds]


def union(w: Writer, depth: int, need: Need) -> Written:
    if w.chance(2):
        branches = rivals(w, need)
    else:
        branches = [w.annotation(depth - 1, need) for _ in range(w.number(2, 3))]
    texts = different([branch.text for branch in branches])
    defaults = tuple(value for branch in branches for value in branch.defaults[:1])
    # `None | None` is no expression, `Union[None, None]` is.
    text = f"Union[{', '.join(texts)}]" if set(texts) <= {"None"} else joined(w, texts)
    return Written(text, defaults)


def nullable(w: Writer, depth: int, need: Need) -> Written:
    inner = w.annotation(depth - 1, need)
    text = w.pick(("{} | None", "Optional[{}]", "Union[None, {}]"))
    if inner.text == "None":
        text = "Optional[{}]"
    if inner.text in ("int", "float") and w.chance(2):  # markers on a union bind the branches they can apply to
        w.kinds.update(("Ge",))
        return Written(f"Annotated[{text.format(inner.text)}, Ge(1)]", ("None", "1"), mutable=False)
    return Written(text.format(inner.text), ("None", *inner.defaults), inner.mutable)


# ---- names for types ---------------------------------------------------------------------------------------


def new_type(w: Writer, depth: int, need: Need) -> Written:
    inner, name = w.annotation(depth - 1, need), w.fresh("Renamed")
    w.define(f"{name} = NewType('{name}', {inner.text})")
    return Written(name, inner.defaults, inner.mutable)


def alias(w: Writer, depth: int, need: Need) -> Written:
    inner, name = w.annotation(depth - 1, need), w.fresh("Alias")
    w.define(w.pick((f"{name} = {inner.text}", f"{name} = te.TypeAliasType('{name}', {inner.text})")))
    return Written(name, inner.defaults, inner.mutable)


def type_variable(w: Writer, depth: int, need: Need) -> Written:
    inner, name = w.annotation(depth - 1, need), w.fresh("T")
    w.define(f"{name} = TypeVar('{name}', bound={inner.text})")
    return Written(name, inner.defaults, inner.mutable)


HOLDING: dict[str, Constructor] = {
    "list": array_of("list[{}]", "List[{}]"),
    "Sequence": array_of("Sequence[{}]", "Collection[{}]", "Iterable[{}]"),
    "tuple[T, ...]": array_of("tuple[{}, ...]", display="({})"),
    "tuple[A, B]": fixed_tuple,
    "set": set_of("set[{}]", display="{{{}}}"),
    "frozenset": set_of("frozenset[{}]", "AbstractSet[{}]", display="frozenset(({}))"),
    "dict": plain_dict,
    "dict[str, T]": mapping(*STRING_KEYS),
    "dict[int, T]": mapping(("int", "7")),
    "dict[Enum, T]": enum_keys,
    "union": union,
    "nullable": nullable,
    "NewType": new_type,
    "alias": alias,
    "TypeVar": type_variable,
}
HASHABLE = ("tuple[T, ...]", "tuple[A, B]", "frozenset", "union", "nullable", "NewType", "alias")
"""Those of them whose values can be members of a set."""
