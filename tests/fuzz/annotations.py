"""Random signatures: every constructor of DESIGN 3.2, nested to depth 3, with constraints and defaults."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from tests.fuzz import containers, generics, records
from tests.fuzz.containers import HOLDING
from tests.fuzz.generics import GENERICS
from tests.fuzz.plain_types import PLAIN
from tests.fuzz.records import RECORDS
from tests.fuzz.writer import NAMES, PREAMBLE, Need, Writer, Written

DEPTH = 3

CONSTRUCTORS = (*PLAIN, *HOLDING, *RECORDS, *GENERICS)
"""Every row of 3.2: the histogram that the test prints must show each of them."""

MARKERS = ("MinLen", "MaxLen", "Gt", "Ge", "Lt", "Le", "MultipleOf", "Pattern", "Description")
DECLARATIONS = (
    *("unannotated", "default", "default None", "positional only", "keyword only", "Required", "NotRequired"),
    *(
        "ReadOnly",
        "total=False",
        "Final",
        "init=False",
        "Struct rename",
        "pydantic alias",
        "future annotations",
    ),
    *("metadata accord", "metadata annotated_types", "metadata pydantic", "metadata msgspec"),
)


FOREIGN_TO_PYDANTIC = (*records.NOT_IN_PYDANTIC, *generics.NOT_IN_PYDANTIC)


@dataclass(frozen=True)
class Source:
    """A generated module: it defines `tool` and `echo`. Two are the same when their text is."""

    text: str
    kinds: Counter[str] = field(compare=False, hash=False, repr=False)

    def __repr__(self) -> str:
        return f"Source('''\n{self.text}''')"


class TypeWriter(Writer):
    """A Writer that knows which constructors may stand where."""

    def annotation(self, depth: int, need: Need = Need()) -> Written:
        branches = {**HOLDING, **RECORDS, **GENERICS}
        if need.hashable:
            branches = {kind: branches[kind] for kind in (*containers.HASHABLE, *records.HASHABLE)}
        if need.pydantic:
            branches = {kind: write for kind, write in branches.items() if kind not in FOREIGN_TO_PYDANTIC}
        self.branches = branches
        if depth > 0 and self.chance(8):  # unions carry the most rules (R15), and are one constructor among many
            self.kinds["union"] += 1
            return containers.union(self, depth, need)
        return super().annotation(depth, need)


def parameter(w: Writer, name: str) -> Written:
    """`name: annotation`, without its default."""
    if w.chance(25):
        w.kinds["unannotated"] += 1
        return Written(name, ("None", "1", "'text'"))
    written = w.described(w.annotation(DEPTH - w.number(0, DEPTH)))
    return Written(f"{name}: {written.text}", written.defaults)


def given_default(w: Writer, declared: Written, required: bool) -> str | None:
    if required or w.chance(2):
        return None
    if not declared.defaults or w.chance(20):
        w.kinds["default None"] += 1  # `x: int = None`: optional and not nullable (R3)
        return "None"
    w.kinds["default"] += 1
    return w.pick(declared.defaults)


def parameter_list(w: Writer) -> tuple[str, str]:
    """Parameters of all three kinds, as Python orders them: defaults last among those given by position.

    Also the annotation of the first one, in which `echo` gives its argument back.
    """
    names = w.sample(NAMES, 1, 4)
    positional, keyword = w.number(0, len(names)), w.number(0, len(names))
    rendered: list[str] = []
    echoed = ""
    defaulted = False
    for index, name in enumerate(names):
        declared = parameter(w, name)
        echoed = echoed or declared.text.partition(": ")[2] or "Any"
        by_keyword = index >= len(names) - keyword
        default = given_default(w, declared, required=False)
        if default is None and defaulted and not by_keyword:
            default = "None"
            w.kinds["default None"] += 1
        defaulted = defaulted or default is not None
        if by_keyword and "*" not in rendered:
            rendered.append("*")
            w.kinds["keyword only"] += 1
        rendered.append(declared.text if default is None else f"{declared.text} = {default}")
        if index + 1 == positional and "*" not in rendered and w.chance(3):
            rendered.append("/")
            w.kinds["positional only"] += 1
    return ", ".join(rendered), echoed


@st.composite
def sources(draw: Any) -> Source:
    w = TypeWriter(draw, leaves=PLAIN, branches={})
    w.future = w.chance(3)
    w.kinds["future annotations"] += w.future
    parameters, echoed = parameter_list(w)
    text = ("from __future__ import annotations\n" if w.future else "") + PREAMBLE + "REQUIRED = {}\n\n"
    text += "".join(f"{line}\n" for line in w.body)
    text += f"\n\ndef tool({parameters}):\n    return None\n"
    text += f"\n\ndef echo(value: {echoed}) -> {echoed}:\n    return value\n"
    return Source(text, w.kinds)
