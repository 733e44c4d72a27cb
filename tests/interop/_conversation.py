"""The conversation every client must get through with the example app, as data.

A step says what it shows, which verb of the programs in `clients/` it takes (`call`, `during`, `read`, ...), what
the verb is given, and what the client then sees. Nothing here knows how a client reaches the server.
"""

from __future__ import annotations

from tests.interop._steps import (
    CANCELS,
    DECLINES,
    ERAS,
    HANDSHAKE,
    NO_CONSENT,
    STATELESS,
    Holding,
    Step,
    accepts,
    call,
    failure,
    listed,
    result,
)

CALLS = [
    call("a text comes back as it was sent", "echo", {"text": "hé", "times": 2}, result("héhé", "héhé")),
    call("an object is the structured value", "add", {"a": 1, "b": 2}, result('{"sum":3}', {"sum": 3})),
    call("a number is boxed for those who know objects only", "count", {"items": ["a", "b"]}, result("2", 2)),
    call("so is a list", "letters", {"word": "ab"}, result('["a","b"]', ["a", "b"])),
    call("a tool that returns nothing has no value", "nothing", {}, result("", None)),
    call("an async tool is called like any other", "later", {"text": "x"}, result("x", "x")),
    call("a generator gives its last value", "steps", {"number": 2}, result("done", "done")),
    call("what a tool prints does no harm", "noisy", {}, result("quiet", "quiet")),
    call("what a tool reads is not the pipe", "reads", {}, result(*["nothing, and 0 for the child"] * 2)),
]

FAILURES = [
    call(
        "a refusal says what would have been right",
        "echo",
        {"txet": "x", "times": 0},
        failure({"code": "INVALID_PARAMS", "patch": [Holding(op="move"), Holding(op="replace")]}),
    ),
    call(
        "a failure on purpose keeps its code and its data",
        "fails",
        {"how": "on purpose"},
        failure({"code": "SOLD_OUT", "retryable": False, "data": {"left": 0}}),
    ),
    call("any other failure is an error too", "fails", {"how": "badly"}, failure({"code": "TOOL_ERROR"})),
    call("a tool that leaves takes nobody with it", "leaves", {}, failure({"code": "TOOL_ERROR"})),
    call(
        "a tool that is not there is a protocol error",
        "ecko",
        {},
        {"code": -32602, "data": Holding(reason="unknown_tool", suggestion="echo")},
    ),
]

RELEASE = {"name": "release", "arguments": {}}
ADD = {"name": "add", "arguments": {"a": 1, "b": 1}}

# `during` begins a call, waits until it has reported so many times, makes another call, and then waits or cancels.
DURING = [
    Step(
        f"the progress of {kind} reaches the callback",
        "during",
        {"name": name, "arguments": arguments, "reports": 3, "meanwhile": RELEASE, "cancel": False},
        {"progress": [[number, 3, f"{word} {number}"] for number in (1, 2, 3)], "meanwhile": "true", "ended": "done"},
    )
    for kind, name, arguments, word in [
        ("a generator", "steps", {"number": 3, "held": True}, "step"),
        ("an async tool", "paces", {"number": 3}, "pace"),
    ]
] + [
    Step(
        "a slow tool keeps nobody waiting and can be cancelled",
        "during",
        {"name": "waits", "arguments": {"seconds": 60}, "reports": 1, "meanwhile": ADD, "cancel": True},
        {"progress": [[0, None, "waiting"]], "meanwhile": '{"sum":2}', "ended": "cancelled"},
    ),
    call("the cancelled tool hears of it", "withdrawn", {}, result("true", True)),
    call("the call after a cancelled one is answered", "add", {"a": 2, "b": 2}, result('{"sum":4}', {"sum": 4})),
]

NAME, AGE = "What is your name?", "How old are you, Ada?"
ADA = accepts(answer="Ada")

QUESTIONS = [
    call("a question is answered", "asks", {}, result("hello Ada", "hello Ada", asked=[NAME]), answers=[ADA]),
    call("a declined question fails the call", "asks", {}, failure(NO_CONSENT, [NAME]), answers=[DECLINES]),
    call("so does a question closed without an answer", "asks", {}, failure(NO_CONSENT, [NAME]), answers=[CANCELS]),
    call(
        "two questions in a row are answered",
        "introduces",
        {},
        result("Ada is 36", "Ada is 36", asked=[NAME, AGE]),
        answers=[ADA, accepts(answer=36)],
    ),
    call(
        "the second of two questions is declined",
        "introduces",
        {},
        failure(NO_CONSENT, [NAME, AGE]),
        answers=[ADA, DECLINES],
    ),
    call(
        "consent is given",
        "wipes",
        {},
        result("wiped", "wiped", asked=["Really?"]),
        answers=[accepts(confirm=True)],
    ),
    call(
        "what a tool does once between two questions is done once",
        "pays",
        {},
        result("Ada pays 1 time", "Ada pays 1 time", asked=[NAME, "Pay, Ada?", "A receipt, Ada?"]),
        answers=[ADA, accepts(confirm=True), accepts(confirm=False)],
    ),
    call("consent is refused", "wipes", {}, failure(NO_CONSENT, ["Really?"]), answers=[DECLINES]),
    call(
        "the client's model answers",
        "samples",
        {"topic": "rain"},
        result("It falls.", "It falls.", asked=["A line about rain, please."]),
        answers=["It falls."],
    ),
    call(
        "the client's folders are listed",
        "folders",
        {},
        result('["file:///home/ada"]', ["file:///home/ada"], asked=["roots"]),
        answers=[["file:///home/ada"]],
    ),
]

# Nobody sits at this client, and it says so in its capabilities.
ALONE = [
    call("without a user, a question fails", "asks", {}, failure(NO_CONSENT), user=False),
    call("without a user, there is no consent", "wipes", {}, failure(NO_CONSENT), user=False),
    call("without a model, nothing can be sampled", "samples", {"topic": "x"}, failure(NO_CONSENT), user=False),
    call("without folders, none are listed", "folders", {}, result("[]", []), user=False),
]

NOT_THERE = Step(
    "a resource that is not there is an error",
    "read",
    {"uri": "data://nothing"},
    {
        HANDSHAKE: {"code": -32002, "data": Holding(uri="data://nothing")},
        STATELESS: {"code": -32602, "data": Holding(uri="data://nothing")},
    },
)

OFFERS = [
    Step("resources are listed", "resources", sees=["data://numbers"]),
    Step("templates of resources are listed", "templates", sees=["note://{name}"]),
    Step("a template is read", "read", {"uri": "note://today"}, "the note today"),
    Step("a resource is read", "read", {"uri": "data://numbers"}, "[1,2]"),
    NOT_THERE,
    Step(
        "prompts are listed with their arguments", "prompts", sees=[{"name": "review", "arguments": ["code", "tone"]}]
    ),
    Step(
        "a prompt is filled in",
        "prompt",
        {"name": "review", "arguments": {"code": "x = 1", "tone": "strict"}},
        "Review this in a strict tone: x = 1",
    ),
    Step("an argument is completed", "complete", {"prompt": "review", "argument": "tone", "value": "s"}, ["strict"]),
]

STEPS = [
    Step("the version of the era is spoken", "version", sees=ERAS),
    Step("every tool is listed with its contract", "tools", sees={era: listed(era) for era in ERAS}),
    *CALLS,
    *FAILURES,
    *DURING,
    *QUESTIONS,
    *ALONE,
    *OFFERS,
]

# What the server does not do yet: (era, step) -> why. Each of these must really fail, or its mark has to go.
PENDING: dict[tuple[str, str], str] = {}
