"""A question to a human: what it asks for as a JSON Schema, and the answer as the annotated types.

A question is a contract like any other, so it is read, checked and converted by the engine that does it for
tools: as the signature of a function nobody calls.
"""

import inspect
from typing import Any

import msgspec

from accord._calls import JSON, Failed
from accord._options import Options
from accord._records import shape_of
from accord._tool import Tool
from accord.dispatch.bind import bind
from accord.dispatch.exceptions import exception_of

__all__ = ["Question", "question_of"]

_ONLY = "answer"


class Question(msgspec.Struct, frozen=True):
    """``schema`` is an object of plain fields; ``names`` tells how the answer is handed back."""

    tool: Tool
    wants: str

    @property
    def schema(self) -> dict[str, JSON]:
        """What is asked for."""
        return self.tool.canonical_input

    def read(self, content: dict[str, JSON]) -> Any:
        """The answer as the types that were asked for.

        Raises:
            InvalidParams: it does not fit them.
        """
        bound = bind(self.tool, content)
        if isinstance(bound, Failed):
            raise exception_of(bound)
        return bound.kwargs if self.wants == "fields" else bound.kwargs[_ONLY]


def question_of(kind: Any, fields: dict[str, Any]) -> Question:
    """The question for one type, for a few named ones, or for what a JSON Schema says.

    Raises:
        RegistrationError: a type cannot be asked for.
    """
    if isinstance(kind, dict):  # a JSON Schema, which is asked as it is
        return Question(Tool(_answering({}, more=True), Options(name="ask", input_schema=kind)), "fields")
    wanted = fields or {_ONLY: kind}
    is_record = not fields and isinstance(kind, type) and (shape_of(kind) is not None or hasattr(kind, "__total__"))
    tool = Tool(_answering(wanted), Options(name="ask", flatten=is_record))
    return Question(tool, "fields" if fields else _ONLY)


def _answering(wanted: dict[str, Any], *, more: bool = False) -> Any:
    def ask(**answers: Any) -> None:
        """Stands for the question; never called."""

    parameters = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind) for name, kind in wanted.items()
    ]
    if more:
        parameters.append(inspect.Parameter("answers", inspect.Parameter.VAR_KEYWORD))
    ask.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what inspect looks for
    return ask
