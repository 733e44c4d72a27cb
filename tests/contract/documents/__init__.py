"""The schemas the source documents print, as data: one module per document.

Each module offers the same three names. `INPUTS` and `OUTPUTS` hold whole schemas that must come out exactly;
`PROPERTIES` holds excerpts, of which the printed keys must come out. A row starts with the numbers of the
promises it proves (`reference/checklist.md`: document, then line).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def takes(annotation: Any) -> Callable[..., Any]:
    """A function with the one parameter `x`, annotated as given."""

    def tool(x):
        return None

    tool.__annotations__ = {"x": annotation}
    return tool


def returns(annotation: Any) -> Callable[..., Any]:
    """A function without parameters, annotated to return the given type."""

    def tool():
        return None

    tool.__annotations__ = {"return": annotation}
    return tool
