"""What a tool is given besides its arguments.

A parameter named ``ctx``, or annotated ``Context``, is filled in on every surface and never
published. ``Context()`` is inert: a tool called as the plain function it is can log and report
progress into the void, and has nobody to ask.
"""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, overload

from accord._caller import Caller, Level, Unanswered, Unwind

if TYPE_CHECKING:
    from accord._calls import Call, Surface
    from accord.dispatch.question import Question
    from accord.settings import Settings

__all__ = ["Context"]

_Answer = TypeVar("_Answer")


class Context:
    """The tool's line to whoever called it. Subclass it to add methods of your own: the subclass is injected too."""

    #: how the signature reader recognises the class and its subclasses without importing this module
    __accord_injected__: ClassVar[bool] = True

    _call: "Call | None" = None
    _settings: Callable[[], "Settings"] | None = None
    _kept: dict[str, Any] | None = None
    _question_of: Callable[[Any, dict[str, Any]], "Question"] | None = None
    _names: set[str] | None = None

    @classmethod
    def of(
        cls,
        call: "Call",
        *,
        settings: Callable[[], "Settings"],
        kept: dict[str, Any],
        question_of: Callable[[Any, dict[str, Any]], "Question"],
        names: set[str],
    ) -> Self:
        """The context of one call.

        ``kept`` is what ``once`` remembers, ``question_of`` reads what ``ask`` asks for, ``names`` are the keys that
        questions of this run have.
        """
        context = cls()
        context._call, context._settings, context._kept = call, settings, kept
        context._question_of, context._names = question_of, names
        return context

    # -- who calls -----------------------------------------------------------------------------------------------

    @property
    def surface(self) -> "Surface":
        """Where the call came in: ``"cli"``, ``"python"`` or ``"mcp"``."""
        return self._call.surface if self._call else "python"

    @property
    def principal(self) -> str | None:
        """Who calls, where somebody has checked; None otherwise."""
        return self._call.principal if self._call else None

    @property
    def request_id(self) -> str | int | None:
        """The caller's own name for this call, if it has one."""
        return self._call.request_id if self._call else None

    @property
    def settings(self) -> "Settings":
        """The app's settings: environment, ``<app>.toml``, ``pyproject.toml``; none where there is no app.

        Raises:
            SettingsError: a file or a variable cannot be used.
        """
        if self._settings is not None:
            return self._settings()
        from accord.settings import Settings  # noqa: PLC0415 - most tools never ask for settings

        return Settings()

    @property
    def cancelled(self) -> bool:
        """Whether the call was withdrawn or ran out of time. A long loop looks here."""
        cancellation = self._call.cancellation if self._call else None
        return cancellation is not None and cancellation.requested

    # -- telling -------------------------------------------------------------------------------------------------

    def log(self, message: str, level: int = 1) -> None:
        """Say something to the caller; the higher the level, the more verbose a caller must be to see it."""
        self._caller.log("info" if level <= 1 else "debug", str(message), level)

    def info(self, message: str) -> None:
        """Say something of interest."""
        self._say("info", message, 1)

    def warning(self, message: str) -> None:
        """Say that something may be wrong."""
        self._say("warning", message, 0)

    def error(self, message: str) -> None:
        """Say that something is wrong, without failing."""
        self._say("error", message, 0)

    def progress(self, status: str, step: float = 0, total: float = 0) -> None:
        """Say how far the work is; ``total`` 0 means unknown.

        Raises:
            ToolCancelled: the call was withdrawn; let it pass to end the tool.
        """
        if self.cancelled:
            from accord.errors import ToolCancelled  # noqa: PLC0415 - only a withdrawn call needs it

            raise ToolCancelled("the call was withdrawn")
        self._caller.progress(str(status), step, total)

    # -- asking --------------------------------------------------------------------------------------------------

    def confirm(self, question: str, *, key: str | None = None) -> bool:
        """Ask for consent and wait for the answer.

        ``key``, here and in what follows, names the question for programs that read it. No two have the same in a run.

        Raises:
            ConfirmationRequired: nobody is there to answer.
        """
        answer = self._named(key).confirm(str(question))
        if isinstance(answer, Unanswered):
            raise self._nobody(
                f"confirm {question!r}", "Say yes in advance (--yes, or app.confirmed() in Python)", answer.reason
            )
        return answer

    async def aconfirm(self, question: str, *, key: str | None = None) -> bool:
        """``confirm`` for async tools: the event loop goes on while somebody thinks."""
        answer: bool = await self._waited(self.confirm, question, key=key)
        return answer

    @overload
    def ask(self, message: str, /, *, key: str | None = None) -> str: ...

    @overload
    def ask(self, message: str, kind: type[_Answer], /, *, key: str | None = None) -> _Answer: ...

    @overload
    def ask(self, message: str, kind: dict[str, Any], /, *, key: str | None = None) -> dict[str, Any]: ...

    @overload
    def ask(self, message: str, /, *, key: str | None = None, **questions: Any) -> dict[str, Any]: ...

    @overload
    def ask(self, message: str, kind: Any = str, /, *, key: str | None = None, **questions: Any) -> Any: ...

    def ask(self, message: str, kind: Any = str, /, *, key: str | None = None, **questions: Any) -> Any:
        """Ask for values and wait for the answer.

        ``kind`` is the type of the answer: a dataclass or model of plain fields, or a single plain type.
        ``ask("Where to?", host=str, port=int)`` asks a few typed questions and returns them as a dict. So does a JSON
        Schema of an object, for what types do not say.

        Raises:
            ConfirmationRequired: nobody is there to answer, or the answer was declined.
            InvalidParams: the answer does not fit the types.
            ToolError: this cannot be asked here: over MCP, forms are flat and hold no secrets.
        """
        if self._question_of is None:
            raise self._nobody(f"ask {message!r}", "Call it through an app")
        question = self._question_of(kind, questions)
        answer = self._named(key).ask(str(message), question.schema)
        if isinstance(answer, Unanswered):
            raise self._nobody(f"ask {message!r}", "Call it where somebody can answer", answer.reason)
        if answer is None:
            raise self._nobody(f"ask {message!r}", "Call it again only if they change their mind", "the user declined")
        return question.read(answer)

    @overload
    async def aask(self, message: str, /, *, key: str | None = None) -> str: ...

    @overload
    async def aask(self, message: str, kind: type[_Answer], /, *, key: str | None = None) -> _Answer: ...

    @overload
    async def aask(self, message: str, kind: dict[str, Any], /, *, key: str | None = None) -> dict[str, Any]: ...

    @overload
    async def aask(self, message: str, /, *, key: str | None = None, **questions: Any) -> dict[str, Any]: ...

    @overload
    async def aask(self, message: str, kind: Any = str, /, *, key: str | None = None, **questions: Any) -> Any: ...

    async def aask(self, message: str, kind: Any = str, /, *, key: str | None = None, **questions: Any) -> Any:
        """``ask`` for async tools: the event loop goes on while somebody thinks."""
        return await self._waited(self.ask, message, kind, key=key, **questions)

    def sample(self, messages: Any, *, key: str | None = None, **options: Any) -> dict[str, Any]:
        """Let the caller's model say something.

        Raises:
            ConfirmationRequired: the caller has no model to offer.
        """
        answer = self._named(key).sample({"messages": messages, **options})
        if isinstance(answer, Unanswered):
            raise self._nobody("sample the caller's model", "Call it from a client that offers sampling", answer.reason)
        return answer

    async def asample(self, messages: Any, *, key: str | None = None, **options: Any) -> dict[str, Any]:
        """``sample`` for async tools: the event loop goes on while the model thinks."""
        answer: dict[str, Any] = await self._waited(self.sample, messages, key=key, **options)
        return answer

    def roots(self, *, key: str | None = None) -> list[str]:
        """The folders the caller works in, as file URIs; none where the caller has no word for it.

        Raises:
            ConfirmationRequired: the caller was asked, and did not say.
        """
        answer = self._named(key).roots()
        if not isinstance(answer, Unanswered):
            return answer
        if answer.reason:
            raise self._nobody("know the caller's folders", "Let the caller name them as arguments", answer.reason)
        return []

    async def aroots(self, *, key: str | None = None) -> list[str]:
        """``roots`` for async tools."""
        answer: list[str] = await self._waited(self.roots, key=key)
        return answer

    # -- doing ---------------------------------------------------------------------------------------------------

    def once(self, key: str, function: Callable[[], _Answer]) -> _Answer:
        """The result of ``function``, which runs once for this call, however often the tool runs for it.

        Where the next run may be another process's, the result travels there through the client's hands: signed, so
        that nobody alters it, but readable. It has to be JSON then.
        """
        answer: _Answer = self._caller.once(self._memory, key, function)
        return answer

    async def aonce(self, key: str, function: Callable[[], Awaitable[_Answer]]) -> _Answer:
        """``once`` for a function whose result is awaited."""
        answer: _Answer = await self._caller.aonce(self._memory, key, function)
        return answer

    def run_app(self, program: Any, *, fallback: Any = None) -> Any:
        """Run an interactive terminal program where a human sits at the terminal, ``fallback`` elsewhere.

        ``program`` is a callable or has a ``run`` method (a Textual app); ``fallback`` is a callable or a value.

        Raises:
            ConfirmationRequired: nobody sits there, and there is no fallback.
        """
        if self._caller.has_screen:
            run = program.run if hasattr(program, "run") else program
            return run()
        if fallback is None:
            raise self._nobody("run an interactive program", "Call it in a terminal")
        return fallback() if callable(fallback) else fallback

    def hang_up(self, *, retry: float = 1.0) -> None:
        """End the connection, not the call: whoever waits comes back after so many seconds, and is told the rest.

        For long calls over HTTP, up to 2025-11-25, with clients that can do it. Has no effect anywhere else.
        """
        self._caller.hang_up(retry)

    # -- the other end -------------------------------------------------------------------------------------------

    @property
    def _caller(self) -> Caller:
        return self._call.caller if self._call else _DEAF

    def _named(self, key: Any) -> Caller:
        """The other end, for a question of that name."""
        if key is None:
            return self._caller
        if not isinstance(key, str) or not key:
            raise TypeError("key= names a question, and is a text. Ask for a field of that name with a dataclass")
        if self._names is not None:
            if key in self._names:
                raise ValueError(f"two questions of one run have the key {key!r}: give each its own")
            self._names.add(key)
        return self._caller.named(key)

    @property
    def _memory(self) -> dict[str, Any]:
        if self._kept is None:
            self._kept = {}
        return self._kept

    async def _waited(self, ask: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """The answer, without holding up the loop. A question for the next run lets others be asked along with it."""
        import asyncio  # noqa: PLC0415 - whoever awaits this has imported it

        if self._caller.blocks:
            return await self._caller.waited(lambda: ask(*arguments, **options))
        try:
            return ask(*arguments, **options)
        except Unwind as unwind:
            asked = 0
            while asked < len(unwind.questions):  # a turn of the loop for every task that may have one, too
                asked = len(unwind.questions)
                await asyncio.sleep(0)
            raise

    def _say(self, level: Level, message: str, verbosity: int) -> None:
        self._caller.log(level, str(message), verbosity)

    def _nobody(self, wish: str, remedy: str, reason: str = "") -> Exception:
        from accord.errors import ConfirmationRequired  # noqa: PLC0415 - only the failure needs it

        return ConfirmationRequired(f"the tool wants to {wish}, and {reason or 'nobody here can answer'}. {remedy}.")


_DEAF = Caller()
